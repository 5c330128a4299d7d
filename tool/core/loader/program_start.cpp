// SPDX-License-Identifier: BSD-3-Clause
#include "program_start.h"

#include "../library/library_file.h"
#include "../library/symbol_versions.h"
#include "../library/symbols.h"
#include "../model/cudnn_major.h"
#include "../model/library_name.h"
#include "../model/library_spelling.h"
#include "../model/paths.h"
#include "loader.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// Without the permission to search it a directory has no "." either; without that to read it, it
// has.
static bool is_closed(const system_interface& os, const arena_string& directory) {
  arena_vector<arena_string> names;
  return exists(os, directory) && os.list(directory, "", names) == open_result::denied &&
         open_file(os, join_path(directory, ".")).result() == open_result::missing;
}

static constexpr std::size_t start_most_libraries = 4096;
static constexpr const char* cudnn_functions = "cudnn";  // what their names begin with

static bool start_is_mapped(file_state state) {
  return state == file_state::whole || state == file_state::truncated ||
         state == file_state::unwritten;
}

/// The walk over everything that is NEEDED.
class start_walk {
 public:
  start_walk(loader& search, program_start& start)
      : os_(search.system()), loader_(search), start_(start) {}

  void run();

 private:
  /// `asker` is an index into the libraries; `program` stands for the program itself.
  static constexpr std::size_t program = ~std::size_t{0};

  arena_vector<arena_string> askers_of(std::size_t asker) const;
  bool is_mapped_already(arena_string name) const;
  start_library look_up(arena_string name, std::size_t asker);
  void add(arena_string name, std::size_t asker);
  void add_preloaded();
  void note_other_majors();
  void note_missing_symbols();
  void note_missing_versions();
  void look_for_versions(arena_string asker, const symbol_versions& versions);
  void keep_called(arena_string path);
  bool is_exported(arena_string symbol);

  struct object {
    arena_vector<arena_string> names;  ///< that are found without a search
    arena_string real_path;
    std::size_t asker = program;
    bool asks_cudnn = false;
  };

  const system_interface& os_;
  loader& loader_;
  program_start& start_;
  arena_vector<object> objects_;  ///< one for each of start_.libraries
  arena_string interpreter_;
  bool program_asks_cudnn_ = false;
  arena_vector<arena_string> exported_;  ///< by the libraries of cuDNN
};

arena_vector<arena_string> start_walk::askers_of(std::size_t asker) const {
  arena_vector<arena_string> askers;
  for (; asker != program; asker = objects_[asker].asker) {
    askers.push_back(start_.libraries[asker].path);
  }
  return askers;
}

bool start_walk::is_mapped_already(arena_string name) const {
  if (name == interpreter_ || name == base_name(interpreter_)) return true;
  return any_of(objects_, [&](const object& o) { return contains(o.names, name); });
}

start_library start_walk::look_up(arena_string name, std::size_t asker) {
  start_library library;
  library.name = name;
  library.asked_by = asker == program ? loader_.program_path() : start_.libraries[asker].path;
  library.delayed = contains(loader_.file(library.asked_by).delayed, name);
  const arena_vector<arena_string> askers = askers_of(asker);
  if (name.find('/') != arena_string::npos) {
    library.path = name;  // a NEEDED entry that is a path is opened as it is
    library.chosen_by = choice_reason::own_path;
    library.state = loader_.file(name).state;
    if (library.state == file_state::missing) library.path.clear();
  } else {
    const loader_hit hit = loader_.find(name, askers, loader::view::as_is);
    library.path = hit.path;
    library.chosen_by = hit.chosen_by;
    library.state = hit.state;
    if (library.state == file_state::missing) {
      library.looked_in = loader_.places(name, askers, loader::view::afresh);
      for (searched_place& place : library.looked_in.in_place()) {
        place.closed = is_closed(loader_.system(), place.directory);
      }
    }
  }
  if (library.path.empty()) return library;
  const library_file& contents = loader_.file(library.path);
  library.size = contents.size;
  library.size_expected = contents.size_expected;
  library.machine = contents.machine;
  library.soname = contents.soname;
  library.build_id = contents.build_id;
  return library;
}

void start_walk::add(arena_string name, std::size_t asker) {
  if (name.empty() || is_mapped_already(name)) return;
  if (objects_.size() >= start_most_libraries) return;
  start_library library = look_up(name, asker);
  object o;
  o.asker = asker;
  o.names.push_back(name);
  if (start_is_mapped(library.state)) {
    o.real_path = loader_.real_path(library.path);
    // One file under two names is mapped once.
    for (object& other : objects_.in_place()) {
      if (other.real_path != o.real_path || o.real_path.empty()) continue;
      other.names.push_back(name);
      return;
    }
    if (!library.soname.empty()) o.names.push_back(library.soname);
  }
  objects_.push_back(o);
  start_.libraries.push_back(std::move(library));
}

// Entries that cannot be loaded are left out by the loader, with a line on stderr.
void start_walk::add_preloaded() {
  for (const preload& p : loader_.preloads()) {
    const std::size_t before = objects_.size();
    add(p.name, program);
    if (objects_.size() == before) continue;
    if (start_is_mapped(start_.libraries.back().state)) {
      start_.libraries.in_place().back().chosen_by = p.chosen_by;
    } else {
      objects_.pop_back();
      start_.libraries.pop_back();
    }
  }
}

