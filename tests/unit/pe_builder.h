// SPDX-License-Identifier: BSD-3-Clause
//
// Small PE files, made in memory: whole to the reader, with what a test wants to be in them.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "elf_builder.h"

namespace test {

struct pe_builder {
  /// What is imported from a DLL: names, and "#7" for an ordinal.
  using import = std::pair<std::string, std::vector<std::string>>;

  std::string name;                  ///< in the table of exports; none without it
  std::vector<std::string> exports;  ///< sorted, as linkers write them
  std::string word_name;             ///< another one, which is four bytes of data
  std::uint32_t word = 0;
  std::string forward;  ///< where the word is forwarded to instead
  std::vector<import> imports;
  std::vector<import> delayed;
  std::string guid;  ///< of the CodeView record, as its 16 bytes lie in the file, hexadecimal
  std::uint32_t age = 1;
  std::vector<unsigned> file_version;  ///< four numbers; none: no resource
  std::string texts;                   ///< more read-only data, at the end of .rdata
  std::string signature;               ///< the certificate's contents; none: not signed
  bool relocations = true;
  unsigned machine = 0x8664;
  unsigned magic = 0x20b;
  unsigned characteristics = 0x2022;  ///< DLL, executable image, large addresses
  std::uint32_t time_stamp = 0x6adeb618;
  std::uint32_t image_size = 0x29000;

  std::string build() const;

