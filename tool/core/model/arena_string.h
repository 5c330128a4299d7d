// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "../namespace.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

#if defined(__GNUC__)
#define CUDNN_CHECKED_IN_PLACE __attribute__((always_inline)) inline
#else
#define CUDNN_CHECKED_IN_PLACE inline
#endif

/// std::string, whose header no guard includes: the strings of a standard library have all of
/// these, and the types of core none.
template <class text>
using if_standard_string =
    std::enable_if_t<std::is_same<typename text::value_type, char>::value &&
                     std::is_same<typename text::traits_type, std::char_traits<char>>::value &&
                     !std::is_same<typename text::allocator_type, void>::value>;

/// The strings of core: the part of std::string that core uses, in memory of the arena.  A string
/// is the address of characters that never change, so it is passed by value, in a register, and
/// what is appended goes into a copy.  What grows character by character is a string_builder.
class arena_string {
 public:
  static constexpr std::size_t npos = std::string_view::npos;

  arena_string() = default;
  // A constructor that is called would need a string that lies in memory.
  CUDNN_CHECKED_IN_PLACE arena_string(const char* text) : data_(made(text)) {}
  CUDNN_CHECKED_IN_PLACE arena_string(const char* text, std::size_t size)
      : data_(extended(nullptr, std::string_view(text, size))) {}
  CUDNN_CHECKED_IN_PLACE explicit arena_string(std::string_view text)
      : data_(extended(nullptr, text)) {}
  arena_string(std::size_t count, char c) { append(count, c); }

  std::size_t size() const;
  bool empty() const { return data_ == nullptr; }
  const char* data() const { return data_; }
  const char* begin() const { return data_; }
  const char* end() const { return data_ + size(); }
  /// A zero byte behind the end.
  char operator[](std::size_t at) const;
  char front() const { return (*this)[0]; }
  char back() const { return end()[-1]; }
  operator std::string_view() const { return {data_, size()}; }
  /// With a zero byte behind it.
  const char* c_str() const { return data_ == nullptr ? "" : data_; }

  std::size_t find(std::string_view text, std::size_t from = 0) const;
  std::size_t find(const char* text, std::size_t from = 0) const;
  std::size_t find(char c, std::size_t from = 0) const;
  std::size_t rfind(std::string_view text) const;
  std::size_t rfind(const char* text) const;
  std::size_t rfind(char c) const;
  std::size_t find_first_of(const char* characters, std::size_t from = 0) const;
  std::size_t find_first_not_of(const char* characters) const;
  arena_string substr(std::size_t begin, std::size_t count = npos) const;
  int compare(std::size_t begin, std::size_t count, std::string_view text) const;

  CUDNN_CHECKED_IN_PLACE void append(std::string_view text) { data_ = extended(data_, text); }
  CUDNN_CHECKED_IN_PLACE void append(const char* text) { data_ = extended(data_, text); }
  CUDNN_CHECKED_IN_PLACE void append(const char* text, std::size_t size) {
    data_ = extended(data_, std::string_view(text, size));
  }
  void append(std::size_t count, char c);
  CUDNN_CHECKED_IN_PLACE void push_back(char c) {
    data_ = extended(data_, std::string_view(&c, 1));
  }
  CUDNN_CHECKED_IN_PLACE arena_string& operator+=(std::string_view text) {
    append(text);
    return *this;
  }
  CUDNN_CHECKED_IN_PLACE arena_string& operator+=(arena_string text) {
    data_ = extended(data_, text);
    return *this;
  }
  CUDNN_CHECKED_IN_PLACE arena_string& operator+=(const char* text) {
    append(text);
    return *this;
  }
  CUDNN_CHECKED_IN_PLACE arena_string& operator+=(char c) {
    push_back(c);
    return *this;
  }
  /// Makes the string longer, and returns where the new characters begin.  The caller writes them
  /// at once.
  char* extend(std::size_t more);
  void pop_back() { shorten(size() - 1); }
  void clear() { data_ = nullptr; }
  /// Cuts to a size that it has at least.
  void shorten(std::size_t size) { *this = arena_string(data_, size); }

  /// The string whose characters lie there: what data() of one was, or null.
  static arena_string at(const char* data);

