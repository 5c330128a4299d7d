// SPDX-License-Identifier: BSD-3-Clause
//
// cudnn_checked_probe: started by the find module at configure time, linked with the cuDNN in
// question.  Looks at its files, asks it, lets it compute, and writes a report.  It is compiled at
// each cold configure run.
//
//   cudnn_checked_probe report=FILE [require=auto|located|linked|loaded|ran] [components=cnn,ops]
//                       [convolutions=legacy,graph/fp32/nchw] [operations=matmul,attention]
//                       [devices=all|0,1|GPU-uuid] [header=PATH] [sweep=SECONDS]
//                       [named=CuDNNChecked_ROOT] [supervise=SECONDS]
//
// sweep= only notes in the report that ../laboratory/sweep/sweep_program.cpp shall follow;
// supervise.h has what supervise= does.
//
// With CUDNN_CHECKED_PROBE_KERNEL it is linked with kernel/kernel.cu, which the project's CUDA
// compiler compiled, and runs it on each GPU too; the report's key `kernel` says what came of it.
// No argument belongs to it.
//
// Exit status: 0 not refused, 1 refused, 2 the arguments are wrong or the report cannot be written.
//
// linux/probe.cpp and windows/probe.cpp, which CMake compiles, include this.
#include <cstdio>

#include "../core/model/dependency_names.h"
#include "../core/system/program_arguments.h"

#include "../convolution/compare.cpp"
#include "../convolution/graph.cpp"
#include "../convolution/plan.cpp"
#include "../convolution/reference.cpp"
#include "../convolution/values.cpp"
#include "cudnn_answers.cpp"
#include "devices.cpp"
#include "execution.cpp"
#include "gpu_run.cpp"
#include "graph_convolution.cpp"
#ifdef CUDNN_CHECKED_PROBE_KERNEL
#include "kernel_convolution.cpp"
#endif
#include "legacy_convolution.cpp"
#include "offered_plan.cpp"
#include "options.cpp"
#include "platform.h"
#include "prove.cpp"
#include "report_file.cpp"
#include "status.cpp"
#include "supervise.h"
#include "workload.cpp"

namespace cudnn_checked::probe {

enum exit_status : int { exit_accepted = 0, exit_refused = 1, exit_usage = 2 };

static int usage_error(const arena_string& error) {
  std::fprintf(stderr, "cudnn_checked_probe: error: %s\n", error.c_str());
  return exit_usage;
}

static bool is_opened(dependency_kind kind) {
  return kind == dependency_kind::cublas || kind == dependency_kind::cublaslt ||
         kind == dependency_kind::nvrtc || kind == dependency_kind::nvrtc_builtins;
}

/// What this cuDNN opens when it computes and would not find.  Where nothing can compute, as
/// without a driver, that is a note, which find_package does not print: the program may be built
/// here and run elsewhere.
static void print_not_found_later(const arena_vector<finding>& findings) {
  for (const finding& f : findings) {
    const arena_string& name = f.expected.value;
    if (f.id != finding_id::dependency_missing || !is_opened(kind_of_dependency(name))) continue;
    std::printf("   not found when cuDNN computes: %s [%s]\n", name.c_str(), to_string(f.id));
    const char* lead = "fix";
    for (const fix_line& line : f.fix) {
      std::printf("   %s: %s\n", lead, one_line(line.text).c_str());
      lead = " or";
    }
  }
}

/// Of the findings that are printed.
static constexpr severity least_printed = severity::unknown;

/// Whether a fix of the message is one that was not tried.
static bool has_untried(const arena_vector<finding>& findings) {
  return any_of(findings, [](const finding& f) {
    return f.weight >= least_printed &&
           any_of(f.fix, [](const fix_line& line) { return line.tried == trial_result::unknown; });
  });
}

/// Writes the finished report.  Prints one line on what was proved, unless it is refused, and the
/// findings.
static int finish(const probing& p) {
  const json finished = p.report();
  arena_string error;
  const bool untried = has_untried(p.install.judged.findings);
  if (!write_report(p.given.report, finished, error, untried)) return usage_error(error);
  const verdict told = p.install.judged.result;
  speak();
  if (told != verdict::refused) std::printf("%s\n", report_line(finished).c_str());
  if (told != verdict::ok) {
    const arena_string prefix = arena_string("cudnn_checked: ") + to_string(told);
    std::fputs(findings_message(p.install.judged.findings, prefix, least_printed).c_str(), stdout);
  } else {
    print_not_found_later(p.install.judged.findings);
  }
  return told == verdict::refused ? exit_refused : exit_accepted;
}

/// Keeps the report of each stage on the disk.
class report_on_disk final : public report_keeper {
 public:
  /// An error of writing is not reported here: writing the last report has the same one.
  void keep(const probing& p, const arena_string& stage) override {
    arena_string error;
    (void)write_report(p.given.report, p.report(stage), error);
  }
};

static int run(const options& given, const system_interface& os) {
  loader search(os);
  probing p(given, search);
  p.install.stamped.cudnn_header = decode_cudnn_version(CUDNN_VERSION);
  p.install.stamped.toolkit = decode_cuda_version(CUDART_VERSION);
  report_on_disk keeper;
  arena_string error;
  if (!prove(p, p.install.stamped.cudnn_header.major, keeper, error)) return usage_error(error);
  return finish(p);
}

static int main_of_probe(int count, char** arguments, char** environment) {
  options given;
  arena_string error;
  char** const words = program_arguments(count, arguments);
  int ended = 0;
  if (is_supervised(count, words, ended)) return ended;
  if (!parse_options(count - 1, words + 1, given, error)) return usage_error(error);
  return run(given, system_of_probe(environment));
}

}  // namespace cudnn_checked::probe

int main(int count, char** arguments, char** environment) {
  return cudnn_checked::probe::main_of_probe(count, arguments, environment);
}
