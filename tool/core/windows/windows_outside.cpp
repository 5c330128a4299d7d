// SPDX-License-Identifier: BSD-3-Clause
//
// Functions that only a check from outside calls, not a program at its start.
#include "../library/asked_names.h"
#include "../library/data_names.h"
#include "../library/library_file.h"
#include "../library/stamp_note.h"
#include "../model/paths.h"
#include "../pe/pe_image.h"
#include "../pe/pe_symbols.h"
#include "../system/platform.h"

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

arena_vector<library_role> read_asked_roles(const byte_source& source) {
  return read_pe_asked_roles(source);
}

arena_vector<library_role> read_asked_roles(const system_interface& os, arena_string path) {
  return read_pe_asked_roles(os, path);
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

bool has_unknown_symbols(const system_interface& os, arena_string path) {
  return !read_pe_symbols(os, path, symbol_kind::exported, own_symbols).readable;
}

arena_string absolute_path(const system_interface& os, arena_string typed) {
  const arena_string path = plain_slashes(typed);
  return is_absolute(path) ? path : join_path(os.working_directory(), path);
}

arena_string program_of_install(arena_string, arena_string library) { return library; }

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
