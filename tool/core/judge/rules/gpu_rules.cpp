// SPDX-License-Identifier: BSD-3-Clause
#include "../../model/format.h"
#include "../../model/platform_words.h"
#include "coverage.h"
#include "cuda_drivers.h"
#include "rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

void tell_gpu(finding& f, const char* pattern, const gpu& device) {
  tell(f, pattern, device.index, device.capability, device.name);
}

void make_notes(std::size_t first, arena_vector<finding>& findings) {
  for (std::size_t i = first; i < findings.size(); ++i)
    findings.in_place()[i].weight = severity::note;
}

static bool has_driver(const rule_input& input) {
  return input.observed.driver.present != answer::no && !input.observed.driver.stub;
}

void rule_no_device(const rule_input& input, arena_vector<finding>& findings) {
  if (input.observed.devices.visible != answer::no || !has_driver(input)) return;
  if (input.at_configure() &&
      !(input.options.level_required && input.options.required == level::ran))
    return;
  finding& f = add_finding<finding_id::no_device>(findings);
  if (input.options.gpu_optional) f.weight = severity::note;
  const arena_string hidden_by = input.observed.devices.hidden_by;
  tell(f, "no GPU is visible to this program\n=needed|a GPU\n:found|none|%s", hidden_by);
  if (hidden_by.empty()) {
    tell(f, ">nvidia-smi lists the GPUs that the driver detects");
  } else {
    tell(f, "$%s\n>let CUDA_VISIBLE_DEVICES name a GPU", unset_command("CUDA_VISIBLE_DEVICES"));
  }
}

arena_string list_of_code(const arena_vector<device_code>& codes) {
  arena_string text;
  for (const device_code& code : codes) text += (text.empty() ? "" : ", ") + to_string(code);
  return text.empty() ? "nothing" : text;
}

static bool same_codes(const arena_vector<device_code>& a, const arena_vector<device_code>& b) {
  if (a.size() != b.size()) return false;
  for (const device_code& code : a) {
    const bool found = any_of(b, [&](const device_code& other) {
      return code.form == other.form && code.target == other.target;
    });
    if (!found) return false;
  }
  return true;
}

// A translation unit of the target itself (identified by the CUDA_ARCHITECTURES of the stamp) is
// judged for itself: its kernels will be launched.  What comes from static libraries may be
// specialised code that is launched on other GPUs only (one file for sm_90a, say), so of that it is
// enough that something fits.
arena_vector<code_container> code_of_program(const rule_input& input) {
  const arena_vector<device_code>& compiled = input.stamped.compiled;
  if (input.observed.code.readable != answer::yes) {
    if (compiled.empty()) return {};
    return {code_container{compiled}};
  }
  arena_vector<code_container> own;
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
static const code_container& worst_container(const arena_vector<code_container>& containers,
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

arena_string fix_by_architecture(const arena_vector<code_container>& containers,
                                 const gpu& device) {
  arena_string list;
  for (const device_code& code : worst_container(containers, device.capability).codes) {
    if (code.form == device_code::kind::cubin) list += to_string(code.target) + ";";
  }
  return format("compile it for this GPU as well: -DCMAKE_CUDA_ARCHITECTURES=\"%s%s\"", list,
                to_string(device.capability));
}

static void tell_coverage(coverage covered, const architecture& device, finding& f) {
  switch (covered) {
    case coverage::none:
      tell(f, "this program was not compiled for this GPU, %s\n.%s", device,
           why<finding_id::arch_not_built>());
      break;
    case coverage::unknown:
      f.weight = severity::unknown;
      tell(f,
           "whether this program has code for this GPU, %s, is not known\n"
           ".NVIDIA does not document that machine code for related GPUs runs on this chip.",
           device);
      break;
    default:
      tell(f, "this program carries no machine code for this GPU, %s, only PTX\n.%s", device,
           why<finding_id::arch_jit_only>());
  }
}

static void add_architecture(const rule_input& input,
                             const arena_vector<code_container>& containers, const gpu& device,
                             coverage covered, arena_vector<finding>& findings) {
  finding& f = append_finding(
      findings,
      covered == coverage::ptx_only ? finding_id::arch_jit_only : finding_id::arch_not_built, "");
  tell_coverage(covered, device.capability, f);
  const bool read = input.observed.code.readable == answer::yes;
  tell(f, "=compiled for|%s|%s%s\n>%s",
       list_of_code(worst_container(containers, device.capability).codes),
       read ? "" : "CUDA_ARCHITECTURES, stamp of ",
       read ? input.observed.code.path : input.stamped.program,
       fix_by_architecture(containers, device));
  tell_gpu(f, ":GPU %d|%s|%s", device);
}

// A program that finds code for one of the GPUs it sees can run there: the others are worth a note,
// such as the old card that drives a workstation's display.  At the start of a program it is worth
// no more than a note that the driver compiles PTX (docs/decisions.md); PTX that it cannot compile
// is driver-too-old.
void rule_architecture(const rule_input& input, arena_vector<finding>& findings) {
  const arena_vector<code_container> containers = code_of_program(input);
  if (containers.empty()) return;
  const driver_fit fit = fit_of(input.observed.driver, input.stamped.toolkit);
  const bool compiles = fit == driver_fit::full || fit == driver_fit::unknown;
  const std::size_t first = findings.size();
  bool any_covered = false;
  for (const gpu& device : input.observed.devices.gpus) {
    if (!device.capability.known()) continue;
    const coverage covered = coverage_of(containers, device.capability);
    if (covered != coverage::none && covered != coverage::unknown) any_covered = true;
    if (covered == coverage::cubin || (covered == coverage::ptx_only && !compiles)) continue;
    add_architecture(input, containers, device, covered, findings);
  }
  for (std::size_t i = first; i < findings.size(); ++i) {
    finding& f = findings.in_place()[i];
    const bool minor = f.id == finding_id::arch_jit_only ? input.options.at_start : any_covered;
    if (minor) f.weight = severity::note;
  }
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
