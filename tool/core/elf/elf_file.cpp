// SPDX-License-Identifier: BSD-3-Clause
#include "elf_file.h"

#include <cstddef>
#include <cstring>

#include "../library/byte_order.h"
#include "../model/library_name.h"
#include "../model/machine.h"
#include "../model/paths.h"
#include "elf_image.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static constexpr std::size_t elf_header_size = 64;
static constexpr std::size_t elf_program_header_size = 56;
static constexpr std::size_t elf_dynamic_entry_size = 16;
// More than any linker writes; a file that says more is damaged, and must cost neither time nor
// memory.
static constexpr std::uint32_t elf_most_segments = 1024;
static constexpr std::size_t elf_most_dynamic = 64 * 1024;
static constexpr std::size_t elf_most_note = 64 * 1024;
static constexpr std::size_t elf_most_string = 64 * 1024;  // the RUNPATH of TensorFlow 2.21 has 20
static constexpr std::size_t elf_note_section_header_size = 64;
static constexpr std::uint32_t elf_most_note_table = 1024;    // sections; cuDNN's have about 40
static constexpr std::size_t elf_most_note_sections = 16;     // linkers write up to four
static constexpr std::uint64_t elf_most_note_section = 4096;  // bytes; a build id's has 36

// offset + count * size; false where that does not fit.
static bool elf_end(std::uint64_t offset, std::uint64_t count, std::uint64_t size,
                    std::uint64_t& end) {
  return !__builtin_mul_overflow(count, size, &end) && !__builtin_add_overflow(offset, end, &end);
}

// Which files glibc passes over, and which end its search: elf/dl-load.c, open_verify.  The order
// is glibc's: a file that is too short ends the search whatever its class.
static file_state state_of_start(const unsigned char* header, std::uint64_t size) {
  constexpr unsigned char magic[] = {0x7f, 'E', 'L', 'F'};
  if (size == 0) return file_state::empty;
  if (std::memcmp(header, magic, size < sizeof(magic) ? size : sizeof(magic)) != 0) {
    return file_state::not_elf;
  }
  if (size < elf_header_size) return file_state::refused;
  if (header[4] != 2) return file_state::foreign;
  // Byte order, version, an OS ABI of System V or GNU (which alone may have a version), padding.
  const bool known = little_endian_16(header + 5) == 0x0101 &&
                     (header[7] == 3 || little_endian_16(header + 7) == 0) &&
                     little_endian_64(header + 8) >> 8 == 0 && little_endian_32(header + 20) == 1;
  return known ? file_state::whole : file_state::refused;
}

file_state elf_image::read_elf_header(int machine, library_file& result) {
  unsigned char header[elf_header_size] = {};
  const std::size_t present =
      size_ < elf_header_size ? static_cast<std::size_t>(size_) : elf_header_size;
  expected_ = elf_header_size;
  if (present != 0 && !source_.read(0, header, present)) return file_state::unreadable;
  const file_state start = state_of_start(header, size_);
  const int machine_number = little_endian_16(header + 18);
  if (start == file_state::foreign) result.machine = machine_of_32_bits + machine_number;
  if (start != file_state::whole) return start;

  const unsigned type = little_endian_16(header + 16);
  result.machine = machine_number;
  if (machine != 0 && result.machine != machine) return file_state::foreign;
  // ET_EXEC and ET_DYN: nothing else can be loaded.
  if (type != 2 && type != 3) return file_state::refused;

  program_headers_ = little_endian_64(header + 32);
  segment_count_ = little_endian_16(header + 56);
  if (little_endian_16(header + 54) != elf_program_header_size || segment_count_ == 0 ||
      segment_count_ > elf_most_segments) {
    return file_state::refused;
  }
  std::uint64_t end = 0;
  if (!elf_end(program_headers_, segment_count_, elf_program_header_size, end))
    return file_state::not_elf;
  if (end > expected_) expected_ = end;
  const std::uint64_t sections = little_endian_64(header + 40);
  if (sections != 0) {
    if (!elf_end(sections, little_endian_16(header + 60), little_endian_16(header + 58), end)) {
      return file_state::not_elf;
    }
    if (end > expected_) expected_ = end;
    if (little_endian_16(header + 58) == elf_note_section_header_size) {
      section_headers_ = sections;
      section_count_ = little_endian_16(header + 60);
    }
  }
  return file_state::whole;
}

