// SPDX-License-Identifier: BSD-3-Clause
#include "library_file.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// By library_role::known.
static constexpr char version_words[] =
#define ROLE(name, major, ships, needs, opens, word, ...) word "\0"
#include "../model/library_roles.def"
#undef ROLE
    ;

const char* name_of_version_word(library_role role) {
  if (role.which() >= library_role::none) return nullptr;
  const char* const word = text_at(version_words, role.which());
  return *word == '\0' ? nullptr : word;
}

open_file::open_file(const system_interface& os, arena_string path)
    : result_(os.open(path, &source_)), window_(source_) {}

file_state state_of(open_result kind) {
  const bool is_known = kind != open_result::denied && kind != open_result::failed;
  return kind == open_result::directory ? file_state::directory
         : kind == open_result::fifo    ? file_state::fifo
         : kind == open_result::socket  ? file_state::socket
         : kind == open_result::device  ? file_state::device
         : is_known                     ? file_state::missing
                                        : file_state::unreadable;
}

library_file read_library(const system_interface& os, arena_string path, int machine) {
  const open_file file(os, path);
  if (file.result() == open_result::opened) return read_library(file.source(), machine);
  library_file result;
  result.state = state_of(file.result());
  result.link_loop = file.result() == open_result::link_loop;
  return result;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
