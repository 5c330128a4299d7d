// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "../judge/judge.h"
#include "../model/record.h"

namespace cudnn_checked::sweep {

/// A C++17 program that shows the failure of a row with cuDNN and the CUDA runtime alone: exit
/// status 1 and "WRONG" where it happens, 0 and "right" where it does not, 2 where it could not be
/// tried.  Empty where this release has no such problem: another one computed it.
std::string reproducing_program(const record& of, const row& what);

}  // namespace cudnn_checked::sweep
