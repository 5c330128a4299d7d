// SPDX-License-Identifier: BSD-3-Clause
//
// The command `configure` of cudnn-checked, which the find module asks while a project is
// configured.  docs/configure.md has its verbs, their keys and the exit statuses.
#pragma once

#include "../core/namespace.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

/// Whether the arguments of main() ask for this command: "configure" is the first.
bool is_asked(int count, const char* const* arguments);

/// Answers on standard output, and returns the exit status.  `identity` is the answer to
/// `configure identity`: the release and the hash of the sources (configure_program.cmake), with a
/// space between.
int answer(int count, const char* const* arguments, const char* identity);

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
