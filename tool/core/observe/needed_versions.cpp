// SPDX-License-Identifier: BSD-3-Clause
//
// Versions of symbols that cuDNN needs when it is loaded later: glibc, elf/dl-version.c.  A loaded
// library is used, whichever file brought it: a program's own old libm, even if the system has a
// newer one.
#include "../library/symbol_versions.h"
#include "../loader/loader.h"
#include "../model/dependency_names.h"
#include "../model/library_name.h"
#include "../model/paths.h"
#include "observe.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

namespace {

class version_search {
 public:
  version_search(loader& search, observation& observed) : loader_(search), observed_(observed) {}

  void add(const found_file& file, bool mapped, arena_string asked_by);

 private:
  void compare(const needed_version& wanted, const loader_hit& hit,
               const arena_vector<arena_string>& askers);

  loader& loader_;
  observation& observed_;
  arena_vector<arena_string> done_;
};

}  // namespace

// Other rules report which file of cuDNN or CUDA is taken.  The loader itself is in every process.
static bool is_of_system(arena_string library) {
  const dependency_kind kind = kind_of_dependency(library);
  return !is_cudnn_name(library) && !starts_with(library, "ld-linux") &&
         (kind == dependency_kind::none || kind == dependency_kind::libz);
}

void version_search::compare(const needed_version& wanted, const loader_hit& hit,
                             const arena_vector<arena_string>& askers) {
  const arena_vector<arena_string>& defined = loader_.versions(hit.path).defined;
  if (defined.empty() || contains(defined, wanted.name)) return;
  const loader_hit own =
      hit.mapped ? loader_.find(wanted.library, askers, loader::view::afresh) : hit;
  const bool same = loader_.real_path(own.path) == loader_.real_path(hit.path);
  observed_.missing_versions.push_back({wanted.name, askers.front(), hit.path,
                                        newest_of_family(defined, wanted.name),
                                        same ? own.chosen_by : hit.chosen_by});
}

void version_search::add(const found_file& file, bool mapped, arena_string asked_by) {
  if (mapped || file.state != file_state::whole || file.path.empty()) return;
  if (contains(done_, file.path)) return;
  done_.push_back(file.path);
  arena_vector<arena_string> askers = {file.path};
  if (!asked_by.empty()) askers.push_back(asked_by);
  arena_string library;
  loader_hit hit;
  for (const needed_version& wanted : loader_.versions(file.path).needed) {
    if (!is_of_system(wanted.library)) continue;
    // The versions that a file needs of one library are listed together (Elf64_Verneed).
    if (wanted.library != library) {
      library = wanted.library;
      hit = loader_.find(library, askers, loader::view::as_is);
    }
    if (hit.taken()) compare(wanted, hit, askers);
  }
}

void observe_needed_versions(loader& search, observation& observed) {
  observed.missing_versions.clear();
  version_search versions(search, observed);
  for (const cudnn_file& file : observed.files) {
    if (!file.other_namespace) versions.add(file, file.mapped, file.asked_by);
  }
  for (const dependency& d : observed.dependencies) {
    if (d.needed) versions.add(d, d.mapped, d.asked_by);
  }
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
