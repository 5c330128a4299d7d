// SPDX-License-Identifier: BSD-3-Clause
#include "pe_image.h"

#include <cstring>

#include "../library/byte_order.h"
#include "../model/machine.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static constexpr std::size_t pe_dos_header_size = 64;
static constexpr std::size_t pe_file_header_size = 24;  // with its signature
// The header of PE32+, up to its data directories.
static constexpr std::size_t pe_optional_header_size = 112;
static constexpr std::size_t pe_section_header_size = 40;
// More than any linker writes; a file that says more is damaged, and must cost neither time nor
// memory.
static constexpr std::uint32_t pe_most_start = 64 * 1024;  // linkers write less than 1 KB
static constexpr std::uint32_t pe_most_sections = 96;      // "PE Format", COFF File Header

// The machine in words of model/machine.h: those of "PE Format", Machine Types, that have a name
// there.  0 for any other.
static int machine_of_pe(unsigned number) {
  switch (number) {
    case 0x8664:
      return 62;
    case 0xaa64:
      return 183;
    case 0x014c:
      return machine_of_32_bits + 3;
    case 0x01c4:
      return machine_of_32_bits + 40;
    default:
      return 0;
  }
}

void pe_image::read_headers(int machine, library_file& result) {
  result.size = size_;
  result.state = read_start(machine, result);
  if (result.state == file_state::whole) result.state = read_sections();
  if (result.state == file_state::whole && expected_ > size_) result.state = file_state::truncated;
  if (result.state == file_state::whole && is_end_unwritten()) {
    result.state = file_state::unwritten;
  }
  const bool has_tail =
      result.state == file_state::whole && size_ > expected_ && size_ - expected_ > most_tail;
  if (result.state == file_state::truncated || has_tail) result.size_expected = expected_;
}

file_state pe_image::read_start(int machine, library_file& result) {
  if (size_ == 0) return file_state::empty;
  unsigned char dos[pe_dos_header_size] = {};
  const std::size_t present = size_ < sizeof dos ? static_cast<std::size_t>(size_) : sizeof dos;
  if (!source_.read(0, dos, present)) return file_state::unreadable;
  if (std::memcmp(dos, "MZ", present < 2 ? present : 2) != 0) return file_state::not_elf;
  expected_ = sizeof dos;
  if (size_ < expected_) return file_state::truncated;
  // A program for DOS may have anything there.
  const std::uint32_t start = little_endian_32(dos + 60);
  if (start > pe_most_start) return file_state::not_elf;
  expected_ = start + pe_file_header_size;
  if (size_ < expected_) return file_state::truncated;
  unsigned char header[pe_file_header_size];
  if (!source_.read(start, header, sizeof header)) return file_state::unreadable;
  if (std::memcmp(header, "PE\0", 4) != 0) return file_state::not_elf;

  const std::uint32_t optional_size = little_endian_16(header + 20);
  result.machine = machine_of_pe(little_endian_16(header + 4));
  section_count_ = little_endian_16(header + 6);
  time_stamp_ = little_endian_32(header + 8);
  section_table_ = expected_ + optional_size;
  const bool is_other = machine != 0 && result.machine != machine;
  if (is_other || result.machine >= machine_of_32_bits) return file_state::foreign;
  // IMAGE_FILE_EXECUTABLE_IMAGE: without it the linker found errors, or it is an object file.
  const unsigned characteristics = little_endian_16(header + 22);
  const bool is_image = (characteristics & 2) != 0;
  result.is_program = (characteristics & 0x2000) == 0;  // IMAGE_FILE_DLL
  if (!is_image || section_count_ == 0 || section_count_ > pe_most_sections ||
      optional_size < pe_optional_header_size) {
    return file_state::refused;
  }
  expected_ = section_table_ + section_count_ * pe_section_header_size;
  if (size_ < expected_) return file_state::truncated;
  arena_vector<unsigned char> optional(optional_size);
  if (!source_.fill(section_table_ - optional_size, optional)) return file_state::unreadable;
  return read_optional_header(optional.data(), optional_size);
}

