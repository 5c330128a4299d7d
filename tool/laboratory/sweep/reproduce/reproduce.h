// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "../judge/judge.h"
#include "../model/record.h"

namespace cudnn_checked::sweep {

/// A C++17 program that reproduces the failure of a row; it needs only cuDNN and the CUDA runtime.
/// It prints "WRONG" and exits with 1 if the failure happens.  It prints "right" and exits with 0
/// if it does not.  It exits with 2 if it could not try.  Empty if this release of the sweep does
/// not have the problem, because another release computed it.
std::string reproducing_program(const record& of, const row& what);

}  // namespace cudnn_checked::sweep