void start_walk::note_other_majors() {
  for (const start_library& library : start_.libraries) {
    if (library.state != file_state::missing || role_of_name(library.name) != library_role::shim)
      continue;
    for (const int major : {newest_cudnn, oldest_cudnn, newest_cudnn + 1, oldest_cudnn - 1}) {
      if (major_of_name(library.name) == major) continue;
      const arena_string other = name_of_library(library_role::shim, major);
      const loader_hit hit = loader_.find(other, {}, loader::view::afresh);
      if (!hit.taken()) continue;
      start_library found;
      found.name = other;
      found.path = hit.path;
      found.chosen_by = hit.chosen_by;
      found.state = hit.state;
      start_.other_majors.push_back(found);
    }
    return;
  }
}

bool start_walk::is_exported(arena_string symbol) {
  if (contains(exported_, symbol)) return true;
  // A library between the program and cuDNN may bring the function itself.
  if (exports_symbol(os_, loader_.program_path(), symbol)) return true;
  for (std::size_t i = 0; i < objects_.size(); ++i) {
    const start_library& library = start_.libraries[i];
    if (start_is_mapped(library.state) && !is_cudnn_path(library.name) &&
        exports_symbol(os_, library.path, symbol)) {
      return true;
    }
  }
  return false;
}

void start_walk::keep_called(arena_string path) {
  const dynamic_symbols called = read_symbols(os_, path, symbol_kind::called, cudnn_functions);
  for (const arena_string name : called.names) {
    if (!is_exported(name)) start_.missing_symbols.push_back({name, path, called.bind_now});
  }
}

// The calls are read of files that NEED a cuDNN, and only if the exports of every cuDNN that would
// be mapped are known.
void start_walk::note_missing_symbols() {
  bool any = false;
  for (const start_library& library : start_.libraries) {
    if (!is_cudnn_path(library.name)) continue;
    const dynamic_symbols symbols =
        read_symbols(os_, library.path, symbol_kind::exported, cudnn_functions);
    if (!symbols.readable || symbols.names.empty()) return;
    exported_.append(symbols.names);
    any = true;
  }
  if (!any) return;
  if (program_asks_cudnn_) keep_called(loader_.program_path());
  for (std::size_t i = 0; i < objects_.size(); ++i) {
    const start_library& library = start_.libraries[i];
    if (!objects_[i].asks_cudnn || is_cudnn_path(library.name)) continue;
    keep_called(library.path);
  }
  arena_string now;
  if (!os_.variable("LD_BIND_NOW", now) || now.empty()) return;
  for (missing_symbol& symbol : start_.missing_symbols.in_place()) symbol.bind_now = true;
}

// glibc, elf/dl-version.c, _dl_check_map_versions: of every file that is mapped, what it needs of
// each of the others.  A library without any versions serves all.
void start_walk::look_for_versions(arena_string asker, const symbol_versions& versions) {
  for (const needed_version& wanted : versions.needed) {
    for (std::size_t i = 0; i < objects_.size(); ++i) {
      const start_library& library = start_.libraries[i];
      if (!start_is_mapped(library.state) || !contains(objects_[i].names, wanted.library)) continue;
      const arena_vector<arena_string>& defined = loader_.versions(library.path).defined;
      if (!defined.empty() && !contains(defined, wanted.name)) {
        const arena_string newest = newest_of_family(defined, wanted.name);
        start_.missing_versions.push_back(
            {wanted.name, asker, library.path, newest, library.chosen_by});
      }
      break;
    }
  }
}

void start_walk::note_missing_versions() {
  const arena_string path = loader_.program_path();
  look_for_versions(path, loader_.versions(path));
  for (std::size_t i = 0; i < objects_.size(); ++i) {
    const start_library& library = start_.libraries[i];
    if (start_is_mapped(library.state))
      look_for_versions(library.path, loader_.versions(library.path));
  }
}

void start_walk::run() {
  const arena_string path = loader_.program_path();
  interpreter_ = loader_.file(path).interpreter;
  const arena_vector<arena_string>& needed = loader_.file(path).needed;
  const bool is_static =
      interpreter_.empty() && needed.empty() && loader_.file(path).soname.empty();
  if (!interpreter_.empty() && loader_.file(interpreter_).state == file_state::missing) {
    start_.missing_interpreter = interpreter_;
  }
  add_preloaded();
  for (const arena_string name : needed) {
    program_asks_cudnn_ = program_asks_cudnn_ || is_cudnn_path(name);
    add(name, program);
  }
  for (std::size_t i = 0; i < objects_.size(); ++i) {
    if (!start_is_mapped(start_.libraries[i].state)) continue;
    const arena_string asker = start_.libraries[i].path;
    for (const arena_string name : loader_.file(asker).needed) {
      objects_.in_place()[i].asks_cudnn = objects_[i].asks_cudnn || is_cudnn_path(name);
      add(name, i);
    }
  }
  // The search may have shown that another CPU decides.
  start_.known_loader = !loader_.other_rules().empty() ? answer::unknown
                        : is_static                    ? answer::no
                                                       : answer::yes;
  note_other_majors();
  note_missing_symbols();
  note_missing_versions();
}

void observe_start(loader& search, observation& observed) {
  const answer stamped = observed.start.stamped;
  observed.start = program_start();
  observed.start.stamped = stamped;
  start_walk(search, observed.start).run();
}

arena_vector<mapped_object> objects_of_start(const program_start& start) {
  arena_vector<mapped_object> objects;
  for (const start_library& library : start.libraries) {
    if (!start_is_mapped(library.state)) continue;
    objects.push_back({library.path, library.soname, library.build_id});
  }
  return objects;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
