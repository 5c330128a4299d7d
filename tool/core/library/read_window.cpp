// SPDX-License-Identifier: BSD-3-Clause
#include "read_window.h"

#include <cstring>

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

bool read_window::piece::has(unsigned long long offset, std::size_t count) const {
  return offset >= begin && count <= filled && offset - begin <= filled - count;
}

bool read_window::read(unsigned long long offset, void* target, std::size_t count) const {
  const unsigned long long file = source_->size();
  const bool small = count <= reach && offset <= file && count <= file - offset;
  if (!pieces_[last_used_].has(offset, count)) {
    piece& other = pieces_[1 - last_used_];
    if (!other.has(offset, count)) {
      if (!small) return source_->read(offset, target, count);
      other.begin = offset > reach ? offset - reach : 0;
      other.filled = sizeof(other.bytes);
      if (other.filled > file - other.begin) {
        other.filled = static_cast<std::size_t>(file - other.begin);
      }
      if (!source_->read(other.begin, other.bytes, other.filled)) {
        // The bytes around the requested ones may be unreadable or gone: a damaged disk, a file
        // that shrinks.
        other.filled = 0;
        return source_->read(offset, target, count);
      }
    }
    last_used_ = 1 - last_used_;
  }
  const piece& found = pieces_[last_used_];
  // For zero bytes the target may be null, which memcpy does not accept.
  if (count != 0) std::memcpy(target, found.bytes + (offset - found.begin), count);
  return true;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
