// SPDX-License-Identifier: BSD-3-Clause
//
// Fields of a line: a word that says what the line is, fields behind tabs, and a dot that shows
// that nothing was cut off.
#pragma once

#include <cstdint>
#include <string>

namespace cudnn_checked::sweep {

class field_writer {
 public:
  explicit field_writer(const char* what) : line_(what) {}

  /// Any bytes; those that are no printable ASCII are escaped.
  field_writer& text(const std::string& value);
  field_writer& number(std::int64_t value);
  field_writer& natural(std::uint64_t value);
  /// All its bits, NaN included, whatever the locale is.
  field_writer& real(double value);
  /// The whole line, without its end.
  std::string line() const { return line_ + "\t."; }

 private:
  std::string line_;
};

/// Reads what field_writer writes.  After the first field that is wrong, every function gives
/// false.
class field_reader {
 public:
  /// Where the line is not of this kind, all that follows gives false.
  field_reader(const std::string& line, const char* what);

  bool text(std::string& value);
  bool number(std::int64_t& value, std::int64_t least, std::int64_t most);
  bool natural(std::uint64_t& value);
  bool size(std::size_t& value);
  bool real(double& value);
  /// True where nothing is left but the dot.
  bool end();

 private:
  bool next(std::string& field);

  const std::string& line_;
  std::size_t at_ = 0;
  bool good_ = false;
};

/// Decimal digits, a minus sign where `least` is below zero, nothing else.
bool read_whole(const std::string& text, std::int64_t least, std::int64_t most,
                std::int64_t& value);
bool read_natural(const std::string& text, std::uint64_t& value);

}  // namespace cudnn_checked::sweep