  // For the command line and the tests, whose libraries have standard strings.
  template <class text, class = if_standard_string<text>>
  arena_string(const text& other) : arena_string(other.data(), other.size()) {}
  template <class text, class = if_standard_string<text>>
  operator text() const {
    return text(std::string_view(*this));
  }
  template <class text, class = if_standard_string<text>>
  arena_string& operator+=(const text& other) {
    return *this += std::string_view(other);
  }

 private:
  static const char* made(const char* text);
  static const char* extended(const char* data, const char* text);
  static const char* extended(const char* data, std::string_view text);
  static const char* extended(const char* data, arena_string text);

  /// Their number lies before them and a zero byte behind them; null: there are none.
  const char* data_ = nullptr;
};

/// A string while it grows: what is appended goes behind what it has, without a copy of it.  What
/// grows in a loop over a text that others wrote is one: as a string it would take memory for the
/// square of that text's length, and the arena gives none back.
class string_builder {
 public:
  void append(std::string_view text);
  /// So many characters more, which the caller writes at once: where they begin.
  char* extend(std::size_t more);
  /// Cuts to a size that it has at least.
  void shorten(std::size_t size) { size_ = size; }
  string_builder& operator+=(std::string_view text) {
    append(text);
    return *this;
  }
  string_builder& operator+=(char c) { return *this += std::string_view(&c, 1); }
  std::size_t size() const { return size_; }
  /// Returns the text, and leaves the builder empty.
  arena_string take();

 private:
  char* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

bool is_equal(std::string_view left, std::string_view right);
bool is_equal(std::string_view left, const char* right);

bool operator==(arena_string a, arena_string b);
bool operator==(arena_string a, const char* b);
inline bool operator==(const char* a, arena_string b) { return b == a; }
inline bool operator==(arena_string a, std::string_view b) { return is_equal(a, b); }
inline bool operator==(std::string_view a, arena_string b) { return is_equal(a, b); }
inline bool operator!=(arena_string a, arena_string b) { return !(a == b); }
inline bool operator!=(arena_string a, const char* b) { return !(a == b); }
inline bool operator!=(arena_string a, std::string_view b) { return !is_equal(a, b); }
inline bool operator!=(std::string_view a, arena_string b) { return !is_equal(a, b); }
bool operator<(arena_string a, arena_string b);

arena_string operator+(arena_string a, arena_string b);
arena_string operator+(arena_string a, const char* b);
arena_string operator+(const char* a, arena_string b);
inline arena_string operator+(arena_string a, std::string_view b) { return a + arena_string(b); }
inline arena_string operator+(std::string_view a, arena_string b) { return arena_string(a) + b; }
arena_string operator+(char a, arena_string b);
arena_string operator+(arena_string a, char b);

/// As std::string_view::substr(), empty behind the end: that one brings an exception.
std::string_view part_of(std::string_view text, std::size_t begin,
                         std::size_t count = std::string_view::npos);

/// The text with that index among texts that lie one after the other, each with a zero byte: a
/// table that the loader does not have to relocate.
const char* text_at(const char* texts, std::size_t index);

/// Decimal.
arena_string to_string(long long number);
arena_string to_string(unsigned long long number);
inline arena_string to_string(int number) { return to_string(static_cast<long long>(number)); }
inline arena_string to_string(long number) { return to_string(static_cast<long long>(number)); }
inline arena_string to_string(unsigned number) {
  return to_string(static_cast<unsigned long long>(number));
}
inline arena_string to_string(unsigned long number) {
  return to_string(static_cast<unsigned long long>(number));
}

template <class text, class = if_standard_string<text>>
bool operator==(arena_string a, const text& b) {
  return is_equal(a, b);
}
template <class text, class = if_standard_string<text>>
bool operator==(const text& a, arena_string b) {
  return is_equal(a, b);
}
template <class text, class = if_standard_string<text>>
bool operator!=(arena_string a, const text& b) {
  return !is_equal(a, b);
}
template <class text, class = if_standard_string<text>>
bool operator!=(const text& a, arena_string b) {
  return !is_equal(a, b);
}
template <class text, class = if_standard_string<text>>
text operator+(arena_string a, const text& b) {
  return text(a) + b;
}
template <class text, class = if_standard_string<text>>
text operator+(const text& a, arena_string b) {
  return a + text(b);
}
template <class stream, class = typename stream::char_type>
stream& operator<<(stream& out, arena_string text) {
  out << std::string_view(text);
  return out;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
