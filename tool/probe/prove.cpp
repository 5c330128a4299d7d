// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstdlib>
#include <utility>

#include "../core/model/library_spelling.h"
#include "../core/observe/observe.h"
#include "../core/report/report.h"
#include "asked.h"
#include "convolutions.h"
#include "gpu_processes.h"
#include "operations.h"
#include "probing.h"

#ifndef CUDNN_CHECKED_PACKAGE_VERSION
#error "CUDNN_CHECKED_PACKAGE_VERSION must be defined as a string, for example \"0.1.0\""
#endif

namespace cudnn_checked::probe {

probing::probing(const options& arguments, loader& search) : given(arguments), install(search) {
  install.stamped.package = CUDNN_CHECKED_PACKAGE_VERSION;
  install.stamped.components = given.components;
  install.options.level_required = given.level_required;
  install.options.required = given.required;
  install.options.install_named = given.named;
  install.options.gpu_optional = !(given.level_required && given.required == level::ran);
  install.observed.header_path = given.header;
}

json probing::report(const arena_string& stage) const {
  report_input input;
  input.stamped = &install.stamped;
  input.observed = &install.observed;
  input.judged = &install.judged;
  input.stage = stage;
  json made = make_probe_report(input);
  if (!given.sweep.empty()) {
    json sweep = json::object();
    sweep.add_number("asked", std::strtoll(given.sweep.c_str(), nullptr, 10));
    made.add("sweep", std::move(sweep));
  }
  return made;
}

/// Has the report of each stage kept.
class staged_report final : public stage_listener {
 public:
  staged_report(probing& p, report_keeper& keeper) : probing_(p), keeper_(keeper) {}

  void stage(const arena_string& what) override {
    cudnn_check& install = probing_.install;
    install.judged = judge_install_files(install.stamped, install.observed, install.options);
    keeper_.keep(probing_, what);
  }

