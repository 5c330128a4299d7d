// SPDX-License-Identifier: BSD-3-Clause
//
// What the sections of a DLL or a program tell of it: its stamps, and the names in its data.
#include "../library/data_names.h"
#include "../library/library_file.h"
#include "../library/stamp_note.h"
#include "../pe/pe_image.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// The section that guard/windows/stamp_object.h names.
arena_vector<arena_string> read_stamp_notes(const system_interface& os, arena_string path) {
  arena_vector<arena_string> stamps;
  const open_file file(os, path);
  if (file.result() != open_result::opened) return stamps;
  library_file contents;
  pe_image image(file.source());
  image.read_headers(0, contents);
  for (const pe_section& section : image.sections()) {
    if (!is_equal(section.name, ".cudnnck") || section.size > stamp_most_bytes) continue;
    arena_string notes;
    if (file.source().read(section.offset, notes.extend(section.size), section.size)) {
      collect_stamps(notes, 4, stamps);
    }
  }
  return stamps;
}

data_names read_data_names(const system_interface& os, arena_string path) {
  data_names names;
  const open_file file(os, path);
  if (file.result() != open_result::opened) return names;
  library_file contents;
  pe_image image(file.source());
  image.read_headers(0, contents);
  for (const pe_section& section : image.sections()) {
    if (is_equal(section.name, ".rdata")) {
      add_data_names(file.source(), section.offset, section.size, names);
    }
  }
  return names;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
