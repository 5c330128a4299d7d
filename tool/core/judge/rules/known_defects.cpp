// SPDX-License-Identifier: BSD-3-Clause
//
// Known defects, each scoped to release, architecture and operation.
#include "known_defects.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "../../model/cudnn_major.h"
#include "../../model/format.h"
#include "../../model/releases.h"
#include "../advice/wheel_commands.h"
#include "rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static constexpr const char* what_of_engines =
    "Autotuners meet it, ordinary calls do not: wrong or unwritten numbers, or a lost CUDA "
    "context.";
static constexpr const char* fix_of_engines =
    "write an errata file, which frameworks obey: cudnn-checked sweep --errata errata.json";

static constexpr char operation_names[] =
    "conv/fp32/nchw conv/fp16/nchw conv/bf16/nchw conv/fp32/nhwc conv/fp16/nhwc "
    "conv/bf16/nhwc conv/depthwise conv/asymmetric conv3d/fp32 conv3d/fp16 conv3d/bf16 "
    "sdpa/forward sdpa/backward sdpa/forward/decode sdpa/forward/dropout sdpa/forward/window "
    "sdpa/forward/fp8 sdpa/backward/dropout sdpa/backward/window sdpa/backward/fp8 "
    "sdpa/backward/graph matmul/block_scaled norm/mxfp8 rnn/masked rnn/backward/fp16 "
    "lstm/forward/fp16 lstm/backward/fp16 gru/forward/fp16 gru/backward/fp16 autotune/fwd/nchw "
    "autotune/fwd/nhwc autotune/dgrad/nchw autotune/dgrad/nhwc autotune/wgrad/nchw "
    "autotune/wgrad/nhwc";

// What the probe can prove by itself.
static constexpr char proved_names[] =
#define FUSED(name, text) text " "
#include "../../../facts/fused_operations.def"
#undef FUSED
    ;

static const char* take_text(const char*& texts) {
  const char* const text = texts;
  texts = text_at(texts, 1);
  return text;
}

arena_vector<known_defect> make_defects(const defect_scope* rows, std::size_t count,
                                        const char* texts) {
  arena_vector<known_defect> defects;
  for (std::size_t i = 0; i < count; ++i) {
    known_defect defect = {rows[i],          take_text(texts), take_text(texts),
                           take_text(texts), take_text(texts), take_text(texts)};
    if (defect.engine >= 0) {
      defect.what = what_of_engines;
      defect.fix = fix_of_engines;
    }
    if (*defect.fix == '\0') defect.fix = nullptr;
    defects.push_back(defect);
  }
  return defects;
}

std::string_view take_word(std::string_view& words) {
  const std::size_t end = std::min(words.find(' '), words.size());
  const std::string_view word(words.data(), end);
  words.remove_prefix(std::min(end + 1, words.size()));
  return word;
}

/// Takes "sdpa" or "attention", which are words for the same, from the front of a name.
static bool take_attention(std::string_view& name) {
  for (const char* const word : {"sdpa", "attention"}) {
    const std::size_t end = std::strlen(word);
    if (!starts_with(name, word) || (name.size() != end && name[end] != '/')) continue;
    name.remove_prefix(end);
    return true;
  }
  return false;
}

bool is_front_part(std::string_view part, std::string_view name) {
  const bool is_attention = take_attention(part);
  if (is_attention != take_attention(name) || (part.empty() && !is_attention)) return false;
  return starts_with(name, part) && (name.size() == part.size() || name[part.size()] == '/');
}

bool operations_meet(std::string_view a, std::string_view b) {
  return is_front_part(a, b) || is_front_part(b, a);
}

bool is_operation_name(arena_string name) {
  for (std::string_view known :
       {std::string_view(operation_names), std::string_view(proved_names)}) {
    while (!known.empty()) {
      if (is_front_part(name, take_word(known))) return true;
    }
  }
  return false;
}

