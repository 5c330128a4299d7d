// SPDX-License-Identifier: BSD-3-Clause
#include "environment_users.h"

#include <algorithm>
#include <chrono>
#include <set>

#include "../../core/json/json.h"
#include "../../core/library/data_names.h"
#include "../../core/model/dependency_names.h"
#include "../../core/model/library_name.h"
#include "../../core/model/machine.h"
#include "../../core/model/paths.h"
#include "../../repair/passing_memory.h"
#include "../../repair/python_metadata.h"
#include "../machine/install_layout.h"
#include "../program/unstamped.h"

namespace cudnn_checked::cli {

bool is_cublas(const arena_string& name) {
  const dependency_kind kind = kind_of_dependency(name);
  return kind == dependency_kind::cublas || kind == dependency_kind::cublaslt;
}

sign_of_cudnn sign_of(const library_file& contents) {
  sign_of_cudnn sign = sign_of_cudnn::none;
  const arena_string& run_path = contents.has_runpath ? contents.runpath : contents.rpath;
  if (run_path.find("nvidia/cudnn") != arena_string::npos) sign = sign_of_cudnn::run_path;
  for (const arena_string& name : contents.needed) {
    if (is_cudnn_name(base_name(name))) return sign_of_cudnn::needed;
    if (sign == sign_of_cudnn::none && is_cublas(name)) {
      sign = sign_of_cudnn::cublas;
    }
  }
  return sign;
}

void take_answer(const program_check& check, cudnn_user& user) {
  user.use = check.program.use;
  user.opened = check.program.opened;
  user.preloaded = !check.program.preloads.empty();
  user.requirement = check.program.requirement;
  user.takes = check.takes;
  user.result = check.result;
  user.findings = check.findings;
}

namespace {

/// A library that may use cuDNN.
struct suspect {
  arena_string path;
  sign_of_cudnn sign = sign_of_cudnn::none;
  arena_vector<arena_string> needed;  ///< of cuDNN
  std::string search;  ///< its directory and run path: equal ones find the same by name
};

/// The libraries of one package that may use cuDNN.
struct suspects {
  arena_string package;  ///< "torch 2.7.1"
  package_release release;
  bool asks = false;  ///< its metadata asks for a package of cuDNN, be it with an extra only
  std::vector<suspect> libraries;
  std::vector<suspect> untold;  ///< those of which neither headers nor a table say that they do
};

class user_search {
 public:
  user_search(const system_interface& os, const look_limits& limits, environment& place)
      : os_(os), limits_(limits), place_(place) {}

  void look_at(const package_files& package);
  void look_into(const arena_string& directory);
  void look_at_unrecorded(const arena_string& site, const std::vector<std::string>& names);

 private:
  using clock = std::chrono::steady_clock;

  bool may_go_on();
  bool list(const arena_string& directory, arena_vector<arena_string>& names);
  void walk(const arena_string& directory, int depth, suspects& found);
  void look_at_name(const arena_string& directory, const arena_string& name, int depth,
                    suspects& found);
  void read(const arena_string& path, suspects& found);
  void look_into_data(suspects& found);
  void check(suspects& found);
  void add(const suspects& found, const suspect& one, const program_check& checked);

