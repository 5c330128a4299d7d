// SPDX-License-Identifier: BSD-3-Clause
#include "child_output.h"

#include <chrono>
#include <thread>

#include "../../spawn/spawn.h"

namespace cudnn_checked::cli {

static constexpr std::size_t longest_output = 1U << 20;

using clock = std::chrono::steady_clock;

/// True where the other end was closed before the time was up.
static bool read_all(int file, clock::time_point end, std::string& text) {
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - clock::now());
    const int milliseconds = static_cast<int>(left.count());
    if (milliseconds <= 0 || !spawn::can_be_read(file, milliseconds)) return false;
    if (!spawn::read_part(file, text)) return true;
    if (text.size() > longest_output) return false;
  }
}

/// A program can close its output and go on.
static bool ends_in_time(spawn::process_id child, clock::time_point end, spawn::process_end& how) {
  while (!spawn::has_ended(child, how)) {
    if (clock::now() >= end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

child_output output_of_program(const std::vector<std::string>& command, int seconds,
                               child_errors errors) {
  child_output result;
  int ends[2];
  if (!spawn::make_pipe(ends)) return result;
  spawn::process_id child = -1;
  const int file_of_errors = errors == child_errors::shown ? 2 : -1;
  result.started = spawn::start({command, ends[1], file_of_errors, {}}, child) == 0;
  spawn::close_file(ends[1]);
  if (result.started) {
    const clock::time_point end = clock::now() + std::chrono::seconds(seconds);
    spawn::process_end how;
    result.ended = read_all(ends[0], end, result.text) && ends_in_time(child, end, how);
    if (!result.ended) how = spawn::end_all(child);
    result.status = how.by_signal ? 0 : how.number;
  }
  spawn::close_file(ends[0]);
  return result;
}

}  // namespace cudnn_checked::cli
