// SPDX-License-Identifier: BSD-3-Clause
//
// Why a place that the find module has searched holds no cuDNN that it could take.
#pragma once

#include <string>

#include "../core/system/system_interface.h"
#include "searched_places.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

enum class missing_half { none, headers, library, machine, both };

struct place_reason {
  missing_half missing = missing_half::none;
  std::string why;      ///< what is missing, in words
  std::string file;     ///< where half is missing: a file of the other half
  std::string package;  ///< where a wheel's record lists what is missing: the folder of that wheel
};

place_reason reason_of(const system_interface& os, const searched_place& place,
                       const install_names& names);

/// A sentence if the library is for another machine than `machine`, which may be unknown (empty).
std::string for_other_machine(const system_interface& os, const std::string& library,
                              const std::string& machine);

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
