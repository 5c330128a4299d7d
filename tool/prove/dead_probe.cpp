// SPDX-License-Identifier: BSD-3-Clause
#include "dead_probe.h"

#include "../core/judge/advice/advice.h"
#include "../core/judge/judge.h"
#include "../core/model/format.h"
#include "../spawn/spawn.h"

namespace cudnn_checked::prove {

static finding timed_out(const dead_probe& dead) {
  finding f(finding_id::probe_timeout);
  f.summary = format("the probe did not finish within %s", dead.end.detail);
  f.expected = {"limit", dead.end.detail, dead.limit};
  f.because = "A program that uses this cuDNN may hang in the same call.";
  f.fix = dead.longer;
  f.fix.push_back(advice("check whether the GPU answers: nvidia-smi"));
  return f;
}

static void append_untried(const fix_lines& fixes, fix_lines& all) {
  for (fix_line line : fixes) {
    mark_untried(line);
    all.push_back(line);
  }
}

static fix_lines fixes_of_crash(const dead_probe& dead) {
  if (dead.step.kind == step_kind::kernel) return dead.without_kernel;
  const fix_line debug =
      advice(format("find where it crashes, with a debugger on %s", dead.debugged));
  fix_lines fixes = fixes_of_step(dead.step.kind);
  append_untried(dead.again, fixes);
  fixes.push_back(debug);
  if (dead.again.empty()) append_untried(dead.another, fixes);
  return fixes;
}

static finding crashed(const dead_probe& dead) {
  finding f(finding_id::probe_crashed);
  f.summary = format("the probe crashed with %s", dead.end.detail);
  f.expected = {spawn::signal_word(), dead.end.detail, {}};
  f.because = dead.step.kind == step_kind::kernel
                  ? "What ran is a kernel that this project's CUDA compiler made, and nothing of "
                    "cuDNN."
                  : "A program that uses this cuDNN would crash in the same call.";
  f.fix = fixes_of_crash(dead);
  return f;
}

static finding exited(const dead_probe& dead) {
  finding f(finding_id::probe_crashed);
  f.summary =
      format("the probe ended with status %s, and its report gives no reason", dead.end.detail);
  f.expected = {"status", dead.end.detail, {}};
  f.because = "A library, a sanitizer or a preloaded library ended it; nothing was proved.";
  f.fix = {advice("find what ends the probe, in its words below or with a debugger")};
  return f;
}

static finding not_loaded(const dead_probe& dead) {
  finding f(finding_id::probe_crashed);
  f.summary = "the probe could not be started";
  f.expected = {"ended with", format("exit status %s", dead.end.detail), {}};
  f.because = "A program that uses this cuDNN would not start either.";
  f.fix = {advice("correct the loader's error below")};
  return f;
}

static finding not_started(const dead_probe& dead) {
  finding f(finding_id::probe_crashed);
  f.summary = "the probe could not be started";
  f.expected = {"ended with", dead.end.detail, {}};
  f.because = dead.not_started;
  f.fix = dead.start;
  return f;
}

static finding finding_of_end(const dead_probe& dead) {
  switch (dead.end.kind) {
    case end_kind::timed_out:
      return timed_out(dead);
    case end_kind::crashed:
      return crashed(dead);
    case end_kind::not_loaded:
      return not_loaded(dead);
    case end_kind::not_started:
      return not_started(dead);
    case end_kind::exited:
      break;
  }
  return exited(dead);
}

finding finding_of(const dead_probe& dead) {
  finding f = finding_of_end(dead);
  f.more.push_back({"during", dead.step.words, {}});
  f.more.append(dead.facts);
  return f;
}

}  // namespace cudnn_checked::prove
