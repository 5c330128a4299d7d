// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <signal.h>

namespace cudnn_checked::sweep {

/// SIGINT, SIGTERM and SIGHUP are counted while it lives, and make a file readable; SIGPIPE is
/// ignored. A signal that this process ignores stays ignored: it was started with nohup, or in the
/// background.  One at a time.
class stop_signals {
 public:
  stop_signals();
  ~stop_signals();
  stop_signals(const stop_signals&) = delete;
  stop_signals& operator=(const stop_signals&) = delete;

  /// For poll(2).
  int file() const;
  /// How many have come.
  int count();
  /// This process ends as it does by the last of them.  For a second one: what was started has been
  /// ended.
  void end_this_process();

 private:
  static constexpr int handled[] = {SIGINT, SIGTERM, SIGHUP};
  void restore();

  struct sigaction before_[3];
  struct sigaction pipe_before_;
  int count_ = 0;
  int last_ = 0;
};

}  // namespace cudnn_checked::sweep
