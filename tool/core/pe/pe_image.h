// SPDX-License-Identifier: BSD-3-Clause
//
// The headers and tables of a PE file, inside the reader.  Layouts: Microsoft, "PE Format".
#pragma once

#include <cstdint>

#include "../library/library_file.h"
#include "../model/arena_string.h"
#include "../model/arena_vector.h"
#include "../namespace.h"
#include "../system/system_interface.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

struct pe_section {
  char name[9] = "";          ///< with a zero byte behind it
  std::uint32_t address = 0;  ///< as all addresses here, from where the image is loaded
  std::uint32_t offset = 0;
  std::uint32_t size = 0;  ///< bytes in the file
};

/// An entry of the optional header's data directories.
struct pe_directory {
  std::uint32_t address = 0;  ///< of the certificates: an offset in the file
  std::uint32_t size = 0;
};

/// Their numbers: "Optional Header Data Directories".
enum class pe_table : unsigned char {
  exports = 0,
  imports = 1,
  resources = 2,
  certificates = 4,
  relocations = 5,
  debug = 6,
  delayed_imports = 13
};
inline constexpr std::uint32_t pe_directory_count = 16;

/// With its zero byte, the longest string that is read.  Names of C++ have 4096 characters at the
/// most (MSVC, "Decorated Names").
inline constexpr std::size_t pe_most_string = 4097;

/// A DLL that is imported from.
struct pe_import {
  arena_string name;
  std::uint32_t name_address = 0;
  std::uint32_t names = 0;  ///< address of the lookup table
};

/// The export directory table.
struct pe_exports {
  arena_string name;  ///< of the DLL
  std::uint32_t function_count = 0;
  std::uint32_t name_count = 0;
  std::uint32_t functions = 0;  ///< addresses of the three tables
  std::uint32_t names = 0;
  std::uint32_t ordinals = 0;
};

class pe_image {
 public:
  explicit pe_image(const byte_source& source) : source_(source), size_(source.size()) {}

  /// Reads the headers and the section table; fills state, size, size_expected and machine.
  void read_headers(int machine, library_file& result);

  const arena_vector<pe_section>& sections() const { return sections_; }
  pe_directory directory(pe_table which) const {
    return directories_[static_cast<std::size_t>(which)];
  }

  /// Reads `count` bytes at an address of the loaded image, where the file has them.
  bool read_at(std::uint64_t address, void* target, std::size_t count) const;
  /// The string at an address; false where it has more than `most` bytes, or no end.
  bool read_string(std::uint64_t address, std::size_t most, arena_string& text) const;
  bool begins_at(std::uint64_t address, arena_string prefix) const;

  /// The DLLs that are imported from, in order; false where a table is damaged.  Both are empty
  /// where the file has no such table.
  bool read_imports(arena_vector<pe_import>& imports) const;
  bool read_delayed_imports(arena_vector<pe_import>& imports) const;
  /// False where the table is damaged; all zero where there is none.
  bool read_exports(pe_exports& exports) const;
  /// The address of what is exported by that name, found as the loader finds it; 0 where it is not
  /// exported.  Where it is forwarded, that is the address of a text in the table of exports.
  std::uint32_t find_export(const pe_exports& exports, arena_string name) const;

  /// The CodeView id of the debug directory: the GUID as 32 digits and the age, as symbol servers
  /// write them but in lower case.  Where there is none, 13 digits: five of SizeOfImage in pages of
  /// 4096 bytes, the lowest five of TimeDateStamp, the other three of it.
  arena_string identity() const;
  /// x.y.z of VS_FIXEDFILEINFO's dwFileVersion in the first version resource; unknown where there
  /// is none.
  version file_version() const;

 private:
  file_state read_start(int machine, library_file& result);
  file_state read_optional_header(const unsigned char* header, std::uint32_t size);
  file_state read_sections();
  bool is_end_unwritten() const;
  arena_string code_view_id() const;
  std::uint32_t first_resource(std::uint32_t table, std::uint32_t type) const;

  const byte_source& source_;
  std::uint64_t size_;
  std::uint64_t expected_ = 0;
  std::uint64_t section_table_ = 0;
  std::uint32_t section_count_ = 0;
  std::uint32_t header_size_ = 0;
  std::uint32_t image_size_ = 0;
  std::uint32_t time_stamp_ = 0;
  pe_directory directories_[pe_directory_count];
  arena_vector<pe_section> sections_;
};

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
