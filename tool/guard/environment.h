// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../core/model/finding.h"
#include "../core/model/string.h"
#include "../core/namespace.h"
#include "../core/system/system_interface.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// The settings of the person who starts the program: CUDNN_CHECKED and CUDNN_CHECKED_REPORT.
struct guard_environment {
  enum class mode : unsigned char { enforce, warn, off, invalid };
  mode asked = mode::enforce;
  string escape;       ///< "CUDNN_CHECKED=warn"; empty where none was used
  string report_path;  ///< where the JSON goes; empty: nowhere
};

guard_environment read_guard_environment(const system_interface& os);

/// The message for a value of CUDNN_CHECKED that does not exist.
string invalid_mode_message(const guard_environment& environment);

/// The same as a finding, for check(), which never ends the program.
finding invalid_mode_finding(const guard_environment& environment);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
