// SPDX-License-Identifier: BSD-3-Clause
//
// Small ELF files, made in memory: whole to the reader, with what a test wants to be in them.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace test {

struct elf_builder {
  std::string soname;
  std::string build_id;    ///< hexadecimal
  std::string other_note;  ///< contents of a note that precedes the build id
  std::string more_notes;  ///< whole notes that follow the build id
  unsigned note_alignment = 4;
  std::string rpath;
  std::string runpath;
  std::vector<std::string> needed;
  std::vector<std::pair<std::string, std::string>> needed_versions;  ///< library and version
  std::vector<std::string> defined_versions;
  std::string word_name;  ///< an exported object of four bytes
  std::uint32_t word = 0;
  bool word_is_defined = true;
  bool gnu_hash = true;
  bool no_default_directories = false;
  unsigned file_class = 2;
  unsigned machine = 62;  ///< x86-64
  unsigned type = 3;      ///< ET_DYN
  unsigned byte_order = 1;
  unsigned os_abi = 0;
  std::string interpreter;  ///< of programs; on the disk it follows the sections
  /// The PT_NOTE points at the program headers, as in libraries whose sections were moved.
  bool stale_note = false;
  /// Sections behind everything else: name, contents, is it in memory, type.
  struct section {
    std::string name;
    std::string contents;
    bool in_memory = true;
    unsigned type = 1;  ///< SHT_PROGBITS; 7: SHT_NOTE
  };
  std::vector<section> sections;

  std::string build() const;
};

inline void put(std::string& out, std::uint64_t value, unsigned bytes) {
  for (; bytes > 0; --bytes, value >>= 8) out += static_cast<char>(value & 255);
}

/// Numbers, each with its width.
inline void put_all(std::string& out,
                    std::initializer_list<std::pair<std::uint64_t, unsigned>> numbers) {
  for (const auto& [value, bytes] : numbers) put(out, value, bytes);
}

inline void put_at(std::string& out, std::size_t at, std::uint64_t value, unsigned bytes) {
  for (unsigned i = 0; i < bytes; ++i) out[at + i] = static_cast<char>(value >> (8 * i) & 255);
}

inline void align(std::string& out, std::size_t to) {
  while (out.size() % to != 0) out += '\0';
}

inline std::string from_hexadecimal(const std::string& digits) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
  }
  return bytes;
}

// System V ABI, "Note Section": sizes of name and contents, type, name, contents.
inline std::string gnu_note(const std::string& contents, unsigned type, unsigned alignment) {
  std::string note;
  put_all(note, {{4, 4}, {contents.size(), 4}, {type, 4}});
  note += std::string("GNU\0", 4) + contents;
  align(note, alignment);
  return note;
}

// What nvcc puts into .nv_fatbin, as observe/fatbinary.cpp reads it.
inline std::string fatbinary_entry(unsigned kind, unsigned architecture, std::uint64_t flags,
                                   const std::string& payload, std::uint64_t full_size) {
  std::string entry;
  put_all(entry, {{kind, 2}, {0x101, 2}, {64, 4}, {payload.size(), 8}, {0, 12}, {architecture, 4}});
  put_all(entry, {{0, 8}, {flags, 8}, {0, 8}, {full_size, 8}});
  return entry + payload;
}

inline std::string fatbinary(const std::string& entries) {
  std::string bytes;
  put_all(bytes, {{0xba55ed50, 4}, {1, 2}, {16, 2}, {entries.size(), 8}});
  return bytes + entries;
}

inline std::string elf_hash_table(const elf_builder& b) {
  std::string table;
  if (b.gnu_hash) {
    std::uint32_t hash = 5381;
    for (const char c : b.word_name) hash = hash * 33 + static_cast<unsigned char>(c);
    for (const std::uint32_t n : {1U, 1U, 1U, 6U}) put(table, n, 4);
    put(table, ~std::uint64_t{0}, 8);
    // Undefined symbols are not in it; of a library without others it is empty, as binutils writes
    // it.  Of a program it lists those whose address is taken.
    const bool is_listed = b.word_is_defined || !b.interpreter.empty();
    put(table, b.word_name.empty() || !is_listed ? 0 : 1, 4);
    put(table, hash | 1, 4);
  } else {
    for (const std::uint32_t n : {1U, 2U, b.word_name.empty() ? 0U : 1U, 0U, 0U}) put(table, n, 4);
  }
  return table;
}

// Linux Standard Base Core, "Symbol Versioning": a Verneed with one Vernaux each.
inline std::string elf_needed_versions(
    const std::vector<std::pair<std::size_t, std::size_t>>& strings_at) {
  std::string table;
  for (std::size_t i = 0; i < strings_at.size(); ++i) {
    const bool last = i + 1 == strings_at.size();
    put_all(table, {{1, 2}, {1, 2}, {strings_at[i].first, 4}, {16, 4}, {last ? 0U : 32U, 4}});
    put_all(table, {{0, 8}, {strings_at[i].second, 4}, {0, 4}});
  }
  return table;
}

// A Verdef with one Verdaux each.
inline std::string elf_defined_versions(const std::vector<std::size_t>& strings_at) {
  std::string table;
  for (std::size_t i = 0; i < strings_at.size(); ++i) {
    const bool last = i + 1 == strings_at.size();
    put_all(table, {{1, 2}, {0, 2}, {i + 1, 2}, {1, 2}, {0, 4}, {20, 4}, {last ? 0U : 28U, 4}});
    put_all(table, {{strings_at[i], 4}, {0, 4}});
  }
  return table;
}

