// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../namespace.h"
#include "../system/system_interface.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// A file as `source` reads it, in fewer and larger pieces: the tables and strings of an ELF file
/// lie close together, at its beginning and in one other place.  `source` must outlive it.
class read_window final : public byte_source {
 public:
  explicit read_window(const byte_source* source) : source_(source) {}

  unsigned long long size() const override { return source_->size(); }
  bool read(unsigned long long offset, void* target, std::size_t count) const override;

 private:
  // Tables are read from their end as well as from their beginning, so a window reaches as far
  // before what is asked for as behind it.
  static constexpr std::size_t reach = 4096;

  struct piece {
    unsigned char bytes[2 * reach];
    unsigned long long begin = 0;
    std::size_t filled = 0;

    bool has(unsigned long long offset, std::size_t count) const;
  };

  const byte_source* source_;
  mutable piece pieces_[2];
  mutable std::size_t last_used_ = 0;
};

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
