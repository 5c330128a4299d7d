// SPDX-License-Identifier: BSD-3-Clause
//
// The CMake package that was installed with this program.
#pragma once

#include <string>

#include "../../core/system/system_interface.h"

namespace cudnn_checked::cli {

/// The directory of CuDNNCheckedConfig.cmake and FindCuDNNChecked.cmake.  Empty where none lies
/// with this program: `error` says where it was searched, in one line.
std::string cmake_directory(const system_interface& os, std::string& error);

}  // namespace cudnn_checked::cli
