// SPDX-License-Identifier: BSD-3-Clause
//
// The section table of an ELF file, for what only it has: where a program keeps its device code,
// and whether a cubin has any.
#pragma once

#include <cstdint>

#include "../model/arena_string.h"
#include "../model/arena_vector.h"
#include "../namespace.h"
#include "../system/system_interface.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

struct elf_section {
  arena_string name;  ///< its first 31 characters
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  bool in_memory = false;  ///< SHF_ALLOC
};

/// Reads the sections of the ELF file that lies at `begin` of `source` and has at most `size`
/// bytes. False where there is no section table, or where it cannot be read.
bool read_elf_sections(const byte_source& source, std::uint64_t begin, std::uint64_t size,
                       arena_vector<elf_section>& sections);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
