// SPDX-License-Identifier: BSD-3-Clause
//
// The command `configure` of cudnn-checked, which the find module asks while a project is
// configured.  docs/configure.md has its verbs, their keys and the exit statuses.
#pragma once

#include "request.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

/// Whether the arguments of main() ask for this command: "configure" is the first.
bool is_asked(int count, const char* const* arguments);

/// A verb's answer, on standard output; -1 where it is none of these verbs.
using verb_function = int (*)(const arena_string& verb, const request& asked);

/// Those that look for repairs, write bundles and read reports.
int answer_with_repairs(const arena_string& verb, const request& asked);

/// The same function in a configure program that has the part with the repairs (program.cpp).
extern verb_function verbs_of_repairs;

/// Answers on standard output, and returns the exit status.  `identity` is the answer to
/// `configure identity`: the release and the hash of the sources, with a space between.  `more`
/// answers the verbs that this function does not: answer_with_repairs, or null in a program that
/// has no repairs.
int answer(int count, const char* const* arguments, const char* identity, verb_function more);

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
