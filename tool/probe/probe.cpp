// SPDX-License-Identifier: BSD-3-Clause
//
// cudnn_checked_probe: started by the find module at configure time, linked with the cuDNN in
// question.  Looks at its files, asks it, lets it compute, and writes a report.  One translation
// unit: it is compiled at each cold configure run.
//
//   cudnn_checked_probe report=FILE [require=auto|located|linked|loaded|ran] [components=cnn,ops]
//                       [convolutions=legacy,graph/fp32/nchw] [devices=all|0,1|GPU-uuid]
//                       [header=PATH]
//
// With CUDNN_CHECKED_PROBE_KERNEL it is linked with kernel/kernel.cu, which the project's CUDA
// compiler compiled, and runs it on each GPU too; the report's key `kernel` says what came of it.
// No argument belongs to it.
//
// With CUDNN_CHECKED_PROBE_FILES_ONLY it needs neither cuDNN nor CUDA, takes also library=PATH and
// toolkit=13.0, and looks at the files of that install: for machines where the real one cannot be
// linked or started.
//
// Exit status: 0 not refused, 1 refused, 2 the arguments are wrong or the report cannot be written.
#include "../core/core.cpp"

#include <sys/auxv.h>

#include <cstdio>

#include "options.cpp"
#include "report_file.cpp"

#ifdef CUDNN_CHECKED_PROBE_FILES_ONLY
#include "install_system.h"
#else
#include "../convolution/compare.cpp"
#include "../convolution/reference.cpp"
#include "../convolution/values.cpp"
#include "choose_devices.cpp"
#include "cudnn_answers.cpp"
#include "devices.cpp"
#include "execution.cpp"
#include "gpu_run.cpp"
#include "graph_convolution.cpp"
#ifdef CUDNN_CHECKED_PROBE_KERNEL
#include "kernel_convolution.cpp"
#endif
#include "legacy_convolution.cpp"
#include "status.cpp"
#include "workload.cpp"
#endif