file_state pe_image::read_optional_header(const unsigned char* header, std::uint32_t size) {
  if (little_endian_16(header) != 0x20b) return file_state::refused;  // PE32+
  image_size_ = little_endian_32(header + 56);
  header_size_ = little_endian_32(header + 60);
  if (header_size_ > expected_) expected_ = header_size_;
  const std::uint32_t room = (size - static_cast<std::uint32_t>(pe_optional_header_size)) / 8;
  const std::uint32_t told = little_endian_32(header + 108);
  const std::uint32_t count = told < room ? told : room;
  for (std::uint32_t i = 0; i < count && i < pe_directory_count; ++i) {
    const unsigned char* const entry = header + pe_optional_header_size + 8 * i;
    directories_[i] = {little_endian_32(entry), little_endian_32(entry + 4)};
  }
  return file_state::whole;
}

file_state pe_image::read_sections() {
  arena_vector<unsigned char> table(section_count_ * pe_section_header_size);
  if (!source_.fill(section_table_, table)) return file_state::unreadable;
  for (std::uint32_t i = 0; i < section_count_; ++i) {
    const unsigned char* const entry = table.data() + i * pe_section_header_size;
    pe_section section;
    std::memcpy(section.name, entry, 8);
    section.address = little_endian_32(entry + 12);
    section.size = little_endian_32(entry + 16);
    section.offset = little_endian_32(entry + 20);
    // Data that are not initialised have no place in the file, whatever their size is.
    if (section.offset == 0) section.size = 0;
    const std::uint64_t end = std::uint64_t{section.offset} + section.size;
    if (end > expected_) expected_ = end;
    sections_.push_back(section);
  }
  const pe_directory signatures = directory(pe_table::certificates);
  const std::uint64_t end = std::uint64_t{signatures.address} + signatures.size;
  if (signatures.address != 0 && end > expected_) expected_ = end;
  return file_state::whole;
}

// A file that was allocated in full and never written to its end (a download that was cut off, a
// power failure) has its length and no contents there.  What lies at the end begins with a length
// that is never zero: dwLength of the first certificate ("The Attribute Certificate Table"), or,
// where nothing is signed, Block Size of the first base relocation block ("The .reloc Section").
// A file that has neither at its end may end with zeros.
bool pe_image::is_end_unwritten() const {
  const pe_section* last = &sections_.front();
  for (const pe_section& section : sections_) {
    if (section.size != 0 && section.offset >= last->offset) last = &section;
  }
  const std::uint64_t sections_end = std::uint64_t{last->offset} + last->size;
  const pe_directory signatures = directory(pe_table::certificates);
  const pe_directory relocations = directory(pe_table::relocations);
  std::uint64_t at = 0;
  if (signatures.size >= 8 && signatures.address >= sections_end) {
    at = signatures.address;
  } else if (relocations.size >= 8 && relocations.address == last->address && last->size >= 8) {
    at = last->offset;
  } else {
    return false;
  }
  unsigned char start[8];
  return source_.read(at, start, sizeof start) && little_endian_64(start) == 0;
}

bool pe_image::read_at(std::uint64_t address, void* target, std::size_t count) const {
  std::uint64_t offset = address;  // the loader maps the headers as they are
  std::uint64_t room = header_size_;
  for (const pe_section& s : sections_) {
    if (address < s.address || address - s.address >= s.size) continue;
    offset = s.offset + (address - s.address);
    room = std::uint64_t{s.offset} + s.size;
    break;
  }
  if (room > size_) room = size_;
  if (offset > room || count > room - offset) return false;
  return source_.read(offset, target, count);
}

bool pe_image::read_string(std::uint64_t address, std::size_t most, arena_string& text) const {
  char bytes[pe_most_string];
  constexpr std::size_t piece = 64;
  if (most > sizeof bytes - 1) most = sizeof bytes - 1;
  for (std::size_t size = 0; size <= most;) {
    // A string may end where its section does.
    std::size_t count = sizeof bytes - size < piece ? sizeof bytes - size : piece;
    while (count > 0 && !read_at(address + size, bytes + size, count)) count /= 2;
    if (count == 0) return false;
    const void* const end = std::memchr(bytes + size, '\0', count);
    if (end == nullptr) {
      size += count;
      continue;
    }
    size = static_cast<std::size_t>(static_cast<const char*>(end) - bytes);
    text = arena_string(bytes, size);
    return size <= most;
  }
  return false;
}

bool pe_image::begins_at(std::uint64_t address, arena_string prefix) const {
  char part[64];
  for (std::size_t at = 0; at < prefix.size(); at += sizeof part) {
    const std::size_t left = prefix.size() - at;
    const std::size_t count = left < sizeof part ? left : sizeof part;
    if (!read_at(address + at, part, count)) return false;
    if (std::memcmp(part, prefix.data() + at, count) != 0) return false;
  }
  return true;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
