// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "../../core/system/system_interface.h"

namespace cudnn_checked::cli {

/// Why a file cannot be checked; empty if it can.
struct file_error {
  string text;        ///< "app: no such file"
  bool usage = true;  ///< the wrong file was named; else it is the right one and cannot be judged
};

/// Whether the file must be for the machine that this program runs on.
enum class machines { own, any };

/// `host_path` is where the file is for this process, if that differs.
file_error look_at_file(const system_interface& os, const string& path,
                        machines wanted = machines::own, const string& host_path = {});

}  // namespace cudnn_checked::cli
