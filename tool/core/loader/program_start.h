// SPDX-License-Identifier: BSD-3-Clause
//
// What the loader does before the first instruction of a program: which libraries it maps for the
// NEEDED entries, and which it does not find.  Order and rules: ld.so(8); System V ABI, "Shared
// Object Dependencies" (breadth first); glibc, elf/dl-load.c (a name that is already mapped, or the
// SONAME of what is, is not searched for again).
#pragma once

#include "../model/arena_vector.h"
#include "../model/observation.h"
#include "../namespace.h"
#include "../system/system_interface.h"
#include "loader.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// Fills `known_loader`, `libraries`, `missing_symbols` and `other_majors` of observed.start for
/// the program (or shared library) that the loader is asked for.  Nothing is loaded.
void observe_start(loader& search, observation& observed);

/// The objects that would be mapped when the program itself begins, as dl_iterate_phdr shows them.
arena_vector<mapped_object> objects_of_start(const program_start& start);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
