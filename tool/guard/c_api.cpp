// SPDX-License-Identifier: BSD-3-Clause
//
// The functions of guard.h.
#include <cstdlib>
#include <cstring>

#include "../core/model/arena.h"
#include "../core/system/own_system.h"
#include "../core/system/write_all.h"
#include "check.h"
#include "own_file.h"

// guard.h is for guarded targets; here no stamp is in sight.
#define CUDNN_CHECKED_STAMP cudnn_checked_0_1_no_stamp
#include "cudnn_checked/guard.h"

struct cudnn_checked_report {
  cudnn_checked::arena memory;  ///< of the check, and of this report itself
  cudnn_checked_verdict verdict;
  cudnn_checked::arena_vector<cudnn_checked_finding> findings;
  const char* text;
  const char* json;
};

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static void check_now(guard_check& check) {
  check.look_at_files();
  check.look_at_machine();
  check.try_fixes();
  check.write_report();
}

static void require_now(const char* stamp_text) {
  const system_interface& os = own_system(own_execution());
  const guard_environment environment = read_guard_environment(os, guard_of_build(stamp_text));
  const bool off = environment.asked == guard_environment::mode::off;
  if (off && environment.report_path.empty()) return;
  if (environment.asked == guard_environment::mode::invalid) {
    write_to_stderr(invalid_mode_message(environment));
    std::exit(CUDNN_CHECKED_EXIT_STATUS);
  }
  loader search(os);
  guard_check check(search, stamp_text, own_file_of(os, stamp_text));
  if (off) {
    check.leave_unchecked();
    return check.write_report();
  }
  check.leave_out_notes();
  check_now(check);
  check.say();
  if (check.ends_program()) std::exit(CUDNN_CHECKED_EXIT_STATUS);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked

CUDNN_CHECKED_ENTRY cudnn_checked_report* cudnn_checked_check_stamp(const char* stamp_text) {
  cudnn_checked::arena memory;
  const cudnn_checked::arena_block block(memory);
  auto* const report = cudnn_checked::make_in_arena<cudnn_checked_report>();
  const cudnn_checked::system_interface& os =
      cudnn_checked::own_system(cudnn_checked::own_execution());
  cudnn_checked::loader search(os);
  cudnn_checked::guard_check check(search, stamp_text, cudnn_checked::own_file_of(os, stamp_text));
  cudnn_checked::check_now(check);
  report->verdict = static_cast<cudnn_checked_verdict>(check.result());
  for (const cudnn_checked::finding& f : check.judged().findings) {
    report->findings.push_back({cudnn_checked::to_string(f.id), cudnn_checked::to_string(f.weight),
                                f.summary.c_str(), f.expected.value.c_str(), f.found.value.c_str(),
                                f.found.where.c_str(), f.because.c_str(),
                                in_one_line(f.fix).c_str()});
  }
  report->text = check.text().c_str();
  report->json = check.json_text().c_str();
  report->memory.take_over(memory);
  return report;
}

CUDNN_CHECKED_ENTRY void cudnn_checked_require_stamp(const char* stamp_text) {
  cudnn_checked::arena memory;
  {
    const cudnn_checked::arena_block block(memory);
    cudnn_checked::require_now(stamp_text);
  }
  memory.release();
}

CUDNN_CHECKED_ENTRY cudnn_checked_verdict
cudnn_checked_verdict_of(const cudnn_checked_report* report) {
  return report->verdict;
}

CUDNN_CHECKED_ENTRY size_t cudnn_checked_finding_count(const cudnn_checked_report* report) {
  return report->findings.size();
}

CUDNN_CHECKED_ENTRY cudnn_checked_finding
cudnn_checked_finding_at(const cudnn_checked_report* report, size_t index) {
  if (index >= report->findings.size()) return {"", "", "", "", "", "", "", ""};
  return report->findings[index];
}

CUDNN_CHECKED_ENTRY const char* cudnn_checked_text(const cudnn_checked_report* report) {
  return report->text;
}

CUDNN_CHECKED_ENTRY const char* cudnn_checked_json(const cudnn_checked_report* report) {
  return report->json;
}

CUDNN_CHECKED_ENTRY void cudnn_checked_free(cudnn_checked_report* report) {
  if (report == nullptr) return;
  cudnn_checked::arena memory;
  memory.take_over(report->memory);
  memory.release();
}
