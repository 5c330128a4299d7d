// SPDX-License-Identifier: BSD-3-Clause
//
// The inside of the ELF reader: bounded access to a file by offset and by address.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../library/library_file.h"
#include "../model/arena_string.h"
#include "../model/arena_vector.h"
#include "../namespace.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

struct elf_segment {
  std::uint32_t type = 0;
  std::uint64_t offset = 0;
  std::uint64_t address = 0;
  std::uint64_t size = 0;  ///< bytes in the file
  std::uint64_t alignment = 0;
};

/// What the dynamic section says; addresses, not offsets, where the section has addresses.
struct elf_dynamic {
  static constexpr std::uint64_t none = ~std::uint64_t{0};
  std::uint64_t strings = 0;
  std::uint64_t strings_size = 0;
  std::uint64_t symbols = 0;
  std::uint64_t hash = 0;
  std::uint64_t gnu_hash = 0;
  std::uint64_t versions = 0;         ///< DT_VERSYM
  std::uint64_t versions_needed = 0;  ///< DT_VERNEED
  std::uint64_t versions_defined = 0;
  std::uint64_t flags_1 = 0;
  bool bind_now = false;        ///< linked with -z now
  std::uint64_t soname = none;  ///< indices into the strings
  std::uint64_t rpath = none;
  std::uint64_t runpath = none;
  arena_vector<std::uint64_t> needed;
};

/// The GNU build id in the notes of one PT_NOTE segment or section of notes, lower-case
/// hexadecimal; empty where there is none or the notes are damaged.  Names and descriptions are
/// padded to the alignment of the segment, which is 8 only if that is the alignment in the header,
/// and else 4.
arena_string build_id_in_note(const unsigned char* note, std::size_t size,
                              std::uint64_t segment_alignment);

class elf_image {
 public:
  explicit elf_image(const byte_source& source) : source_(source), size_(source.size()) {}

  /// Reads the ELF header and the program headers; fills state, size, size_expected and machine.
  void read_headers(int machine, library_file& result);
  /// The GNU build id of the first PT_NOTE that has one, else of the first section of notes that
  /// has one; empty where none has.
  arena_string build_id() const;
  /// The sections of type SHT_NOTE, as segments: where each lies in the file and in memory.  A tool
  /// that moved the sections of a finished library may have left PT_NOTE pointing at the old place
  /// (docs/measurements.md, "Where the build id is").
  arena_vector<elf_segment> note_sections() const;
  bool read_dynamic(elf_dynamic& dynamic) const;

  std::uint64_t size() const { return size_; }
  const arena_vector<elf_segment>& segments() const { return segments_; }
  /// A program has a PT_INTERP, a library has none.
  bool has_interpreter() const {
    return any_of(segments_, [&](const elf_segment& s) { return s.type == 3; });
  }
  /// All that the file has of a segment; false where that is more than `most` bytes or is cut off.
  bool read_segment(const elf_segment& segment, std::size_t most, arena_string& bytes) const;

  /// Reads `count` bytes at an address of the loaded program.
  bool read_at(std::uint64_t address, void* target, std::size_t count) const;
  /// The string at `index` of the dynamic strings; empty where it does not end within 4096 bytes.
  arena_string string_at(const elf_dynamic& dynamic, std::uint64_t index) const;

 private:
  file_state read_elf_header(int machine, library_file& result);
  file_state read_program_headers();
  bool has_last_section_header() const;
  void note_section_ends();
  arena_string build_id_of(const elf_segment& note) const;

  const byte_source& source_;
  std::uint64_t size_;
  std::uint64_t program_headers_ = 0;
  std::uint64_t section_headers_ = 0;
  std::uint32_t section_count_ = 0;
  std::uint64_t expected_ = 0;
  std::uint32_t segment_count_ = 0;
  arena_vector<elf_segment> segments_;
};

/// A symbol that a file defines.
struct elf_symbol {
  unsigned type = 0;     ///< STT_OBJECT, STT_FUNC, ...
  unsigned binding = 0;  ///< STB_LOCAL, STB_GLOBAL, STB_WEAK
  std::uint64_t address = 0;
  std::uint64_t size = 0;
};

/// Looks a name up in DT_GNU_HASH or DT_HASH, as the loader does.  False where it is not defined.
bool find_symbol(const elf_image& image, const elf_dynamic& dynamic, arena_string name,
                 elf_symbol& symbol);

/// The value of cuDNN's version word `name`: major<<16 | minor<<8 | patch, four bytes of data that
/// the graph, ops and adv libraries export.  Unknown where there is no such object.
version read_version_word(const elf_image& image, const elf_dynamic& dynamic, arena_string name);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
