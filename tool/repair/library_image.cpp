// SPDX-License-Identifier: BSD-3-Clause
#include "library_image.h"

#include <string>
#include <utility>

#include "../core/model/machine.h"

namespace cudnn_checked::repairs {

// System V ABI, chapters 4 and 5: sizes of the ELF header and of an entry of its tables.
static constexpr std::uint64_t header_size = 64;
static constexpr std::uint64_t segment_size = 56;
static constexpr std::uint64_t segment_count = 3;

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

static void put_segment(std::string& out, std::uint64_t type, std::uint64_t begin,
                        std::uint64_t size) {
  put(out, type, 4);
  put(out, 4, 4);
  for (const std::uint64_t place : {begin, begin, begin, size, size}) put(out, place, 8);
  put(out, 4, 8);
}

string library_image(const assumed_library& library) {
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
  for (const string& name : library.needed) add(1, name);  // DT_NEEDED
  add(14, library.soname);                                 // DT_SONAME
  // DT_RPATH and DT_RUNPATH
  if (!library.run_path.empty()) add(library.before_library_path ? 15 : 29, library.run_path);
  const std::string note = build_id_note(library.build_id);
  const std::uint64_t note_at = header_size + segment_count * segment_size;
  const std::uint64_t strings_at = note_at + note.size();
  const std::uint64_t dynamic_at = strings_at + strings.size();
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
  put(out, 0, 8);
  put(out, 0, 4);
  put(out, header_size, 2);
  put(out, segment_size, 2);
  put(out, segment_count, 2);
  put(out, 0, 6);
  put_segment(out, 1, 0, size);  // PT_LOAD
  put_segment(out, 2, dynamic_at, dynamic.size());
  put_segment(out, 4, note_at, note.size());
  return out + note + strings + dynamic;
}

}  // namespace cudnn_checked::repairs
