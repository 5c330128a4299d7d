// SPDX-License-Identifier: BSD-3-Clause
#include "elf_sections.h"

#include <cstring>

#include "../library/byte_order.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static constexpr std::size_t elf_section_header_size = 64;
// Cubins of big programs have tens of thousands: some for each kernel.
static constexpr std::uint64_t elf_most_sections = 1U << 20;

struct section_table {
  std::uint64_t offset = 0;
  std::uint64_t count = 0;
  std::uint64_t names = 0;  ///< index of the section that holds the names
};

// A piece of a file: reads beyond its end fail.
static bool read_piece(const byte_source& source, std::uint64_t begin, std::uint64_t size,
                       std::uint64_t offset, void* target, std::size_t count) {
  return offset <= size && count <= size - offset && source.read(begin + offset, target, count);
}

static bool find_section_table(const byte_source& source, std::uint64_t begin, std::uint64_t size,
                               section_table& table) {
  constexpr unsigned char start[] = {0x7f, 'E', 'L', 'F', 2, 1};
  unsigned char header[64];
  if (!read_piece(source, begin, size, 0, header, sizeof(header))) return false;
  if (std::memcmp(header, start, sizeof(start)) != 0) return false;
  table.offset = little_endian_64(header + 40);
  table.count = little_endian_16(header + 60);
  table.names = little_endian_16(header + 62);
  if (table.offset == 0 || little_endian_16(header + 58) != elf_section_header_size) return false;
  // System V ABI, "Sections": where there are too many, the first header holds both numbers.
  unsigned char first[elf_section_header_size];
  if (!read_piece(source, begin, size, table.offset, first, sizeof(first))) return false;
  if (table.count == 0) table.count = little_endian_64(first + 32);
  if (table.names == 0xffff) table.names = little_endian_32(first + 40);
  return table.count != 0 && table.count <= elf_most_sections && table.names < table.count &&
         table.count <= (size - table.offset) / elf_section_header_size;
}

bool read_elf_sections(const byte_source& source, std::uint64_t begin, std::uint64_t size,
                       arena_vector<elf_section>& sections) {
  section_table table;
  if (!find_section_table(source, begin, size, table)) return false;
  arena_vector<unsigned char> headers(static_cast<std::size_t>(table.count) *
                                      elf_section_header_size);
  if (!read_piece(source, begin, size, table.offset, headers.in_place().begin(), headers.size()))
    return false;
  const unsigned char* const names = headers.data() + table.names * elf_section_header_size;
  const std::uint64_t names_offset = little_endian_64(names + 24);
  const std::uint64_t names_size = little_endian_64(names + 32);
  for (std::uint64_t i = 0; i < table.count; ++i) {
    const unsigned char* const header = headers.data() + i * elf_section_header_size;
    elf_section section;
    section.offset = little_endian_64(header + 24);
    section.size = little_endian_64(header + 32);
    section.in_memory = (little_endian_64(header + 8) & 2) != 0;
    const std::uint64_t at = little_endian_32(header);
    char name[32] = {};
    const std::uint64_t left = at < names_size ? names_size - at : 0;
    const std::size_t count =
        left < sizeof(name) - 1 ? static_cast<std::size_t>(left) : sizeof(name) - 1;
    if (names_offset > size || !read_piece(source, begin, size, names_offset + at, name, count))
      return false;
    section.name = name;
    sections.push_back(section);
  }
  return true;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
