// SPDX-License-Identifier: BSD-3-Clause
#include "unstamped.h"

#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "../../core/json/json.h"
#include "../../core/model/format.h"
#include "../../core/model/library_name.h"
#include "../../core/model/paths.h"
#include "../../core/model/python_environment.h"
#include "../../core/observe/observe.h"
#include "../../repair/python_metadata.h"
#include "../machine/candidates.h"
#include "../text/lists.h"

namespace cudnn_checked::cli {

namespace {

struct opener {
  const char* package;
  int first;
  int end;
  const char* library;
  const char* places;
  const char* source;
};

constexpr opener openers[] = {
#define OPENER(package, first, end, library, places, source) \
  {package, first, end, library, places, source},
#define OPENED_BY(library, by, source)
#define OPENS_REQUIRED(package, library, source)
#include "openers.def"
#undef OPENER
#undef OPENED_BY
#undef OPENS_REQUIRED
};

constexpr std::pair<std::string_view, const char*> opened_by[] = {
#define OPENER(...)
#define OPENED_BY(library, by, source) {library, by},
#define OPENS_REQUIRED(package, library, source)
#include "openers.def"
#undef OPENED_BY
#undef OPENS_REQUIRED
};

constexpr std::pair<std::string_view, const char*> open_required[] = {
#define OPENED_BY(library, by, source)
#define OPENS_REQUIRED(package, library, source) {package, library},
#include "openers.def"
#undef OPENER
#undef OPENED_BY
#undef OPENS_REQUIRED
};

/// The files of one name in a tree.
struct tree_walk {
  const system_interface& os;
  std::set<std::string> visited;  ///< links resolved
  int names = 0;
  arena_string path;     ///< of the last by its name
  bool certain = true;   ///< all was looked at
  bool only_one = true;  ///< of that name

  void walk(const arena_string& directory, int depth);
};

constexpr int walk_most_names = 20000;
constexpr int walk_most_depth = 16;

}  // namespace

static const opener* find_opener(const package_release& package, const arena_string& library) {
  const int number =
      package.number.major * 10000 + package.number.minor * 100 + package.number.patch;
  const arena_string name = package.name.substr(0, package.name.find("-cu1"));
  for (const opener& one : openers) {
    const std::string_view known = one.package;
    const bool same = known.back() == '*'
                          ? starts_with(package.name, known.substr(0, known.size() - 1))
                          : name == known;
    if (same && number >= one.first && (one.end == 0 || number < one.end) &&
        starts_with(base_name(library), one.library)) {
      return &one;
    }
  }
  return nullptr;
}

bool is_opener(const package_release& package, const arena_string& library) {
  return find_opener(package, library) != nullptr;
}

bool opens_what_it_requires(const package_release& package, const arena_string& library) {
  for (const auto& [name, stem] : open_required) {
    if (package.name == name && starts_with(base_name(library), stem)) return true;
  }
  return false;
}

arena_string opener_beside(const system_interface& os, const arena_string& library) {
  for (const auto& [name, by] : opened_by) {
    if (base_name(library) != name) continue;
    const arena_string path = join_path(directory_part(library), by);
    if (!os.real_path(path).empty()) return path;
  }
  return {};
}

/// A name with a point is that of a file, except for releases.
static bool may_be_folder(const arena_string& name) {
  const std::size_t point = name.rfind('.');
  if (name[0] == '.' || name.find(".so") != arena_string::npos) return false;
  return point == arena_string::npos || is_digit(name.back());
}

void tree_walk::walk(const arena_string& directory, int depth) {
  const arena_string real = os.real_path(directory);
  if (depth > walk_most_depth || names > walk_most_names) certain = false;
  if (!certain || real.empty() || !visited.insert(real).second) return;
  const arena_vector<arena_string> all = sorted_names_in(os, directory);
  names += static_cast<int>(all.size());
  for (const arena_string& name : all) {
    const arena_string one = join_path(directory, name);
    if (!starts_with(name, "libcudnn.so")) {
      if (may_be_folder(name)) walk(one, depth + 1);
      continue;
    }
    if (path.empty() || base_name(path) < name) {
      path = one;
      only_one = true;
    }
    // If two files have the name, either can be taken.
    if (base_name(path) == name && os.real_path(path) != os.real_path(one)) only_one = false;
  }
}

namespace {

class opening {
 public:
  opening(loader& search, const opener& how) : search_(search), os_(search.system()), how_(how) {}

