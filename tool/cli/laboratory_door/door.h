// SPDX-License-Identifier: BSD-3-Clause
//
// The door to tool/laboratory/command, which defines `sweep` and its workers where it was brought;
// not_brought.cpp defines them where it was not.
#pragma once

#include <string>

namespace cudnn_checked::cli {

/// Where this process was started as a worker of the sweep, it works and does not come back.
void work_for_sweep(int count, char** arguments);

/// "sweep: this cudnn-checked was built without tool/laboratory"
inline std::string without_laboratory(const char* asked) {
  return asked + std::string(": this cudnn-checked was built without tool/laboratory");
}

}  // namespace cudnn_checked::cli
