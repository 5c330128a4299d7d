// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>

#include "../core/model/finding.h"
#include "../core/namespace.h"
#include "../core/system/system_interface.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// Identifies a finding that was printed; 0 is an unused place.
using said_mark = std::atomic<unsigned long long>;
inline constexpr std::size_t said_marks = 512;

/// A page of memory in which the guards of one process record what they have printed; the first one
/// makes it.  Null if it cannot be made; findings are then printed again.
said_mark* page_of_said(const system_interface& os);

/// The findings of at least that weight that no guard of this process has said yet; from now on
/// they are said.  A program and its plugins each have a guard, in files that share no symbol.
arena_vector<finding> not_said_before(const system_interface& os,
                                      const arena_vector<finding>& findings, severity least);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
