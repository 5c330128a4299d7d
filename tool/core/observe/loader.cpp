// SPDX-License-Identifier: BSD-3-Clause
#include "loader.h"

#include "../catalogue/catalogue.h"
#include "paths.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// Names that most lookups are for begin so: libcudnn*, libcuda.so.1, libcudart.
static constexpr const char* loader_prefix = "libcu";

struct loader::search {
  const std::string& name;
  loader_hit hit;     ///< what ends the search
  loader_hit passed;  ///< the first file that was passed over
  bool done = false;
};

loader::loader(const system_interface& os)
    : os_(os), program_path_(os.program_path()), mapped_(os.mapped_objects()) {
  if (!os.variable("LD_LIBRARY_PATH", ld_library_path_)) ld_library_path_.clear();
  machine_ = file(program_path_).machine;
  for (const mapped_object& object : mapped_) {
    sanitizer_ = sanitizer_ || starts_with(object.soname, "libasan.so") ||
                 starts_with(object.soname, "libtsan.so");
  }
}

const elf_file& loader::file(const std::string& path) {
  for (const read_file& f : files_) {
    if (f.path == path) return f.contents;
  }
  files_.push_back({path, read_elf(os_, path, machine_)});
  return files_.back().contents;
}

const loader::listing& loader::list(const std::string& directory) {
  for (const listing& l : listings_) {
    if (l.path == directory) return l;
  }
  listings_.push_back({directory, open_result::failed, {}});
  listing& l = listings_.back();
  l.result = os_.list(directory, loader_prefix, l.names);
  return l;
}

const std::vector<std::string>& loader::names_in(const std::string& directory) {
  return list(directory).names;
}

// A directory that may be entered but not listed still serves files.  Names that the listing leaves
// out (libz, libnvrtc) are opened: they are few.
bool loader::may_be_in(const std::string& directory, const std::string& name) {
  if (!starts_with(name, loader_prefix)) return true;
  const listing& l = list(directory);
  if (l.result == open_result::denied || l.result == open_result::failed) return true;
  for (const std::string& n : l.names) {
    if (n == name) return true;
  }
  return false;
}

// A library of another class or machine, and one that may not be read, are passed over; anything
// else that is there ends the search, be it with an error.
void loader::try_file(search& s, const std::string& path, const std::string& chosen_by) {
  const file_state state = file(path).state;
  if (state == file_state::missing) return;
  if (state == file_state::foreign || state == file_state::unreadable) {
    if (s.passed.state == file_state::missing) s.passed = {path, chosen_by, false, state};
    return;
  }
  s.hit = {path, chosen_by, false, state};
  s.done = true;
}

// $ORIGIN and ${ORIGIN}.  $LIB and $PLATFORM depend on how the loader was built and stay as they
// are, so that such a directory is not found.
static std::string expand_origin(const std::string& entry, const std::string& origin) {
  std::string text;
  for (std::size_t at = 0; at < entry.size();) {
    if (entry.compare(at, 9, "${ORIGIN}") == 0) {
      text += origin;
      at += 9;
    } else if (entry.compare(at, 7, "$ORIGIN") == 0 && !is_name_character(entry, at + 7)) {
      text += origin;
      at += 7;
    } else {
      text += entry[at++];
    }
  }
  return text;
}

void loader::try_directory(search& s, const std::string& entry, const std::string& origin,
                           const std::string& chosen_by) {
  std::string directory = expand_origin(entry, origin);
  // What a set-uid program's starter could move is not searched: ld.so(8), "Secure-execution mode".
  if (os_.secure() && (directory != entry || directory.empty() || directory[0] != '/')) return;
  while (directory.size() > 1 && directory.back() == '/') directory.pop_back();
  // An empty entry, and a relative one, start at the working directory.
  if (directory.empty() || directory[0] != '/') {
    directory = join_path(os_.working_directory(), directory);
  }
  if (may_be_in(directory, s.name)) try_file(s, join_path(directory, s.name), chosen_by);
}

void loader::try_list(search& s, const std::string& entries, const std::string& origin,
                      const std::string& chosen_by) {
  for (const std::string& entry : split_path_list(entries, ":")) {
    if (s.done) return;
    try_directory(s, entry, origin, chosen_by);
  }
}

// The RPATH of the asker, of the file that asked for it, and so on to the program; none of them
// counts where the asker has a RUNPATH, and one that has a RUNPATH has no RPATH.
void loader::try_rpaths(search& s, const std::vector<std::string>& askers) {
  const std::string& nearest = askers.empty() ? program_path_ : askers.front();
  if (file(nearest).has_runpath) return;
  for (std::size_t i = 0; i <= askers.size() && !s.done; ++i) {
    const std::string& path = i == askers.size() ? program_path_ : askers[i];
    const elf_file& asker = file(path);
    if (!asker.has_rpath || asker.has_runpath) continue;
    try_list(s, asker.rpath, directory_part(path), "RPATH of " + path);
  }
}

void loader::try_ld_library_path(search& s) {
  if (ld_library_path_.empty()) return;
  const std::string origin = directory_part(program_path_);
  std::size_t index = 0;
  for (const std::string& entry : split_path_list(ld_library_path_, ":;")) {
    if (s.done) return;
    try_directory(s, entry, origin, "LD_LIBRARY_PATH[" + std::to_string(index++) + "]");
  }
}

void loader::try_runpath(search& s, const std::string& asker) {
  const elf_file& contents = file(asker);
  if (contents.has_runpath) {
    try_list(s, contents.runpath, directory_part(asker), "RUNPATH of " + asker);
  } else if (!contents.dynamic && !role_of_name(base_name(asker)).empty()) {
    // A cut library has lost its RUNPATH.  Every release of cuDNN looks beside itself first.
    try_list(s, "$ORIGIN", directory_part(asker), "RUNPATH of " + asker);
  }
}

void loader::try_defaults(search& s) {
  const std::string cached = os_.loader_cache(s.name);
  if (!cached.empty()) try_file(s, cached, "ld.so.cache");
  for (const std::string& directory : os_.default_directories()) {
    if (s.done) return;
    // Opened by name: these directories hold thousands of files.
    try_file(s, join_path(directory, s.name), "default path");
  }
}

// The shared runtimes of g++'s ASan and TSan replace dlopen, so that it is they who ask the loader:
// a library's own run paths do not count then, but those of the names that it NEEDs do.
bool loader::asks_through_sanitizer(const std::vector<std::string>& askers,
                                    const std::string& name) const {
  if (!sanitizer_ || askers.empty()) return false;
  for (const std::string& needed : read_needed(os_, askers.front())) {
    if (needed == name) return false;
  }
  return true;
}

loader_hit loader::find(const std::string& name, const std::vector<std::string>& askers, view how) {
  if (how == view::as_is) {
    for (const mapped_object& object : mapped_) {
      if (object.soname == name) return {object.path, "already loaded", true, file_state::whole};
    }
  }
  const bool sanitizer = asks_through_sanitizer(askers, name);
  const std::string& asker = askers.empty() ? program_path_ : askers.front();
  search s{name, {}, {}, false};
  try_rpaths(s, sanitizer ? std::vector<std::string>() : askers);
  if (!s.done && how != view::without_ld_library_path) try_ld_library_path(s);
  if (!s.done && !sanitizer) try_runpath(s, asker);
  if (!s.done && (sanitizer || !file(asker).no_default_directories)) try_defaults(s);
  return s.done ? s.hit : s.passed;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