file_state elf_image::read_program_headers() {
  arena_vector<unsigned char> bytes(segment_count_ * elf_program_header_size);
  if (program_headers_ > size_ || bytes.size() > size_ - program_headers_)
    return file_state::truncated;
  if (!source_.fill(program_headers_, bytes)) return file_state::unreadable;
  for (std::uint32_t i = 0; i < segment_count_; ++i) {
    const unsigned char* const entry = bytes.data() + i * elf_program_header_size;
    elf_segment segment;
    segment.type = little_endian_32(entry);
    segment.offset = little_endian_64(entry + 8);
    segment.address = little_endian_64(entry + 16);
    segment.size = little_endian_64(entry + 32);
    segment.alignment = little_endian_64(entry + 48);
    std::uint64_t end = 0;
    if (segment.type == 1) {  // PT_LOAD
      if (!elf_end(segment.offset, 1, segment.size, end)) return file_state::not_elf;
      if (end > expected_) expected_ = end;
    }
    segments_.push_back(segment);
  }
  return file_state::whole;
}

// A file that was allocated in full and never written to its end (a download that was cut off, a
// power failure) has its length and no contents there.  The last section header lies at the end,
// and only the first one of a table is zero (System V ABI, "Sections").
bool elf_image::has_last_section_header() const {
  if (section_count_ < 2) return true;
  unsigned char header[elf_note_section_header_size];
  const std::uint64_t offset =
      section_headers_ + (section_count_ - 1) * std::uint64_t{elf_note_section_header_size};
  if (!source_.read(offset, header, sizeof header)) return true;
  return any_of(header, [&](const unsigned char byte) { return byte != 0; });
}

void elf_image::read_headers(int machine, library_file& result) {
  result.size = size_;
  result.state = read_elf_header(machine, result);
  if (result.state == file_state::whole) result.state = read_program_headers();
  if (result.state == file_state::whole && expected_ > size_) result.state = file_state::truncated;
  if (result.state == file_state::whole && !has_last_section_header()) {
    result.state = file_state::unwritten;
  }
  if (result.state == file_state::whole && size_ - expected_ > most_tail) note_section_ends();
  const bool has_tail =
      result.state == file_state::whole && size_ > expected_ && size_ - expected_ > most_tail;
  if (result.state == file_state::truncated || has_tail) result.size_expected = expected_;
}

// Sections that the loader does not map, such as symbols and debug information, may lie behind the
// tables.
void elf_image::note_section_ends() {
  arena_vector<unsigned char> table(section_count_ * elf_note_section_header_size);
  if (!source_.fill(section_headers_, table)) return;
  for (std::uint32_t i = 0; i < section_count_; ++i) {
    const unsigned char* const entry = table.data() + i * elf_note_section_header_size;
    const std::uint32_t type = little_endian_32(entry + 4);
    std::uint64_t end = 0;
    // SHT_NOBITS has no place in the file.
    const bool has_contents = type != 0 && type != 8;
    if (has_contents &&
        elf_end(little_endian_64(entry + 24), 1, little_endian_64(entry + 32), end) &&
        end > expected_) {
      expected_ = end;
    }
  }
}

bool elf_image::read_at(std::uint64_t address, void* target, std::size_t count) const {
  for (const elf_segment& s : segments_) {
    if (s.type != 1 || address < s.address || address - s.address >= s.size) continue;
    const std::uint64_t within = address - s.address;
    if (count > s.size - within) return false;
    if (s.offset + within > size_ || count > size_ - s.offset - within) return false;
    return source_.read(s.offset + within, target, count);
  }
  return false;
}

bool elf_image::read_segment(const elf_segment& segment, std::size_t most,
                             arena_string& bytes) const {
  if (segment.size > most || segment.offset > size_ || segment.size > size_ - segment.offset) {
    return false;
  }
  bytes.clear();
  const std::size_t count = static_cast<std::size_t>(segment.size);
  return source_.read(segment.offset, bytes.extend(count), count);
}