  const system_interface& os_;
  const look_limits& limits_;
  environment& place_;
  const clock::time_point begin_ = clock::now();
  int listed_ = 0;
  std::set<std::string> real_directories_;
};

bool user_search::may_go_on() {
  if (place_.limit != look_limit::none) return false;
  if (place_.libraries >= limits_.libraries || listed_ >= limits_.names) {
    place_.limit = look_limit::files;
  } else if (clock::now() - begin_ > std::chrono::milliseconds(limits_.milliseconds)) {
    place_.limit = look_limit::time;
  }
  return place_.limit == look_limit::none;
}

static bool has_names_of_cudnn(const system_interface& os, const arena_string& path) {
  const repairs::passing_memory until_here;  // section tables
  return read_data_names(os, path).open_cudnn();
}

void user_search::read(const arena_string& path, suspects& found) {
  if (!may_go_on()) return;
  const library_file contents = read_library(os_, path, own_machine);
  if (contents.state == file_state::missing) return;
  ++place_.libraries;
  sign_of_cudnn sign = sign_of(contents);
  if (sign != sign_of_cudnn::needed && is_opener(found.release, path)) {
    sign = sign_of_cudnn::package;
  }
  suspect one;
  one.path = path;
  one.sign = sign;
  one.search = directory_part(path) + "\n" + contents.runpath + "\n" + contents.rpath;
  for (const arena_string& name : contents.needed) {
    if (is_cudnn_name(base_name(name))) one.needed.push_back(name);
  }
  // A library that NEEDs cuBLAS may open cuDNN by name if its package requires one.
  const bool told = sign != sign_of_cudnn::none && (sign != sign_of_cudnn::cublas || found.asks);
  (told ? found.libraries : found.untold).push_back(one);
}

void user_search::look_at(const package_files& package) {
  suspects found;
  found.package = package.package.name + " " + package.package.number;
  found.release.name = repairs::normalized(std::string(package.package.name));
  found.release.number = repairs::release_of_number(std::string(package.package.number));
  found.asks = package.asks_for_cudnn;
  for (const recorded_library& library : package.libraries) {
    if (!is_cudnn_name(base_name(library.path))) read(library.path, found);
  }
  check(found);
}

bool user_search::list(const arena_string& directory, arena_vector<arena_string>& names) {
  const arena_string real = os_.real_path(directory);
  if (real.empty() || !real_directories_.insert(real).second) return false;
  if (os_.list(directory, "", names) != open_result::opened) return false;
  listed_ += static_cast<int>(names.size());
  sort(names);
  return true;
}

static constexpr int walk_most_levels = 12;

// A name with a point is that of a file, except for the folders of auditwheel.
static bool may_be_directory(const arena_string& name) {
  const std::size_t point = name.find('.');
  return point == arena_string::npos || name.substr(point) == ".libs";
}

void user_search::look_at_name(const arena_string& directory, const arena_string& name, int depth,
                               suspects& found) {
  const arena_string path = join_path(directory, name);
  if (is_library_name(name)) {
    if (!is_cudnn_name(name)) read(path, found);
  } else if (may_be_directory(name) && name != "__pycache__") {
    walk(path, depth, found);
  }
}

void user_search::walk(const arena_string& directory, int depth, suspects& found) {
  arena_vector<arena_string> names;
  if (depth > walk_most_levels || !may_go_on() || !list(directory, names)) return;
  for (const arena_string& name : names) look_at_name(directory, name, depth + 1, found);
}

void user_search::look_at_unrecorded(const arena_string& site,
                                     const std::vector<std::string>& names) {
  suspects found;
  for (const std::string& name : names) look_at_name(site, name, 0, found);
  check(found);
}

void user_search::look_into(const arena_string& directory) {
  suspects found;
  arena_vector<arena_string> names;
  if (!list(directory, names)) return;
  for (const arena_string& name : names) {
    if (is_library_name(name) && !is_cudnn_name(name)) read(join_path(directory, name), found);
  }
  check(found);
}

static bool same_outcome(const cudnn_user& user, const cudnn_user& other) {
  if (user.package != other.package || user.result != other.result ||
      user.takes.release != other.takes.release || user.takes.directory != other.takes.directory ||
      user.findings.size() != other.findings.size()) {
    return false;
  }
  for (std::size_t i = 0; i < user.findings.size(); ++i) {
    if (user.findings[i].id != other.findings[i].id ||
        user.findings[i].expected.value != other.findings[i].expected.value ||
        user.findings[i].found.value != other.findings[i].found.value) {
      return false;
    }
  }
  return true;
}

void user_search::add(const suspects& found, const suspect& one, const program_check& checked) {
  cudnn_user user;
  user.package = found.package;
  user.libraries.push_back(one.path);
  user.needed = one.needed;
  take_answer(checked, user);
  for (cudnn_user& known : place_.users.in_place()) {
    if (!same_outcome(known, user)) continue;
    known.libraries.push_back(one.path);
    return;
  }
  place_.users.push_back(user);
}

// If one library of a package NEEDs cuDNN, the run path says nothing about the others: all of
// PyTorch's libraries have the same.
static std::vector<const suspect*> worth_checking(const suspects& found) {
  const auto needs = [](const suspect& one) { return one.sign == sign_of_cudnn::needed; };
  const bool needing = any_of(found.libraries, needs);
  std::vector<const suspect*> worth;
  std::set<std::string> searches;
  for (const suspect& one : found.libraries) {
    if (one.sign == sign_of_cudnn::run_path && needing) continue;
    if (needs(one) || searches.insert(one.search).second) worth.push_back(&one);
  }
  return worth;
}

// Names in its data say nothing of a library where it is known how another one of its package comes
// to its cuDNN, which is in memory then.
void user_search::look_into_data(suspects& found) {
  if (!found.libraries.empty()) return;
  for (suspect& one : found.untold) {
    if (!may_go_on()) return;
    one.sign = sign_of_cudnn::data;
    if (has_names_of_cudnn(os_, one.path)) found.libraries.push_back(one);
  }
}

void user_search::check(suspects& found) {
  look_into_data(found);
  std::vector<std::pair<const suspect*, program_check>> checked;
  bool fine = false;
  for (const suspect* one : worth_checking(found)) {
    if (static_cast<int>(checked.size()) >= limits_.checks_of_package || !may_go_on()) break;
    program_check check = check_program(os_, {one->path}, advising::off);
    if (check.program.use == cudnn_use::none && !check.program.opens_unknown()) continue;
    fine = fine || check.result == verdict::ok;
    checked.emplace_back(one, std::move(check));
  }
  for (const auto& [one, check] : checked) {
    // One process opens cuDNN by name once, and the first library that finds it decides.
    const bool needs = one->sign == sign_of_cudnn::needed || one->sign == sign_of_cudnn::package;
    if (needs || !fine || check.result == verdict::ok) add(found, *one, check);
  }
}

}  // namespace

void find_users(const system_interface& os, const recorded_packages& recorded,
                const look_limits& limits, environment& place) {
  user_search search(os, limits, place);
  for (const package_files& package : recorded.packages) search.look_at(package);
  search.look_at_unrecorded(place.directory, recorded.unrecorded);
}

void find_users_again(const system_interface& os, const environment& before, environment& place) {
  place.libraries = before.libraries;
  for (const cudnn_user& known : before.users) {
    // It is not known what the library opens, whatever is installed.
    if (known.use == cudnn_use::none) {
      place.users.push_back(known);
      continue;
    }
    const program_check check = check_program(os, {known.libraries.front()}, advising::off);
    cudnn_user user = known;
    take_answer(check, user);
    place.users.push_back(user);
  }
}

// conda-meta/*.json of each package lists its files ("lib/libtorch_cuda.so", "Library/bin/x.dll").
static void name_packages_of_conda(const system_interface& os, environment& place) {
  const arena_string records = place.directory + "/conda-meta";
  for (const arena_string& name : names_in(os, records)) {
    const arena_string text = text_of(os, join_path(records, name));
    for (cudnn_user& user : place.users.in_place()) {
      const arena_string listed =
          "\"" + folder_of_conda().substr(1) + "/" + base_name(user.libraries.front()) + "\"";
      json tree;
      arena_string wrong;
      if (!user.package.empty() || text.find(listed) == arena_string::npos) continue;
      if (!parse_json(text, tree, wrong)) continue;
      user.package = tree["name"].text() + " " + tree["version"].text();
    }
  }
}

void find_users_of_conda(const system_interface& os, const look_limits& limits,
                         environment& place) {
  user_search search(os, limits, place);
  search.look_into(place.directory + folder_of_conda());
  if (!place.users.empty()) name_packages_of_conda(os, place);
}

}  // namespace cudnn_checked::cli
