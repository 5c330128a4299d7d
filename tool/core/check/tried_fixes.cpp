// SPDX-License-Identifier: BSD-3-Clause
#include "tried_fixes.h"

#include "../judge/advice/advice.h"
#include "../model/format.h"
#include "../observe/observe.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// Whether the loader would still find all that the program itself NEEDs.
static bool finds_its_libraries(loader& search) {
  for (const arena_string name : search.file(search.program_path()).needed) {
    if (search.find(name, {}, loader::view::afresh).state == file_state::missing) return false;
  }
  return true;
}

static bool works(const cudnn_check& c, const repair& step) {
  loader search(c.search.system(), step.name, step.value);
  cudnn_check again(search);
  again.stamped = c.stamped;
  again.options = c.options;
  again.options.without_notes = true;
  check_program_files(again);
  return verdict_of(again.judged.findings) <= verdict::unknown && finds_its_libraries(search);
}

static bool is_of_run_path(cudnn_check& c, arena_string site) {
  const auto mode = loader::view::without_ld_library_path;
  for (const searched_place& place : c.search.places("libcudnn.so", {}, mode)) {
    if (place.chosen_by.by_run_path() && site_of(place.directory + "/") == site) return true;
  }
  return false;
}

// Another release, or another package in its place, may be against what a third one requires.
static bool is_same_again(const wheel_order& order) {
  return order.again && order.conflicting.empty();
}

/// May the line be printed?
static bool is_worth_it(cudnn_check& c, fix_line& line) {
  if (line.what == fix_line::kind::advice || line.steps.empty()) return true;
  const repair& step = line.steps.front();
  line.tried = trial_result::unknown;
  if (step.what == repair_kind::wheels) {
    return is_same_again(step.order) && c.search.system().may_be_written(step.where.site) &&
           is_of_run_path(c, step.where.site);
  }
  if (step.what == repair_kind::variable && works(c, step)) line.tried = trial_result::green;
  return line.tried == trial_result::green;
}

void keep_tried_fixes(cudnn_check& c) {
  for (finding& f : c.judged.findings.in_place()) {
    const bool tries =
        f.weight >= severity::warning && row_of(f.id).about < subject_of_finding::driver;
    const std::size_t count = f.fix.size();
    for (std::size_t i = count; i-- > 0;) {
      fix_line& line = f.fix.in_place()[i];
      if (line.text.empty() || (tries && !is_worth_it(c, line))) f.fix.erase(&line);
    }
    if (f.fix.size() != count || (tries && count == 0)) {
      f.fix.push_back(advice(
          format("for a command: cudnn-checked verify %s", quoted(c.search.program_path()))));
    }
  }
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
