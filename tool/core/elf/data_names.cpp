// SPDX-License-Identifier: BSD-3-Clause
#include "../library/data_names.h"

#include "../library/library_file.h"
#include "elf_sections.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// ".rodata", ".rodata.str1.1" of an object that was linked without merging, and the large ones of
// the x86-64 ABI, ".lrodata".
data_names read_data_names(const system_interface& os, arena_string path) {
  data_names names;
  const open_file file(os, path);
  arena_vector<elf_section> sections;
  if (file.result() != open_result::opened ||
      !read_elf_sections(file.source(), 0, file.source().size(), sections)) {
    return names;
  }
  for (const elf_section& section : sections) {
    if (starts_with(section.name, ".rodata") || starts_with(section.name, ".lrodata")) {
      add_data_names(file.source(), section.offset, section.size, names);
    }
  }
  return names;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
