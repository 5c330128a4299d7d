// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <csignal>
#include <cstdint>

#include "../namespace.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// The kernel's: the bit of a signal is its number less one.
using signal_set = std::uint64_t;

/// While it lives, a write to a closed pipe, or beyond the limit of a file's size, fails with EPIPE
/// or EFBIG and sends no signal: neither may end a sound program, nor turn exit status 78 into
/// death by a signal.
class without_write_signals {
 public:
  without_write_signals();
  ~without_write_signals();
  without_write_signals(const without_write_signals&) = delete;
  without_write_signals& operator=(const without_write_signals&) = delete;

 private:
  signal_set before_ = 0;
  signal_set not_pending_;  ///< those of the two that were not
};

/// While it lives, the signals with which people and systems end a program wait, in this thread.
class without_end_signals {
 public:
  without_end_signals();
  ~without_end_signals();
  without_end_signals(const without_end_signals&) = delete;
  without_end_signals& operator=(const without_end_signals&) = delete;

 private:
  signal_set before_ = 0;
};

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
