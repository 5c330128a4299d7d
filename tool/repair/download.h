// SPDX-License-Identifier: BSD-3-Clause
//
// How much of cuDNN a command downloads.
#pragma once

#include "../core/model/finding.h"

namespace cudnn_checked::repairs {

/// Megabytes of the packages of cuDNN in an order, for the machine that this program judges for; 0
/// where one is not known.
int megabytes_of(const wheel_order& order);

/// The line with what it downloads, where that is much.
fix_line with_download(const fix_line& line, const wheel_order& order);

/// Tells it of each command.
void tell_downloads(fix_lines& lines);

/// The JIT-only package that answers the same requirement, "nvidia-cudnn-cu13>=9.14", and computes;
/// empty where there is none, or it is not measured.
struct small_package {
  arena_string name;
  int megabytes = 0;
};
small_package jit_only_for(const arena_string& requirement);

}  // namespace cudnn_checked::repairs
