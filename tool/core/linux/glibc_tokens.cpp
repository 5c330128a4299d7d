// SPDX-License-Identifier: BSD-3-Clause
//
// What the loader makes of the words in its lists: tokens, relative directories, names to preload.
#include "glibc_rules.h"

#include "../model/paths.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// $ORIGIN or ${ORIGIN}: how long the token of that name is that begins here; 0 where none does.
static std::size_t loader_token_at(std::string_view entry, std::size_t at, std::string_view name) {
  if (entry[at] != '$') return 0;
  const bool braces = at + 1 < entry.size() && entry[at + 1] == '{';
  const std::size_t begin = at + (braces ? 2 : 1);
  const std::size_t end = begin + name.size();
  if (part_of(entry, begin, name.size()) != name) return 0;
  if (braces) return end < entry.size() && entry[end] == '}' ? end + 1 - at : 0;
  return is_name_character(entry, end) ? 0 : end - at;
}

// glibc, elf/dl-load.c, system_dirs: both names of a directory that /usr holds.
bool glibc_rules::is_in_default_directory(arena_string path) const {
  for (const arena_string directory : defaults_) {
    if (starts_with(path, directory + "/") || starts_with(path, "/usr" + directory + "/")) {
      return true;
    }
  }
  return false;
}

// ld.so(8), "Dynamic string tokens".  $LIB is what the loader was built with, which its own
// directories show: "lib/x86_64-linux-gnu" on Debian, else "lib64".  $PLATFORM is `platform`.
// In secure execution $ORIGIN stands at the beginning alone, and that of the program, which whoever
// starts it could move, counts only where it leads into a default directory; else the result is
// empty (glibc, elf/dl-load.c, _dl_dst_substitute).
arena_string glibc_rules::expand(arena_string entry, arena_string asker,
                                 arena_string platform) const {
  if (entry.find('$') == arena_string::npos) return entry;
  const arena_string own = defaults_.empty() ? arena_string("/lib64") : defaults_.front();
  const struct {
    std::string_view name;
    arena_string value;
  } tokens[] = {{"ORIGIN", directory_part(asker)}, {"LIB", own.substr(1)}, {"PLATFORM", platform}};
  string_builder made;
  bool distrusted = false;
  for (std::size_t at = 0; at < entry.size();) {
    std::size_t length = 0;
    for (const auto& token : tokens) {
      length = loader_token_at(entry, at, token.name);
      if (length == 0) continue;
      made += token.value;
      if (loader_.system().secure() && &token == tokens) {
        if (at != 0 || (length < entry.size() && entry[length] != '/')) return {};
        distrusted = asker == loader_.program_path();
      }
      break;
    }
    if (length == 0) {
      // The text before the next token is copied in one piece.
      const std::size_t next = std::string_view(entry).find('$', at + 1);
      length = (next == arena_string::npos ? entry.size() : next) - at;
      made += part_of(entry, at, length);
    }
    at += length;
  }
  const arena_string text = made.take();
  return distrusted && !is_in_default_directory(plain_directory(text)) ? arena_string() : text;
}

static bool names_platform(arena_string entry) {
  return entry.find("PLATFORM") != arena_string::npos;
}

// Where the CPU is not known, the most common word.
arena_string glibc_rules::expand(arena_string entry, arena_string asker) const {
  if (!names_platform(entry)) return expand(entry, asker, {});
  const arena_string platform = loader_.system().loader_platform(loader_.machine());
  return expand(entry, asker, platform.empty() ? arena_string("x86_64") : platform);
}

// Where the CPU is not known, it matters which of glibc's words is meant as soon as one of them
// leads to a directory.
void glibc_rules::look_at_platforms(arena_string entry, arena_string asker) {
  if (!names_platform(entry) || !loader_.system().loader_platform(loader_.machine()).empty()) {
    return;
  }
  const arena_string first = expand(entry, asker, "x86_64");
  for (const char* word : {"haswell", "xeon_phi"}) {
    const arena_string other = expand(entry, asker, word);
    const bool leads = !loader_.real_path(first).empty() || !loader_.real_path(other).empty();
    if (first == other || !leads) continue;
    other_rules = "$PLATFORM in " + entry + ": the CPU that will run it decides";
  }
}

// The directory that an entry of a list stands for; empty where it is not searched.  What an author
// wrote is trusted in secure execution as well, be it relative (glibc, elf/dl-load.c,
// fillin_rpath).
arena_string glibc_rules::directory_of(arena_string entry, arena_string asker) const {
  arena_string directory = expand(entry, asker);
  if (directory.empty() && !entry.empty()) return {};
  while (directory.size() > 1 && directory.back() == '/') directory.pop_back();
  // An empty entry, and a relative one, start at the working directory.
  if (directory.empty() || directory[0] != '/') {
    directory = join_path(loader_.system().working_directory(), directory);
  }
  return directory;
}

// As the loader does, a directory that a list names again is searched once (glibc, elf/dl-load.c,
// fillin_rpath); the entry keeps its number.
arena_vector<glibc_rules::place> glibc_rules::places_of(arena_string entries,
                                                        const char* separators,
                                                        arena_string asker) {
  arena_vector<place> places;
  path_table<arena_string> known;
  for (const arena_string entry : split_path_list(entries, separators)) {
    look_at_platforms(entry, asker);
    const arena_string named = expand(entry, asker);
    const bool relative = named.empty() || named[0] != '/';
    const arena_string directory = directory_of(entry, asker);
    const bool again = known.find(directory) != nullptr;
    if (!again) known.add(directory);
    places.push_back({again ? arena_string() : directory, relative});
  }
  return places;
}

// glibc, elf/rtld.c, dl_main and handle_preload_list: $ORIGIN is the program's, and counts in
// paths.
arena_vector<preload> glibc_rules::preloads() const {
  arena_vector<preload> all;
  const auto add = [&](std::string_view list, const char* separators, choice_reason chosen_by) {
    for (const arena_string entry : split_path_list(list, separators)) {
      const bool is_path = entry.find('/') != arena_string::npos;
      if (!entry.empty())
        all.push_back({is_path ? expand(entry, loader_.program_path()) : entry, chosen_by});
    }
  };
  add(preloaded, " :", choice_reason::ld_preload);
  arena_string text;
  if (!loader_.system().read_text("/etc/ld.so.preload", text)) return all;
  for (const arena_string line : split_path_list(text, "\n")) {
    add(part_of(line, 0, line.find('#')), " \t:", choice_reason::ld_so_preload);
  }
  return all;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
