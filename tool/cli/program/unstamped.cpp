// SPDX-License-Identifier: BSD-3-Clause
#include "unstamped.h"

#include <algorithm>
#include <utility>

#include "../../core/loader/program_start.h"
#include "../../core/model/cuda_major.h"
#include "../../core/model/dependency_names.h"
#include "../../core/model/format.h"
#include "../../core/model/library_name.h"
#include "../../core/model/library_spelling.h"
#include "../../core/model/paths.h"
#include "../../repair/pip_places.h"
#include "../../repair/python_metadata.h"
#include "../text/lists.h"
#include "frozen.h"
#include "package_requirement.h"

namespace cudnn_checked::cli {

// Where wheels of cuDNN lie, seen from site-packages.
static constexpr const char* wheel_folder = "nvidia/cudnn/lib";

preloading_view::preloading_view(const system_interface& real, arena_string program)
    : system_view(real), program_(std::move(program)) {
  const arena_string site = repairs::site_of(real, program_);
  if (site.empty()) return;
  arena_vector<arena_string> folders = {site};
  folders.append(repairs::folders_of_path_files(real, site));
  for (const arena_string& folder : folders) {
    for (const arena_string& above : {join_path(folder, "nvidia"), folder}) {
      for (const arena_string& name : sorted_names_in(real, above)) {
        const bool vendored = name.size() > 5 && ends_with(name, ".libs");
        directories_.push_back(join_path(above, vendored ? name : name + "/lib"));
      }
    }
  }
}

arena_string preloading_view::package_library(const arena_string& soname) const {
  for (const arena_string& directory : directories_) {
    const arena_string path = join_path(directory, soname);
    if (!soname.empty() && !real_path(path).empty()) return path;
  }
  return {};
}

arena_string preloading_view::numbered_library(const char* stem) const {
  for (const arena_string& directory : directories_) {
    for (const arena_string& name : sorted_names_in(*this, directory, stem)) {
      if (is_digit(name.back())) return join_path(directory, name);
    }
  }
  return {};
}

arena_string preloading_view::loader_cache(arena_string soname) const {
  const arena_string path = package_library(soname);
  return path.empty() ? system_view::loader_cache(soname) : path;
}

static bool needs(loader& search, const arena_string& path, const arena_string& soname) {
  return contains(search.file(path).needed, soname);
}

/// The file that NEEDs the shim; there may be none if LD_PRELOAD brings the shim.
static arena_string asker_of(loader& search, const program_start& start,
                             const start_library& shim) {
  if (!shim.chosen_by.preloaded() || needs(search, search.program_path(), shim.soname)) {
    return shim.asked_by;
  }
  for (const start_library& library : start.libraries) {
    if (!library.path.empty() && needs(search, library.path, shim.soname)) return library.path;
  }
  return {};
}

static const start_library* find_shim(loader& search, const program_start& start) {
  for (const start_library& library : start.libraries) {
    // An entry of LD_PRELOAD is often a path.
    if (role_of_name(base_name(library.name)) == library_role::shim &&
        !asker_of(search, start, library).empty()) {
      return &library;
    }
  }
  return nullptr;
}

/// A sub-library of cuDNN that something else NEEDs; null: none, or its package opens cuDNN itself.
static const start_library* find_part(const program_start& start, const unstamped_program& program,
                                      const arena_string& path) {
  if (is_opener(program.owner, path)) return nullptr;
  return find_where(start.libraries, [](const start_library& library) {
    const library_role role = role_of_name(base_name(library.name));
    return library.state == file_state::whole && role != library_role::none &&
           role != library_role::shim && !library.chosen_by.preloaded() &&
           !is_cudnn_path(library.asked_by);
  });
}

// Libraries of CUDA whose number is CUDA's major: libcufft and libcusparse have others.
int cuda_major_of_name(const arena_string& name) {
  switch (kind_of_dependency(name)) {
    case dependency_kind::cudart:
    case dependency_kind::cublas:
    case dependency_kind::cublaslt:
    case dependency_kind::nvrtc:
    case dependency_kind::nvjitlink:
      return major_of_name(name);
    default:
      return 0;
  }
}

// The program's own NEEDED entries come first; cuDNN's cuBLAS says nothing about the program.
static void find_cuda(const program_start& start, const arena_string& path,
                      unstamped_program& program) {
  for (const bool own : {true, false}) {
    for (const start_library& library : start.libraries) {
      const int major = cuda_major_of_name(library.name);
      if (major == 0 || is_cudnn_path(library.asked_by) || (library.asked_by == path) != own) {
        continue;
      }
      if (program.cuda_major != 0 && program.cuda_major != major) {
        program.cuda_major = 0;
        return;
      }
      if (program.cuda_major != 0) continue;
      program.cuda_major = major;
      program.cuda_library = library.name;
      program.cuda_asker = library.asked_by;
    }
    if (program.cuda_major != 0) return;
  }
}

// The major of the shim that lies in a directory; 0 where none or several do.
static int major_in(const system_interface& os, const arena_string& directory) {
  int major = 0;
  for (const arena_string& name : sorted_names_in(os, directory, "libcudnn.so.")) {
    const int one = major_of_name(name);
    if (major != 0 && one != major) return 0;
    major = one;
  }
  return major;
}

// docs/decisions.md, "Libraries that open cuDNN by name": its run path names cuDNN's wheel, or it
// NEEDs cuBLAS and its package requires cuDNN.
static void find_opened(loader& search, const program_start& start, unstamped_program& program) {
  const arena_string& path = search.program_path();
  const library_file& contents = search.file(path);
  const arena_string& run_path = contents.has_runpath ? contents.runpath : contents.rpath;
  if (run_path.find(wheel_folder) != arena_string::npos) {
    program.told_by = to_string(
        choice(contents.has_runpath ? choice_reason::runpath : choice_reason::rpath, path));
  }
  int major = program.requirement.least.major;
  for (const searched_place& place :
       search.places("libcudnn.so", {}, loader::view::without_ld_library_path)) {
    const bool wheel = place.directory.find(wheel_folder) != arena_string::npos;
    if (major == 0 && wheel) major = major_in(search.system(), place.directory);
  }
  const bool opens = opens_what_it_requires(program.owner, path) ||
                     any_of(start.libraries, [&](const start_library& library) {
                       return starts_with(library.name, "libcublas") && library.asked_by == path;
                     });
  if (program.told_by.empty() && opens && !program.requirement.text.empty()) {
    program.told_by = program.requirement.text + " of " + program.requirement.package;
  }
  if (program.told_by.empty() || major == 0) return;
  program.use = cudnn_use::opened;
  program.asker = path;
  program.opened = name_of_library(library_role::shim, major);
}

static bool lacks_library(const program_start& start) {
  return any_of(start.libraries,
                [&](const start_library& library) { return library.state == file_state::missing; });
}

// Finds where each library that was missing comes from after a preload.
static void preload(const preloading_view& view, program_start& start, unstamped_program& program) {
  loader search(view);
  observation with;
  observe_start(search, with);
  for (start_library& found : with.start.libraries.in_place()) {
    if (found.state == file_state::missing) continue;
    for (const start_library& library : start.libraries) {
      const bool loaded = library.chosen_by.reason == choice_reason::already_loaded;
      if (library.name != found.name || library.path == found.path || loaded) continue;
      program.preloads.push_back({found.name, found.path});
      found.chosen_by = choice_reason::package_import;
    }
  }
  for (start_library& other : with.start.other_majors.in_place()) {
    if (other.path == view.package_library(other.name)) {
      other.chosen_by = choice_reason::package_import;
    }
  }
  if (program.preloads.empty()) return;
  const answer stamped = start.stamped;
  start = with.start;
  start.stamped = stamped;
}

/// A loaded file with that SONAME serves every file that NEEDs it.
static void add_loaded(const preloading_view& view, const arena_string& path,
                       const unstamped_program& program, program_start& start) {
  const library_file contents = read_library(view, path, 0);
  start_library library;
  library.name = contents.soname.empty() ? base_name(path) : contents.soname;
  library.asked_by = program.asker;
  library.path = path;
  library.chosen_by = choice_reason::package_import;
  library.state = contents.state;
  library.size = contents.size;
  library.size_expected = contents.size_expected;
  library.machine = contents.machine;
  library.soname = contents.soname;
  library.build_id = contents.build_id;
  arena_vector<start_library> others = filtered(
      start.libraries, [&](const start_library& other) { return other.name != library.name; });
  start.libraries = others;
  start.libraries.push_back(std::move(library));
}

// A process that has loaded what is NEEDED from the packages has loaded their cuDNN, too.
static void add_preloaded_shim(const preloading_view& view, const unstamped_program& program,
                               program_start& start) {
  const arena_string path = view.package_library(program.opened);
  if (!path.empty()) add_loaded(view, path, program, start);
}

struct import_load {
  const char* package;
  int first;
  const char* stem;
  const char* runtime;
};

static constexpr import_load import_loads[] = {
#define LOADS(package, first, stem, runtime) {package, first, stem, runtime},
#include "import_loads.def"
#undef LOADS
};

// Libraries that cuDNN finds by itself are left out.
static void add_loaded_by_import(loader& search, const preloading_view& view,
                                 const arena_string& shim, const unstamped_program& program,
                                 program_start& start) {
  const version& own = program.owner.number;
  for (const import_load& load : import_loads) {
    if (program.owner.name != load.package ||
        own.major * 10000 + own.minor * 100 + own.patch < load.first) {
      continue;
    }
    const auto has = [&](const start_library& library) {
      return library.state == file_state::whole &&
             library.path.find(load.runtime) != arena_string::npos;
    };
    const arena_string path = view.numbered_library(load.stem);
    const arena_string name = base_name(path);
    const auto same = [&](const start_library& library) { return library.name == name; };
    const arena_vector<start_library>& all = start.libraries;
    if (path.empty() || none_of(all, has) || any_of(all, same) ||
        search.find(name, {shim}, loader::view::afresh).taken()) {
      continue;
    }
    add_loaded(view, path, program, start);
  }
}

// A program names its loader (System V ABI, "Program Interpreter"), a shared library does not.
static bool is_shared_library(loader& search) {
  const library_file& contents = search.file(search.program_path());
  return contents.dynamic && !contents.is_program;
}

/// Files that its package opens are loaded before it.
static void forget_opened(const preloading_view& view, const opened_cudnn& opened, bool needs,
                          unstamped_program& program) {
  arena_vector<arena_string> names = {program.opened};
  for (const arena_string& path : opened.others) {
    names.push_back(read_library(view, path, 0).soname);
  }
  arena_vector<preloaded_library> left =
      filtered(program.preloads,
               [&](const preloaded_library& library) { return !contains(names, library.name); });
  program.preloads = left;
  const preloaded_library* const lacks = find_where(
      left, [](const preloaded_library& library) { return is_cudnn_name(library.name); });
  if (needs && opened.alone && lacks != nullptr) program.not_preloaded = lacks->name;
}

/// Files that its package opens itself come before all that the library would find.
static void take_opened(const loader& search, const preloading_view& view,
                        const opened_cudnn& opened, program_start& start,
                        unstamped_program& program) {
  const bool needs = program.use == cudnn_use::needed;
  if (needs && opened.found == answer::no) return;
  program.told_by = opened.told_by;
  program.asker = search.program_path();
  program.opened.clear();
  program.use = opened.found == answer::unknown ? cudnn_use::none : cudnn_use::opened;
  if (opened.found == answer::unknown) return;
  program.opened = base_name(opened.path);
  if (opened.found == answer::no) return;
  const arena_string soname = read_library(view, opened.path, 0).soname;
  if (!soname.empty()) program.opened = soname;
  if (needs) program.use = cudnn_use::needed;
  add_loaded(view, opened.path, program, start);
  for (const arena_string& other : opened.others) add_loaded(view, other, program, start);
  forget_opened(view, opened, needs, program);
}

static bool has_cudnn_in_memory(const loader& search) {
  return any_of(search.mapped(), [](const mapped_object& m) {
    return role_of_name(m.soname) == library_role::shim;
  });
}

/// Does the process that imports it get a second cuDNN?  A path is compared with the files that are
/// loaded, not with their names (glibc, elf/dl-load.c, _dl_map_object).  What is imported already
/// has opened what it opens.
static bool brings_another(loader& search, const opened_cudnn& opened) {
  if (opened.found != answer::yes || !opened.by_path || !has_cudnn_in_memory(search)) return false;
  const arena_string own = search.real_path(search.program_path());
  const arena_string file = search.real_path(opened.path);
  return none_of(search.mapped(), [&](const mapped_object& m) {
    const arena_string real = search.real_path(m.path);
    return real == own || real == file;
  });
}

// The library that opens on behalf of this one may not find what this one's run path leads to.
static void ask_opener(loader& search, const preloading_view& view, unstamped_program& program) {
  program.opener = opener_beside(search.system(), search.program_path());
  if (program.opener.empty() || program.use != cudnn_use::opened) return;
  search.set_opener(program.opener);
  const arena_string path = view.package_library(program.opened);
  if (path.empty() || search.find(program.opened, {}, loader::view::afresh).taken()) return;
  program.preloads.push_back({program.opened, path});
}

unstamped_program look_at_unstamped(loader& search, program_start& start) {
  unstamped_program program;
  const arena_string& path = search.program_path();
  program.is_library = is_shared_library(search);
  program.dynamic = search.file(path).dynamic;
  const preloading_view with_packages(search.system(), path);
  if (program.is_library && lacks_library(start)) preload(with_packages, start, program);
  const start_library* const shim = find_shim(search, start);
  find_cuda(start, path, program);
  program.requirement = find_requirement(
      search.system(), shim == nullptr ? path : asker_of(search, start, *shim), program.owner);
  const start_library* const part = shim == nullptr ? find_part(start, program, path) : nullptr;
  if (part != nullptr) {
    program.use = cudnn_use::needed;
    program.asker = part->asked_by;
  } else if (shim == nullptr) {
    find_opened(search, start, program);
    ask_opener(search, with_packages, program);
    if (!program.preloads.empty()) add_preloaded_shim(with_packages, program, start);
  } else {
    program.use = cudnn_use::needed;
    program.asker = asker_of(search, start, *shim);
    if (program.asker != path) search.set_opener(program.asker);
    add_loaded_by_import(search, with_packages, arena_string(shim->path), program, start);
  }
  look_into_data(search, start, program);
  if (is_opener(program.owner, path)) {
    const opened_cudnn opened = open_as_package(search, program.owner);
    const bool again = brings_another(search, opened);
    if (again || !has_cudnn_in_memory(search)) {
      take_opened(search, with_packages, opened, start, program);
      if (again) program.opened_path = opened.path;
    } else {
      forget_opened(with_packages, opened, shim != nullptr, program);
    }
  }
  if (!program.is_library && program.use == cudnn_use::none) {
    program.packed = look_at_frozen(search.system(), path).packed;
  }
  return program;
}

}  // namespace cudnn_checked::cli
