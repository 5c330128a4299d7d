// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../core/system/system_interface.h"
#include "request.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace adviser {

/// What CMake needs of the report `report` that the probe wrote on another machine: the lines of
/// core/report/proof.h, with `summary`, `here`, `there` and `because` where it cannot be used, and
/// with `line`, what is printed, where it can.  It must be whole, follow from what ran, and be of
/// the cuDNN that was found (place, header, library), of its CUDA (toolkit, cudart) and of the same
/// `component`s; and reach the level that is required (require).
string take_report(const request& asked, const system_interface& os);

}  // namespace adviser
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
