// SPDX-License-Identifier: BSD-3-Clause
#include "coverage.h"
#include "rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static bool has_driver(const judged& j) {
  return j.seen.driver.present != answer::no && !j.seen.driver.stub;
}

void rule_no_device(const judged& j, std::vector<finding>& findings) {
  if (j.seen.devices.visible != answer::no || !has_driver(j)) return;
  if (j.at_configure && !(j.how.level_required && j.how.required == level::ran)) return;
  finding f;
  f.name = "no-device";
  f.weight = j.how.gpu_optional ? severity::note : severity::error;
  f.summary = "no GPU is visible to this program";
  f.expected = {"needed", "a GPU", ""};
  f.found = {"found", "none", j.seen.devices.hidden_by};
  f.because = "cuDNN computes on a GPU only.";
  f.fix = j.seen.devices.hidden_by.empty() ? "nvidia-smi says which GPUs the driver has"
                                           : "unset CUDA_VISIBLE_DEVICES, or let it name a GPU";
  findings.push_back(f);
}

static std::string join(const std::vector<device_code>& codes) {
  std::string text;
  for (const device_code& code : codes) text += (text.empty() ? "" : ", ") + to_string(code);
  return text.empty() ? "nothing" : text;
}

/// The program's code: read from the finished file, else what the stamp says of its target.
static std::vector<code_container> code_of(const judged& j) {
  if (j.seen.code.readable == answer::yes) return j.seen.code.containers;
  if (j.stamped.compiled.empty()) return {};
  return {code_container{j.stamped.compiled}};
}

/// The container that covers the GPU worst: what to show.
static const code_container& worst_container(const std::vector<code_container>& containers,
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

static std::string architectures_to_build(const code_container& container, const gpu& device) {
  std::string list;
  for (const device_code& code : container.codes) {
    if (code.form == device_code::kind::cubin) list += to_string(code.target) + ";";
  }
  return list + to_string(device.capability);
}

static finding architecture_finding(const judged& j, const code_container& container,
                                    const gpu& device, coverage covered) {
  finding f;
  const bool none = covered == coverage::none;
  f.name = none ? "arch-not-built" : "arch-jit-only";
  f.weight = none ? severity::error : severity::warning;
  const std::string sm = to_sm_string(device.capability);
  f.summary = none ? "this program was not compiled for this GPU, " + sm
                   : "this program carries no machine code for this GPU, " + sm + ", only PTX";
  const std::string source = j.seen.code.readable == answer::yes
                                 ? j.seen.code.path
                                 : "CUDA_ARCHITECTURES, stamp of " + j.stamped.program;
  f.expected = {"compiled for", join(container.codes), source};
  f.found = {"GPU " + std::to_string(device.index), sm, device.name};
  f.because = none ? "Its first kernel would fail with error 209, no kernel image is available."
                   : "The driver compiles the PTX when the program starts, which takes time.";
  f.fix = "compile it for this GPU as well: -DCMAKE_CUDA_ARCHITECTURES=\"" +
          architectures_to_build(container, device) + "\"";
  return f;
}

// A program that finds code for one of the GPUs it sees can run there: the others are worth a
// warning.
void rule_architecture(const judged& j, std::vector<finding>& findings) {
  const std::vector<code_container> containers = code_of(j);
  if (containers.empty()) return;
  std::vector<finding> found;
  bool any_covered = false;
  for (const gpu& device : j.seen.devices.gpus) {
    if (!device.capability.known()) continue;
    const coverage covered = coverage_of(containers, device.capability);
    if (covered != coverage::none) any_covered = true;
    if (covered == coverage::cubin) continue;
    found.push_back(
        architecture_finding(j, worst_container(containers, device.capability), device, covered));
  }
  for (finding& f : found) {
    if (any_covered && f.weight == severity::error) f.weight = severity::warning;
    findings.push_back(f);
  }
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