  static constexpr std::uint32_t header_at = 128;
  static constexpr std::uint32_t optional_at = header_at + 24;
  static constexpr std::uint32_t sections_at = optional_at + 240;
  static constexpr std::uint32_t data_at = 0x400;        ///< where .rdata lies in the file
  static constexpr std::uint32_t data_address = 0x1000;  ///< and in memory
};

namespace pe {

/// Contents of .rdata while they grow.
struct data {
  std::string bytes;
  std::uint32_t here() const {
    return pe_builder::data_address + static_cast<std::uint32_t>(bytes.size());
  }
  std::uint32_t add(const std::string& more) {
    align(bytes, 8);
    const std::uint32_t at = here();
    bytes += more;
    return at;
  }
  std::uint32_t add_text(const std::string& text) { return add(text + '\0'); }
};

// A lookup table, and where each name lies.
inline std::uint32_t add_lookup(data& out, const std::vector<std::string>& names) {
  std::string table;
  for (const std::string& name : names) {
    if (name[0] == '#') {
      put(table, 1ULL << 63 | static_cast<unsigned>(std::stoi(name.substr(1))), 8);
    } else {
      put(table, out.add(std::string(2, '\0') + name + '\0'), 8);
    }
  }
  put(table, 0, 8);
  return out.add(table);
}

inline std::uint32_t add_imports(data& out, const std::vector<pe_builder::import>& imports) {
  std::string table;
  for (const pe_builder::import& one : imports) {
    const std::uint32_t names = add_lookup(out, one.second);
    put_all(table, {{names, 4}, {0, 4}, {0, 4}, {out.add_text(one.first), 4}, {names, 4}});
  }
  return out.add(table + std::string(20, '\0'));
}

inline std::uint32_t add_delayed(data& out, const std::vector<pe_builder::import>& imports) {
  std::string table;
  for (const pe_builder::import& one : imports) {
    const std::uint32_t names = add_lookup(out, one.second);
    put_all(table, {{1, 4}, {out.add_text(one.first), 4}, {0, 8}, {names, 4}, {0, 12}});
  }
  return out.add(table + std::string(32, '\0'));
}

/// Address and size.
using place = std::pair<std::uint32_t, std::uint32_t>;

inline place add_exports(data& out, const pe_builder& b) {
  std::vector<std::string> names = b.exports;
  if (!b.word_name.empty()) names.push_back(b.word_name);
  std::string word;
  put(word, b.word, 4);
  const std::uint32_t word_at = out.add(word);
  align(out.bytes, 8);
  const std::uint32_t begin = out.here();
  const auto count = static_cast<std::uint32_t>(names.size());
  const std::uint32_t functions = begin + 40;
  const std::uint32_t pointers = functions + 4 * count;
  const std::uint32_t ordinals = pointers + 4 * count;
  std::uint32_t text_at = ordinals + 2 * count;
  std::string texts;
  const auto add_text = [&texts, text_at](const std::string& text) {
    const std::size_t at = texts.size();
    texts += text + '\0';
    return text_at + static_cast<std::uint32_t>(at);
  };
  std::string table;
  put_all(table, {{0, 12}, {add_text(b.name), 4}, {1, 4}, {count, 4}, {count, 4}});
  put_all(table, {{functions, 4}, {pointers, 4}, {ordinals, 4}});
  const std::uint32_t forward = b.forward.empty() ? 0 : add_text(b.forward);
  for (const std::string& name : names) {
    const bool is_word = name == b.word_name;
    put(table, !is_word ? begin : forward != 0 ? forward : word_at, 4);
  }
  for (const std::string& name : names) put(table, add_text(name), 4);
  for (std::uint32_t i = 0; i < count; ++i) put(table, i, 2);
  table += texts;
  out.bytes += table;
  return {begin, static_cast<std::uint32_t>(table.size())};
}

inline place add_debug(data& out, const pe_builder& b) {
  std::string record = "RSDS" + from_hexadecimal(b.guid);
  put(record, b.age, 4);
  record += std::string("a.pdb\0", 6);
  const std::uint32_t at = out.add(record);
  std::string entries(28, '\0');
  entries[12] = 13;  // another type before it, as MSVC writes
  put_all(entries, {{0, 12}, {2, 4}, {record.size(), 4}, {at, 4}});
  put(entries, at - pe_builder::data_address + pe_builder::data_at, 4);
  return {out.add(entries), static_cast<std::uint32_t>(entries.size())};
}

inline std::uint32_t add_resources(data& out, const std::vector<unsigned>& version) {
  std::string tree;
  // Three directories of one entry each: type 16, name 1, language 1033; then where the data are.
  const std::uint32_t types[] = {16, 1, 1033};
  const std::uint32_t targets[] = {0x80000000 + 24, 0x80000000 + 48, 72};
  for (int i = 0; i < 3; ++i) {
    put_all(tree, {{0, 12}, {0, 2}, {1, 2}, {types[i], 4}, {targets[i], 4}});
  }
  align(out.bytes, 8);
  put_all(tree, {{out.here() + 88, 4}, {92, 4}, {0, 8}});
  put_all(tree, {{92, 2}, {52, 2}, {0, 2}});
  for (const char c : std::string("VS_VERSION_INFO")) put(tree, static_cast<unsigned char>(c), 2);
  put_all(tree, {{0, 2}, {0, 2}, {0xfeef04bd, 4}, {0x10000, 4}});
  put_all(tree, {{version[1], 2}, {version[0], 2}, {version[3], 2}, {version[2], 2}});
  tree += std::string(36, '\0');
  return out.add(tree);
}

}  // namespace pe

inline std::string pe_builder::build() const {
  pe::data data;
  pe::place tables[16] = {};
  if (!name.empty()) tables[0] = pe::add_exports(data, *this);
  if (!imports.empty()) tables[1] = {pe::add_imports(data, imports), 40};
  if (!file_version.empty()) tables[2] = {pe::add_resources(data, file_version), 180};
  if (!guid.empty()) tables[6] = pe::add_debug(data, *this);
  if (!delayed.empty()) tables[13] = {pe::add_delayed(data, delayed), 64};
  if (!texts.empty()) data.add(std::string(1, '\0') + texts + '\0');
  const auto data_size = static_cast<std::uint32_t>(data.bytes.size());
  align(data.bytes, 512);
  std::string reloc;
  put_all(reloc, {{data_address, 4}, {12, 4}, {0xa000, 2}, {0, 2}});
  const auto reloc_at = data_at + static_cast<std::uint32_t>(data.bytes.size());
  const std::uint32_t reloc_address = 0x10000000;
  if (relocations) {
    tables[5] = {reloc_address, 12};
    align(reloc, 512);
  }

  std::string out = "MZ" + std::string(58, '\0');
  put(out, header_at, 4);
  out.resize(header_at, '\0');
  out += std::string("PE\0\0", 4);
  put_all(out, {{machine, 2}, {relocations ? 2U : 1U, 2}, {time_stamp, 4}, {0, 8}, {240, 2}});
  put(out, characteristics, 2);
  put_all(out, {{magic, 2}, {0, 22}, {0x180000000, 8}, {0x1000, 4}, {0x200, 4}, {0, 16}});
  put_all(out, {{image_size, 4}, {data_at, 4}, {0, 44}, {16, 4}});
  if (!signature.empty()) {
    tables[4] = {reloc_at + (relocations ? 512U : 0U),
                 static_cast<std::uint32_t>(8 + signature.size())};
  }
  for (const pe::place& one : tables) put_all(out, {{one.first, 4}, {one.second, 4}});
  out += std::string(".rdata\0\0", 8);
  put_all(out, {{data_size, 4}, {data_address, 4}, {data.bytes.size(), 4}, {data_at, 4}});
  put_all(out, {{0, 12}, {0x40000040, 4}});
  if (relocations) {
    out += std::string(".reloc\0\0", 8);
    put_all(out, {{12, 4}, {reloc_address, 4}, {512, 4}, {reloc_at, 4}, {0, 12}, {0x42000040, 4}});
  }
  out.resize(data_at, '\0');
  out += data.bytes;
  if (relocations) out += reloc;
  if (!signature.empty()) {
    put_all(out, {{8 + signature.size(), 4}, {0x200, 2}, {2, 2}});
    out += signature;
  }
  return out;
}

}  // namespace test
