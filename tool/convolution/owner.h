// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace cudnn_checked::compute {

/// Holds a handle of a C library and gives it back on every path, early errors included.  What the
/// giving back returns is not looked at: after an error it only repeats that error.
template <typename handle, auto give_back>
class owner {
 public:
  owner() = default;
  ~owner() { reset(); }
  owner(const owner&) = delete;
  owner& operator=(const owner&) = delete;

  /// The address at which a C function writes a new handle; an old one is released first.
  handle* receive() {
    reset();
    return &handle_;
  }
  handle get() const { return handle_; }

  void reset() {
    if (handle_ != nullptr) (void)give_back(handle_);
    handle_ = nullptr;
  }

 private:
  handle handle_ = nullptr;
};

}  // namespace cudnn_checked::compute
