// SPDX-License-Identifier: BSD-3-Clause
//
// What a file can be where the catalogue lacks releases.
#pragma once

#include "../catalogue/catalogue.h"
#include "../namespace.h"
#include "cudnn_set.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// Adds to the members that an id identifies the releases that the catalogue lacks, that other
/// members name, and that the id may be of as well.
void add_uncatalogued_releases(cudnn_set& set);

/// True where no other release can have the file of that member: its id decides for the set.
bool is_of_one_release(const cudnn_set::member& m);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
