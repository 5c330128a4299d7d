// SPDX-License-Identifier: BSD-3-Clause
#include "glibc_rules.h"

#include "../model/library_name.h"
#include "../model/paths.h"
#include "../system/platform.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// The prefix of the names of cuDNN and CUDA, which are many and are all searched in the same
// directories.
static constexpr const char* loader_prefix = "libcu";

struct glibc_rules::search {
  arena_string name;
  loader_hit hit;     ///< what ends the search
  loader_hit passed;  ///< the first file that was passed over
  bool done = false;
  bool leaves_list = false;  ///< no other directory of this list is looked into
};

// A loader that is not glibc's, as distributions install it: the program asks for it, and a library
// for its C library, which on musl is "libc.so", on Alpine "libc.musl-x86_64.so.1".
static arena_string loader_of_others(const library_file& file) {
  if (!file.interpreter.empty()) {
    return is_known_interpreter(file.interpreter) ? arena_string() : file.interpreter;
  }
  for (const arena_string name : file.needed) {
    if (name == "libc.so" || starts_with(name, "libc.musl-")) return name;
  }
  return {};
}

glibc_rules::glibc_rules(loader& of)
    : loader_(of),
      defaults_(of.system().default_directories()),
      hwcaps_(of.system().hwcap_directories()) {
  prefixes = loader_prefix;
  if (!of.system().variable("LD_LIBRARY_PATH", directories)) directories.clear();
  if (!of.system().variable("LD_PRELOAD", preloaded)) preloaded.clear();
  for (const arena_string directory : hwcaps_) {
    const arena_string first = directory.substr(0, directory.find('/'));
    if (!starts_with_one(first, prefixes)) prefixes += "|" + first;
  }
}

// Auditors may change every answer of the loader: rtld-audit(7), la_objsearch.  In this process
// another loader's work is seen.
void glibc_rules::read_rules() {
  arena_string auditors;
  if (loader_.system().variable("LD_AUDIT", auditors) && !auditors.empty()) {
    other_rules = "LD_AUDIT=" + auditors;
  } else if (loader_.mapped().empty()) {
    other_rules = loader_of_others(loader_.file(loader_.program_path()));
  }
}

void glibc_rules::change(arena_string variable, arena_string value) {
  (variable == "LD_PRELOAD" ? preloaded : directories) = value;
  look_at_process();
}

void glibc_rules::look_at_process() {
  sanitizer_ = false;
  for (const mapped_object& object : loader_.mapped()) {
    sanitizer_ = sanitizer_ || starts_with(object.soname, "libasan.so") ||
                 starts_with(object.soname, "libtsan.so");
  }
  read_rules();
}

// A program finds what it is linked to mapped already, and the rest beside it.  The tokens of
// names: glibc, elf/dl-deps.c, expand_dst.
void glibc_rules::complete(library_file& file, arena_string path) const {
  if (file.state == file_state::whole && !loader_.system().may_be_mapped(path)) {
    file.state = file_state::no_exec;
  }
  for (arena_string& name : file.needed.in_place()) name = expand(name, path);
}

// ld.so(8), "Hardware capabilities".  A directory that cannot be listed may have them.
void glibc_rules::sort_names(loader::listing& l, const arena_vector<arena_string>& names) const {
  for (const arena_string name : names) {
    if (starts_with(name, loader_prefix)) l.names.push_back(name);
  }
  for (const arena_string directory : hwcaps_) {
    const std::string_view first = part_of(directory, 0, directory.find('/'));
    bool there = l.result != open_result::opened;
    for (const arena_string name : names) there = there || name == first;
    if (there) l.special.push_back(join_path(l.path, directory));
  }
}

// A directory that may be entered but not listed still serves files.  Names that the listing leaves
// out (libz, libnvrtc) are opened: they are few.
static bool may_be_listed(open_result result, const arena_vector<arena_string>& names,
                          arena_string name) {
  if (result == open_result::missing || result == open_result::link_loop) return false;
  if (!starts_with(name, loader_prefix)) return true;
  if (result == open_result::denied || result == open_result::failed) return true;
  return contains(names, name);
}

