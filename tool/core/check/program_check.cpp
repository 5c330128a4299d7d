// SPDX-License-Identifier: BSD-3-Clause
#include "../model/library_name.h"
#include "../model/unstamped_program.h"
#include "../observe/observe.h"
#include "cudnn_check.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// A package knows releases that nothing else names: it is asked before a refusal, and where a file
// is not identified.
static bool records_may_help(const cudnn_check& c) {
  if (c.judged.result == verdict::refused) return c.observed.linked;
  for (const cudnn_set::member& m : c.judged.set.members) {
    if (m.member_of_set && m.identity.releases.empty()) return c.observed.linked;
  }
  return false;
}

void check_program_files(cudnn_check& c) {
  observe_files(c.search, c.stamped.cudnn_header.major, c.observed);
  c.judged = judge_program_files(c.stamped, c.observed, c.options);
  if (!records_may_help(c)) return;
  observe_wheel_records(c.search.system(), c.observed);
  observe_python_environments(c.search.system(), c.observed);
  c.judged = judge_program_files(c.stamped, c.observed, c.options);
}

// The table of PCI ids is enough to say that all is well; it is never enough to refuse or to warn.
// It has no names, which identify GPUs that cuda-compat does not support.
static bool gpus_are_settled(const cudnn_check& c) {
  if (c.observed.devices.visible != answer::yes || c.observed.driver.compat) return false;
  for (const finding& f : c.judged.findings) {
    if (f.weight != severity::note && row_of(f.id).rests_on == basis::gpus) return false;
  }
  return true;
}

static bool lacks_dependency(const observation& observed) {
  for (const dependency& d : observed.dependencies) {
    if (d.state != file_state::whole && !d.mapped) return true;
  }
  return false;
}

void check_program_machine(cudnn_check& c, const string& own_file) {
  // More is mapped by now.
  c.search.look_at_process();
  observe_dependencies(c.search, c.observed);
  observe_driver(c.search, c.observed);
  const bool has_driver = c.observed.driver.present != answer::no && !c.observed.driver.stub;
  if (has_driver) {
    observe_program_code(c.search.system(), own_file, c.observed);
    observe_gpus_on_pci(c.search.system(), c.observed);
  }
  judge_program_further(look::machine, c.stamped, c.observed, c.options, c.judged);
  if (lacks_dependency(c.observed)) {
    observe_python_environments(c.search.system(), c.observed);
    judge_program_further(look::machine, c.stamped, c.observed, c.options, c.judged);
  }
  if (!has_driver || gpus_are_settled(c)) return;
  observe_gpus_with_nvml(c.search.system(), c.observed);
  judge_program_further(look::gpus, c.stamped, c.observed, c.options, c.judged);
}

/// What a guard found in its own variables stays.
static void judge_again(cudnn_check& c) {
  vector<finding> all;
  for (const finding& f : c.judged.findings) {
    if (f.rule < 0) all.push_back(f);
  }
  judge_program_further(look::files, c.stamped, c.observed, c.options, c.judged);
  for (const finding& f : c.judged.findings) all.push_back(f);
  c.judged.conclude(std::move(all));
}

void check_start(cudnn_check& c, const program_start& start) {
  c.observed.start = start;
  observe_driver(c.search, c.observed);
  observe_python_environments(c.search.system(), c.observed);
  const judgement at_start = judge_start(c.stamped, c.observed, c.options);
  if (start_ends_program(start)) {
    c.judged.conclude(at_start.findings);
    return;
  }
  observe_packages(c.search.system(), c.observed);
  // A guard reads the records of wheels only.
  if (c.judged.result == verdict::refused && !c.observed.absent_files.empty()) judge_again(c);
  vector<finding> all = merged(at_start.findings, c.judged.findings);
  for (const finding& f : judge_records(c.observed, c.options)) all.push_back(f);
  c.judged.conclude(std::move(all));
}

static bool finds_shim(const observation& observed) {
  for (const cudnn_file& file : observed.files) {
    if (file.role == library_role::shim && !file.path.empty()) return true;
  }
  return false;
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
  if (c.observed.linked && !start_ends_program(start)) {
    observe_packages(c.search.system(), c.observed);
    observe_dependencies(c.search, c.observed);
    look_at_machine(c.search, c.observed);
  } else {
    observe_driver(c.search, c.observed);
  }
  observe_python_environments(c.search.system(), c.observed);
  c.judged = judge_unstamped(c.observed, c.options);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
