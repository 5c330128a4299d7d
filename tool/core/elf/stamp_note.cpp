// SPDX-License-Identifier: BSD-3-Clause
#include "../library/stamp_note.h"
#include "elf_image.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

arena_vector<arena_string> read_stamp_notes(const system_interface& os, arena_string path) {
  arena_vector<arena_string> stamps;
  const open_file file(os, path);
  if (file.result() != open_result::opened) return stamps;
  library_file contents;
  elf_image image(file.source());
  image.read_headers(0, contents);
  std::size_t rest = stamp_most_bytes;
  for (const elf_segment& segment : image.segments()) {
    arena_string notes;
    if (segment.type != 4) continue;  // PT_NOTE
    if (!image.read_segment(segment, rest, notes)) continue;
    rest -= notes.size();
    collect_stamps(notes, segment.alignment, stamps);
  }
  return stamps;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
