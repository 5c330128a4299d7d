// SPDX-License-Identifier: BSD-3-Clause
#include "stamp_note.h"

#include <cstring>

#include "byte_order.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static constexpr std::size_t stamp_most_notes = 256;

// System V ABI, "Note Section": sizes of name and contents, type, name, contents, both padded.
void collect_stamps(arena_string notes, std::uint64_t segment_alignment,
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
      add_once(stamp, stamps);
    }
    if (next > notes.size() - at) return;
    at += static_cast<std::size_t>(next);
  }
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
