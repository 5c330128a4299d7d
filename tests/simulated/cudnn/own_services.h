// SPDX-License-Identifier: BSD-3-Clause
//
// The services under names that only this release has.  Not in services.h: what does not name its
// release is the same text for all of them, and the compiler's cache has it.
#pragma once

#include "services.h"

extern "C" {
const simulated::services* SIMULATED_MINOR_SYMBOL();
const simulated::services* SIMULATED_PATCH_SYMBOL();
}