  opened_cudnn run();

 private:
  arena_string first_set(const arena_string& variables, arena_string& name) const;
  answer try_place(const arena_string& kind, const arena_string& what, opened_cudnn& opened);
  answer try_tree(const arena_string& directory, opened_cudnn& opened);
  answer try_purelib(const arena_string& folder, opened_cudnn& opened);
  answer try_names(const arena_string& names, bool also_default, opened_cudnn& opened);
  answer try_cache(const arena_string& names, opened_cudnn& opened);
  answer try_cupy(const arena_string& file, opened_cudnn& opened);

  loader& search_;
  const system_interface& os_;
  const opener& how_;
};

}  // namespace

static answer is_there(const system_interface& os, const arena_string& path, opened_cudnn& opened) {
  if (os.real_path(path).empty()) return answer::no;
  opened.path = path;
  return answer::yes;
}

/// The value of the first variable that is set, or a path; `name` is which.
arena_string opening::first_set(const arena_string& variables, arena_string& name) const {
  for (const arena_string& one : split_path_list(variables, "|")) {
    arena_string value;
    name = one;
    if (one[0] == '/') return one;
    if (os_.variable(one.c_str(), value) && !value.empty()) return value;
  }
  return {};
}

answer opening::try_tree(const arena_string& directory, opened_cudnn& opened) {
  tree_walk tree{os_, {}, 0, {}, true, true};
  tree.walk(directory, 0);
  if (!tree.certain || !tree.only_one) return answer::unknown;
  return tree.path.empty() ? answer::no : is_there(os_, tree.path, opened);
}

// sysconfig: the site-packages of the Python that runs; a folder of pip install --target or of one
// user is that of none.
answer opening::try_purelib(const arena_string& folder, opened_cudnn& opened) {
  observation there;
  there.files.emplace_back();
  there.files.in_place().back().path = search_.program_path();
  observe_python_environments(os_, there);
  if (there.environments.empty()) return answer::unknown;
  const python_environment& place = there.environments.front();
  const bool own = effect_of_installer(place).place == install_place::environment;
  if (!own || place.python.empty()) return answer::unknown;
  const arena_string directory = join_path(place.site, folder);
  for (const arena_string& name : sorted_names_in(os_, directory, "libcudnn")) {
    if (!is_digit(name.back())) continue;
    if (!starts_with(name, "libcudnn.so.")) {
      opened.others.push_back(join_path(directory, name));
      continue;
    }
    if (!opened.path.empty()) return answer::unknown;
    opened.path = join_path(directory, name);
  }
  return opened.path.empty() ? answer::no : answer::yes;
}

answer opening::try_names(const arena_string& names, bool also_default, opened_cudnn& opened) {
  const arena_vector<arena_string> all = split_path_list(names, "|");
  for (const candidate& entry : ld_library_path_entries(os_)) {
    for (const arena_string& name : all) {
      if (is_there(os_, join_path(entry.directory, name), opened) == answer::yes) {
        return answer::yes;
      }
    }
  }
  for (const arena_string& name : also_default ? all : arena_vector<arena_string>()) {
    const arena_string cached = os_.loader_cache(name);
    if (!cached.empty()) return is_there(os_, cached, opened);
    for (const arena_string& directory : os_.default_directories()) {
      if (is_there(os_, join_path(directory, name), opened) == answer::yes) return answer::yes;
    }
  }
  return answer::no;
}

answer opening::try_cache(const arena_string& names, opened_cudnn& opened) {
  opened.told_by = "ldconfig -p";
  for (const arena_string& name : split_path_list(names, "|")) {
    const arena_string cached = os_.loader_cache(name);
    if (!cached.empty()) return is_there(os_, cached, opened);
  }
  return answer::no;
}

// Each name is looked for in these folders, then by the loader; the shim is the first of them.
answer opening::try_cupy(const arena_string& file, opened_cudnn& opened) {
  json wheel;
  arena_string wrong;
  const arena_string site = repairs::site_of(os_, search_.program_path());
  // Only a wheel of CuPy's own has the file.
  if (!parse_json(text_of(os_, join_path(site, file)), wheel, wrong)) return answer::no;
  arena_string libraries = value_of(os_, "CUPY_CUDA_LIB_PATH");
  opened.told_by = "CUPY_CUDA_LIB_PATH";
  if (libraries.empty()) {
    libraries = join_path(value_of(os_, "HOME"), ".cupy/cuda_lib");
    opened.told_by = "~/.cupy/cuda_lib";
  }
  const json& cudnn = wheel["cudnn"];
  const arena_string release =
      join_path(libraries, format("%s/cudnn/%s", wheel["cuda"].text(), cudnn["version"].text()));
  arena_vector<arena_string> names;
  for (const json& one : cudnn["filenames"].elements()) names.push_back(one.text());
  if (names.empty() && !cudnn["filename"].text().empty()) names.push_back(cudnn["filename"].text());
  for (const arena_string& name : names) {
    opened_cudnn found;
    for (const char* const folder : {"lib", "lib64", "bin"}) {
      const arena_string path = join_path(join_path(release, folder), name);
      if (found.path.empty()) (void)is_there(os_, path, found);
    }
    if (found.path.empty()) (void)try_names(name, true, found);
    if (found.path.empty()) continue;
    if (role_of_name(name) == library_role::shim) {
      opened.path = found.path;
    } else {
      opened.others.push_back(found.path);
    }
  }
  return opened.path.empty() ? answer::no : answer::yes;
}

answer opening::try_place(const arena_string& kind, const arena_string& what,
                          opened_cudnn& opened) {
  opened.told_by = what;
  if (kind == "tree") {
    const arena_string directory = first_set(what, opened.told_by);
    return directory.empty() ? answer::no : try_tree(directory, opened);
  }
  if (kind == "dir") {
    const arena_string directory = first_set(what, opened.told_by);
    if (directory.empty()) return answer::no;
    return is_there(os_, join_path(directory, "libcudnn.so"), opened);
  }
  if (kind == "purelib" || kind == "wheel") {
    opened.told_by = "purelib of its Python";
    const answer found = try_purelib(what, opened);
    opened.alone = kind == "purelib";
    if (opened.alone || found != answer::yes) opened.others.clear();
    return found;
  }
  if (kind == "dlopen") {
    opened.path = search_.find(what, {}, loader::view::afresh).path;
    return opened.path.empty() ? answer::no : answer::yes;
  }
  if (kind == "cupy") return try_cupy(what, opened);
  if (kind == "cache") return try_cache(what, opened);
  opened.told_by = kind == "path" ? arena_string("LD_LIBRARY_PATH") : what;
  return try_names(what, kind == "python", opened);
}

opened_cudnn opening::run() {
  opened_cudnn opened;
  for (const arena_string& place : split_path_list(how_.places, " ")) {
    const std::size_t colon = place.find(':');
    const arena_string kind = place.substr(0, colon);
    opened.found = try_place(kind, place.substr(colon + 1), opened);
    opened.by_path = kind != "python" && kind != "dlopen" && kind != "cache";
    if (opened.found != answer::no) break;
  }
  opened.told_by = format("%s, as %s does", opened.told_by, how_.source);
  if (opened.found != answer::yes) opened.path = "libcudnn.so";
  return opened;
}

opened_cudnn open_as_package(loader& search, const package_release& package) {
  return opening(search, *find_opener(package, search.program_path())).run();
}

}  // namespace cudnn_checked::cli