static std::size_t note_align(std::size_t position, std::size_t alignment) {
  return (position + alignment - 1) / alignment * alignment;
}

static arena_string hexadecimal(const unsigned char* bytes, std::size_t count) {
  static constexpr char digits[] = "0123456789abcdef";
  arena_string text;
  char* to = text.extend(2 * count);
  for (std::size_t i = 0; i < count; ++i) {
    *to++ = digits[bytes[i] >> 4];
    *to++ = digits[bytes[i] & 15];
  }
  return text;
}

arena_string build_id_in_note(const unsigned char* note, std::size_t size,
                              std::uint64_t segment_alignment) {
  constexpr std::size_t note_header_size = 12;
  const std::size_t alignment = segment_alignment == 8 ? 8 : 4;
  while (size >= note_header_size) {
    const std::size_t name_size = little_endian_32(note);
    const std::size_t id_size = little_endian_32(note + 4);
    const std::size_t id = note_align(note_header_size + name_size, alignment);
    const std::size_t next = note_align(id + id_size, alignment);
    if (id > size || id_size > size - id) return {};
    // NT_GNU_BUILD_ID
    if (little_endian_32(note + 8) == 3 && name_size == 4 &&
        std::memcmp(note + note_header_size, "GNU", 4) == 0) {
      return hexadecimal(note + id, id_size);
    }
    if (next > size) return {};
    note += next;
    size -= next;
  }
  return {};
}

arena_string elf_image::build_id_of(const elf_segment& note) const {
  if (note.size > elf_most_note || note.offset > size_ || note.size > size_ - note.offset)
    return {};
  arena_vector<unsigned char> bytes(static_cast<std::size_t>(note.size));
  if (bytes.empty() || !source_.fill(note.offset, bytes)) return {};
  return build_id_in_note(bytes.data(), bytes.size(), note.alignment);
}

arena_string elf_image::build_id() const {
  for (const elf_segment& s : segments_) {
    if (s.type != 4) continue;  // PT_NOTE
    const arena_string id = build_id_of(s);
    if (!id.empty()) return id;
  }
  for (const elf_segment& section : note_sections()) {
    const arena_string id = build_id_of(section);
    if (!id.empty()) return id;
  }
  return {};
}

arena_vector<elf_segment> elf_image::note_sections() const {
  arena_vector<elf_segment> notes;
  if (section_count_ == 0 || section_count_ > elf_most_note_table || section_headers_ > size_) {
    return notes;
  }
  arena_vector<unsigned char> table(section_count_ * elf_note_section_header_size);
  if (table.size() > size_ - section_headers_ || !source_.fill(section_headers_, table)) {
    return notes;
  }
  for (std::uint32_t i = 0; i < section_count_ && notes.size() < elf_most_note_sections; ++i) {
    const unsigned char* const entry = table.data() + i * elf_note_section_header_size;
    elf_segment note;
    note.type = 4;  // what PT_NOTE is among the segments
    note.address = little_endian_64(entry + 16);
    note.offset = little_endian_64(entry + 24);
    note.size = little_endian_64(entry + 32);
    note.alignment = little_endian_64(entry + 48);
    const bool is_note = little_endian_32(entry + 4) == 7;  // SHT_NOTE
    if (is_note && note.size <= elf_most_note_section) notes.push_back(note);
  }
  return notes;
}

