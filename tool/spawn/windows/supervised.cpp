// SPDX-License-Identifier: BSD-3-Clause
#include "../supervised.h"

#include <cerrno>
#include <chrono>
#include <thread>

#include "../spawn.h"

namespace cudnn_checked::spawn {

using clock = std::chrono::steady_clock;

static constexpr std::chrono::milliseconds grace(3000);  // to run its own last words

/// The job of the process ends what it has started, also where this process is killed first.
struct supervised_program::processes {
  process_id program = -1;  ///< -1: there is none any more
  process_end how;
  double seconds = 0;
  clock::time_point begin = clock::now();
};

supervised_program::supervised_program(const std::string& file,
                                       const std::vector<std::string>& arguments, double seconds)
    : started_(std::make_unique<processes>()) {
  int report[2];
  int outputs[2];
  int hold[2];
  end_ = {program_end::how::not_started, EMFILE};
  if (!make_pipe(report) || !make_pipe(outputs) || !make_pipe(hold)) return;
  child what{{file}, outputs[1], outputs[1], {report[1], hold[0]}};
  what.command.insert(what.command.end(), arguments.begin(), arguments.end());
  end_.number = start(what, started_->program);
  if (end_.number == 0) end_ = {};
  for (int* const end : {&report[1], &outputs[1], &hold[0]}) close_file(*end);
  report_ = report[0];
  outputs_ = outputs[0];
  hold_ = hold[1];
  started_->seconds = seconds;
}

supervised_program::~supervised_program() {
  for (int* const file : {&hold_, &report_, &outputs_}) close_file(*file);
  if (started_->program == -1) return;
  const clock::time_point end = clock::now() + grace;
  process_end how;
  while (!has_ended(started_->program, how)) {
    if (clock::now() >= end) {
      (void)end_all(started_->program);
      return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

/// False at the end of the program, which end_ describes.
bool supervised_program::wait_for_words() {
  if (can_be_read(outputs_, 0)) read_output();
  // Its last words are in the pipe when it has ended.
  if (started_->program != -1 && has_ended(started_->program, started_->how))
    started_->program = -1;
  const std::size_t before = text_.size();
  if (can_be_read(report_, started_->program == -1 ? 0 : 10)) read_report();
  if (text_.size() != before) return true;
  if (started_->program == -1) {
    const auto kind =
        started_->how.by_signal ? program_end::how::signalled : program_end::how::exited;
    end_ = {kind, started_->how.number};
  } else if (clock::now() - started_->begin >= std::chrono::duration<double>(started_->seconds)) {
    (void)end_all(started_->program);
    started_->program = -1;
    end_ = {program_end::how::timed_out, static_cast<int>(started_->seconds)};
  }
  return end_.kind == program_end::how::runs;
}

bool supervised_program::next_line(std::string& line) {
  while (end_.kind == program_end::how::runs) {
    if (!take_line(line)) {
      if (!wait_for_words()) read_rest_of_output();
      continue;
    }
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (!line.empty()) return true;
  }
  return false;
}

}  // namespace cudnn_checked::spawn