 private:
  probing& probing_;
  report_keeper& keeper_;
};

// What the legacy API's convolutions run through.
static constexpr library_role::known legacy_roles_9[] = {library_role::ops, library_role::cnn};
static constexpr library_role::known legacy_roles_8[] = {library_role::ops_infer,
                                                         library_role::cnn_infer};

/// Why the legacy API is not called; empty where it may be.  It ends the process where cuDNN has no
/// libcudnn_cnn or one of another release, and in a JIT-only set would bring in that of another
/// install.
static arena_string why_no_legacy(const probing& p) {
  bool asked_for = p.given.components.empty();
  for (const arena_string& component : p.given.components) {
    asked_for = asked_for || component == "cnn" || component == "adv";
  }
  if (!asked_for) return "COMPONENTS do not name cnn";
  const int major = p.install.observed.cudnn_major;
  const cudnn_set& set = p.install.judged.set;
  for (const library_role role : major >= 9 ? legacy_roles_9 : legacy_roles_8) {
    const cudnn_set::member* m = set.find(role);
    const arena_string name = arena_string(cudnn_name_prefix()) + "_" + to_string(role);
    if (m == nullptr || !m->member_of_set) {
      return "this cuDNN has no " + name + ", and its legacy API would end the process";
    }
    if (!set.coherent() && !can_be(m->identity, majority(set))) {
      return name + " is of another release, which ends the process";
    }
  }
  return {};
}

// Attention's graphs and engines as they are made here came with cuDNN 9.
static constexpr int first_major_with_fused_operations = 9;

static void skip(probing& p, const char* name, const arena_string& reason) {
  p.install.observed.skipped.push_back(arena_string(name) + ": " + reason);
}

static void skip(probing& p, const work& asked, const arena_string& reason) {
  for (const convolution_kind* kind : asked.kinds) skip(p, kind->name, reason);
  for (const fused_operation what : asked.operations) skip(p, to_string(what), reason);
}

static void skip_all(probing& p, const arena_string& reason) {
  skip(p, work{p.given.convolutions, p.given.operations}, reason);
}

bool has_operations() { return operations_are_brought; }

/// Of what was asked, what this cuDNN can run; the rest is skipped.
static work runnable(probing& p) {
  work asked;
  for (const fused_operation what : p.given.operations) {
    if (computes_operations &&
        p.install.observed.cudnn_major >= first_major_with_fused_operations) {
      asked.operations.push_back(what);
    } else {
      skip(p, to_string(what), "needs cuDNN 9");
    }
  }
  for (const convolution_kind* kind : p.given.convolutions) {
    const arena_string reason = kind->legacy() ? why_no_legacy(p) : arena_string();
    if (reason.empty()) {
      asked.kinds.push_back(kind);
    } else {
      skip(p, kind->name, reason);
    }
  }
  return asked;
}

/// As if one process had computed all of a GPU.
static void sort_runs(arena_vector<convolution>& runs) {
  const auto all = runs.in_place();
  std::stable_sort(all.begin(), all.end(), [](const convolution& one, const convolution& other) {
    return one.device != other.device ? one.device < other.device : one.turn < other.turn;
  });
}

/// The first of them in this process, so that what cuDNN maps is seen in it.  Fused operations by
/// several processes on each GPU: cuDNN compiles most of their problems anew.
static void compute_on(const arena_vector<gpu>& chosen, const work& asked, gpu_processes& others,
                       staged_report& staged, observation& observed) {
  const int shares = asked.operations.empty() ? 1 : gpu_processes::most_shares();
  arena_vector<share> here;
  for (const gpu& device : chosen) {
    for (int number = 0; number < shares; ++number) {
      const share one = {device.index, device.capability, number, shares};
      if (here.empty() || !others.start(one)) here.push_back(one);
    }
  }
  problem_store problems;
  arena_vector<share> left;
  for (const share& one : here) {
    const std::size_t runs = observed.convolutions.size();
    const std::size_t kernel_runs = observed.kernel.runs.size();
    if (run_on_gpu(one, asked, problems, staged, observed) || shares == 1) continue;
    observed.convolutions.resize(runs);
    observed.kernel.runs.resize(kernel_runs);
    left.push_back(one);
  }
  left.append(others.finish(staged, observed));
  // The others have ended, and what they held of the GPU's memory is free.
  for (const share& one : left) {
    if (!run_on_gpu(one, asked, problems, staged, observed)) break;
  }
  if (shares > 1) sort_runs(observed.convolutions);
}

/// False where devices= names a GPU that is not here.
static bool compute(probing& p, const work& asked, bool computes, gpu_processes& others,
                    staged_report& staged, arena_string& error) {
  observation& observed = p.install.observed;
  staged.stage("cudaGetDeviceCount");
  arena_string reason;
  observe_devices(p.install.search.system(), observed, reason);
  if (!computes) {
    skip_all(p, arena_string("only level ") + to_string(p.given.required) + " was asked for");
    return true;
  }
  if (observed.devices.source != gpu_source::cuda || observed.devices.gpus.empty()) {
    skip(p, asked, reason);
    return true;
  }
  arena_vector<gpu> chosen;
  if (!choose_devices(observed.devices.gpus, p.given, chosen, error)) return false;
  compute_on(chosen, asked, others, staged, observed);
  return true;
}

bool prove(probing& p, int cudnn_major, report_keeper& keeper, arena_string& error) {
  loader& search = p.install.search;
  const system_interface& os = search.system();
  observation& observed = p.install.observed;
  look_at_install(search, cudnn_major, observed);
  observe_driver(search, observed);
#ifdef CUDNN_CHECKED_PROBE_KERNEL
  observe_kernel(os, observed.program_path, observed);
  observed.kernel.cmake = p.given.cmake;
  observed.kernel.build_directory = p.given.build;
#endif
  staged_report staged(p, keeper);
  staged.stage("cudnnGetVersion");
  if (p.given.level_required && p.given.required < level::loaded) {
    skip_all(p, arena_string("only level ") + to_string(p.given.required) + " was asked for");
  } else if (calling_may_abort(observed)) {
    skip_all(p, "cuDNN was not called, because its files could end the process");
  } else {
    const bool computes = !(p.given.level_required && p.given.required < level::ran);
    const work asked = computes ? runnable(p) : work();
    // Before cuDNN is asked for its versions: that starts CUDA (seen on a machine with two GPUs).
    gpu_processes others(asked);
    ask_versions(observed.answers);
    staged.stage("the version checks");
    ask_version_checks(os, observed.answers);
    if (!compute(p, asked, computes, others, staged, error)) return false;
    staged.stage("the version checks");
    ask_version_checks(os, observed.answers);
    loader after(os);
    look_at_install(after, cudnn_major, observed);
  }
  p.install.judged = judge_install(p.install.stamped, observed, p.install.options);
  mark_untried(p.install.judged.findings);
  return true;
}

}  // namespace cudnn_checked::probe
