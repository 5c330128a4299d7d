// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

/// Why this library must not compute with cuDNN in this process, as text for a person; empty where
/// it can.  Call it before blur().
std::string blur_refusal();
