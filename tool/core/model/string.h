// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "../namespace.h"

#if !defined(CUDNN_CHECKED_ONE_UNIT) || defined(CUDNN_CHECKED_STANDARD_TYPES)
#include <ostream>
#include <string>
#endif

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// The strings of core: the part of std::string that core uses, in memory of the arena, copied by
/// copying a pointer.  A character, once written, never changes, so copies may share it; what is
/// appended goes behind the shared characters where this string is the longest that uses them, else
/// into a copy.
class string {
 public:
  static constexpr std::size_t npos = std::string_view::npos;

  string() = default;
  string(const char* text);
  string(const char* text, std::size_t size);
  string(std::size_t count, char c);
  explicit string(std::string_view text);
  string& operator=(const char* text);
  string(const string&) = default;
  string& operator=(const string&) = default;

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const char* data() const { return data_; }
  const char* begin() const { return data_; }
  const char* end() const { return data_ + size_; }
  /// A zero byte behind the end.
  char operator[](std::size_t at) const { return at < size_ ? data_[at] : '\0'; }
  char front() const { return (*this)[0]; }
  char back() const { return data_[size_ - 1]; }
  operator std::string_view() const { return {data_, size_}; }
  /// With a zero byte behind it.
  const char* c_str() const;

  std::size_t find(std::string_view text, std::size_t from = 0) const;
  std::size_t find(const char* text, std::size_t from = 0) const;
  std::size_t find(char c, std::size_t from = 0) const;
  std::size_t rfind(std::string_view text) const;
  std::size_t rfind(const char* text) const;
  std::size_t rfind(char c) const;
  std::size_t find_first_of(const char* characters, std::size_t from = 0) const;
  std::size_t find_first_not_of(const char* characters) const;
  /// Shares the characters.
  string substr(std::size_t begin, std::size_t count = npos) const;
  int compare(std::size_t begin, std::size_t count, std::string_view text) const;

  void append(std::string_view text);
  void append(const char* text);
  void append(const char* text, std::size_t size);
  void append(std::size_t count, char c);
  void push_back(char c);
  string& operator+=(std::string_view text) {
    append(text);
    return *this;
  }
  string& operator+=(const string& text) { return *this += std::string_view(text); }
  string& operator+=(const char* text) {
    append(text);
    return *this;
  }
  string& operator+=(char c) {
    push_back(c);
    return *this;
  }
  /// So many characters more, which the caller writes at once: where they begin.
  char* extend(std::size_t more);
  void pop_back() { --size_; }
  void clear() { size_ = 0; }
  /// Cuts to a size that it has at least.
  void shorten(std::size_t size) { size_ = static_cast<std::uint32_t>(size); }

#if !defined(CUDNN_CHECKED_ONE_UNIT) || defined(CUDNN_CHECKED_STANDARD_TYPES)
  // For the command line and the tests, whose libraries have standard strings.
  string(const std::string& text) : string(text.data(), text.size()) {}
  operator std::string() const { return std::string(data_, size_); }
  string& operator+=(const std::string& text) { return *this += std::string_view(text); }
#endif

 private:
  const char* data_ = nullptr;  ///< of an empty one that was never written: all bytes are zero
  std::uint32_t size_ = 0;
  /// How many characters fit at `data_`, a zero byte not counted; how many are in use, by the
  /// longest of the copies, lies before them.  0: they are nobody's.
  std::uint32_t capacity_ = 0;
};

bool is_equal(std::string_view left, std::string_view right);
bool is_equal(std::string_view left, const char* right);
bool is_less(std::string_view left, std::string_view right);

inline bool operator==(const string& a, const string& b) { return is_equal(a, b); }
bool operator==(const string& a, const char* b);
inline bool operator==(const char* a, const string& b) { return b == a; }
inline bool operator==(const string& a, std::string_view b) { return is_equal(a, b); }
inline bool operator==(std::string_view a, const string& b) { return is_equal(a, b); }
inline bool operator!=(const string& a, const string& b) { return !is_equal(a, b); }
inline bool operator!=(const string& a, const char* b) { return !(a == b); }
inline bool operator!=(const string& a, std::string_view b) { return !is_equal(a, b); }
inline bool operator!=(std::string_view a, const string& b) { return !is_equal(a, b); }
inline bool operator<(const string& a, const string& b) { return is_less(a, b); }

string joined(std::string_view left, std::string_view right);

inline string operator+(const string& a, const string& b) { return joined(a, b); }
inline string operator+(const string& a, const char* b) { return joined(a, b); }
inline string operator+(const char* a, const string& b) { return joined(a, b); }
inline string operator+(const string& a, std::string_view b) { return joined(a, b); }
inline string operator+(std::string_view a, const string& b) { return joined(a, b); }
inline string operator+(char a, const string& b) { return joined({&a, 1}, b); }
inline string operator+(const string& a, char b) { return joined(a, {&b, 1}); }
inline string operator+(string&& a, const string& b) { return a += b; }
inline string operator+(string&& a, const char* b) { return a += b; }
inline string operator+(string&& a, char b) { return a += b; }

/// As std::string_view::substr(), empty behind the end: that one brings an exception.
std::string_view part_of(std::string_view text, std::size_t begin,
                         std::size_t count = std::string_view::npos);

/// Of texts that lie behind each other, each with its zero byte, the one of that index: a table
/// that the loader does not have to relocate.
const char* text_at(const char* texts, std::size_t index);

/// Decimal.
string to_string(long long number);
string to_string(unsigned long long number);
inline string to_string(int number) { return to_string(static_cast<long long>(number)); }
inline string to_string(long number) { return to_string(static_cast<long long>(number)); }
inline string to_string(unsigned number) {
  return to_string(static_cast<unsigned long long>(number));
}
inline string to_string(unsigned long number) {
  return to_string(static_cast<unsigned long long>(number));
}

#if !defined(CUDNN_CHECKED_ONE_UNIT) || defined(CUDNN_CHECKED_STANDARD_TYPES)
inline string operator+(string&& a, const std::string& b) { return a += b; }
inline bool operator==(const string& a, const std::string& b) { return is_equal(a, b); }
inline bool operator==(const std::string& a, const string& b) { return is_equal(a, b); }
inline bool operator!=(const string& a, const std::string& b) { return !is_equal(a, b); }
inline bool operator!=(const std::string& a, const string& b) { return !is_equal(a, b); }
inline std::string operator+(const string& a, const std::string& b) { return std::string(a) + b; }
inline std::string operator+(const std::string& a, const string& b) { return a + std::string(b); }
inline std::ostream& operator<<(std::ostream& out, const string& text) {
  return out << std::string_view(text);
}
#endif

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
