// SPDX-License-Identifier: BSD-3-Clause
//
// The last of what another process prints; what came before is dropped and counted.  It needs no
// memory but its own: the probe uses it before any initialiser has run.
#pragma once

#include <cstddef>
#include <cstring>

namespace cudnn_checked::spawn {

class kept_output {
 public:
  static constexpr std::size_t most = std::size_t{1} << 16;

  void add(const char* text, std::size_t size) {
    total_ += size;
    if (size > most) {
      text += size - most;
      size = most;
    }
    const std::size_t until_end = size < most - end_ ? size : most - end_;
    std::memcpy(bytes_ + end_, text, until_end);
    std::memcpy(bytes_, text + until_end, size - until_end);
    end_ = (end_ + size) % most;
  }

  unsigned long long total() const { return total_; }
  /// How many bytes were dropped.
  unsigned long long dropped() const { return total_ > most ? total_ - most : 0; }

  /// Gives what is kept to write(text, size), in one or two parts.
  template <class function>
  void give(const function& write) const {
    if (total_ > most) write(bytes_ + end_, most - end_);
    if (end_ > 0) write(bytes_, end_);
  }

 private:
  char bytes_[most] = {};
  std::size_t end_ = 0;  ///< where the next byte goes
  unsigned long long total_ = 0;
};

}  // namespace cudnn_checked::spawn
