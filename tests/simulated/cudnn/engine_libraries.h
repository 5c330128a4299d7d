// SPDX-License-Identifier: BSD-3-Clause
//
// The engine libraries: in cuDNN 9 loaded at the first tensor descriptor, in cuDNN 8 a part of the
// library itself.
#pragma once

#include "convolution.h"

namespace simulated {

int load_engines();
bool has_precompiled();
bool has_heuristic();
int compute(const char* api, bool precompiled, const convolution& what, const arguments& where);

}  // namespace simulated
