// SPDX-License-Identifier: BSD-3-Clause
//
// A sweep as text for a person.
#include "../../../core/report/report.h"
#include "../judge/judge.h"
#include "../model/engine.h"
#include "../problems/problems.h"
#include "../speed/performance.h"
#include "../text/text.h"
#include "report.h"

namespace cudnn_checked::sweep {

/// "cuDNN 9.19.0 · CUDA 13.0 · NVIDIA H200 (sm_90)".
static std::string heading(const machine& on) {
  std::string text = "cuDNN " + std::string(cudnn_checked::to_string(on.cudnn).c_str());
  text += " \xC2\xB7 CUDA " + std::string(to_cuda_string(on.cudart).c_str());
  return text + " \xC2\xB7 " + on_one_line(on.gpu) + " (sm_" + std::to_string(on.capability) +
         ")\n";
}

static std::string plans_text(const record& of, const outcome_counts& counts) {
  std::string text = std::to_string(counts.computed()) + " in " + formatted("%.0f s", of.seconds);
  if (of.seconds >= 1) {
    const double rate = static_cast<double>(counts.computed()) / of.seconds;
    text += ", " + std::to_string(static_cast<long long>(rate)) + " a second";
  }
  text += ": " + std::to_string(counts[outcome::right]) + " right";
  if (counts[outcome::inexact] != 0) {
    text += ", " + std::to_string(counts[outcome::inexact]) + " inexact";
  }
  const std::string failed = failures_of(counts);
  return failed.empty() ? text : text + ", " + failed;
}

static std::string not_run_text(const record& of) {
  std::string text = std::to_string(of.unsupported) + " not supported";
  if (of.too_large != 0) text += ", " + std::to_string(of.too_large) + " that need more memory";
  if (of.skipped != 0) {
    text += ", " + std::to_string(of.skipped) + " skipped because their compilation takes seconds";
  }
  if (of.blocked != 0) text += ", " + std::to_string(of.blocked) + " blocked by the errata file";
  return text;
}

static std::string what_ran(const record& of) {
  const outcome_counts counts = counts_of(of);
  std::vector<table_line> lines;
  lines.push_back({"library:", of.asked.library});
  if (of.asked.devices.size() > 1) {
    lines.push_back({"GPUs:", joined(of.asked.devices, ", ")});
  }
  const std::size_t all = problem_count(of.asked);
  const bool is_each = of.asked.operations == all_operations();
  lines.push_back(
      {"problems:", std::to_string(of.problems.size()) + (of.asked.random ? " random ones" : "") +
                        (all == endless ? "" : " of the " + std::to_string(all)) + " of " +
                        (is_each ? "all operations" : joined(of.asked.operations, ", ")) + " in " +
                        joined(of.asked.types, ", ") + ", seed " + std::to_string(of.asked.seed)});
  lines.push_back({"plans:", plans_text(of, counts)});
  lines.push_back({"not run:", not_run_text(of)});
  if (of.not_repeated != 0) {
    lines.push_back({"not repeated:", counted(of.not_repeated, "plan") +
                                          " that failed once, and not again in another process"});
  }
  if (of.not_tried_again != 0) {
    lines.push_back({"not repeated yet:", counted(of.not_tried_again, "plan") +
                                              " that failed, and whose problem was not computed "
                                              "again"});
  }
  if (of.interrupted) lines.push_back({"interrupted:", "what was known by then is reported"});
  if (!of.ended_early.empty()) lines.push_back({"ended early:", of.ended_early});
  return aligned_table(lines);
}

static std::string rows_text(const record& of, const sweep_judgement& judged) {
  std::vector<table_line> lines = {{"row", "engine", "operation", "type", "layout", "failed plans",
                                    "problems", "offered by", "simplest failure"}};
  for (std::size_t i = 0; i < judged.rows.size(); ++i) {
    const row& r = judged.rows[i];
    lines.push_back(
        {std::to_string(i + 1),
         r.engine < 0 ? std::string("heuristics") : engine_name(r.what, r.engine),
         to_string(r.what), cudnn_checked::to_string(r.type), layout_name(r.what, r.layout),
         failures_of(r.plans),
         std::to_string(r.problems_failed) + " of " + std::to_string(r.problems_computed),
         offered_by(r), shape_text(of.problems[of.results[r.example].problem])});
  }
  return aligned_table(lines);
}

/// No defect, so a line for all of them.
static std::string inexact_text(const sweep_judgement& judged) {
  std::string text;
  for (const inexact_engine& engine : judged.inexact) {
    text += (text.empty() ? "" : ", ") + engine_name(engine.what, engine.engine) + " in " +
            to_string(engine.what) + " (" + std::to_string(engine.plans) +
            (engine.plans == 1 ? " plan)" : " plans)");
  }
  return text.empty() ? text : "less exact than their notes say: engine " + text + "\n";
}

static std::string messages_text(const sweep_judgement& judged) {
  std::string text;
  for (const finding& f : judged.findings) {
    if (f.weight == severity::note) continue;
    arena_vector<finding> one;
    one.push_back(f);
    text += '\n';
    text += findings_message(one, cudnn_checked::to_string(f.weight), severity::note).c_str();
  }
  return text;
}

/// "3 engines", "1 GPU", "3 engines and 1 GPU".
static std::string who_failed(const sweep_judgement& judged) {
  std::size_t engines = 0;
  for (const finding& f : judged.findings) engines += f.id == finding_id::wrong_engine ? 1 : 0;
  const std::size_t gpus = judged.findings.size() - engines;
  if (gpus == 0) return counted(engines, "engine");
  return (engines == 0 ? std::string() : counted(engines, "engine") + " and ") +
         counted(gpus, "GPU");
}

/// "3 engines failed: 1 error, 2 warnings".  An engine counts once in an operation.
static std::string failures_text(const sweep_judgement& judged) {
  std::size_t counts[4] = {};
  for (const finding& f : judged.findings) ++counts[static_cast<int>(f.weight)];
  std::string text = who_failed(judged) +
                     " failed: " + counted(counts[static_cast<int>(severity::error)], "error") +
                     ", " + counted(counts[static_cast<int>(severity::warning)], "warning");
  const std::size_t unknown = counts[static_cast<int>(severity::unknown)];
  const std::size_t notes = counts[static_cast<int>(severity::note)];
  if (unknown != 0) text += ", " + std::to_string(unknown) + " unknown";
  if (notes != 0) text += ", " + counted(notes, "note");
  return text;
}

static std::string summary(const record& of, const sweep_judgement& judged) {
  std::string text =
      "cudnn-checked: " + std::string(cudnn_checked::to_string(judged.result)) + ": ";
  if (of.results.empty() || !of.why_not.empty()) {
    const bool has_counts = of.unsupported + of.too_large + of.skipped + of.blocked != 0;
    const std::string why = !of.why_not.empty() ? on_one_line(of.why_not)
                            : has_counts        ? not_run_text(of)
                                                : std::string();
    return text + "nothing was computed" + (why.empty() ? "" : ": " + why) + "\n";
  }
  if (!judged.findings.empty()) return text + failures_text(judged) + "\n";
  return text + counted(counts_of(of).computed(), "plan") + ", none failed\n";
}

std::string report_text(const record& of, const sweep_judgement& judged,
                        const std::string& errata) {
  if (of.results.empty()) return summary(of, judged);
  std::string text = heading(of.on) + what_ran(of) + text_of(performance_of(of));
  if (!judged.rows.empty()) {
    text += "engines that failed, the most likely to be met first\n" + rows_text(of, judged);
  }
  text += inexact_text(judged) + messages_text(judged);
  if (!errata.empty()) text += '\n' + errata;
  return text + '\n' + summary(of, judged);
}

}  // namespace cudnn_checked::sweep
