// SPDX-License-Identifier: BSD-3-Clause
#include "proving.h"

#include <cstdlib>
#include <utility>

#include "../core/model/cudnn_major.h"
#include "../core/model/library_role.h"
#include "../core/model/library_spelling.h"
#include "../core/observe/observe.h"
#include "../core/report/report.h"
#include "cmake_program.h"

#ifndef CUDNN_CHECKED_PACKAGE_VERSION
#error "CUDNN_CHECKED_PACKAGE_VERSION must be defined as a string, for example \"0.1.0\""
#endif

namespace cudnn_checked::prove {

proving::proving(const options& given, told_system& os, const system_interface& before,
                 int cudnn_major)
    : given_(given), os_(os), cudnn_major_(cudnn_major), search_(before), install_(search_) {
  install_.stamped.package = CUDNN_CHECKED_PACKAGE_VERSION;
  install_.stamped.components = given.components;
  install_.options.level_required = given.level_required;
  install_.options.required = given.required;
  install_.options.install_named = given.named;
  install_.options.gpu_optional = !(given.level_required && given.required == level::ran);
  install_.observed.header_path = given.header;
  install_.observed.header_found = given.found;
  install_.observed.compile_flags = given.flags;
  if (!given.linked.empty()) install_.observed.library_found = os.real_path(given.linked);
}

report_input proving::report(const arena_string& stage) const {
  report_input input;
  input.stamped = &install_.stamped;
  input.observed = &install_.observed;
  input.judged = &install_.judged;
  input.stage = stage;
  if (!given_.sweep.empty()) {
    input.sweep = to_string(std::strtoll(given_.sweep.c_str(), nullptr, 10));
  }
  return input;
}

// The sub-libraries of cuDNN 9 that run the legacy API.
#define RUNS(work, role) static constexpr library_role::known runs_##work = library_role::role;
#include "../core/model/legacy_work.def"
#undef RUNS

static library_role::known runner_of(fused_operation what) {
  if (is_recurrent(what) || what == fused_operation::ctc_loss) return runs_recurrent;
  const bool is_convolution = what == fused_operation::conv_backward_data ||
                              what == fused_operation::conv_backward_filter ||
                              what == fused_operation::conv_backward_bias ||
                              what == fused_operation::conv_activation;
  return is_convolution ? runs_convolutions : runs_operations;
}

/// The reason not to call the legacy API; empty if it can be called.  The call ends the process if
/// cuDNN lacks one of these libraries or has one of another release.  In a JIT-only set it can load
/// the library of another install.
static arena_string why_no_legacy(const options& given, const cudnn_set& set,
                                  library_role component, int cudnn_major) {
  const bool asked_for =
      given.components.empty() || any_of(given.components, [&](const arena_string& name) {
        return contains(used_by(library_role::named(name)), component);
      });
  const library_role runner =
      has_graph_library(cudnn_major) ? component : in_cudnn_8(component).front();
  if (!asked_for) return arena_string("COMPONENTS do not name ") + to_string(component);
  for (const library_role& role : used_by(runner)) {
    if (is_jit_role(role)) continue;
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

void proving::skip(const convolution_kind& kind, const arena_string& reason) {
  install_.observed.skipped.push_back({kind.name, reason, false});
}

void proving::skip(fused_operation what, const arena_string& reason) {
  install_.observed.skipped.push_back({to_string(what), reason, true});
}

void proving::skip_asked(const arena_string& reason) {
  for (const convolution_kind* kind : kinds_) skip(*kind, reason);
  for (const fused_operation what : operations_) skip(what, reason);
}

void proving::choose_work() {
  const int major = install_.observed.cudnn_major;
  const cudnn_set& set = install_.judged.set;
  for (const fused_operation what : given_.operations) {
    const bool known = major >= first_major_with_fused_operations;
    arena_string reason;
    if (!known) {
      reason = "needs cuDNN 9";
    } else if (is_legacy(what)) {
      reason = why_no_legacy(given_, set, runner_of(what), major);
    }
    if (reason.empty()) {
      operations_.push_back(what);
    } else {
      skip(what, reason);
    }
  }
  for (const convolution_kind* kind : given_.convolutions) {
    const arena_string reason =
        kind->legacy() ? why_no_legacy(given_, set, runs_convolutions, major) : arena_string();
    if (reason.empty()) {
      kinds_.push_back(kind);
    } else {
      skip(*kind, reason);
    }
  }
}

template <class element, class name_of>
static void add_list(const char* key, const arena_vector<element>& all, const name_of& name,
                     std::vector<std::string>& arguments) {
  std::string list;
  for (const element& one : all) list += (list.empty() ? "" : ",") + std::string(name(one));
  if (!list.empty()) arguments.push_back(std::string(key) + "=" + list);
}

std::vector<std::string> proving::plan() {
  observation& observed = install_.observed;
  if (given_.library.empty()) {
    look_at_install(search_, cudnn_major_, observed);
    observe_driver(search_, observed);
    install_.judged = judge_install_files(install_.stamped, observed, install_.options);
  } else {
    check_named_install(install_, cudnn_major_, given_.library);
  }
  const bool asks = !(given_.level_required && given_.required < level::loaded);
  const bool computes = !(given_.level_required && given_.required < level::ran);
  const bool may_abort = asks && calling_may_abort(observed);
  if (computes && !may_abort) {
    choose_work();
  } else {
    kinds_ = given_.convolutions;
    operations_ = given_.operations;
    skip_asked(may_abort
                   ? arena_string("cuDNN was not called, because its files could end the "
                                  "process")
                   : arena_string("only level ") + to_string(given_.required) + " was asked for");
  }
  if (!asks || may_abort) return {"call=no"};
  if (!computes) return {"compute=no"};
  std::vector<std::string> arguments;
  add_list(
      "convolutions", kinds_, [](const convolution_kind* one) { return one->name; }, arguments);
  add_list(
      "operations", operations_, [](fused_operation one) { return to_string(one); }, arguments);
  if (given_.each_device) arguments.push_back("devices=all");
  add_list(
      "devices", given_.devices, [](const arena_string& one) { return one.c_str(); }, arguments);
  return arguments;
}

void proving::take(const told_facts& told) {
  observation& observed = install_.observed;
  if (told.header().known()) install_.stamped.cudnn_header = told.header();
  if (told.toolkit().known()) install_.stamped.toolkit = told.toolkit();
  told.put_into(observed);
  if (!observed.kernel.compiler.empty()) {
    observe_program_code(os_, os_.program_path(), observed);
    observed.kernel.cmake = cmake_to_type(os_, given_.cmake);
    observed.kernel.build_directory = given_.build;
  }
  // If the runtime cannot answer, it is still useful whether there is a GPU at all.
  if (!observed.devices.failed_call.empty()) {
    const gpu_facts failed = observed.devices;
    observe_gpus_on_pci(os_, observed);
    observed.devices.failed_call = failed.failed_call;
    observed.devices.status = failed.status;
    observed.devices.status_name = failed.status_name;
    observed.devices.status_text = failed.status_text;
  } else if (observed.devices.source == gpu_source::cuda && observed.devices.gpus.empty()) {
    arena_string value;
    if (os_.variable("CUDA_VISIBLE_DEVICES", value)) {
      observed.devices.hidden_by = "CUDA_VISIBLE_DEVICES=" + value;
    }
  }
}

static arena_string list_of(const arena_vector<gpu>& gpus) {
  arena_string list;
  for (const gpu& one : gpus) {
    list += "\n  " + to_string(one.index) + "  " + one.uuid + "  " + one.name;
  }
  return list;
}

bool proving::conclude(const told_facts& told, arena_string& error) {
  observation& observed = install_.observed;
  take(told);
  if (!told.no_such_gpu().empty()) {
    error = "devices= names '" + arena_string(told.no_such_gpu()) +
            "', which this machine does not have; it has:" + list_of(observed.devices.gpus);
    return false;
  }
  const bool computes = !(given_.level_required && given_.required < level::ran);
  if (computes && !told.why_no_gpu().empty()) skip_asked(told.why_no_gpu());
  os_.set_mapped(told.mapped());
  loader after(os_);
  look_at_install(after, cudnn_major_, observed);
  install_.judged = judge_install(install_.stamped, observed, install_.options);
  mark_untried(install_.judged.findings);
  return true;
}

void proving::conclude_unfinished(const told_facts& told) {
  take(told);
  install_.judged = judge_install_files(install_.stamped, install_.observed, install_.options);
}

}  // namespace cudnn_checked::prove
