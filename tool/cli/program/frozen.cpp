// SPDX-License-Identifier: BSD-3-Clause
#include "frozen.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "../../core/judge/advice/advice.h"
#include "../../core/library/library_file.h"
#include "../../core/library/symbols.h"
#include "../../core/model/library_name.h"
#include "../../core/model/paths.h"

namespace cudnn_checked::cli {

// The modules without which no Python of PyInstaller starts.
static constexpr const char* mark_of_pyinstaller = "base_library.zip";

arena_string frozen_around(const system_interface& os, const arena_string& directory) {
  constexpr int most_levels = 8;
  arena_string folder = directory;
  for (int level = 0; level < most_levels && folder.size() > 1; ++level) {
    if (exists(os, join_path(folder, mark_of_pyinstaller))) return folder;
    folder = directory_part(folder);
  }
  return {};
}

static std::uint64_t big_endian(const unsigned char* bytes) {
  std::uint64_t value = 0;
  for (int i = 0; i < 4; ++i) value = value << 8 | bytes[i];
  return value;
}

namespace {

/// PyInstaller's archive (PyInstaller/archive/writers.py, CArchiveWriter): at its end a cookie of
/// 88 bytes: eight that mark it, then lengths of the archive, offset and length of its table.
struct frozen_archive {
  std::uint64_t table = 0;  ///< in the file
  std::uint64_t size = 0;   ///< of the table; 0: there is no such archive
};

}  // namespace

static frozen_archive find_archive(const byte_source& source) {
  constexpr std::string_view mark("MEI\014\013\012\013\016", 8);
  constexpr std::size_t cookie = 88;
  // Only tables of the executable itself, of at most this size, lie behind the mark.
  constexpr std::uint64_t behind = 1U << 14;
  const std::uint64_t size = source.size();
  arena_vector<unsigned char> end(static_cast<std::size_t>(std::min(size, behind)));
  if (!source.fill(size - end.size(), end)) return {};
  const std::string_view text(reinterpret_cast<const char*>(end.data()), end.size());
  const std::size_t at = text.rfind(mark);
  if (at == std::string_view::npos || at + cookie > end.size()) return {};
  const unsigned char* const numbers = end.data() + at + mark.size();
  const std::uint64_t archive = big_endian(numbers);
  const std::uint64_t stop = size - end.size() + at + cookie;
  frozen_archive found{stop - archive + big_endian(numbers + 4), big_endian(numbers + 8)};
  constexpr std::uint64_t most = 1U << 24;
  const bool fits = archive <= stop && found.size <= most && found.table + found.size <= size;
  return fits ? found : frozen_archive{};
}

/// The names in its table: of each entry 18 bytes, of which the first four are the entry's length,
/// and the name, which a zero ends.
static void read_names(const byte_source& source, const frozen_archive& archive,
                       packed_program& packed) {
  constexpr std::size_t fixed = 18;
  constexpr std::size_t most_of_cudnn = 64;  // a cuDNN has at most a dozen
  arena_vector<unsigned char> table(static_cast<std::size_t>(archive.size));
  if (!source.fill(archive.table, table)) return;
  packed.names_known = true;
  std::size_t at = 0;
  while (at + fixed < table.size() && packed.of_cudnn.size() < most_of_cudnn) {
    const std::size_t length = static_cast<std::size_t>(big_endian(table.data() + at));
    if (length <= fixed || length > table.size() - at) return;
    const auto* const text = reinterpret_cast<const char*>(table.data() + at + fixed);
    const arena_string name =
        base_name(arena_string(std::string_view(text, strnlen(text, length - fixed))));
    if (is_cudnn_name(name)) add_once(name, packed.of_cudnn);
    at += length;
  }
}

namespace {

/// A text of Nuitka's programs.  Its first letter stands apart, or this program had it, too.
struct mark {
  char first;
  std::string_view rest;
};

// Of a onefile: a variable that its first process sets for the second, and how what it unpacks
// begins, compressed or not (nuitka/build/static_src/OnefileBootstrap.c).  Of a folder: an
// attribute of each compiled module (nuitka/code_templates/CodeTemplatesModules.py).
enum mark_of_nuitka : unsigned { onefile = 1, compressed = 2, stored = 4, modules = 8 };
constexpr mark marks_of_nuitka[] = {{'N', "UITKA_ONEFILE_PARENT"},
                                    {'K', "AY\x28\xB5\x2F\xFD"},
                                    {'K', "AX"},
                                    {'_', "_nuitka_binary_dir"}};

}  // namespace

static bool has_mark(std::string_view text, const mark& wanted) {
  for (std::size_t at = text.find(wanted.rest, 1); at != std::string_view::npos;
       at = text.find(wanted.rest, at + 1)) {
    if (text[at - 1] == wanted.first) return true;
  }
  return false;
}

static unsigned find_marks(const byte_source& source) {
  constexpr std::uint64_t most = 64U << 20;
  constexpr std::size_t piece = 1U << 20;
  constexpr std::size_t overlap = 64;
  const std::uint64_t size = std::min<std::uint64_t>(source.size(), most);
  arena_vector<unsigned char> bytes(static_cast<std::size_t>(std::min<std::uint64_t>(size, piece)));
  unsigned found = 0;
  for (std::uint64_t at = 0; at < size; at += piece - overlap) {
    const std::size_t count = static_cast<std::size_t>(std::min<std::uint64_t>(size - at, piece));
    if (!source.read(at, bytes.in_place().begin(), count)) break;
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), count);
    unsigned bit = 1;
    for (const mark& wanted : marks_of_nuitka) {
      if ((found & bit) == 0 && has_mark(text, wanted)) found |= bit;
      bit <<= 1;
    }
  }
  return found;
}

