// SPDX-License-Identifier: BSD-3-Clause
//
// What is read of the program.  The folder of each platform starts it and waits for it.
#include "supervised.h"

#include "spawn.h"

namespace cudnn_checked::spawn {

static constexpr std::size_t most_report = 1U << 17;  ///< without a line feed

std::string supervised_program::output() const {
  std::string text;
  output_.give([&text](const char* part, std::size_t size) { text.append(part, size); });
  return text;
}

void supervised_program::read_output() {
  std::string part;
  (void)read_part(outputs_, part);
  output_.add(part.data(), part.size());
}

/// The last output may still be in the pipe.
void supervised_program::read_rest_of_output() {
  while (can_be_read(outputs_, 0)) {
    const unsigned long long before = output_.total();
    read_output();
    if (output_.total() == before) break;
  }
}

void supervised_program::read_report() {
  (void)read_part(report_, text_);
  if (text_.size() > most_report) text_.erase(0, text_.size() - most_report / 2);
}

/// Takes the first line of what was read; false where no line is complete.
bool supervised_program::take_line(std::string& line) {
  const std::size_t end = text_.find('\n');
  if (end == std::string::npos) return false;
  line = text_.substr(0, end);
  text_.erase(0, end + 1);
  return true;
}

}  // namespace cudnn_checked::spawn
