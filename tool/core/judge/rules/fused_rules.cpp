// SPDX-License-Identifier: BSD-3-Clause
//
// The findings of a run of a fused operation that no run of a convolution has.
#include "../../model/format.h"
#include "../advice/advice.h"
#include "../judge.h"
#include "known_defects.h"
#include "rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static bool is_told(const finding& f, const char* id) {
  return any_of(f.more, [&](const fact& line) { return line.value == id; });
}

/// A defect of decoding or of FP8 alone, say, is none of all attention; one of fp16 is of runs in
/// fp16.
static bool names_all_of(const known_defect& defect, const convolution& run) {
  const arena_string name = format("%s/%s", to_string(run.operation), to_string(run.type));
  for (std::string_view rest = defect.operations; !rest.empty();) {
    if (is_front_part(take_word(rest), name)) return true;
  }
  return false;
}

void add_known_defects(const rule_input& input, const convolution& run, finding& f) {
  const gpu& device = gpu_of_run(input.observed, run);
  for (const known_defect& defect : known_defects()) {
    if (!is_in_set(input, defect) || !is_on_gpu(defect, device)) continue;
    if (!names_all_of(defect, run) || is_told(f, defect.id)) continue;
    f.more.push_back({"may be", defect.id, defect.source});
  }
}

bool may_be_in_every_release(const finding& f) {
  return any_of(known_defects(), [&](const known_defect& defect) {
    return defect.fixed == 0 && defect.set == defective_set::any && is_told(f, defect.id);
  });
}

fix_lines fixes_of_step(step_kind kind) {
  if (kind != step_kind::operation) return {};
  return {advice(leave_out_operation)};
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