/// Whether the program uses one of these operations, as far as it says.
static answer uses_one_of(const stamp& stamped, std::string_view operations) {
  answer result = stamped.operations.empty() ? answer::unknown : answer::no;
  for (const arena_string mine : stamped.operations) {
    // An unknown name says nothing, and must not hide a defect.
    if (!is_operation_name(mine) && result == answer::no) result = answer::unknown;
    for (std::string_view rest = operations; !rest.empty();) {
      if (operations_meet(mine, take_word(rest))) return answer::yes;
    }
  }
  return result;
}

int number_of(version release) {
  return release.major * 10000 + release.minor * 100 + release.patch;
}

version release_of(int number) {
  return version::of(number / 10000, number / 100 % 100, number % 100);
}

bool is_in_release(const known_defect& defect, version cudnn) {
  const int release = number_of(cudnn);
  return defect.first <= release && release <= defect.last;
}

bool is_in_set(const rule_input& input, const known_defect& defect) {
  if (!is_in_release(defect, input.set.effective)) return false;
  if (defect.set == defective_set::any) return true;
  // What a full set has besides, and computes graphs.
  return any_of(sublibraries_of(newest_cudnn), [&](const library_role& role) {
    return !is_jit_role(role) && calls_of(role) == role_called::no && lacks(input.set, role);
  });
}

bool is_on_gpu(const known_defect& defect, const gpu& device) {
  const int number = device.capability.major * 10 + device.capability.minor;
  return number >= defect.first_gpu && number <= defect.last_gpu;
}

const gpu* gpu_within(const gpu_facts& devices, const known_defect& defect) {
  return find_where(devices.gpus, [&](const gpu& device) { return is_on_gpu(defect, device); });
}

/// The library that a finding about the release points to.
const cudnn_file* computing_file(const rule_input& input) {
  const cudnn_set::member* m = input.set.find(computing_role(input.observed.cudnn_major));
  return m == nullptr ? nullptr : m->file;
}

// An install is not a program: which operations will be used is not known, and the probe has
// computed those that CuDNNChecked_CONVOLUTIONS and CuDNNChecked_OPERATIONS name.
static severity weight_of_defect(const rule_input& input, const known_defect& defect, answer used) {
  if (defect.reach == defect_reach::declared || defect.reach == defect_reach::narrow) {
    return severity::warning;
  }
  if (used == answer::yes) return severity::error;
  if (input.at_configure()) return severity::note;
  const bool quiet = input.options.at_start && defect.reach == defect_reach::rare;
  return quiet ? severity::note : severity::warning;
}

/// A release to upgrade to that has no other known defect of the operations that the program
/// declares.
static version mended_release(const rule_input& input, const known_defect& defect) {
  int release = defect.fixed;
  const arena_vector<known_defect> all = known_defects();
  for (const known_defect* row = all.begin(); row != all.end();) {
    const bool met = is_in_release(*row, release_of(release)) && row->fixed != 0 &&
                     row->set == defective_set::any &&
                     gpu_within(input.observed.devices, *row) != nullptr &&
                     uses_one_of(input.stamped, row->operations) == answer::yes;
    if (met) release = row->fixed;
    row = met ? all.begin() : row + 1;
  }
  return release_of(release);
}

/// Adds what is known of the defect, the GPU, and what to do.
void tell_defect(const rule_input& input, const known_defect& defect, const gpu& device,
                 finding& f) {
  tell(f,
       "=operations|%s|%s\n"
       ":cuDNN|%s|%s\n"
       ".%s",
       defect.operations, defect.source, input.set.effective, computing_file(input), defect.what);
  tell_gpu(f, "+GPU %d|%s|%s", device);
  if (defect.set == defective_set::without_engines) {
    tell(f, "+set|%s|no precompiled engines or no heuristic",
         input.set.jit_only ? "JIT-only" : "incomplete");
  }
  if (defect.fixed != 0) tell(f, ">upgrade to cuDNN %s or newer", mended_release(input, defect));
  if (defect.fix != nullptr) tell(f, ">%s", defect.fix);
  if (defect.fixed == 0 && defect.fix == nullptr) tell(f, ">take another release of cuDNN");
}

