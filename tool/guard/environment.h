// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../core/model/arena_string.h"
#include "../core/model/finding.h"
#include "../core/namespace.h"
#include "../core/system/system_interface.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// The settings of the person who starts the program: CUDNN_CHECKED and CUDNN_CHECKED_REPORT.
/// Without CUDNN_CHECKED the setting of the build counts, which is in the stamp.
struct guard_environment {
  enum class mode : unsigned char { enforce, warn, off, invalid };
  mode asked = mode::enforce;
  arena_string
      escape;  ///< "CUDNN_CHECKED=warn", "CuDNNChecked_GUARD=WARN"; empty where none was used
  arena_string report_path;  ///< where the JSON goes; empty: nowhere
};

/// `of_build` is stamp::guard.
guard_environment read_guard_environment(const system_interface& os, arena_string of_build);

/// "CuDNNChecked_GUARD=WARN" for "warn"; empty where the guard of the build refuses.
arena_string escape_of_build(arena_string of_build);

/// stamp::guard in the text of a stamp; empty where it cannot be read.
arena_string guard_of_build(const char* stamp_text);

/// The message for a value of CUDNN_CHECKED that does not exist.
arena_string invalid_mode_message(const guard_environment& environment);

/// The same as a finding, for check(), which never ends the program.
finding invalid_mode_finding(const guard_environment& environment);

/// The message that the report could not be written, without a prefix.
arena_string report_not_written(arena_string path, arena_string reason);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
