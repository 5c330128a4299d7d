// SPDX-License-Identifier: BSD-3-Clause
//
// A worker, seen from the process that starts it.  Nothing here waits.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string>
#include <vector>

#include "../../../spawn/kept_output.h"
#include "../work/worker.h"

namespace cudnn_checked::sweep {

/// Numbers of the two pipes in the worker.  Standard input is empty there; what cuDNN, CUDA or the
/// C library print goes to a third pipe and never among the worker's lines.
constexpr int commands_number = 3;
constexpr int answers_number = 4;

/// The exit status of a worker in which an allocation of main memory failed, in cuDNN as well.
constexpr int no_memory_status = 112;

class worker_process {
 public:
  worker_process() = default;
  /// Kills it if it still runs, and waits for its end, a tenth of a second at most.
  ~worker_process();
  worker_process(const worker_process&) = delete;
  worker_process& operator=(const worker_process&) = delete;

  /// In a process group of its own, so that Ctrl-C reaches this process alone, and so that what
  /// the worker starts ends with it.  The number of this process is the last argument.
  bool start(const std::vector<std::string>& command, std::string& error);

  /// Files for poll(2); -1: closed.
  int commands() const { return commands_; }
  int answers() const { return answers_; }
  int words() const { return words_; }

  /// Sends what the pipe takes now, the rest with send_more.
  void send(const std::string& line);
  void send_more();
  bool has_more_to_send() const { return !unsent_.empty() && commands_ >= 0; }
  /// For a worker that listens this means: come to an end.
  void close_commands();

  /// Reads what is there, a bounded part of it.
  void read_answers();
  void read_words();
  /// False if no whole line was read yet.
  bool next_line(std::string& line);
  /// True if what was read is longer than any line of a worker.
  bool is_flooded() const;
  /// True if it can write no more lines.
  bool answers_ended() const { return answers_ < 0; }
  /// What it printed last, one line of printable ASCII; may be empty.
  std::string last_words() const;

  void kill_all();
  /// True if it has ended.  Then `how_it_ended` is what waitpid(2) gives.
  bool has_exited();
  int how_it_ended() const { return status_; }

 private:
  void close_all();
  void read_rest();

  pid_t process_ = -1;
  bool exited_ = false;
  int status_ = 0;
  int commands_ = -1;
  int answers_ = -1;
  int words_ = -1;
  std::string unsent_;
  std::string lines_;
  std::size_t taken_ = 0;  ///< of lines_
  spawn::kept_output printed_;
};

/// "ended by SIGSEGV", "ended with status 3".
std::string end_text(int wait_status);

/// The hidden first argument of a program that can be its own worker.
constexpr const char* worker_argument = "--sweep-worker";

/// To be called first in main.  False if the arguments are not those of a worker.  A worker does
/// not return: it ends this process.
bool worker_main(int count, char** arguments, filter_maker make_filter = nullptr);

}  // namespace cudnn_checked::sweep
