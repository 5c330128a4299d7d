// SPDX-License-Identifier: BSD-3-Clause
#include "data_names.h"

#include <cstring>

#include "../model/dependency_names.h"
#include "../model/library_name.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static constexpr std::uint64_t data_most = 256U << 20;
// So long that remembered_system (repair/remembered_system.cpp) does not keep the piece.
static constexpr std::size_t data_piece = 1U << 20;
// A text that a piece cuts is read again as a part of the next one.
static constexpr std::size_t data_overlap = 128;
static constexpr std::size_t data_longest_text = 64;
// All that is looked for has it, behind at most twelve bytes.
static constexpr std::string_view data_core = "cud";
static constexpr std::size_t data_core_at = 12;

static constexpr std::string_view looked_up[] = {
    "cudnnCreate", "cudnnGetVersion", "cudnnBackendCreateDescriptor", "cudnnGetCudartVersion"};
static constexpr std::string_view refuses_second = "Multiple libcudart libraries found";

static void add_data_name(std::string_view text, data_names& names) {
  for (const std::string_view name : looked_up) {
    if (text == name && names.function.empty()) names.function = arena_string(name);
  }
  if (text.substr(0, refuses_second.size()) == refuses_second) names.one_runtime = true;
  if (text.find(' ') != std::string_view::npos) return;
  const arena_string name(text);
  if (is_cudnn_name(name) && names.library.empty()) names.library = name;
  const bool runtime = kind_of_dependency(name) == dependency_kind::cudart;
  if (runtime && names.runtimes.size() < 8 && !contains(names.runtimes, name)) {
    names.runtimes.push_back(name);
  }
}

// The text around what was found there, of a piece that begins with the section where `whole`.
static void look_around(const char* piece, std::size_t size, std::size_t found, bool whole,
                        data_names& names) {
  std::size_t begin = found;
  while (begin > 0 && piece[begin - 1] != '\0' && found - begin < data_core_at) --begin;
  if (begin > 0 ? piece[begin - 1] != '\0' : !whole) return;
  const std::size_t most = size - begin < data_longest_text ? size - begin : data_longest_text;
  const std::size_t length = strnlen(piece + begin, most);
  if (length < most) add_data_name({piece + begin, length}, names);
}

// The middle one of the three letters is the rarest, and memchr() looks at many bytes at once.
static void search_piece(const char* piece, std::size_t size, bool whole, data_names& names) {
  const char* const end = piece + size;
  const char* at = piece + 1;
  while (at < end) {
    at =
        static_cast<const char*>(std::memchr(at, data_core[1], static_cast<std::size_t>(end - at)));
    if (at == nullptr || at + 1 == end) return;
    if (at[-1] == data_core[0] && at[1] == data_core[2]) {
      look_around(piece, size, static_cast<std::size_t>(at - piece) - 1, whole, names);
    }
    ++at;
  }
}

void add_data_names(const byte_source& source, std::uint64_t offset, std::uint64_t size,
                    data_names& names) {
  const std::uint64_t end = size < data_most ? size : data_most;
  arena_vector<char> bytes(end < data_piece ? static_cast<std::size_t>(end) : data_piece);
  char* const piece = bytes.in_place().begin();
  for (std::uint64_t at = 0; at < end; at += data_piece - data_overlap) {
    const std::uint64_t left = end - at;
    const std::size_t count = left < data_piece ? static_cast<std::size_t>(left) : data_piece;
    if (!source.read(offset + at, piece, count)) return;
    search_piece(piece, count, at == 0, names);
    if (left <= count) return;
  }
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
