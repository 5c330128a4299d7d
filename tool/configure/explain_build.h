// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../core/model/finding.h"
#include "../core/system/system_interface.h"
#include "message.h"
#include "request.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

/// Why a program was not built.
struct build_failure {
  arena_vector<finding> findings;  ///< about the files or the headers of cuDNN, if it is to blame
  arena_string quoted;             ///< behind these: what the compiler says of the headers
  message told;                    ///< where there are none, about the compiler
};

/// Explains what the `log` has of a program of that `kind` (probe, kernel or sweep).
build_failure explain_build(const request& asked, const system_interface& os);

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