// A library of another class or machine, and one that may not be read, are passed over; anything
// else that is there ends the search, be it with an error.
void glibc_rules::try_file(search& s, arena_string path, const choice& chosen_by) {
  const file_state state = loader_.file(path).state;
  if (state == file_state::missing) return;
  if (state == file_state::foreign || state == file_state::unreadable) {
    if (s.passed.state == file_state::missing) {
      s.passed.path = path;
      s.passed.chosen_by = chosen_by;
      s.passed.state = state;
      s.passed.machine = loader_.file(path).machine;
    }
    return;
  }
  s.hit.path = path;
  s.hit.chosen_by = chosen_by;
  s.hit.state = state;
  s.hit.near_miss = s.passed.near_miss;
  if (s.passed.state != file_state::missing) {
    s.hit.near_miss = {s.passed.path,   passed_reason::its_state, s.passed.state, {}, {},
                       s.passed.machine};
  }
  s.done = true;
}

void glibc_rules::try_listing(search& s, const loader::listing& l, const choice& chosen_by) {
  if (!may_be_listed(l.result, l.names, s.name)) return;
  const arena_string path = join_path(l.path, s.name);
  try_file(s, path, chosen_by);
  // glibc, elf/dl-load.c, open_path: an error that says neither "absent" nor "not allowed".
  s.leaves_list = loader_.file(path).link_loop;
  // The directory lists the name, and the file cannot be opened.
  const bool listed = l.result == open_result::opened && starts_with(s.name, loader_prefix);
  if (s.done || !listed || !s.passed.near_miss.path.empty()) return;
  if (loader_.file(path).state != file_state::missing) return;
  s.passed.near_miss.path = path;
  s.passed.near_miss.reason = passed_reason::broken_link;
}

void glibc_rules::try_place(search& s, const loader::listing& l, const choice& chosen_by) {
  loader_.tell_place({l.path, chosen_by});
  const bool passed_before = s.passed.state != file_state::missing;
  for (const arena_string special : l.special) {
    if (!s.done) try_listing(s, loader_.list(special), chosen_by);
  }
  // If a directory may not be entered, it is not known whether it has subdirectories for this CPU:
  // the plain path is named.
  if (!passed_before && l.result == open_result::denied) s.passed.state = file_state::missing;
  s.leaves_list = false;
  if (!s.done) try_listing(s, l, chosen_by);
}

// Lists the directory where that was not done yet.
bool glibc_rules::may_serve(place& p, arena_string name) {
  if (p.directory.empty()) return false;
  if (p.contents == nullptr) p.contents = &loader_.list(p.directory);
  return loader_.wants_places() || !p.contents->special.empty() ||
         may_be_listed(p.contents->result, p.contents->names, name);
}

void glibc_rules::try_list(search& s, arena_vector<place>& places, choice chosen_by) {
  for (place& p : places.in_place()) {
    if (s.done || s.leaves_list) break;
    chosen_by.from_working_directory = p.relative;
    if (may_serve(p, s.name)) try_place(s, *p.contents, chosen_by);
    ++chosen_by.index;
  }
  s.leaves_list = false;
}

// Every name is looked for in the same directories, so a list is taken apart once.
void glibc_rules::try_run_path(search& s, arena_string entries, const choice& chosen_by) {
  const arena_string asker = chosen_by.origin;
  arena_vector<place>* places = run_paths_.find(asker);
  if (places == nullptr) {
    places = &run_paths_.add(asker);
    *places = places_of(entries, ":", asker);
  }
  try_list(s, *places, chosen_by);
}

// The RPATH of the asker, of the file that asked for it, and so on to the program; none of them
// counts where the asker has a RUNPATH, and one that has a RUNPATH has no RPATH.
void glibc_rules::try_rpaths(search& s, const arena_vector<arena_string>& askers) {
  const arena_string nearest = askers.empty() ? loader_.program_path() : askers.front();
  if (loader_.file(nearest).has_runpath) return;
  for (std::size_t i = 0; i <= askers.size() && !s.done; ++i) {
    const arena_string path = i == askers.size() ? loader_.program_path() : askers[i];
    const library_file& asker = loader_.file(path);
    if (!asker.has_rpath || asker.has_runpath) continue;
    try_run_path(s, asker.rpath, {choice_reason::rpath, path});
  }
}