static void judge_defect(const rule_input& input, const known_defect& defect,
                         arena_vector<finding>& findings) {
  if (!is_in_set(input, defect)) return;
  const gpu* device = gpu_within(input.observed.devices, defect);
  const answer used = uses_one_of(input.stamped, defect.operations);
  if (device == nullptr || used == answer::no) return;
  if (defect.reach > defect_reach::rare && used != answer::yes) return;
  finding& f = append_finding(findings, finding_id::cudnn_known_bad);
  f.weight = weight_of_defect(input, defect, used);
  tell(f, "cuDNN %s has a known defect on this GPU, %s: %s", input.set.effective,
       device->capability, defect.id);
  tell_defect(input, defect, *device, f);
  if (used == answer::unknown && !input.at_configure()) {
    tell(f,
         ">a program that does not use them declares what it uses: cudnn_checked_guard(%s "
         "OPERATIONS ...)",
         input.stamped.program);
  }
}

static void judge_enumeration(const rule_input& input, arena_vector<finding>& findings) {
  version bad = since::enumeration_moved;
  version built = input.stamped.cudnn_header;
  if (input.at_configure() || input.set.effective != bad || built == bad || !built.known()) return;
  // cudnn-older and cudnn-major report the others.
  if (built.major != bad.major || built.minor > bad.minor) return;
  tell(append_finding(findings, finding_id::cudnn_known_bad),
       "cuDNN %s runs programs that were built with %s only\n"
       "=built with|%s|stamp of %s\n"
       ":cuDNN|%s|%s\n"
       ".Its enumerators of block-scaled types have other values than in other releases: calls "
       "would be misread.\n"
       ">upgrade to cuDNN %s or newer",
       bad, bad, built, input.stamped.program, input.set.effective, computing_file(input),
       since::enumeration_back);
}

/// The release in the library's name, else that of the wheel that has it: names of files in wheels
/// have only the major release.
static version release_of_cublas(const rule_input& input, const dependency& d) {
  const python_environment* const e = environment_of(input.observed, d.path);
  if (d.release.known() || e == nullptr) return d.release;
  const installed_wheel* const wheel = find_wheel(*e, wheel_for_cuda(cublas_wheel, d.cuda_major));
  return wheel == nullptr ? d.release : parse_version(wheel->number);
}

void judge_cublas(const rule_input& input, arena_vector<finding>& findings) {
  version release = input.set.effective;
  version mended = since::products_right;
  if (release.major != mended.major || !(release < mended)) return;
  if (input.observed.devices.gpus.size() < 2) return;
  for (const dependency& d : input.observed.dependencies) {
    if (d.kind != dependency_kind::cublaslt) continue;
    const version cublas = release_of_cublas(input, d);
    if (cublas < since::cublas_of_wrong_products) continue;
    finding& f = append_finding(findings, finding_id::cudnn_known_bad);
    if (input.at_configure()) f.weight = severity::note;
    // A framework may use one GPU alone.
    if (input.unstamped() != nullptr) f.weight = severity::warning;
    tell(f,
         "cuDNN %s with cuBLASLt %s computes wrong numbers on more than one GPU\n"
         "=cuDNN|%s|%s\n"
         ":cuBLASLt|%s|%s\n"
         "+GPUs|%d\n"
         ".Matrix products on several GPUs are wrong, and every status is success.\n"
         ">upgrade to cuDNN %s or newer\n"
         ">let CUDA_VISIBLE_DEVICES name one GPU",
         release, cublas, release, computing_file(input), cublas, d,
         input.observed.devices.gpus.size(), mended);
    return;
  }
}

void rule_known_bad(const rule_input& input, arena_vector<finding>& findings) {
  if (!input.observed.linked) return;
  judge_enumeration(input, findings);
  judge_cublas(input, findings);
  for (const known_defect& defect : known_defects()) judge_defect(input, defect, findings);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
