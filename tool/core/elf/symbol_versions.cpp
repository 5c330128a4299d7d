// SPDX-License-Identifier: BSD-3-Clause
#include "../library/symbol_versions.h"

#include "../library/byte_order.h"
#include "elf_image.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// More than libraries have (glibc: about 40); a chain that never ends must.
static constexpr unsigned versions_most = 4096;

/// Indices into the strings, which are read last: they lie elsewhere in the file.
struct version_names {
  std::uint32_t library = 0;
  std::uint32_t name = 0;
};

// Elf64_Verneed {version, count, file, first, next} and its Elf64_Vernaux {hash, flags, index,
// name, next}.
static arena_vector<version_names> list_needed_versions(const elf_image& image,
                                                        const elf_dynamic& dynamic) {
  arena_vector<version_names> needed;
  std::uint64_t at = dynamic.versions_needed;
  unsigned steps = 0;
  while (at != 0 && steps < versions_most) {
    unsigned char file[16];
    if (!image.read_at(at, file, sizeof(file))) break;
    std::uint64_t entry = at + little_endian_32(file + 8);
    for (unsigned left = little_endian_16(file + 2); left != 0 && ++steps < versions_most; --left) {
      unsigned char version[16];
      if (!image.read_at(entry, version, sizeof(version))) return needed;
      const bool weak = (little_endian_16(version + 4) & 2) != 0;  // VER_FLG_WEAK
      if (!weak) needed.push_back({little_endian_32(file + 4), little_endian_32(version + 8)});
      entry += little_endian_32(version + 12);
    }
    const std::uint32_t next = little_endian_32(file + 12);
    at = next == 0 ? 0 : at + next;
    ++steps;
  }
  return needed;
}

// Elf64_Verdef {version, flags, index, count, hash, first, next}; the first Elf64_Verdaux {name,
// next} is the version itself, the others those that it follows.
static arena_vector<std::uint32_t> list_defined_versions(const elf_image& image,
                                                         const elf_dynamic& dynamic) {
  arena_vector<std::uint32_t> defined;
  std::uint64_t at = dynamic.versions_defined;
  for (unsigned steps = 0; at != 0 && steps < versions_most; ++steps) {
    unsigned char entry[20];
    unsigned char name[4];
    if (!image.read_at(at, entry, sizeof(entry)) ||
        !image.read_at(at + little_endian_32(entry + 12), name, sizeof(name))) {
      break;
    }
    defined.push_back(little_endian_32(name));
    const std::uint32_t next = little_endian_32(entry + 16);
    at = next == 0 ? 0 : at + next;
  }
  return defined;
}

symbol_versions read_versions(const system_interface& os, arena_string path) {
  symbol_versions result;
  const open_file file(os, path);
  if (file.result() != open_result::opened) return result;
  library_file contents;
  elf_image image(file.source());
  image.read_headers(0, contents);
  elf_dynamic dynamic;
  if (contents.state != file_state::whole || !image.read_dynamic(dynamic)) return result;
  for (const version_names& one : list_needed_versions(image, dynamic)) {
    result.needed.push_back(
        {image.string_at(dynamic, one.library), image.string_at(dynamic, one.name)});
  }
  for (const std::uint32_t name : list_defined_versions(image, dynamic)) {
    result.defined.push_back(image.string_at(dynamic, name));
  }
  return result;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
