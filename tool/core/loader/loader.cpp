// SPDX-License-Identifier: BSD-3-Clause
#include "loader.h"

#include <ctime>

#include "../model/library_name.h"
#include "../model/paths.h"
#include "../system/platform.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// The names of cuDNN and CUDA begin so: they are many, and each is asked for in the same
// directories.
static constexpr const char* loader_prefix = "libcu";

// Where directories are that slow (a network), they are no longer listed: each name is tried.
static constexpr long long loader_most_listing_microseconds = 200000;

struct loader::search {
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

loader::loader(const system_interface& os)
    : os_(os),
      program_path_(os.program_path()),
      defaults_(os.default_directories()),
      hwcaps_(os.hwcap_directories()) {
  if (!os.variable("LD_LIBRARY_PATH", ld_library_path_)) ld_library_path_.clear();
  if (!os.variable("LD_PRELOAD", ld_preload_)) ld_preload_.clear();
  listed_ = loader_prefix;
  for (const arena_string directory : hwcaps_) {
    const arena_string first = directory.substr(0, directory.find('/'));
    if (!starts_with_one(first, listed_)) listed_ += "|" + first;
  }
  machine_ = file(program_path_).machine;
  look_at_process();
  read_rules();
}

loader::loader(const system_interface& os, arena_string variable, arena_string value) : loader(os) {
  if (os.secure()) return;
  (variable == "LD_PRELOAD" ? ld_preload_ : ld_library_path_) = value;
  mapped_.clear();
  sanitizer_ = false;
  read_rules();
}

// Auditors may change every answer of the loader: rtld-audit(7), la_objsearch.  In this process
// another loader's work is seen.
void loader::read_rules() {
  arena_string auditors;
  if (os_.variable("LD_AUDIT", auditors) && !auditors.empty()) {
    other_rules_ = "LD_AUDIT=" + auditors;
  } else if (mapped_.empty()) {
    other_rules_ = loader_of_others(file(program_path_));
  }
}

void loader::look_at_process() {
  mapped_ = os_.mapped_objects();
  sanitizer_ = false;
  for (const mapped_object& object : mapped_) {
    sanitizer_ = sanitizer_ || starts_with(object.soname, "libasan.so") ||
                 starts_with(object.soname, "libtsan.so");
  }
}

const library_file& loader::file(arena_string path) {
  const library_file* const known = files_.find(path);
  if (known != nullptr) return *known;
  library_file& added = files_.add(path);
  added = read_library(os_, path, machine_);
  // A program finds what it is linked to mapped already, and the rest beside it.
  if (added.state == file_state::whole && !os_.may_be_mapped(path)) {
    added.state = file_state::no_exec;
  }
  // glibc, elf/dl-deps.c, expand_dst.
  for (arena_string& name : added.needed.in_place()) name = expand(name, path);
  return added;
}

loader_hit loader::open_path(arena_string path) {
  loader_hit hit;
  hit.path = path;
  hit.state = file(path).state;
  hit.machine = file(path).machine;
  return hit;
}

arena_string loader::real_path(arena_string path) {
  const arena_string* const known = real_paths_.find(path);
  if (known != nullptr) return *known;
  return real_paths_.add(path) = os_.real_path(path);
}

static long long microseconds_now() {
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000LL + now.tv_nsec / 1000;
}

const loader::listing& loader::list(arena_string directory) {
  const listing* const known = listings_.find(directory);
  if (known != nullptr) return *known;
  listing& l = listings_.add(directory);
  l.path = directory;
  if (listing_microseconds_ > loader_most_listing_microseconds) return l;
  const long long begin = microseconds_now();
  arena_vector<arena_string> names;
  l.result = os_.list(directory, listed_.c_str(), names);
  if (l.result != open_result::missing && l.result != open_result::link_loop) sort_names(l, names);
  listing_microseconds_ += microseconds_now() - begin;
  return l;
}

// ld.so(8), "Hardware capabilities".  A directory that cannot be listed may have them.
void loader::sort_names(listing& l, const arena_vector<arena_string>& names) {
  for (const arena_string name : names) {
    if (starts_with(name, loader_prefix)) l.names.push_back(name);
  }
  for (const arena_string directory : hwcaps_) {
    const std::string_view first = part_of(directory, 0, directory.find('/'));
    bool there = l.result != open_result::opened;
    for (const arena_string name : names) there = there || name == first;
    if (there) l.hwcaps.push_back(join_path(l.path, directory));
  }
}

const arena_vector<arena_string>& loader::names_in(arena_string directory) {
  return list(directory).names;
}

// A directory that may be entered but not listed still serves files.  Names that the listing leaves
// out (libz, libnvrtc) are opened: they are few.
static bool may_be_listed(open_result result, const arena_vector<arena_string>& names,
                          arena_string name) {
  if (result == open_result::missing || result == open_result::link_loop) return false;
  if (!starts_with(name, loader_prefix)) return true;
  if (result == open_result::denied || result == open_result::failed) return true;
  for (const arena_string n : names) {
    if (n == name) return true;
  }
  return false;
}

// A library of another class or machine, and one that may not be read, are passed over; anything
// else that is there ends the search, be it with an error.
void loader::try_file(search& s, arena_string path, const choice& chosen_by) {
  const file_state state = file(path).state;
  if (state == file_state::missing) return;
  if (state == file_state::foreign || state == file_state::unreadable) {
    if (s.passed.state == file_state::missing) {
      s.passed.path = path;
      s.passed.chosen_by = chosen_by;
      s.passed.state = state;
      s.passed.machine = file(path).machine;
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

void loader::try_listing(search& s, const listing& l, const choice& chosen_by) {
  if (!may_be_listed(l.result, l.names, s.name)) return;
  const arena_string path = join_path(l.path, s.name);
  try_file(s, path, chosen_by);
  // glibc, elf/dl-load.c, open_path: an error that says neither "absent" nor "not allowed".
  s.leaves_list = file(path).link_loop;
  // A name that the directory lists and nobody can open.
  const bool listed = l.result == open_result::opened && starts_with(s.name, loader_prefix);
  if (s.done || !listed || !s.passed.near_miss.path.empty()) return;
  if (file(path).state != file_state::missing) return;
  s.passed.near_miss.path = path;
  s.passed.near_miss.reason = passed_reason::broken_link;
}

void loader::try_place(search& s, const listing& l, const choice& chosen_by) {
  if (places_ != nullptr) places_->push_back({l.path, chosen_by});
  const bool passed_before = s.passed.state != file_state::missing;
  for (const arena_string special : l.hwcaps) {
    if (!s.done) try_listing(s, list(special), chosen_by);
  }
  // Where a directory may not be entered, nothing shows that it has those: the plain path is named.
  if (!passed_before && l.result == open_result::denied) s.passed.state = file_state::missing;
  s.leaves_list = false;
  if (!s.done) try_listing(s, l, chosen_by);
}

// Lists the directory where that was not done yet.
bool loader::may_serve(place& p, arena_string name) {
  if (p.directory.empty()) return false;
  if (p.contents == nullptr) p.contents = &list(p.directory);
  return places_ != nullptr || !p.contents->hwcaps.empty() ||
         may_be_listed(p.contents->result, p.contents->names, name);
}

void loader::try_list(search& s, arena_vector<place>& places, choice chosen_by) {
  for (place& p : places.in_place()) {
    if (s.done || s.leaves_list) break;
    if (may_serve(p, s.name)) try_place(s, *p.contents, chosen_by);
    ++chosen_by.index;
  }
  s.leaves_list = false;
}

// Every name is looked for in the same directories, so a list is taken apart once.
void loader::try_run_path(search& s, arena_string entries, const choice& chosen_by) {
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
void loader::try_rpaths(search& s, const arena_vector<arena_string>& askers) {
  const arena_string nearest = askers.empty() ? program_path_ : askers.front();
  if (file(nearest).has_runpath) return;
  for (std::size_t i = 0; i <= askers.size() && !s.done; ++i) {
    const arena_string path = i == askers.size() ? program_path_ : askers[i];
    const library_file& asker = file(path);
    if (!asker.has_rpath || asker.has_runpath) continue;
    try_run_path(s, asker.rpath, {choice_reason::rpath, path});
  }
}

void loader::try_ld_library_path(search& s) {
  if (ld_places_.empty() && !ld_library_path_.empty()) {
    ld_places_ = places_of(ld_library_path_, ":;", program_path_);
  }
  try_list(s, ld_places_, {choice_reason::ld_library_path, 0});
}

void loader::try_runpath(search& s, arena_string asker) {
  const library_file& contents = file(asker);
  if (contents.has_runpath) {
    try_run_path(s, contents.runpath, {choice_reason::runpath, asker});
  } else if (!contents.dynamic && is_cudnn_path(asker)) {
    // A cut library has lost its RUNPATH.  Every release of cuDNN looks beside itself first.
    try_run_path(s, "$ORIGIN", {choice_reason::runpath, asker});
  }
}

arena_string loader::cached_path(arena_string name) {
  const arena_string* const known = cached_.find(name);
  if (known != nullptr) return *known;
  return cached_.add(name) = os_.loader_cache(name);
}

// An asker that was linked with -z nodefaultlib gets what the cache has elsewhere (glibc,
// elf/dl-load.c, _dl_map_object, DF_1_NODEFLIB).
void loader::try_defaults(search& s, bool without_directories) {
  if (places_ != nullptr) {
    places_->push_back({"ld.so.cache", {}});
    for (const arena_string directory : defaults_) {
      if (!without_directories) places_->push_back({directory, choice_reason::default_path});
    }
  }
  const arena_string cached = cached_path(s.name);
  if (!cached.empty() && !(without_directories && is_in_default_directory(cached))) {
    try_file(s, cached, choice_reason::ld_so_cache);
    if (s.passed.near_miss.path.empty() && file(cached).state == file_state::missing) {
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
bool loader::asks_through_sanitizer(const arena_vector<arena_string>& askers, arena_string name) {
  if (!sanitizer_ || askers.empty()) return false;
  for (const arena_string needed : file(askers.front()).needed) {
    if (needed == name) return false;
  }
  return true;
}

loader_hit loader::find(arena_string name, const arena_vector<arena_string>& askers, view mode) {
  if (mode == view::as_is) {
    for (const mapped_object& object : mapped_) {
      if (object.soname != name) continue;
      loader_hit hit;
      hit.path = object.path;
      hit.chosen_by = choice_reason::already_loaded;
      hit.mapped = true;
      hit.state = file_state::whole;
      return hit;
    }
  }
  const bool sanitizer = asks_through_sanitizer(askers, name);
  const arena_string asker = askers.empty() ? program_path_ : askers.front();
  search s{name, {}, {}, false};
  try_rpaths(s, sanitizer ? arena_vector<arena_string>() : askers);
  if (!s.done && mode != view::without_ld_library_path) try_ld_library_path(s);
  if (!s.done && !sanitizer) try_runpath(s, asker);
  if (!s.done) try_defaults(s, !sanitizer && file(asker).no_default_directories);
  return s.done ? s.hit : s.passed;
}

arena_vector<searched_place> loader::places(arena_string name,
                                            const arena_vector<arena_string>& askers, view mode) {
  arena_vector<searched_place> all;
  places_ = &all;
  find(name, askers, mode);
  places_ = nullptr;
  return all;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
