// SPDX-License-Identifier: BSD-3-Clause
//
// What the plugin offers: two functions with C names, for dlsym().
#pragma once

#include "blur.h"

extern "C" {
/// Null where the plugin can work in this process, else why it cannot; valid until the next call.
const char* sharpen_start();
/// Makes edges stronger.  After sharpen_start() only.
void sharpen(picture* x);
}
