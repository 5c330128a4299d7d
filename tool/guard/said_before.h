// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>

#include "../core/model/finding.h"
#include "../core/namespace.h"
#include "../core/system/system_interface.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// What was said: a number of each finding, 0 where none is.
using said_mark = std::atomic<unsigned long long>;
inline constexpr std::size_t said_marks = 512;

/// What guards of one process know of each other: a page of memory that each of them finds, made
/// by the first.  Null where it cannot be had; a thing is said again then.
said_mark* page_of_said(const system_interface& os);

/// The findings of at least that weight that no guard of this process has said yet; from now on
/// they are said.  A program and its plugins each have a guard, in files that share no symbol.
arena_vector<finding> not_said_before(const system_interface& os,
                                      const arena_vector<finding>& findings, severity least);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
