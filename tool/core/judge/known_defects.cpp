// SPDX-License-Identifier: BSD-3-Clause
//
// Known defects, each scoped to release, architecture and operation.
#include "known_defects.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "../model/format.h"
#include "rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static constexpr known_defect known_defect_rows[] = {
#include "known_defects.inc"
};

static constexpr const char* operation_names[] = {
    "conv/fp32/nchw", "conv/fp16/nchw", "conv/bf16/nchw", "conv/fp32/nhwc",
    "conv/fp16/nhwc", "conv/bf16/nhwc", "conv3d/fp32",    "conv3d/fp16",
    "conv3d/bf16",    "sdpa/forward",   "sdpa/backward"};

std::vector<known_defect> known_defects() {
  return {std::begin(known_defect_rows), std::end(known_defect_rows)};
}

static bool is_front_part(std::string_view part, std::string_view name) {
  return !part.empty() && name.substr(0, part.size()) == part &&
         (name.size() == part.size() || name[part.size()] == '/');
}

bool operations_meet(const std::string& a, const std::string& b) {
  return is_front_part(a, b) || is_front_part(b, a);
}

bool is_operation_name(const std::string& name) {
  for (const char* known : operation_names) {
    if (is_front_part(name, known)) return true;
  }
  return false;
}

/// Whether the program uses one of these operations, as far as it says.
static answer uses_one_of(const stamp& stamped, std::string_view operations) {
  answer result = stamped.operations.empty() ? answer::unknown : answer::no;
  for (const std::string& mine : stamped.operations) {
    // A name that nobody knows says nothing, and must not hide a defect.
    if (!is_operation_name(mine) && result == answer::no) result = answer::unknown;
    for (std::size_t at = 0; at < operations.size();) {
      const std::size_t end = std::min(operations.find(' ', at), operations.size());
      if (operations_meet(mine, std::string(operations.substr(at, end - at)))) return answer::yes;
      at = end + 1;
    }
  }
  return result;
}

static bool is_in_set(const judged& j, const known_defect& defect) {
  const version& release = j.set.effective;
  if (!release.known() || release < defect.first || defect.last < release) return false;
  if (defect.cuda_major != 0 && majority(j.set).cuda_major != defect.cuda_major) return false;
  if (defect.set == defective_set::any) return true;
  for (const char* role : {"engines_precompiled", "heuristic"}) {
    const cudnn_set::member* m = j.set.find(role);
    if (m == nullptr || !m->member_of_set) return true;
  }
  return false;
}

static const gpu* gpu_within(const gpu_facts& devices, const known_defect& defect) {
  for (const gpu& device : devices.gpus) {
    const int number = device.capability.major * 10 + device.capability.minor;
    if (number >= defect.first_gpu && number <= defect.last_gpu) return &device;
  }
  return nullptr;
}

/// The library that a finding about the release points to.
static fact fact_of_release(const judged& j) {
  fact f{"cuDNN", to_string(j.set.effective), ""};
  const cudnn_set::member* m = j.set.find(j.seen.cudnn_major >= 9 ? "graph" : "ops_infer");
  if (m != nullptr) f.where = where_of(*m->file);
  return f;
}

// An install is not a program: which operations will be used is not known, and the probe has
// computed those that CuDNNChecked_CONVOLUTIONS names.
static severity weight_of_defect(const judged& j, const known_defect& defect, answer used) {
  if (used == answer::yes) return severity::error;
  if (j.at_configure) return severity::note;
  const bool quiet = j.how.at_start && defect.reach == defect_reach::rare;
  return quiet ? severity::note : severity::warning;
}

static void judge_defect(const judged& j, const known_defect& defect,
                         std::vector<finding>& findings) {
  if (!is_in_set(j, defect)) return;
  const gpu* device = gpu_within(j.seen.devices, defect);
  const answer used = uses_one_of(j.stamped, defect.operations);
  if (device == nullptr || used == answer::no) return;
  finding f;
  f.name = "cudnn-known-bad";
  f.weight = weight_of_defect(j, defect, used);
  f.summary =
      format("cuDNN %s has a known defect on this GPU, %s: %s", to_string(j.set.effective).c_str(),
             to_sm_string(device->capability).c_str(), defect.id);
  f.expected = {"operations", defect.operations, defect.source};
  f.found = fact_of_release(j);
  f.more.push_back(gpu_fact(*device));
  if (defect.set == defective_set::without_engines) {
    f.more.push_back({"set", j.set.jit_only ? "JIT-only" : "incomplete",
                      "no precompiled engines or no heuristic"});
  }
  f.because = defect.what;
  f.fix = defect.fix;
  if (used == answer::unknown && !j.at_configure) {
    f.fix += format(
        "; a program that does not use them says what it uses: cudnn_checked_guard(%s OPERATIONS "
        "...)",
        j.stamped.program.c_str());
  }
  findings.push_back(f);
}

// cuDNN 9.10.1 Release Notes, by way of JAX's list of releases that it refuses
// (jax_plugins/cuda/__init__.py): 9.10.0 has values of an enumeration in another order than every
// other release.
static void judge_enumeration(const judged& j, std::vector<finding>& findings) {
  const version bad{9, 10, 0};
  const version& built = j.stamped.cudnn_header;
  if (j.at_configure || j.set.effective != bad || built == bad || !built.known()) return;
  if (built.major != 9 || built.minor > 10) return;  // cudnn-older and cudnn-major say it
  finding f;
  f.name = "cudnn-known-bad";
  f.summary = "cuDNN 9.10.0 runs programs that were built with 9.10.0 only";
  f.expected = {"built with", to_string(built), "stamp of " + j.stamped.program};
  f.found = fact_of_release(j);
  f.because =
      "Its numbers for block-scaled types are not those of other releases: a call would mean "
      "something else.";
  f.fix = "install cuDNN 9.10.1 or newer";
  findings.push_back(f);
}

// cuDNN 9.10.0 Release Notes, by way of the same list: before 9.10.1, with cuBLASLt 12.9 and more
// than one GPU, matrix products come out wrong.
static void judge_cublas(const judged& j, std::vector<finding>& findings) {
  const version& release = j.set.effective;
  if (release.major != 9 || !(release < version{9, 10, 1})) return;
  if (j.seen.devices.gpus.size() < 2) return;
  for (const dependency& d : j.seen.dependencies) {
    if (d.kind != "cublasLt" || d.release < version{12, 9, 0}) continue;
    finding f;
    f.name = "cudnn-known-bad";
    if (j.at_configure) f.weight = severity::note;
    f.summary = format("cuDNN %s with cuBLASLt %s computes wrong numbers on more than one GPU",
                       to_string(release).c_str(), to_string(d.release).c_str());
    f.expected = fact_of_release(j);
    f.found = {"cuBLASLt", to_string(d.release),
               d.path + (d.chosen_by.empty() ? "" : "   chosen by " + d.chosen_by)};
    f.more.push_back({"GPUs", std::to_string(j.seen.devices.gpus.size()), ""});
    f.because = "Matrix products of several GPUs come out wrong, and every status is success.";
    f.fix = "install cuDNN 9.10.1 or newer; or let CUDA_VISIBLE_DEVICES name one GPU";
    findings.push_back(f);
    return;
  }
}

void rule_known_bad(const judged& j, std::vector<finding>& findings) {
  if (!j.seen.linked) return;
  judge_enumeration(j, findings);
  judge_cublas(j, findings);
  for (const known_defect& defect : known_defect_rows) judge_defect(j, defect, findings);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