/// Is it linked with Python, or has it Python in itself, whose functions extension modules call?
static bool has_python(const system_interface& os, const arena_string& program) {
  constexpr const char* functions_of_python = "PyObject_";
  for (const symbol_kind kind : {symbol_kind::called, symbol_kind::exported}) {
    if (!read_symbols(os, program, kind, functions_of_python).names.empty()) return true;
  }
  return false;
}

frozen_program look_at_frozen(const system_interface& os, const arena_string& program) {
  const arena_string directory = directory_part(program);
  for (const arena_string& folder : {join_path(directory, "_internal"), directory}) {
    if (exists(os, join_path(folder, mark_of_pyinstaller))) {
      return {packer::pyinstaller, folder, {}};
    }
  }
  const open_file file(os, program);
  if (file.result() != open_result::opened) return {};
  const frozen_archive archive = find_archive(file.source());
  if (archive.size != 0) {
    frozen_program found{packer::pyinstaller, {}, {packer::pyinstaller, false, {}}};
    read_names(file.source(), archive, found.packed);
    return found;
  }
  const unsigned marks = find_marks(file.source());
  if ((marks & onefile) != 0 && (marks & (compressed | stored)) != 0) {
    return {packer::nuitka, {}, {packer::nuitka, false, {}}};
  }
  if ((marks & modules) != 0 && has_python(os, program)) return {packer::nuitka, directory, {}};
  return {};
}

bool frozen_view::variable(const char* name, arena_string& value) const {
  const bool set = system_view::variable(name, value);
  if (std::string_view(name) != "LD_LIBRARY_PATH") return set;
  value = set && !value.empty() ? libraries_ + ":" + value : libraries_;
  return true;
}

void tell_build_again(arena_vector<finding>& findings, packer by) {
  if (by == packer::none) return;
  for (finding& f : findings.in_place()) {
    const bool is_wrong = f.weight == severity::error || f.weight == severity::warning;
    if (is_wrong || row_of(f.id).about == subject_of_finding::dependency) {
      f.fix = {build_again(f, by)};
    }
  }
}

}  // namespace cudnn_checked::cli
