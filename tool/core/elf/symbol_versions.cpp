// SPDX-License-Identifier: BSD-3-Clause
#include "symbol_versions.h"

#include "byte_order.h"
#include "elf_image.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// More than libraries have (glibc: about 40); a chain that never ends must.
static constexpr unsigned versions_most = 4096;

// Elf64_Verneed {version, count, file, first, next} and its Elf64_Vernaux {hash, flags, index,
// name, next}.
static void read_needed_versions(const elf_image& image, const elf_dynamic& dynamic,
                                 vector<needed_version>& needed) {
  std::uint64_t at = dynamic.versions_needed;
  unsigned steps = 0;
  while (at != 0 && steps < versions_most) {
    unsigned char file[16];
    if (!image.read_at(at, file, sizeof(file))) return;
    const string library = image.string_at(dynamic, little_endian_32(file + 4));
    std::uint64_t entry = at + little_endian_32(file + 8);
    for (unsigned left = little_endian_16(file + 2); left != 0 && ++steps < versions_most; --left) {
      unsigned char version[16];
      if (!image.read_at(entry, version, sizeof(version))) return;
      const bool weak = (little_endian_16(version + 4) & 2) != 0;  // VER_FLG_WEAK
      if (!weak)
        needed.push_back({library, image.string_at(dynamic, little_endian_32(version + 8))});
      entry += little_endian_32(version + 12);
    }
    const std::uint32_t next = little_endian_32(file + 12);
    at = next == 0 ? 0 : at + next;
    ++steps;
  }
}

// Elf64_Verdef {version, flags, index, count, hash, first, next}; the first Elf64_Verdaux {name,
// next} is the version itself, the others those that it follows.
static void read_defined_versions(const elf_image& image, const elf_dynamic& dynamic,
                                  vector<string>& defined) {
  std::uint64_t at = dynamic.versions_defined;
  for (unsigned steps = 0; at != 0 && steps < versions_most; ++steps) {
    unsigned char entry[20];
    unsigned char name[4];
    if (!image.read_at(at, entry, sizeof(entry)) ||
        !image.read_at(at + little_endian_32(entry + 12), name, sizeof(name))) {
      return;
    }
    defined.push_back(image.string_at(dynamic, little_endian_32(name)));
    const std::uint32_t next = little_endian_32(entry + 16);
    at = next == 0 ? 0 : at + next;
  }
}

symbol_versions read_versions(const system_interface& os, const string& path) {
  symbol_versions result;
  const open_file file(os, path);
  if (file.result() != open_result::opened) return result;
  elf_file contents;
  elf_image image(file.source());
  image.read_headers(0, contents);
  elf_dynamic dynamic;
  if (contents.state != file_state::whole || !image.read_dynamic(dynamic)) return result;
  read_needed_versions(image, dynamic, result.needed);
  read_defined_versions(image, dynamic, result.defined);
  return result;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
