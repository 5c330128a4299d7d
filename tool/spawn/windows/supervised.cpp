// SPDX-License-Identifier: BSD-3-Clause
#include "../supervised.h"

#include <cerrno>
#include <chrono>
#include <thread>

#include "../spawn.h"

namespace cudnn_checked::spawn {

using clock = std::chrono::steady_clock;

static constexpr std::size_t most_report = 1U << 17;     // without a line feed
static constexpr std::chrono::milliseconds grace(3000);  // to run its own last words

/// The job of the process ends what it has started, also where this process is killed first.
struct supervised_program::connection {
  process_id program = -1;  ///< -1: there is none any more
  process_end how;
  int report = -1;
  int outputs = -1;
  int hold = -1;
  double seconds = 0;
  clock::time_point begin = clock::now();
};

supervised_program::supervised_program(const std::string& file,
                                       const std::vector<std::string>& arguments, double seconds)
    : to_(std::make_unique<connection>()) {
  int report[2];
  int outputs[2];
  int hold[2];
  end_ = {program_end::how::not_started, EMFILE};
  if (!make_pipe(report) || !make_pipe(outputs) || !make_pipe(hold)) return;
  child what{{file}, outputs[1], outputs[1], {report[1], hold[0]}};
  what.command.insert(what.command.end(), arguments.begin(), arguments.end());
  end_.number = start(what, to_->program);
  if (end_.number == 0) end_ = {};
  for (int* const end : {&report[1], &outputs[1], &hold[0]}) close_file(*end);
  to_->report = report[0];
  to_->outputs = outputs[0];
  to_->hold = hold[1];
  to_->seconds = seconds;
}

supervised_program::~supervised_program() {
  for (int* const file : {&to_->hold, &to_->report, &to_->outputs}) close_file(*file);
  if (to_->program == -1) return;
  const clock::time_point end = clock::now() + grace;
  process_end how;
  while (!has_ended(to_->program, how)) {
    if (clock::now() >= end) {
      (void)end_all(to_->program);
      return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

std::string supervised_program::output() const {
  std::string text;
  output_.give([&text](const char* part, std::size_t size) { text.append(part, size); });
  return text;
}

void supervised_program::read_output() {
  std::string part;
  (void)read_part(to_->outputs, part);
  output_.add(part.data(), part.size());
}

void supervised_program::read_report() {
  (void)read_part(to_->report, text_);
  if (text_.size() > most_report) text_.erase(0, text_.size() - most_report / 2);
}

/// False at the end of the program, which end_ describes.
bool supervised_program::wait_for_words() {
  if (can_be_read(to_->outputs, 0)) read_output();
  // Its last words are in the pipe when it has ended.
  if (to_->program != -1 && has_ended(to_->program, to_->how)) to_->program = -1;
  const std::size_t before = text_.size();
  if (can_be_read(to_->report, to_->program == -1 ? 0 : 10)) read_report();
  if (text_.size() != before) return true;
  if (to_->program == -1) {
    const auto kind = to_->how.by_signal ? program_end::how::signalled : program_end::how::exited;
    end_ = {kind, to_->how.number};
  } else if (clock::now() - to_->begin >= std::chrono::duration<double>(to_->seconds)) {
    (void)end_all(to_->program);
    to_->program = -1;
    end_ = {program_end::how::timed_out, static_cast<int>(to_->seconds)};
  }
  return end_.kind == program_end::how::runs;
}

/// The last output may still be in the pipe.
void supervised_program::read_rest_of_output() {
  while (can_be_read(to_->outputs, 0)) {
    const unsigned long long before = output_.total();
    read_output();
    if (output_.total() == before) break;
  }
}

bool supervised_program::next_line(std::string& line) {
  while (end_.kind == program_end::how::runs) {
    const std::size_t end = text_.find('\n');
    if (end == std::string::npos) {
      if (!wait_for_words()) read_rest_of_output();
      continue;
    }
    line = text_.substr(0, end);
    text_.erase(0, end + 1);
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (!line.empty()) return true;
  }
  return false;
}

}  // namespace cudnn_checked::spawn
