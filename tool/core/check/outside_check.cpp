// SPDX-License-Identifier: BSD-3-Clause
//
// A program that is judged from outside, before it runs or where it does not.
#include "../judge/advice/advice.h"
#include "../model/library_name.h"
#include "../model/library_spelling.h"
#include "../model/paths.h"
#include "../model/unstamped_program.h"
#include "../observe/observe.h"
#include "cudnn_check.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// What a guard found in its own variables stays.
static void judge_with_records(cudnn_check& c) {
  c.judged = judge_program(c.stamped, c.observed, c.options);
  arena_vector<finding> all = c.found_besides;
  all.append(c.judged.findings);
  c.judged.conclude(std::move(all));
}

/// The library whose search led to the shim; empty: the program.  A library that a process starts
/// with is mapped for the first file that NEEDs it, and the program's own search may lead there as
/// well.
static arena_string asker_of(loader& search, const observation& observed, const cudnn_file& shim) {
  // The shim in memory may have been loaded by another library.
  if (observed.unstamped != nullptr && !observed.unstamped->asker.empty()) {
    return observed.unstamped->asker;
  }
  if (!shim.mapped || !shim.loaded_by.empty()) return shim.mapped ? shim.loaded_by : shim.asked_by;
  const auto needs = [&](const arena_string& path) {
    return contains(search.file(path).needed, shim.name);
  };
  if (needs(search.program_path())) return {};
  const mapped_object* const first = find_where(search.mapped(), [&](const mapped_object& object) {
    return !object.other_namespace && needs(object.path);
  });
  return first == nullptr ? arena_string() : first->path;
}

/// The run path of the file that asks for the shim may lead to a package that has lost it.
static void observe_passed_over(loader& search, observation& observed) {
  const cudnn_file* const shim = find_where(observed.files, [](const cudnn_file& file) {
    return file.role == library_role::shim && !file.path.empty();
  });
  if (shim == nullptr) return;
  const arena_string asker = asker_of(search, observed, *shim);
  arena_vector<arena_string> askers;
  if (!asker.empty() && asker != search.program_path()) askers.push_back(asker);
  const auto mode = loader::view::without_ld_library_path;
  for (const searched_place& place : search.places(shim->name, askers, mode)) {
    if (place.directory == directory_part(shim->path)) return;
    if (place.chosen_by.by_run_path()) {
      observe_listed(search.system(), join_path(place.directory, shim->name), observed.passed_over);
    }
  }
}

arena_vector<finding> check_records(cudnn_check& c) {
  observe_packages(c.search.system(), c.observed);
  observe_passed_over(c.search, c.observed);
  return judge_records(c.observed, c.options);
}

arena_vector<finding> check_start(cudnn_check& c, const program_start& start) {
  c.observed.start = start;
  observe_driver(c.search, c.observed);
  observe_python_environments(c.search.system(), c.observed);
  const judgement at_start = judge_start(c.stamped, c.observed, c.options);
  if (start_hides_cudnn(start)) {
    c.judged.conclude(at_start.findings);
    return {};
  }
  const arena_vector<finding> of_records = check_records(c);
  // A guard reads the records of wheels only.
  if (c.judged.result == verdict::refused && !c.observed.absent_files.empty()) {
    judge_with_records(c);
  }
  arena_vector<finding> all = merged(at_start.findings, c.judged.findings);
  for (const finding& f : of_records) all.push_back(f);
  c.judged.conclude(std::move(all));
  return of_records;
}

/// For a file that opens cuDNN by name and finds none: a wheel beside it may have lost its shim.
static void observe_lost_shim(const system_interface& os, observation& observed) {
  for (const python_environment& place : observed.environments) {
    for (const installed_wheel& wheel : place.wheels) {
      if (!is_cudnn_wheel(wheel.name)) continue;
      const int major = parse_version(wheel.number).major;
      observe_listed(os,
                     join_path(place.site + folder_of_cudnn(wheel.name),
                               name_of_library(library_role::shim, major)),
                     observed.passed_over);
    }
  }
}

static bool finds_shim(const observation& observed) {
  return any_of(observed.files, [&](const cudnn_file& file) {
    return file.role == library_role::shim && !file.path.empty();
  });
}

void look_at_machine(loader& search, observation& observed) {
  const system_interface& os = search.system();
  observe_driver(search, observed);
  if (observed.driver.present == answer::no || observed.driver.stub) return;
  observe_gpus_on_pci(os, observed);
  if (observed.devices.visible != answer::yes) observe_gpus_with_nvml(os, observed);
}

void check_unstamped_program(cudnn_check& c, const program_start& start) {
  const unstamped_program* const program = c.observed.unstamped;
  // A name without a number that leads nowhere is that of no release.
  const int major = program == nullptr ? 0 : major_of_name(program->opened);
  const bool opens = major != 0;
  observe_files(c.search, major, c.observed);
  c.observed.linked = c.observed.linked || (opens && finds_shim(c.observed));
  // It is not known what is opened before, so the program may get another file than the loader
  // would find now.
  if (program != nullptr && program->opens_unknown()) c.observed.linked = false;
  if (!c.observed.linked) c.observed.files.clear();
  c.observed.start = start;
  if (c.observed.linked && !start_hides_cudnn(start)) {
    observe_packages(c.search.system(), c.observed);
    observe_passed_over(c.search, c.observed);
    observe_dependencies(c.search, c.observed);
    observe_needed_versions(c.search, c.observed);
    look_at_machine(c.search, c.observed);
  } else {
    observe_driver(c.search, c.observed);
  }
  observe_python_environments(c.search.system(), c.observed);
  if (program != nullptr && program->use == cudnn_use::opened && !c.observed.linked) {
    observe_lost_shim(c.search.system(), c.observed);
  }
  c.judged = judge_unstamped(c.observed, c.options);
  if (!c.observed.linked || !may_lack_functions(c.judged.set, c.judged.needs)) return;
  observe_called_functions(c.search, c.observed);
  if (!c.observed.called.empty()) c.judged = judge_unstamped(c.observed, c.options);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
