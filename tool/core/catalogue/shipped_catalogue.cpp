// SPDX-License-Identifier: BSD-3-Clause
//
// The catalogue of the platform.  A build for another platform has another file in the place of
// this one, and a test one that judges with catalogues that lack releases (tests/unit/world.cpp).
#include "catalogue.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

const catalogue_table& shipped_catalogue() { return elf_catalogue(); }

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
