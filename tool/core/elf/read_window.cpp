// SPDX-License-Identifier: BSD-3-Clause
#include "read_window.h"

#include <cstring>

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

bool read_window::is_inside(unsigned long long offset, std::size_t count) const {
  return offset >= begin_ && count <= filled_ && offset - begin_ <= filled_ - count;
}

bool read_window::read(unsigned long long offset, void* target, std::size_t count) const {
  const unsigned long long file = source_->size();
  const bool small = count <= reach && offset <= file && count <= file - offset;
  if (!is_inside(offset, count)) {
    if (!small) return source_->read(offset, target, count);
    begin_ = offset > reach ? offset - reach : 0;
    filled_ = sizeof(bytes_);
    if (filled_ > file - begin_) filled_ = static_cast<std::size_t>(file - begin_);
    if (!source_->read(begin_, bytes_, filled_)) {
      // What lies around it may be unreadable, or gone: a damaged disk, a file that shrinks.
      filled_ = 0;
      return source_->read(offset, target, count);
    }
  }
  std::memcpy(target, bytes_ + (offset - begin_), count);
  return true;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
