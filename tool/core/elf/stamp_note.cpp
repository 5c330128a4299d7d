// SPDX-License-Identifier: BSD-3-Clause
#include "../library/stamp_note.h"

#include <algorithm>
#include <cstring>

#include "../library/byte_order.h"
#include "elf_image.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// Of all notes together, and how many stamps: a program has one for each stamped archive in it.
static constexpr std::size_t stamp_most_bytes = 4U << 20;
static constexpr std::size_t stamp_most_notes = 256;

// System V ABI, "Note Section": sizes of name and contents, type, name, contents, both padded.
static void collect_stamps(arena_string notes, std::uint64_t segment_alignment,
                           arena_vector<arena_string>& stamps) {
  constexpr std::size_t header_size = 12;
  constexpr char name[] = "cudnn_checked";
  const std::size_t alignment = segment_alignment == 8 ? 8 : 4;
  const auto* const bytes = reinterpret_cast<const unsigned char*>(notes.data());
  std::size_t at = 0;
  while (notes.size() - at >= header_size) {
    const std::uint64_t name_size = little_endian_32(bytes + at);
    const std::uint64_t text_size = little_endian_32(bytes + at + 4);
    const std::uint64_t text = (header_size + name_size + alignment - 1) / alignment * alignment;
    if (text > notes.size() - at || text_size > notes.size() - at - text) return;
    const std::uint64_t next = (text + text_size + alignment - 1) / alignment * alignment;
    if (little_endian_32(bytes + at + 8) == 1 && name_size == sizeof(name) &&
        std::memcmp(bytes + at + header_size, name, sizeof(name)) == 0) {
      const char* const begin = notes.data() + at + text;
      const arena_string stamp(begin, ::strnlen(begin, static_cast<std::size_t>(text_size)));
      if (stamps.size() == stamp_most_notes) return;
      if (std::find(stamps.begin(), stamps.end(), stamp) == stamps.end()) stamps.push_back(stamp);
    }
    if (next > notes.size() - at) return;
    at += static_cast<std::size_t>(next);
  }
}

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
