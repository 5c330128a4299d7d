// SPDX-License-Identifier: BSD-3-Clause
//
// A program that is judged from outside, before it runs or where it does not.
#include "../model/library_name.h"
#include "../model/paths.h"
#include "../model/unstamped_program.h"
#include "../observe/observe.h"
#include "cudnn_check.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// What a guard found in its own variables stays.
static void judge_again(cudnn_check& c) {
  arena_vector<finding> all =
      filtered(c.judged.findings, [&](const finding& f) { return f.rule < 0; });
  judge_program_further(look::files, c.stamped, c.observed, c.options, c.judged);
  for (const finding& f : c.judged.findings) all.push_back(f);
  c.judged.conclude(std::move(all));
}

/// A package that the run path of whoever asks for the shim leads to may have lost it.
static void observe_passed_over(loader& search, observation& observed) {
  const cudnn_file* const shim = find_where(observed.files, [](const cudnn_file& file) {
    return file.role == library_role::shim && !file.path.empty();
  });
  if (shim == nullptr) return;
  arena_string asker = shim->mapped ? shim->loaded_by : shim->asked_by;
  // Who has loaded the one that is in memory is somebody else.
  if (observed.unstamped != nullptr && !observed.unstamped->asker.empty()) {
    asker = observed.unstamped->asker;
  }
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

void check_start(cudnn_check& c, const program_start& start) {
  c.observed.start = start;
  observe_driver(c.search, c.observed);
  observe_python_environments(c.search.system(), c.observed);
  const judgement at_start = judge_start(c.stamped, c.observed, c.options);
  if (start_hides_cudnn(start)) {
    c.judged.conclude(at_start.findings);
    return;
  }
  observe_packages(c.search.system(), c.observed);
  observe_passed_over(c.search, c.observed);
  // A guard reads the records of wheels only.
  if (c.judged.result == verdict::refused && !c.observed.absent_files.empty()) judge_again(c);
  arena_vector<finding> all = merged(at_start.findings, c.judged.findings);
  for (const finding& f : judge_records(c.observed, c.options)) all.push_back(f);
  c.judged.conclude(std::move(all));
}

static bool finds_shim(const observation& observed) {
  return any_of(observed.files, [&](const cudnn_file& file) {
    return file.role == library_role::shim && !file.path.empty();
  });
}

void check_unstamped_program(cudnn_check& c, const program_start& start) {
  const unstamped_program* const program = c.observed.unstamped;
  // A name without a number that leads nowhere is that of no release.
  const int major = program == nullptr ? 0 : major_of_name(program->opened);
  const bool opens = major != 0;
  observe_files(c.search, major, c.observed);
  c.observed.linked = c.observed.linked || (opens && finds_shim(c.observed));
  // What is opened before is not known, so what the loader would find is not what it gets.
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
  c.judged = judge_unstamped(c.observed, c.options);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
