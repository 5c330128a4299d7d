// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "../core/system/system_interface.h"
#include "searched_places.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

/// Why a place that the find module has searched holds no CUDA runtime that it could take; with
/// `wanted`, the major release of CUDA that cuDNN is for, also where its runtime is of another one.
/// Empty if it could be taken.  The patterns of the names are of cudart, with "@".
std::string why_no_runtime(const system_interface& os, const searched_place& place,
                           const install_names& names, const std::string& wanted);

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
