// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <csignal>

#include "../core/model/string.h"
#include "../core/namespace.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// While it lives, a write to a closed pipe fails with EPIPE and sends no signal: a reader that is
/// gone must not turn exit status 78 into death by SIGPIPE.
class without_sigpipe {
 public:
  without_sigpipe();
  ~without_sigpipe();
  without_sigpipe(const without_sigpipe&) = delete;
  without_sigpipe& operator=(const without_sigpipe&) = delete;

 private:
  sigset_t before_;
  bool was_pending_;
};

/// Writes all of it.  Where the descriptor does not wait (O_NONBLOCK), a reader that takes nothing
/// for a second is one that is gone.  False with errno where it cannot be written.
bool write_all(int descriptor, const string& text);

/// Writes to stderr without stdio, and survives a closed pipe.
void write_to_stderr(const string& text);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
