// SPDX-License-Identifier: BSD-3-Clause
#include "../../model/format.h"
#include "coverage.h"
#include "cuda_drivers.h"
#include "rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

fact gpu_fact(const gpu& device) {
  return {format("GPU %d", device.index), to_sm_string(device.capability), device.name};
}

static bool has_driver(const rule_input& input) {
  return input.observed.driver.present != answer::no && !input.observed.driver.stub;
}

void rule_no_device(const rule_input& input, vector<finding>& findings) {
  if (input.observed.devices.visible != answer::no || !has_driver(input)) return;
  if (input.at_configure && !(input.options.level_required && input.options.required == level::ran))
    return;
  finding f(finding_id::no_device);
  f.weight = input.options.gpu_optional ? severity::note : severity::error;
  f.summary = "no GPU is visible to this program";
  f.expected = {"needed", "a GPU", ""};
  f.found = {"found", "none", input.observed.devices.hidden_by};
  f.because = why<finding_id::no_device>();
  f.fix = input.observed.devices.hidden_by.empty()
              ? "nvidia-smi lists the GPUs that the driver detects"
              : "unset CUDA_VISIBLE_DEVICES, or let it name a GPU";
  findings.push_back(f);
}

static string join(const vector<device_code>& codes) {
  string text;
  for (const device_code& code : codes) text += (text.empty() ? "" : ", ") + to_string(code);
  return text.empty() ? "nothing" : text;
}

static bool same_codes(const vector<device_code>& a, const vector<device_code>& b) {
  if (a.size() != b.size()) return false;
  for (const device_code& code : a) {
    bool found = false;
    for (const device_code& other : b) {
      found = found || (code.form == other.form && code.target == other.target);
    }
    if (!found) return false;
  }
  return true;
}

// A translation unit of the target itself (identified by the CUDA_ARCHITECTURES of the stamp) is
// judged for itself: its kernels will be launched.  What comes from static libraries may be
// specialised code that is launched on other GPUs only (one file for sm_90a, say), so of that it is
// enough that something fits.
vector<code_container> code_of_program(const rule_input& input) {
  const vector<device_code>& compiled = input.stamped.compiled;
  if (input.observed.code.readable != answer::yes) {
    if (compiled.empty()) return {};
    return {code_container{compiled}};
  }
  vector<code_container> own;
  code_container all;
  for (const code_container& container : input.observed.code.containers) {
    if (same_codes(container.codes, compiled)) own.push_back(container);
    for (const device_code& code : container.codes) all.codes.push_back(code);
  }
  if (!own.empty()) return own;
  if (all.codes.empty()) return {};
  return {all};
}

/// The container that covers the GPU worst: what to show.
static const code_container& worst_container(const vector<code_container>& containers,
                                             const architecture& device) {
  std::size_t worst = 0;
  for (std::size_t i = 1; i < containers.size(); ++i) {
    if (static_cast<int>(coverage_of(containers[i], device)) <
        static_cast<int>(coverage_of(containers[worst], device))) {
      worst = i;
    }
  }
  return containers[worst];
}

string fix_by_architecture(const vector<code_container>& containers, const gpu& device) {
  string list;
  for (const device_code& code : worst_container(containers, device.capability).codes) {
    if (code.form == device_code::kind::cubin) list += to_string(code.target) + ";";
  }
  return format("compile it for this GPU as well: -DCMAKE_CUDA_ARCHITECTURES=\"%s%s\"",
                list.c_str(), to_string(device.capability).c_str());
}

static void describe_coverage(coverage covered, const string& sm, finding& f) {
  switch (covered) {
    case coverage::none:
      f.summary = "this program was not compiled for this GPU, " + sm;
      f.because = why<finding_id::arch_not_built>();
      break;
    case coverage::unknown:
      f.weight = severity::unknown;
      f.summary =
          format("whether this program has code for this GPU, %s, is not known", sm.c_str());
      f.because = "NVIDIA does not document that machine code for related GPUs runs on this chip.";
      break;
    default:
      f.summary =
          format("this program carries no machine code for this GPU, %s, only PTX", sm.c_str());
      f.because = why<finding_id::arch_jit_only>();
  }
}

static finding architecture_finding(const rule_input& input,
                                    const vector<code_container>& containers, const gpu& device,
                                    coverage covered) {
  finding f(covered == coverage::ptx_only ? finding_id::arch_jit_only : finding_id::arch_not_built);
  const string sm = to_sm_string(device.capability);
  describe_coverage(covered, sm, f);
  const string source = input.observed.code.readable == answer::yes
                            ? input.observed.code.path
                            : "CUDA_ARCHITECTURES, stamp of " + input.stamped.program;
  f.expected = {"compiled for", join(worst_container(containers, device.capability).codes), source};
  f.found = gpu_fact(device);
  f.fix = fix_by_architecture(containers, device);
  return f;
}

// A program that finds code for one of the GPUs it sees can run there: the others are worth a note,
// such as the old card that drives a workstation's display.  At the start of a program it is worth
// no more than a note that the driver compiles PTX (docs/decisions.md); PTX that it cannot compile
// is driver-too-old.
void rule_architecture(const rule_input& input, vector<finding>& findings) {
  const vector<code_container> containers = code_of_program(input);
  if (containers.empty()) return;
  const driver_fit fit = fit_of(input.observed.driver, input.stamped.toolkit);
  const bool compiles = fit == driver_fit::full || fit == driver_fit::unknown;
  vector<finding> found;
  bool any_covered = false;
  for (const gpu& device : input.observed.devices.gpus) {
    if (!device.capability.known()) continue;
    const coverage covered = coverage_of(containers, device.capability);
    if (covered != coverage::none && covered != coverage::unknown) any_covered = true;
    if (covered == coverage::cubin || (covered == coverage::ptx_only && !compiles)) continue;
    found.push_back(architecture_finding(input, containers, device, covered));
  }
  for (finding& f : found) {
    const bool minor = f.id == finding_id::arch_jit_only ? input.options.at_start : any_covered;
    if (minor) f.weight = severity::note;
    findings.push_back(f);
  }
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