static void take_dynamic_entry(std::uint64_t tag, std::uint64_t value, elf_dynamic& dynamic) {
  switch (tag) {
    case 1:
      dynamic.needed.push_back(value);
      break;  // DT_NEEDED
    case 4:
      dynamic.hash = value;
      break;  // DT_HASH
    case 5:
      dynamic.strings = value;
      break;  // DT_STRTAB
    case 6:
      dynamic.symbols = value;
      break;  // DT_SYMTAB
    case 10:
      dynamic.strings_size = value;
      break;  // DT_STRSZ
    case 14:
      dynamic.soname = value;
      break;  // DT_SONAME
    case 15:
      dynamic.rpath = value;
      break;  // DT_RPATH
    case 29:
      dynamic.runpath = value;
      break;  // DT_RUNPATH
    case 0x6ffffef5:
      dynamic.gnu_hash = value;
      break;  // DT_GNU_HASH
    case 24:
      dynamic.bind_now = true;
      break;  // DT_BIND_NOW
    case 30:
      dynamic.bind_now = dynamic.bind_now || (value & 8) != 0;
      break;  // DT_FLAGS, DF_BIND_NOW
    case 0x6ffffff0:
      dynamic.versions = value;
      break;  // DT_VERSYM
    case 0x6ffffffe:
      dynamic.versions_needed = value;
      break;  // DT_VERNEED
    case 0x6ffffffc:
      dynamic.versions_defined = value;
      break;  // DT_VERDEF
    case 0x6ffffffb:
      dynamic.flags_1 = value;
      dynamic.bind_now = dynamic.bind_now || (value & 1) != 0;  // DF_1_NOW
      break;                                                    // DT_FLAGS_1
    default:
      break;
  }
}

bool elf_image::read_dynamic(elf_dynamic& dynamic) const {
  for (const elf_segment& s : segments_) {
    if (s.type != 2) continue;  // PT_DYNAMIC
    if (s.size > elf_most_dynamic || s.offset > size_ || s.size > size_ - s.offset) return false;
    arena_vector<unsigned char> bytes(static_cast<std::size_t>(s.size));
    if (bytes.empty() || !source_.fill(s.offset, bytes)) return false;
    for (std::size_t at = 0; bytes.size() - at >= elf_dynamic_entry_size;
         at += elf_dynamic_entry_size) {
      const std::uint64_t tag = little_endian_64(bytes.data() + at);
      if (tag == 0) break;
      take_dynamic_entry(tag, little_endian_64(bytes.data() + at + 8), dynamic);
    }
    // A file that was cut behind the section has lost its strings, and with them the names of the
    // libraries that it NEEDs.
    unsigned char last = 0;
    return dynamic.strings_size != 0 &&
           read_at(dynamic.strings + dynamic.strings_size - 1, &last, 1);
  }
  return false;
}

arena_string elf_image::string_at(const elf_dynamic& dynamic, std::uint64_t index) const {
  arena_string text;
  while (index < dynamic.strings_size && text.size() < elf_most_string) {
    char part[64];
    const std::uint64_t left = dynamic.strings_size - index;
    const std::size_t count = left < sizeof(part) ? static_cast<std::size_t>(left) : sizeof(part);
    if (!read_at(dynamic.strings + index, part, count)) return {};
    const void* const end = std::memchr(part, '\0', count);
    text.append(part, end == nullptr
                          ? count
                          : static_cast<std::size_t>(static_cast<const char*>(end) - part));
    if (end != nullptr) return text;
    index += count;
  }
  return {};
}

library_file read_elf(const byte_source& source, int machine) {
  library_file result;
  elf_image image(source);
  image.read_headers(machine, result);
  if (result.state != file_state::whole && result.state != file_state::truncated &&
      result.state != file_state::unwritten) {
    return result;
  }
  result.build_id = image.build_id();
  for (const elf_segment& s : image.segments()) {
    arena_string path;
    if (s.type == 3 && image.read_segment(s, 4096, path)) result.interpreter = path.c_str();
  }
  result.is_program = !result.interpreter.empty();
  elf_dynamic dynamic;
  if (!image.read_dynamic(dynamic)) return result;
  result.dynamic = true;
  result.soname = image.string_at(dynamic, dynamic.soname);
  for (const std::uint64_t name : dynamic.needed) {
    result.needed.push_back(image.string_at(dynamic, name));
  }
  result.has_rpath = dynamic.rpath != elf_dynamic::none;
  result.has_runpath = dynamic.runpath != elf_dynamic::none;
  result.rpath = image.string_at(dynamic, dynamic.rpath);
  result.runpath = image.string_at(dynamic, dynamic.runpath);
  result.no_default_directories = (dynamic.flags_1 & 0x800) != 0;  // DF_1_NODEFLIB
  const char* const word = name_of_version_word(role_of_name(result.soname));
  if (word != nullptr) result.word = read_version_word(image, dynamic, word);
  return result;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