void glibc_rules::try_ld_library_path(search& s) {
  if (ld_places_.empty() && !directories.empty()) {
    ld_places_ = places_of(directories, ":;", loader_.program_path());
  }
  try_list(s, ld_places_, {choice_reason::ld_library_path, 0});
}

void glibc_rules::try_runpath(search& s, arena_string asker) {
  const library_file& contents = loader_.file(asker);
  if (contents.has_runpath) {
    try_run_path(s, contents.runpath, {choice_reason::runpath, asker});
  } else if (!contents.dynamic && is_cudnn_path(asker)) {
    // A cut library has lost its RUNPATH.  Every release of cuDNN looks beside itself first.
    try_run_path(s, "$ORIGIN", {choice_reason::runpath, asker});
  }
}

arena_string glibc_rules::cached_path(arena_string name) {
  const arena_string* const known = cached_.find(name);
  if (known != nullptr) return *known;
  return cached_.add(name) = loader_.system().loader_cache(name);
}

// An asker that was linked with -z nodefaultlib gets what the cache has elsewhere (glibc,
// elf/dl-load.c, _dl_map_object, DF_1_NODEFLIB).
void glibc_rules::try_defaults(search& s, bool without_directories) {
  loader_.tell_place({"ld.so.cache", {}});
  for (const arena_string directory : defaults_) {
    if (!without_directories) loader_.tell_place({directory, choice_reason::default_path});
  }
  const arena_string cached = cached_path(s.name);
  if (!cached.empty() && !(without_directories && is_in_default_directory(cached))) {
    try_file(s, cached, choice_reason::ld_so_cache);
    if (s.passed.near_miss.path.empty() && loader_.file(cached).state == file_state::missing) {
      s.passed.near_miss.path = cached;
      s.passed.near_miss.reason = passed_reason::stale_cache;
    }
  }
  for (const arena_string directory : defaults_) {
    if (s.done || without_directories) return;
    // Opened by name: these directories hold thousands of files.
    try_file(s, join_path(directory, s.name), choice_reason::default_path);
  }
}

// The shared runtimes of g++'s ASan and TSan replace dlopen, so that it is they who ask the loader:
// a library's own run paths do not count then, but those of the names that it NEEDs do.
bool glibc_rules::asks_through_sanitizer(const arena_vector<arena_string>& askers,
                                         arena_string name) {
  if (!sanitizer_ || askers.empty()) return false;
  return none_of(loader_.file(askers.front()).needed,
                 [&](const arena_string needed) { return needed == name; });
}

// One that asks does so by its RUNPATH or RPATH.
passed_file glibc_rules::passed_over_by(arena_string asker, arena_string path) {
  const library_file& contents = loader_.file(asker);
  const arena_string directory = directory_part(asker);
  passed_file passed;
  passed.path = path;
  passed.asker = asker;
  passed.place = directory;
  if (!contents.has_runpath && !contents.has_rpath) {
    passed.reason = passed_reason::no_run_path;
  } else if (directory != directory_part(path)) {
    const bool linked = directory_part(loader_.real_path(asker)) == directory_part(path);
    passed.reason = linked ? passed_reason::link_directory : passed_reason::other_directory;
  } else if (contents.has_runpath) {
    passed.reason = passed_reason::other_runpath;
    passed.place = contents.runpath;
  } else {
    passed.reason = passed_reason::other_rpath;
    passed.place = contents.rpath;
  }
  return passed;
}

loader_rules* rules_of_platform(loader& of) { return make_in_arena<glibc_rules>(of); }

loader_hit glibc_rules::find(arena_string name, const arena_vector<arena_string>& askers,
                             loader::view mode) {
  const bool sanitizer = asks_through_sanitizer(askers, name);
  const arena_string asker = askers.empty() ? loader_.program_path() : askers.front();
  search s{name, {}, {}, false};
  try_rpaths(s, sanitizer ? arena_vector<arena_string>() : askers);
  if (!s.done && mode != loader::view::without_ld_library_path) try_ld_library_path(s);
  if (!s.done && !sanitizer) try_runpath(s, asker);
  if (!s.done) try_defaults(s, !sanitizer && loader_.file(asker).no_default_directories);
  return s.done ? s.hit : s.passed;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
