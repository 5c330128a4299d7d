// SPDX-License-Identifier: BSD-3-Clause
#include "fields.h"

#include <cstddef>
#include <cstring>
#include <limits>

namespace cudnn_checked::sweep {

static constexpr const char* hex_digits = "0123456789abcdef";

static bool stands_for_itself(unsigned char byte) {
  return byte >= 0x20 && byte < 0x7f && byte != '\\';
}

field_writer& field_writer::text(const std::string& value) {
  line_ += '\t';
  for (const char c : value) {
    const auto byte = static_cast<unsigned char>(c);
    if (stands_for_itself(byte)) {
      line_ += c;
      continue;
    }
    line_ += '\\';
    line_ += hex_digits[byte >> 4U];
    line_ += hex_digits[byte & 15U];
  }
  return *this;
}

field_writer& field_writer::number(std::int64_t value) { return text(std::to_string(value)); }

field_writer& field_writer::natural(std::uint64_t value) { return text(std::to_string(value)); }

field_writer& field_writer::real(double value) {
  std::uint64_t bits = 0;
  static_assert(sizeof bits == sizeof value, "double has 64 bits");
  std::memcpy(&bits, &value, sizeof bits);
  line_ += '\t';
  for (int shift = 60; shift >= 0; shift -= 4) line_ += hex_digits[(bits >> shift) & 15U];
  return *this;
}

/// -1: it is none.
static int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool read_escaped(const std::string& field, std::string& value) {
  value.clear();
  for (std::size_t i = 0; i < field.size(); ++i) {
    const auto byte = static_cast<unsigned char>(field[i]);
    if (byte < 0x20 || byte >= 0x7f) return false;
    if (field[i] != '\\') {
      value += field[i];
      continue;
    }
    if (field.size() - i < 3) return false;
    const int high = hex_value(field[i + 1]);
    const int low = hex_value(field[i + 2]);
    if (high < 0 || low < 0) return false;
    const int code = high * 16 + low;
    if (stands_for_itself(static_cast<unsigned char>(code))) return false;
    value += static_cast<char>(code);
    i += 2;
  }
  return true;
}

bool read_natural(const std::string& text, std::uint64_t& value) {
  if (text.empty() || (text.size() > 1 && text[0] == '0')) return false;
  std::uint64_t read = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return false;
    const auto digit = static_cast<std::uint64_t>(c - '0');
    if (read > (std::numeric_limits<std::uint64_t>::max() - digit) / 10) return false;
    read = read * 10 + digit;
  }
  value = read;
  return true;
}

bool read_whole(const std::string& text, std::int64_t least, std::int64_t most,
                std::int64_t& value) {
  const bool negative = !text.empty() && text[0] == '-';
  std::uint64_t size = 0;
  if (!read_natural(negative ? text.substr(1) : text, size)) return false;
  if (size > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) return false;
  const auto read = negative ? -static_cast<std::int64_t>(size) : static_cast<std::int64_t>(size);
  if ((negative && read == 0) || read < least || read > most) return false;
  value = read;
  return true;
}

field_reader::field_reader(const std::string& line, const char* what) : line_(line) {
  const std::size_t length = std::strlen(what);
  good_ = line.compare(0, length, what) == 0;
  at_ = length;
}

bool field_reader::next(std::string& field) {
  good_ = good_ && at_ < line_.size() && line_[at_] == '\t';
  if (!good_) return false;
  const std::size_t end = line_.find('\t', at_ + 1);
  field = line_.substr(at_ + 1, end == std::string::npos ? end : end - at_ - 1);
  at_ = end == std::string::npos ? line_.size() : end;
  return true;
}

bool field_reader::text(std::string& value) {
  std::string field;
  good_ = next(field) && read_escaped(field, value);
  return good_;
}

bool field_reader::number(std::int64_t& value, std::int64_t least, std::int64_t most) {
  std::string field;
  good_ = next(field) && read_whole(field, least, most, value);
  return good_;
}

bool field_reader::natural(std::uint64_t& value) {
  std::string field;
  good_ = next(field) && read_natural(field, value);
  return good_;
}

bool field_reader::size(std::size_t& value) {
  std::uint64_t read = 0;
  good_ = natural(read) && read <= std::numeric_limits<std::size_t>::max();
  if (good_) value = static_cast<std::size_t>(read);
  return good_;
}

bool field_reader::real(double& value) {
  std::string field;
  good_ = next(field) && field.size() == 16;
  std::uint64_t bits = 0;
  for (std::size_t i = 0; good_ && i < field.size(); ++i) {
    const int digit = hex_value(field[i]);
    good_ = digit >= 0;
    bits = bits * 16 + static_cast<std::uint64_t>(good_ ? digit : 0);
  }
  if (good_) std::memcpy(&value, &bits, sizeof value);
  return good_;
}

bool field_reader::end() {
  std::string field;
  good_ = next(field) && field == "." && at_ == line_.size();
  return good_;
}

}  // namespace cudnn_checked::sweep
