// SPDX-License-Identifier: BSD-3-Clause
#include "../library_image.h"

#include <string>
#include <utility>

#include "../../core/model/machine.h"

namespace cudnn_checked::repairs {

// System V ABI, chapters 4 and 5: sizes of the ELF header and of an entry of its tables.
static constexpr std::uint64_t header_size = 64;
static constexpr std::uint64_t segment_size = 56;
static constexpr std::uint64_t segment_count = 3;
static constexpr std::uint64_t section_size = 64;
static constexpr std::uint64_t section_count = 5;
static constexpr std::uint64_t symbol_size = 24;
static constexpr char section_names[] = "\0.dynstr\0.dynamic\0.dynsym\0.shstrtab";

static void put(std::string& out, std::uint64_t value, unsigned bytes) {
  for (; bytes > 0; --bytes, value >>= 8) out += static_cast<char>(value & 255);
}

// System V ABI, "Note Section": sizes of name and contents, type (NT_GNU_BUILD_ID), name, contents.
static std::string build_id_note(const std::string& digits) {
  std::string note;
  if (digits.empty()) return note;
  put(note, 4, 4);
  put(note, digits.size() / 2, 4);
  put(note, 3, 4);
  note.append("GNU\0", 4);
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
    note += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
  }
  return note;
}

// System V ABI, "Section Header".
struct section {
  std::uint64_t name;  ///< where it begins in section_names
  std::uint64_t type;
  std::uint64_t begin;
  std::uint64_t size;
  std::uint64_t strings;  ///< number of the section that has its names
  std::uint64_t entry;    ///< size of an entry
};

static void put_section(std::string& out, const section& s) {
  put(out, s.name, 4);
  put(out, s.type, 4);
  for (const std::uint64_t value : {std::uint64_t{2}, s.begin, s.begin, s.size}) {
    put(out, value, 8);  // SHF_ALLOC; address and offset
  }
  put(out, s.strings, 4);
  put(out, s.type == 11 ? 1 : 0, 4);  // of SHT_DYNSYM: the first symbol that is not local
  put(out, 8, 8);
  put(out, s.entry, 8);
}

// What a linker looks for, behind what the loader reads: the table of symbols has only the first,
// which is none.
static std::string sections_of(const section& strings, const section& dynamic) {
  const std::uint64_t symbols_at = dynamic.begin + dynamic.size;
  const std::uint64_t names_at = symbols_at + symbol_size;
  std::string out(symbol_size, '\0');
  out.append(section_names, sizeof(section_names));
  out.append(section_size, '\0');
  put_section(out, strings);
  put_section(out, dynamic);
  put_section(out, {18, 11, symbols_at, symbol_size, 1, symbol_size});  // SHT_DYNSYM
  put_section(out, {26, 3, names_at, sizeof(section_names), 0, 0});
  return out;
}

static void put_segment(std::string& out, std::uint64_t type, std::uint64_t begin,
                        std::uint64_t size) {
  put(out, type, 4);
  put(out, 4, 4);
  for (const std::uint64_t place : {begin, begin, begin, size, size}) put(out, place, 8);
  put(out, 4, 8);
}

/// Linux Standard Base Core, "Symbol Versioning": an entry for each, and what of the library it is.
static std::string versions_of(const assumed_library& library, std::string& strings) {
  std::string out;
  std::size_t left = library.versions.size();
  for (const needed_version& version : library.versions) {
    put(out, 1, 2);
    put(out, 1, 2);
    put(out, strings.size(), 4);
    strings += std::string(version.library) + '\0';
    put(out, 16, 4);
    put(out, --left == 0 ? 0 : 32, 4);
    put(out, 0, 8);  // hash, flags, index
    put(out, strings.size(), 4);
    strings += std::string(version.name) + '\0';
    put(out, 0, 4);
  }
  return out;
}

arena_string library_image(const assumed_library& library) {
  std::string strings(1, '\0');
  std::string dynamic;
  const auto entry = [&dynamic](std::uint64_t tag, std::uint64_t value) {
    put(dynamic, tag, 8);
    put(dynamic, value, 8);
  };
  const auto add = [&](std::uint64_t tag, const std::string& text) {
    entry(tag, strings.size());
    strings += text + '\0';
  };
  for (const arena_string& name : library.needed) add(1, name);  // DT_NEEDED
  add(14, library.soname);                                       // DT_SONAME
  // DT_RPATH and DT_RUNPATH
  if (!library.run_path.empty()) add(library.before_library_path ? 15 : 29, library.run_path);
  const std::string versions = versions_of(library, strings);
  const std::string note = build_id_note(library.build_id);
  const std::uint64_t note_at = header_size + segment_count * segment_size;
  const std::uint64_t strings_at = note_at + note.size();
  while ((strings_at + strings.size()) % 8 != 0) strings += '\0';
  const std::uint64_t versions_at = strings_at + strings.size();
  const std::uint64_t dynamic_at = versions_at + versions.size();
  if (!versions.empty()) {
    entry(0x6ffffffe, versions_at);              // DT_VERNEED
    entry(0x6fffffff, library.versions.size());  // DT_VERNEEDNUM
  }
  entry(5, strings_at);       // DT_STRTAB
  entry(10, strings.size());  // DT_STRSZ
  entry(0, 0);
  const std::uint64_t size = dynamic_at + dynamic.size();

  std::string out =
      "\x7f"
      "ELF\x02\x01\x01";
  out.resize(16);
  put(out, 3, 2);  // ET_DYN
  put(out, own_machine, 2);
  put(out, 1, 4);
  put(out, 0, 8);
  put(out, header_size, 8);
  put(out, library.linkable ? size + symbol_size + sizeof(section_names) : 0, 8);
  put(out, 0, 4);
  put(out, header_size, 2);
  put(out, segment_size, 2);
  put(out, segment_count, 2);
  put(out, library.linkable ? section_size : 0, 2);
  put(out, library.linkable ? section_count : 0, 2);
  put(out, library.linkable ? section_count - 1 : 0, 2);
  put_segment(out, 1, 0, size);  // PT_LOAD
  put_segment(out, 2, dynamic_at, dynamic.size());
  put_segment(out, 4, note_at, note.size());
  out += note + strings + versions + dynamic;
  if (library.linkable) {
    out += sections_of({1, 3, strings_at, strings.size(), 0, 0},    // SHT_STRTAB
                       {9, 6, dynamic_at, dynamic.size(), 1, 16});  // SHT_DYNAMIC
  }
  return out;
}

}  // namespace cudnn_checked::repairs
