// SPDX-License-Identifier: BSD-3-Clause
//
// The functions of guard.h.
#include <cstdlib>
#include <cstring>

#include <sys/auxv.h>
#include <unistd.h>

#include "../core/linux/linux_system.h"
#include "check.h"
#include "own_file.h"
#include "refusal.h"

// guard.h is for guarded targets; here no stamp is in sight.
#define CUDNN_CHECKED_STAMP cudnn_checked_0_1_no_stamp
#include "cudnn_checked/guard.h"

// Hidden: no program exports the guard.  Weak: it may be linked in more than once.
#define CUDNN_CHECKED_ENTRY extern "C" __attribute__((weak, visibility("hidden")))

struct cudnn_checked_report {
  cudnn_checked::verdict verdict;
  cudnn_checked::vector<cudnn_checked::finding> findings;
  cudnn_checked::string text;
  cudnn_checked::string json;
};

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static bool is_secure_execution() { return getauxval(AT_SECURE) != 0; }

static void check_now(guard_check& check) {
  check.look_at_files();
  check.look_at_machine();
  check.write_report();
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked

CUDNN_CHECKED_ENTRY cudnn_checked_report* cudnn_checked_check_stamp(const char* stamp_text) {
  const cudnn_checked::linux_system os(environ, cudnn_checked::is_secure_execution());
  cudnn_checked::loader search(os);
  cudnn_checked::guard_check check(search, stamp_text, cudnn_checked::own_file_of(os, stamp_text));
  cudnn_checked::check_now(check);
  return new cudnn_checked_report{check.result(), check.judged().findings, check.text(),
                                  check.json_text()};
}

CUDNN_CHECKED_ENTRY void cudnn_checked_require_stamp(const char* stamp_text) {
  using cudnn_checked::guard_environment;
  const cudnn_checked::linux_system os(environ, cudnn_checked::is_secure_execution());
  const guard_environment environment = cudnn_checked::read_guard_environment(os);
  if (environment.asked == guard_environment::mode::off) return;
  if (environment.asked == guard_environment::mode::invalid) {
    cudnn_checked::write_to_stderr(cudnn_checked::invalid_mode_message(environment));
    std::exit(CUDNN_CHECKED_EXIT_STATUS);
  }
  cudnn_checked::loader search(os);
  cudnn_checked::guard_check check(search, stamp_text, cudnn_checked::own_file_of(os, stamp_text));
  cudnn_checked::check_now(check);
  cudnn_checked::write_to_stderr(check.message());
  if (check.result() == cudnn_checked::verdict::refused &&
      environment.asked == guard_environment::mode::enforce) {
    std::exit(CUDNN_CHECKED_EXIT_STATUS);
  }
}

CUDNN_CHECKED_ENTRY cudnn_checked_verdict
cudnn_checked_verdict_of(const cudnn_checked_report* report) {
  return static_cast<cudnn_checked_verdict>(report->verdict);
}

CUDNN_CHECKED_ENTRY size_t cudnn_checked_finding_count(const cudnn_checked_report* report) {
  return report->findings.size();
}

CUDNN_CHECKED_ENTRY cudnn_checked_finding
cudnn_checked_finding_at(const cudnn_checked_report* report, size_t index) {
  if (index >= report->findings.size()) return {"", "", "", "", "", "", "", ""};
  const cudnn_checked::finding& f = report->findings[index];
  return {cudnn_checked::to_string(f.id),
          cudnn_checked::to_string(f.weight),
          f.summary.c_str(),
          f.expected.value.c_str(),
          f.found.value.c_str(),
          f.found.where.c_str(),
          f.because.c_str(),
          f.fix.c_str()};
}

CUDNN_CHECKED_ENTRY const char* cudnn_checked_text(const cudnn_checked_report* report) {
  return report->text.c_str();
}

CUDNN_CHECKED_ENTRY const char* cudnn_checked_json(const cudnn_checked_report* report) {
  return report->json.c_str();
}

CUDNN_CHECKED_ENTRY void cudnn_checked_free(cudnn_checked_report* report) { delete report; }
