// SPDX-License-Identifier: BSD-3-Clause
#include "arena_string.h"

#include <cstdlib>
#include <cstring>

#include "arena.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// Lies before the characters of a string.
using string_size = std::uint32_t;

static char* make_characters(std::size_t size) {
  if (size >= UINT32_MAX / 2) std::abort();
  char* const begin =
      static_cast<char*>(take_memory(sizeof(string_size) + size + 1, alignof(string_size)));
  const string_size written = static_cast<string_size>(size);
  std::memcpy(begin, &written, sizeof written);
  begin[sizeof(string_size) + size] = '\0';
  return begin + sizeof(string_size);
}

std::size_t arena_string::size() const {
  return data_ == nullptr ? 0 : reinterpret_cast<const string_size*>(data_)[-1];
}

arena_string arena_string::at(const char* data) {
  arena_string text;
  text.data_ = data;
  return text;
}

char arena_string::operator[](std::size_t at) const { return at < size() ? data_[at] : '\0'; }

char* arena_string::extend(std::size_t more) {
  const std::size_t before = size();
  if (more == 0) return nullptr;
  char* const fresh = make_characters(before + more);
  if (before != 0) std::memcpy(fresh, data_, before);
  data_ = fresh;
  return fresh + before;
}

const char* arena_string::extended(const char* data, std::string_view text) {
  arena_string longer = at(data);
  if (!text.empty()) std::memcpy(longer.extend(text.size()), text.data(), text.size());
  return longer.data_;
}

const char* arena_string::extended(const char* data, const char* text) {
  return extended(data, std::string_view(text));
}

const char* arena_string::extended(const char* data, arena_string text) {
  return data == nullptr ? text.data_ : extended(data, std::string_view(text));
}

const char* arena_string::made(const char* text) {
  return extended(nullptr, std::string_view(text));
}

void arena_string::append(std::size_t count, char c) {
  if (count != 0) std::memset(extend(count), c, count);
}

char* string_builder::extend(std::size_t more) {
  const std::size_t before = size_;
  size_ += more;
  if (size_ > capacity_) {
    capacity_ = 2 * size_;
    char* const fresh = make_characters(capacity_);
    if (before != 0) std::memcpy(fresh, data_, before);
    data_ = fresh;
  }
  return data_ + before;
}

void string_builder::append(std::string_view text) {
  if (!text.empty()) std::memcpy(extend(text.size()), text.data(), text.size());
}

arena_string string_builder::take() {
  const arena_string all(data_, size_);
  *this = {};
  return all;
}

std::size_t arena_string::find(std::string_view text, std::size_t from) const {
  return std::string_view(*this).find(text, from);
}

std::size_t arena_string::find(const char* text, std::size_t from) const {
  return find(std::string_view(text), from);
}

std::size_t arena_string::find(char c, std::size_t from) const {
  return std::string_view(*this).find(c, from);
}

std::size_t arena_string::rfind(std::string_view text) const {
  return std::string_view(*this).rfind(text);
}

std::size_t arena_string::rfind(const char* text) const { return rfind(std::string_view(text)); }

std::size_t arena_string::rfind(char c) const { return std::string_view(*this).rfind(c); }

std::size_t arena_string::find_first_of(const char* characters, std::size_t from) const {
  return std::string_view(*this).find_first_of(characters, from);
}

std::size_t arena_string::find_first_not_of(const char* characters) const {
  return std::string_view(*this).find_first_not_of(characters);
}

arena_string arena_string::substr(std::size_t begin, std::size_t count) const {
  return arena_string(part_of(*this, begin, count));
}

int arena_string::compare(std::size_t begin, std::size_t count, std::string_view text) const {
  return part_of(*this, begin, count).compare(text);
}

bool is_equal(std::string_view left, std::string_view right) {
  return left.size() == right.size() &&
         (left.empty() || std::memcmp(left.data(), right.data(), left.size()) == 0);
}

bool is_equal(std::string_view left, const char* right) {
  return is_equal(left, std::string_view(right));
}

bool operator==(arena_string a, arena_string b) { return is_equal(a, b); }
bool operator==(arena_string a, const char* b) { return is_equal(a, b); }
bool operator<(arena_string a, arena_string b) { return std::string_view(a) < std::string_view(b); }

static arena_string joined(std::string_view left, std::string_view right) {
  arena_string text;
  char* const begin = text.extend(left.size() + right.size());
  if (!left.empty()) std::memcpy(begin, left.data(), left.size());
  if (!right.empty()) std::memcpy(begin + left.size(), right.data(), right.size());
  return text;
}

arena_string operator+(arena_string a, arena_string b) { return joined(a, b); }
arena_string operator+(arena_string a, const char* b) { return joined(a, b); }
arena_string operator+(const char* a, arena_string b) { return joined(a, b); }
arena_string operator+(char a, arena_string b) { return joined({&a, 1}, b); }
arena_string operator+(arena_string a, char b) { return joined(a, {&b, 1}); }

std::string_view part_of(std::string_view text, std::size_t begin, std::size_t count) {
  const std::size_t rest = begin < text.size() ? text.size() - begin : 0;
  return {rest == 0 ? text.data() : text.data() + begin, count < rest ? count : rest};
}

const char* text_at(const char* texts, std::size_t index) {
  while (index-- > 0) texts += std::strlen(texts) + 1;
  return texts;
}

arena_string to_string(unsigned long long number) {
  char digits[24];
  char* begin = digits + sizeof digits;
  do {
    *--begin = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number != 0);
  return arena_string(begin, static_cast<std::size_t>(digits + sizeof digits - begin));
}

arena_string to_string(long long number) {
  if (number >= 0) return to_string(static_cast<unsigned long long>(number));
  return "-" + to_string(0 - static_cast<unsigned long long>(number));
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
