// SPDX-License-Identifier: BSD-3-Clause
#include "../elf/elf_file.h"
#include "../elf/elf_sections.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

library_file read_library(const byte_source& source, int machine) {
  return read_elf(source, machine);
}

// nvcc's name of it.
bool find_device_code(const byte_source& source, arena_vector<file_part>& parts) {
  arena_vector<elf_section> sections;
  if (!read_elf_sections(source, 0, source.size(), sections)) return false;
  for (const elf_section& section : sections) {
    if (section.name == ".nv_fatbin") parts.push_back({section.offset, section.size});
  }
  return true;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
