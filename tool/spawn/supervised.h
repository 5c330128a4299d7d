// SPDX-License-Identifier: BSD-3-Clause
//
// A program that is started, watched, and ended with everything that it has started: whatever left
// its process group included, and also where this process is killed first.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kept_output.h"

namespace cudnn_checked::spawn {

/// How the program ended.
struct program_end {
  enum class how { runs, exited, signalled, timed_out, not_started };
  how kind = how::runs;
  int number = 0;  ///< exit status, signal, seconds, or errno
};

class supervised_program {
 public:
  /// Numbers of two pipes in the program: what it writes to the first is read here; the second ends
  /// when the program shall end.
  static constexpr int report_number = 3;
  static constexpr int hold_number = 4;

  /// Standard input is empty, the two outputs are kept.  After `seconds` it is killed.
  supervised_program(const std::string& file, const std::vector<std::string>& arguments,
                     double seconds);
  ~supervised_program();
  supervised_program(const supervised_program&) = delete;
  supervised_program& operator=(const supervised_program&) = delete;

  /// The next line of its report that is not empty, without the line feed.  False where the program
  /// has ended: then end() says how.
  bool next_line(std::string& line);

  const program_end& end() const { return end_; }
  /// The last of what it has written to its outputs, and how much was dropped before that.
  std::string output() const;
  unsigned long long dropped() const { return output_.dropped(); }

 private:
  struct processes;  ///< the program and what watches it, as the platform knows them

  bool wait_for_words();
  void read_report();
  void read_output();
  void read_rest_of_output();
  bool take_line(std::string& line);

  std::unique_ptr<processes> started_;
  int report_ = -1;  ///< this process's ends of the three pipes
  int outputs_ = -1;
  int hold_ = -1;
  std::string text_;  ///< of the report, as far as it was not taken
  spawn::kept_output output_;
  program_end end_;
};

}  // namespace cudnn_checked::spawn
