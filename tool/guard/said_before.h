// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../core/model/finding.h"
#include "../core/namespace.h"
#include "../core/system/system_interface.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// The findings of at least that weight that no guard of this process has said yet; from now on
/// they are said.  A program and its plugins each have a guard, in files that share no symbol.
arena_vector<finding> not_said_before(const system_interface& os,
                                      const arena_vector<finding>& findings, severity least);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
