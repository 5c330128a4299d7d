// SPDX-License-Identifier: BSD-3-Clause
#include "line.h"

#include <cstdlib>
#include <utility>

#include "fields.h"

namespace cudnn_checked::sweep {

/// The columns that a plan has before it is run.
static constexpr std::size_t plan_columns[] = {0, 4, 5, 6, 7};

static const char* to_string(message::kind what) {
  static constexpr const char* words[] = {"request", "compute", "machine", "cannot", "prepares",
                                          "begin",   "built",   "result",  "counts", "end"};
  return words[static_cast<int>(what)];
}

template <>
inline constexpr auto last_of<message::kind> = message::kind::end;

namespace {

class line_writer {
 public:
  explicit line_writer(const std::string& word) : line_(word) {}

  template <class value>
  bool one(const value& of) {
    return add(text_of(of, style::exact));
  }
  template <class object>
  bool part(const field<object>& described, const object& of) {
    return add(described.write(of, style::exact));
  }
  std::string line() const { return line_ + "\t."; }

 private:
  /// What is no printable ASCII is escaped, and so is the backslash.
  bool add(const std::string& text) {
    static constexpr const char* hex_digits = "0123456789abcdef";
    line_ += '\t';
    for (const char c : text) {
      const auto byte = static_cast<unsigned char>(c);
      if (byte >= 0x20 && byte < 0x7f && byte != '\\') {
        line_ += c;
      } else {
        line_ += {'\\', hex_digits[byte >> 4U], hex_digits[byte & 15U]};
      }
    }
    return true;
  }

  std::string line_;
};

/// Takes what looks like a line; whether it is one is seen when it is written again.
class line_reader {
 public:
  explicit line_reader(const std::string& line) : line_(line) {}

  std::string next() {
    std::string text;
    for (; at_ < line_.size() && line_[at_] != '\t'; ++at_) {
      if (line_[at_] != '\\') {
        text += line_[at_];
        continue;
      }
      text += static_cast<char>(std::strtoul(line_.substr(at_ + 1, 2).c_str(), nullptr, 16));
      at_ += 2;
    }
    ++at_;
    return text;
  }
  template <class value>
  bool one(value& of) {
    return read_text(next(), of, style::exact);
  }
  template <class object>
  bool part(const field<object>& described, object& of) {
    return described.read(next(), of, style::exact);
  }

 private:
  const std::string& line_;
  std::size_t at_ = 0;
};

}  // namespace

template <class codec, class object, class table>
static bool all_parts(codec& line, const table& fields, object& of) {
  for (const auto& described : fields) {
    if (!line.part(described, of)) return false;
  }
  return true;
}

/// The parts of each kind of line, for both directions.
template <class codec, class object>
static bool parts_of(codec& line, object& said) {
  switch (said.what) {
    case message::kind::request:
      return all_parts(line, request_fields, said.asked);
    case message::kind::machine:
      return all_parts(line, machine_fields, said.on);
    case message::kind::cannot:
      return line.one(said.why) && line.one(said.on.gpus);
    case message::kind::begin:
      if (!line.one(said.problem) || !line.one(said.number)) return false;
      for (const std::size_t column : plan_columns) {
        if (!line.part(result_fields[column], said.came)) return false;
      }
      return true;
    case message::kind::compute:
    case message::kind::built:
      return line.one(said.problem) && line.one(said.number);
    case message::kind::result:
      return line.one(said.problem) && all_parts(line, result_fields, said.came);
    case message::kind::counts:
      return line.one(said.problem) && all_parts(line, not_run_fields, said.left);
    case message::kind::prepares:
    case message::kind::end:
      break;
  }
  return line.one(said.problem);
}

std::string to_line(const message& said) {
  line_writer line(to_string(said.what));
  parts_of(line, said);
  return line.line();
}

bool read_line(const std::string& line, message& said) {
  line_reader from(line);
  message read;
  if (!read_name(from.next(), read.what) || !parts_of(from, read) || to_line(read) != line) {
    return false;
  }
  read.came.problem = read.problem;
  said = std::move(read);
  return true;
}

}  // namespace cudnn_checked::sweep
