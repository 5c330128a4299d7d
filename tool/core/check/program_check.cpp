// SPDX-License-Identifier: BSD-3-Clause
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

/// Looks at the other files, unless they are of no use or known; then what was judged is to be
/// judged again.
static bool look_at_other_files(cudnn_check& c) {
  const bool wanted = !c.options.without_notes || c.judged.result != verdict::ok;
  if (!wanted || c.knows_other_files) return false;
  c.knows_other_files = true;
  observe_other_files(c.search, c.observed);
  return true;
}

void check_program_files(cudnn_check& c) {
  observe_taken_files(c.search, c.stamped.cudnn_header.major, c.observed);
  c.judged = judge_program_files(c.stamped, c.observed, c.options);
  bool more = look_at_other_files(c);
  if (c.observed.linked && may_lack_functions(c.judged.set, c.judged.needs)) {
    observe_called_functions(c.search, c.observed);
    more = more || !c.observed.called.empty();
  }
  if (records_may_help(c)) {
    observe_wheel_records(c.search.system(), c.observed);
    observe_python_environments(c.search.system(), c.observed);
    more = true;
  }
  if (more) c.judged = judge_program_files(c.stamped, c.observed, c.options);
}

// The table of PCI ids is enough to say that all is well; it is never enough to refuse or to warn.
// It has no names, which identify GPUs that cuda-compat does not support.
static bool gpus_are_settled(const cudnn_check& c) {
  if (c.observed.devices.visible != answer::yes || c.observed.driver.compat) return false;
  return none_of(c.judged.findings, [&](const finding& f) {
    return f.weight != severity::note && row_of(f.id).rests_on == basis::gpus;
  });
}

static bool lacks_dependency(const observation& observed) {
  return any_of(observed.dependencies,
                [&](const dependency& d) { return d.state != file_state::whole && !d.mapped; });
}

/// Everything anew: a rule may read facts of every look.
static void refresh_judgement(cudnn_check& c) {
  c.judged = judge_program(c.stamped, c.observed, c.options);
}

static bool has_driver(const cudnn_check& c) {
  return c.observed.driver.present != answer::no && !c.observed.driver.stub;
}

void check_program_driver(cudnn_check& c) {
  observe_driver(c.search, c.observed);
  if (has_driver(c)) return;
  refresh_judgement(c);
}

void check_program_machine(cudnn_check& c, arena_string own_file) {
  // More is mapped by now.
  c.search.look_at_process();
  observe_dependencies(c.search, c.observed);
  observe_needed_versions(c.search, c.observed);
  observe_driver(c.search, c.observed);
  if (has_driver(c)) {
    observe_program_code(c.search.system(), own_file, c.observed);
    observe_gpus_on_pci(c.search.system(), c.observed);
  }
  refresh_judgement(c);
  bool more = look_at_other_files(c);
  if (lacks_dependency(c.observed)) {
    observe_python_environments(c.search.system(), c.observed);
    more = true;
  }
  if (more) refresh_judgement(c);
  if (!has_driver(c) || gpus_are_settled(c)) return;
  observe_gpus_with_nvml(c.search.system(), c.observed);
  refresh_judgement(c);
}
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
