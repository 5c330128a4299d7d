// SPDX-License-Identifier: BSD-3-Clause
#include "string.h"

#include <cstring>

#include "arena.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// Lies before the characters of a buffer.
struct string_buffer {
  std::uint32_t used;  ///< by the longest of the strings that share it
};

static string_buffer* string_buffer_of(const char* characters) {
  return reinterpret_cast<string_buffer*>(const_cast<char*>(characters) - sizeof(string_buffer));
}

// Room for `more` characters behind those that it has, which it then counts as its own.
char* string::extend(std::size_t more) {
  const std::size_t size = size_ + more;
  if (size >= UINT32_MAX / 2) __builtin_trap();
  char* characters = const_cast<char*>(data_);
  if (capacity_ == 0 || size > capacity_ || string_buffer_of(data_)->used != size_) {
    // The first characters of a string are often all; whoever appends once appends again.
    const std::size_t wanted = size_ == 0 ? size : 2 * size;
    char* const fresh =
        static_cast<char*>(take_memory(sizeof(string_buffer) + wanted + 1, alignof(string_buffer)));
    characters = fresh + sizeof(string_buffer);
    if (size_ != 0) std::memcpy(characters, data_, size_);
    data_ = characters;
    capacity_ = static_cast<std::uint32_t>(wanted);
  }
  char* const end = characters + size_;
  size_ = static_cast<std::uint32_t>(size);
  string_buffer_of(data_)->used = size_;
  characters[size] = '\0';
  return end;
}

void string::append(const char* text, std::size_t size) {
  if (size == 0) return;
  std::memmove(extend(size), text, size);
}

void string::append(std::string_view text) { append(text.data(), text.size()); }

void string::append(const char* text) { append(text, std::strlen(text)); }

void string::append(std::size_t count, char c) {
  if (count != 0) std::memset(extend(count), c, count);
}

void string::push_back(char c) { *extend(1) = c; }

string::string(const char* text) { append(text, std::strlen(text)); }
string& string::operator=(const char* text) { return *this = string(text); }
string::string(const char* text, std::size_t size) { append(text, size); }
string::string(std::string_view text) { append(text); }
string::string(std::size_t count, char c) { append(count, c); }

// A string that was cut, or whose copy has grown, has no zero byte where it ends.
const char* string::c_str() const {
  return size_ == 0 ? "" : data_[size_] == '\0' ? data_ : string(data_, size_).data_;
}

std::size_t string::find(std::string_view text, std::size_t from) const {
  return std::string_view(data_, size_).find(text, from);
}

std::size_t string::find(const char* text, std::size_t from) const {
  return find(std::string_view(text), from);
}

std::size_t string::find(char c, std::size_t from) const {
  if (from >= size_) return npos;
  const void* const at = std::memchr(data_ + from, c, size_ - from);
  return at == nullptr ? npos : static_cast<std::size_t>(static_cast<const char*>(at) - data_);
}

std::size_t string::rfind(std::string_view text) const {
  return std::string_view(data_, size_).rfind(text);
}

std::size_t string::rfind(const char* text) const { return rfind(std::string_view(text)); }

std::size_t string::rfind(char c) const {
  for (std::size_t i = size_; i > 0; --i) {
    if (data_[i - 1] == c) return i - 1;
  }
  return npos;
}

std::size_t string::find_first_of(const char* characters, std::size_t from) const {
  return std::string_view(data_, size_).find_first_of(characters, from);
}

std::size_t string::find_first_not_of(const char* characters) const {
  return std::string_view(data_, size_).find_first_not_of(characters);
}

string string::substr(std::size_t begin, std::size_t count) const {
  const std::size_t rest = begin < size_ ? size_ - begin : 0;
  string part;
  if (rest != 0) part.data_ = data_ + begin;
  part.size_ = static_cast<std::uint32_t>(count < rest ? count : rest);
  return part;
}

int string::compare(std::size_t begin, std::size_t count, std::string_view text) const {
  const std::size_t rest = begin < size_ ? size_ - begin : 0;
  return std::string_view(data_ + (rest == 0 ? 0 : begin), count < rest ? count : rest)
      .compare(text);
}

bool is_equal(std::string_view left, std::string_view right) {
  return left.size() == right.size() &&
         (left.empty() || std::memcmp(left.data(), right.data(), left.size()) == 0);
}

bool is_equal(std::string_view left, const char* right) {
  return is_equal(left, std::string_view(right));
}

bool operator==(const string& a, const char* b) { return is_equal(a, b); }

bool is_less(std::string_view left, std::string_view right) { return left < right; }

string joined(std::string_view left, std::string_view right) {
  string text;
  char* const begin = text.extend(left.size() + right.size());
  if (!left.empty()) std::memcpy(begin, left.data(), left.size());
  if (!right.empty()) std::memcpy(begin + left.size(), right.data(), right.size());
  return text;
}

std::string_view part_of(std::string_view text, std::size_t begin, std::size_t count) {
  const std::size_t rest = begin < text.size() ? text.size() - begin : 0;
  return {rest == 0 ? text.data() : text.data() + begin, count < rest ? count : rest};
}

const char* text_at(const char* texts, std::size_t index) {
  while (index-- > 0) texts += std::strlen(texts) + 1;
  return texts;
}

string to_string(unsigned long long number) {
  char digits[24];
  char* begin = digits + sizeof digits;
  do {
    *--begin = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number != 0);
  return string(begin, static_cast<std::size_t>(digits + sizeof digits - begin));
}

string to_string(long long number) {
  if (number >= 0) return to_string(static_cast<unsigned long long>(number));
  return "-" + to_string(0 - static_cast<unsigned long long>(number));
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
