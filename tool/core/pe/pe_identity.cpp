// SPDX-License-Identifier: BSD-3-Clause
//
// Which file it is, and which version its makers gave it: "PE Format", The .debug Section, The
// .rsrc Section.
#include <cstring>

#include "../library/byte_order.h"
#include "pe_image.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static constexpr std::uint32_t pe_debug_entry_size = 28;
static constexpr std::uint32_t pe_most_debug_entries = 64;  // linkers write up to six
static constexpr std::uint32_t pe_most_resources = 1024;    // of one level

// The lowest `count` digits of a number.
static void add_digits(std::uint32_t number, int count, arena_string& text) {
  for (; count > 0; --count) text += "0123456789abcdef"[number >> (4 * (count - 1)) & 15];
}

// The record that a PDB file is found by: the signature "RSDS", a GUID, an age.
arena_string pe_image::code_view_id() const {
  const pe_directory table = directory(pe_table::debug);
  const std::uint32_t count = table.size / pe_debug_entry_size;
  for (std::uint32_t i = 0; i < count && i < pe_most_debug_entries; ++i) {
    unsigned char entry[pe_debug_entry_size];
    if (!read_at(std::uint64_t{table.address} + i * sizeof entry, entry, sizeof entry)) return {};
    const std::uint64_t offset = little_endian_32(entry + 24);
    unsigned char id[24];
    const bool is_code_view = little_endian_32(entry + 12) == 2;
    if (!is_code_view || little_endian_32(entry + 16) < sizeof id || offset > size_ ||
        sizeof id > size_ - offset || !source_.read(offset, id, sizeof id) ||
        std::memcmp(id, "RSDS", 4) != 0) {
      continue;
    }
    arena_string text;
    add_digits(little_endian_32(id + 4), 8, text);
    add_digits(little_endian_16(id + 8), 4, text);
    add_digits(little_endian_16(id + 10), 4, text);
    for (int byte = 12; byte < 20; ++byte) add_digits(id[byte], 2, text);
    const std::uint32_t age = little_endian_32(id + 20);
    int digits = 1;
    while (digits < 8 && age >> (4 * digits) != 0) ++digits;
    add_digits(age, digits, text);
    return text;
  }
  return {};
}

// What symbol servers find a DLL by, in 13 digits.  The catalogue has the first ten, so the digits
// of the time that change from one second to the next come before those that change after twelve
// days: the shims of 9.12.0 for CUDA 12 and 13 have one size, and were linked within a minute
// (tool/data/catalogue/README.md, "DLLs").
arena_string pe_image::identity() const {
  arena_string id = code_view_id();
  if (!id.empty()) return id;
  add_digits(image_size_ / 4096, 5, id);
  add_digits(time_stamp_, 5, id);
  add_digits(time_stamp_ >> 20, 3, id);
  return id;
}

// The address that the first entry of a resource directory leads to, or the entry of that type; 0
// where there is none.  The highest bit says that it leads to another directory.
std::uint32_t pe_image::first_resource(std::uint32_t table, std::uint32_t type) const {
  const std::uint64_t begin = std::uint64_t{directory(pe_table::resources).address} + table;
  unsigned char bytes[16];
  if (!read_at(begin, bytes, sizeof bytes)) return 0;
  const std::uint32_t count =
      std::uint32_t{little_endian_16(bytes + 12)} + little_endian_16(bytes + 14);
  for (std::uint32_t i = 0; i < count && i < pe_most_resources; ++i) {
    if (!read_at(begin + sizeof bytes + 8 * std::uint64_t{i}, bytes, 8)) return 0;
    if (type == 0 || little_endian_32(bytes) == type) return little_endian_32(bytes + 4);
  }
  return 0;
}

version pe_image::file_version() const {
  constexpr std::uint32_t version_type = 16;  // RT_VERSION
  constexpr std::uint32_t subdirectory = 1U << 31;
  if (directory(pe_table::resources).address == 0) return {};
  // Type, name and language, and then where the data lie.
  const std::uint32_t names = first_resource(0, version_type);
  if ((names & subdirectory) == 0) return {};
  const std::uint32_t languages = first_resource(names & ~subdirectory, 0);
  if ((languages & subdirectory) == 0) return {};
  const std::uint32_t leaf = first_resource(languages & ~subdirectory, 0);
  const std::uint64_t begin = directory(pe_table::resources).address;
  unsigned char bytes[56];
  if (leaf == 0 || (leaf & subdirectory) != 0 || !read_at(begin + leaf, bytes, 8)) return {};
  // VS_VERSIONINFO: three lengths, "VS_VERSION_INFO" in 32 bytes, padding to four bytes, and
  // VS_FIXEDFILEINFO (Windows API, "VS_FIXEDFILEINFO structure").
  const std::uint32_t data = little_endian_32(bytes);
  const bool is_long_enough = little_endian_32(bytes + 4) >= sizeof bytes;
  if (!is_long_enough || !read_at(data, bytes, sizeof bytes)) return {};
  if (little_endian_32(bytes + 40) != 0xfeef04bd) return {};
  const std::uint32_t high = little_endian_32(bytes + 48);
  const std::uint32_t low = little_endian_32(bytes + 52);
  return version::of(high >> 16, high & 0xffff, low >> 16);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