inline std::string elf_builder::build() const {
  constexpr std::size_t header_size = 64;
  const std::size_t segments = interpreter.empty() ? 3 : 4;
  std::string out(header_size + segments * 56, '\0');

  std::string strings(1, '\0');
  const auto add = [&strings](const std::string& text) {
    const std::size_t at = strings.size();
    strings += text + '\0';
    return at;
  };
  std::vector<std::pair<std::uint64_t, std::uint64_t>> dynamic;
  for (const std::string& name : needed) dynamic.emplace_back(1, add(name));
  if (!soname.empty()) dynamic.emplace_back(14, add(soname));
  if (!rpath.empty()) dynamic.emplace_back(15, add(rpath));
  if (!runpath.empty()) dynamic.emplace_back(29, add(runpath));
  if (no_default_directories) dynamic.emplace_back(0x6ffffffb, 0x800);
  const std::size_t word_string = add(word_name);
  std::vector<std::pair<std::size_t, std::size_t>> needed_at;
  for (const auto& n : needed_versions) {
    const std::size_t library_at = add(n.first);
    needed_at.emplace_back(library_at, add(n.second));
  }
  std::vector<std::size_t> defined_at;
  for (const std::string& d : defined_versions) defined_at.push_back(add(d));

  const std::size_t note_at = out.size();
  if (!other_note.empty()) out += gnu_note(other_note, 5, note_alignment);
  if (!build_id.empty()) out += gnu_note(from_hexadecimal(build_id), 3, note_alignment);
  out += more_notes;
  const std::size_t note_size = out.size() - note_at;
  const std::size_t strings_at = out.size();
  out += strings;
  align(out, 8);
  const std::size_t word_at = out.size();
  put(out, word, 8);
  const std::size_t symbols_at = out.size();
  out += std::string(24, '\0');
  // 0x11: STB_GLOBAL, STT_OBJECT
  put_all(out, {{word_string, 4}, {0x11, 2}, {word_is_defined ? 1U : 0U, 2}, {word_at, 8}, {4, 8}});
  const std::size_t hash_at = out.size();
  out += elf_hash_table(*this);
  align(out, 8);
  if (!needed_at.empty()) {
    dynamic.emplace_back(0x6ffffffe, out.size());
    out += elf_needed_versions(needed_at);
  }
  if (!defined_at.empty()) {
    dynamic.emplace_back(0x6ffffffc, out.size());
    out += elf_defined_versions(defined_at);
  }
  align(out, 8);
  dynamic.emplace_back(gnu_hash ? 0x6ffffef5 : 4, hash_at);
  dynamic.emplace_back(5, strings_at);
  dynamic.emplace_back(6, symbols_at);
  dynamic.emplace_back(10, strings.size());
  dynamic.emplace_back(0, 0);
  const std::size_t dynamic_at = out.size();
  for (const auto& [tag, value] : dynamic) put_all(out, {{tag, 8}, {value, 8}});
  const std::size_t dynamic_size = out.size() - dynamic_at;
  const std::size_t loaded = out.size();

  std::vector<section> all = {{"", "", false}};
  all.insert(all.end(), sections.begin(), sections.end());
  std::string names;
  for (const section& s : all) names += s.name + '\0';
  names += std::string(".shstrtab") + '\0';
  all.push_back({".shstrtab", names, false});
  std::vector<std::size_t> offsets;
  for (const section& s : all) {
    align(out, 8);
    offsets.push_back(out.size());
    out += s.contents;
  }
  align(out, 8);
  const std::size_t table_at = out.size();
  std::size_t name_at = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    put_all(out, {{name_at, 4}, {i == 0 ? 0U : all[i].type, 4}, {all[i].in_memory ? 2U : 0U, 8}});
    put_all(out, {{0, 8}, {offsets[i], 8}, {all[i].contents.size(), 8}, {0, 24}});
    name_at += all[i].name.size() + 1;
  }

  out.replace(0, 7,
              std::string("\x7f"
                          "ELF") +
                  static_cast<char>(file_class) + static_cast<char>(byte_order) + "\1");
  const std::uint64_t fields[][3] = {
      {7, os_abi, 1},       {16, type, 2},     {18, machine, 2},     {20, 1, 4},
      {32, header_size, 8}, {40, table_at, 8}, {52, header_size, 2}, {54, 56, 2},
      {56, segments, 2},    {58, 64, 2},       {60, all.size(), 2},  {62, all.size() - 1, 2}};
  for (const auto& [at, value, bytes] : fields)
    put_at(out, at, value, static_cast<unsigned>(bytes));
  const std::size_t interpreter_at = out.size();
  if (!interpreter.empty()) out += interpreter + '\0';
  const std::uint64_t headers[][4] = {
      {1, 0, loaded, 0x1000},
      {2, dynamic_at, dynamic_size, 8},
      {4, stale_note ? header_size : note_at, stale_note ? 36 : note_size, note_alignment},
      {3, interpreter_at, interpreter.size() + 1, 1}};
  for (std::size_t i = 0; i < segments; ++i) {
    const std::size_t at = header_size + i * 56;
    put_at(out, at, headers[i][0], 4);
    for (const std::size_t place : {8U, 16U}) put_at(out, at + place, headers[i][1], 8);
    for (const std::size_t place : {32U, 40U}) put_at(out, at + place, headers[i][2], 8);
    put_at(out, at + 48, headers[i][3], 8);
  }
  return out;
}

}  // namespace test
