// SPDX-License-Identifier: BSD-3-Clause
//
// Tools that make one program of a Python program and its packages: the rows of packers.def.
#pragma once

#include "../namespace.h"
#include "arena_string.h"
#include "arena_vector.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

enum class packer : unsigned char {
  none,
#define PACKER(identifier, ...) identifier,
#include "packers.def"
#undef PACKER
};

struct packer_row {
  const char* name;  ///< "PyInstaller"
  const char* build_again;
  const char* to_be_checked;
};

constexpr packer_row packers[] = {
    {},
#define PACKER(identifier, ...) {__VA_ARGS__},
#include "packers.def"
#undef PACKER
};

constexpr const packer_row& row_of(packer by) { return packers[static_cast<int>(by)]; }

/// A program whose libraries are packed in it.
struct packed_program {
  packer by = packer::none;
  bool names_known = false;             ///< of what is in it
  arena_vector<arena_string> of_cudnn;  ///< then: names of cuDNN's libraries
};

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