#ifndef CUDNN_CHECKED_PACKAGE_VERSION
#error "CUDNN_CHECKED_PACKAGE_VERSION must be defined as a string, for example \"0.1.0\""
#endif

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace probe {

enum exit_status : int { exit_accepted = 0, exit_refused = 1, exit_usage = 2 };

static int usage_error(const string& error) {
  std::fprintf(stderr, "cudnn_checked_probe: error: %s\n", error.c_str());
  return exit_usage;
}

/// What the report is made of, and the file that it goes to.
struct probing {
  const options& given;
  cudnn_check install;  ///< its stamp is what the headers say: the probe was compiled with them

  probing(const options& arguments, loader& search) : given(arguments), install(search) {
    install.stamped.package = CUDNN_CHECKED_PACKAGE_VERSION;
    install.stamped.components = given.components;
    install.options.level_required = given.level_required;
    install.options.required = given.required;
    install.options.gpu_optional = !(given.level_required && given.required == level::ran);
    install.observed.header_path = given.header;
  }

  json report() const {
    report_input input;
    input.stamped = &install.stamped;
    input.observed = &install.observed;
    input.judged = &install.judged;
    return make_probe_report(input);
  }

  /// Writes the finished report.  Prints one line on what was proved, unless it is refused, and the
  /// findings.
  int finish() const {
    const json finished = report();
    string error;
    if (!write_report(given.report, finished, error)) return usage_error(error);
    const verdict told = install.judged.result;
    if (told != verdict::refused) std::printf("%s\n", report_line(finished).c_str());
    if (told != verdict::ok) {
      const string prefix = string("cudnn_checked: ") + to_string(told);
      std::fputs(findings_message(install.judged.findings, prefix, severity::unknown).c_str(),
                 stdout);
    }
    return told == verdict::refused ? exit_refused : exit_accepted;
  }
};

#ifdef CUDNN_CHECKED_PROBE_FILES_ONLY

static int run(const options& given, const linux_system& real) {
  const install_system os(real, given.library);
  loader search(os);
  probing p(given, search);
  string header_text;
  if (os.read_text(given.header, header_text)) {
    p.install.stamped.cudnn_header = read_header_version(header_text);
  }
  p.install.stamped.toolkit = parse_version(given.toolkit);
  int major = major_of_name(base_name(given.library));
  if (major == 0) major = p.install.stamped.cudnn_header.major;
  check_named_install(p.install, major, given.library);
  return p.finish();
}

#else

/// Keeps the report of each stage on the disk.
class staged_report final : public stage_listener {
 public:
  explicit staged_report(probing& p) : probing_(p) {}

  /// An error of writing is not reported here: writing the last report has the same one.
  void stage(const string& what) override {
    cudnn_check& install = probing_.install;
    install.judged = judge_install_files(install.stamped, install.observed, install.options);
    string error;
    (void)write_report(probing_.given.report, with_stage(probing_.report(), what), error);
  }

 private:
  probing& probing_;
};

// What the legacy API's convolutions run through.
static constexpr library_role::known legacy_roles_9[] = {library_role::ops, library_role::cnn};
static constexpr library_role::known legacy_roles_8[] = {library_role::ops_infer,
                                                         library_role::cnn_infer};

/// Why the legacy API is not called; empty where it may be.  It ends the process where cuDNN has no
/// libcudnn_cnn or one of another release, and in a JIT-only set would bring in that of another
/// install.
static string why_no_legacy(const probing& p) {
  bool asked_for = p.given.components.empty();
  for (const string& component : p.given.components) {
    asked_for = asked_for || component == "cnn" || component == "adv";
  }
  if (!asked_for) return "COMPONENTS do not name cnn";
  const int major = p.install.observed.cudnn_major;
  const cudnn_set& set = p.install.judged.set;
  for (const library_role role : major >= 9 ? legacy_roles_9 : legacy_roles_8) {
    const cudnn_set::member* m = set.find(role);
    if (m == nullptr || !m->member_of_set) {
      return "this cuDNN has no libcudnn_" + string(to_string(role)) +
             ", and its legacy API would end the process";
    }
    if (!set.coherent() && !can_be(m->identity, majority(set))) {
      return "libcudnn_" + string(to_string(role)) +
             " is of another release, which ends the process";
    }
  }
  return {};
}

static void skip(probing& p, const convolution_kind& kind, const string& reason) {
  p.install.observed.skipped.push_back(string(kind.name) + ": " + reason);
}

static void skip_all(probing& p, const string& reason) {
  for (const convolution_kind* kind : p.given.convolutions) skip(p, *kind, reason);
}

/// The kinds that this cuDNN can run; the others are skipped.
static vector<const convolution_kind*> runnable_kinds(probing& p) {
  vector<const convolution_kind*> kinds;
  for (const convolution_kind* kind : p.given.convolutions) {
    const string reason = kind->legacy() ? why_no_legacy(p) : string();
    if (reason.empty()) {
      kinds.push_back(kind);
    } else {
      skip(p, *kind, reason);
    }
  }
  return kinds;
}

/// False where devices= names a GPU that is not here.
static bool convolve(probing& p, staged_report& staged, string& error) {
  staged.stage("cudaGetDeviceCount");
  string reason;
  observation& observed = p.install.observed;
  observe_devices(p.install.search.system(), observed, reason);
  if (p.given.level_required && p.given.required < level::ran) {
    skip_all(p, string("only level ") + to_string(p.given.required) + " was asked for");
    return true;
  }
  const vector<const convolution_kind*> kinds = runnable_kinds(p);
  if (observed.devices.source != gpu_source::cuda || observed.devices.gpus.empty()) {
    for (const convolution_kind* kind : kinds) skip(p, *kind, reason);
    return true;
  }
  vector<gpu> chosen;
  if (!choose_devices(observed.devices.gpus, p.given.devices, chosen, error)) return false;
  problem_store problems;
  for (const gpu& device : chosen) run_on_gpu(device, kinds, problems, staged, observed);
  return true;
}

static int run(const options& given, const linux_system& os) {
  loader search(os);
  probing p(given, search);
  p.install.stamped.cudnn_header = decode_cudnn_version(CUDNN_VERSION);
  p.install.stamped.toolkit = decode_cuda_version(CUDART_VERSION);
  const int major = p.install.stamped.cudnn_header.major;
  observation& observed = p.install.observed;
  look_at_install(search, major, observed);
  observe_driver(search, observed);
#ifdef CUDNN_CHECKED_PROBE_KERNEL
  observe_kernel(os, observed.program_path, observed);
  observed.kernel.cmake = given.cmake;
  observed.kernel.build_directory = given.build;
#endif
  staged_report staged(p);
  staged.stage("cudnnGetVersion");
  if (given.level_required && given.required < level::loaded) {
    skip_all(p, string("only level ") + to_string(given.required) + " was asked for");
  } else if (calling_may_abort(observed)) {
    skip_all(p, "cuDNN was not called, because its files could end the process");
  } else {
    ask_versions(observed.answers);
    staged.stage("the version checks");
    ask_version_checks(os, observed.answers);
    string error;
    if (!convolve(p, staged, error)) return usage_error(error);
    staged.stage("the version checks");
    ask_version_checks(os, observed.answers);
    loader after(os);
    look_at_install(after, major, observed);
  }
  p.install.judged = judge_install(p.install.stamped, observed, p.install.options);
  return p.finish();
}

#endif

static int main_of_probe(int count, char** arguments, char** environment) {
  options given;
  string error;
  if (!parse_options(count - 1, arguments + 1, given, error)) return usage_error(error);
  return run(given,
             linux_system(environment, getauxval(AT_SECURE) != 0 ? execution_mode::secure
                                                                 : execution_mode::ordinary));
}

}  // namespace probe
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked

int main(int count, char** arguments, char** environment) {
  return cudnn_checked::probe::main_of_probe(count, arguments, environment);
}
