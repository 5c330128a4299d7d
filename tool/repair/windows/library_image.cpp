// SPDX-License-Identifier: BSD-3-Clause
//
// Microsoft, "PE Format": headers, and one section with the tables of exports and imports.
#include "../library_image.h"

#include <string>

namespace cudnn_checked::repairs {

static constexpr std::size_t pe_start = 64;  // behind the header of DOS
static constexpr std::size_t directories_size = 128;
static constexpr std::size_t optional_header_size = 112 + directories_size;
static constexpr std::size_t headers_size = 512;
static constexpr std::size_t section_address = 4096;
static constexpr std::size_t export_table_size = 40;
static constexpr std::size_t import_size = 20;
// An address that no section has.
static constexpr std::uint32_t unreadable = 0xffffff00;

static void put(std::string& out, std::uint64_t value, unsigned bytes) {
  for (; bytes > 0; --bytes, value >>= 8) out += static_cast<char>(value & 255);
}

static std::uint32_t digits_of(const std::string& id, std::size_t begin, std::size_t count) {
  const std::string digits = begin < id.size() ? id.substr(begin, count) : std::string();
  return digits.empty() ? 0 : static_cast<std::uint32_t>(std::stoul(digits, nullptr, 16));
}

// Which functions it exports and imports cannot be read.
static std::string section_of(const assumed_library& library) {
  const std::size_t imports = (library.needed.size() + 1) * import_size;
  const std::size_t names_at = section_address + export_table_size + imports;
  std::string names = std::string(library.soname) + '\0';
  std::string out(12, '\0');
  put(out, names_at, 4);  // the name of the DLL
  put(out, 1, 4);
  put(out, 0, 4);
  put(out, 1, 4);
  for (int table = 0; table < 3; ++table) put(out, unreadable, 4);
  for (const arena_string& needed : library.needed) {
    put(out, unreadable, 4);  // the table of the functions
    out.append(8, '\0');
    put(out, names_at + names.size(), 4);
    put(out, unreadable, 4);
    names += std::string(needed) + '\0';
  }
  out.append(import_size, '\0');
  return out + names;
}

static std::string headers_of(const assumed_library& library, std::size_t size) {
  std::string out = "MZ";
  out.resize(60);
  put(out, pe_start, 4);
  out.append("PE\0\0", 4);
  put(out, 0x8664, 2);
  put(out, 1, 2);  // sections
  put(out, digits_of(library.build_id, 10, 3) << 20 | digits_of(library.build_id, 5, 5), 4);
  put(out, 0, 8);
  put(out, optional_header_size, 2);
  put(out, 0x2022, 2);  // a DLL that needs no address below 2 GB
  const std::size_t optional = out.size();
  put(out, 0x20b, 2);
  out.resize(optional + 56);
  put(out, std::uint64_t{digits_of(library.build_id, 0, 5)} * 4096, 4);  // SizeOfImage
  put(out, headers_size, 4);
  out.resize(optional + 108);
  put(out, directories_size / 8, 4);
  const std::size_t imports = section_address + export_table_size;
  for (const std::size_t field :
       {section_address, export_table_size, imports, (library.needed.size() + 1) * import_size}) {
    put(out, field, 4);
  }
  out.resize(optional + optional_header_size);
  out += ".rdata";
  out.resize(out.size() + 2);
  for (const std::size_t field : {size, section_address, size, headers_size}) put(out, field, 4);
  out.resize(headers_size);
  return out;
}

arena_string library_image(const assumed_library& library) {
  const std::string section = section_of(library);
  return headers_of(library, section.size()) + section;
}

}  // namespace cudnn_checked::repairs
