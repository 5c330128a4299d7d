// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "../core/system/system_interface.h"

namespace cudnn_checked::cli {

/// Why a file cannot be checked; empty if it can.
struct file_error {
  string text;        ///< "app: no such file"
  bool usage = true;  ///< the wrong file was named; else it is the right one and cannot be judged
};

file_error look_at_file(const system_interface& os, const string& path);

}  // namespace cudnn_checked::cli
