// SPDX-License-Identifier: BSD-3-Clause
//
// The catalogue of the platform.  A test has another file in the place of this one
// (tests/unit/world.cpp).
#include "../catalogue/catalogue.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

const catalogue_table& shipped_catalogue() { return elf_catalogue(); }

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
