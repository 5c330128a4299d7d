// SPDX-License-Identifier: BSD-3-Clause
//
// What became of an errata file, for people and for programs.
#include <climits>
#include <cstdlib>

#include "../../core/judge/advice/advice.h"
#include "../../core/report/report.h"
#include "../text/members.h"
#include "../text/text.h"
#include "errata_outcome.h"

namespace cudnn_checked::sweep {

static std::string rule_name(const errata_rule& rule) {
  return rule.operation + " engine " + std::to_string(rule.engine);
}

static void add_errata_line(std::string& text, const char* key, const std::string& value) {
  std::string line = "  ";
  line += key;
  line.resize(13, ' ');
  text += line + value + "\n";
}

static std::string errata_effect_text(const errata_effect& effect) {
  std::string text = counted(effect.blocked, "wrong plan") + " blocked";
  if (effect.left != 0) text += ", " + std::to_string(effect.left) + " not";
  if (effect.right == 0) return text + ", no right one";
  const std::size_t others = effect.right_offered - effect.right_of_a;
  return text + ", and " + counted(effect.right, "right one") + ": " +
         std::to_string(effect.right_of_a) + " offered by heuristic A, " + std::to_string(others) +
         " by B or FALLBACK alone, " + std::to_string(effect.right - effect.right_offered) +
         " by none";
}

static std::string second_run_text(const errata_outcome& outcome) {
  if (outcome.interrupted && outcome.problems == 0) return "no, interrupted";
  const bool all = outcome.problems == outcome.failing_problems;
  std::string text = all ? counted(outcome.problems, "failing problem")
                         : std::to_string(outcome.problems) + " of " +
                               counted(outcome.failing_problems, "failing problem");
  text += " computed again: " + counted(outcome.blocked, "plan") + " blocked, " +
          std::to_string(outcome.left) + " wrong left";
  if (is_verified(outcome)) return text;
  return (outcome.interrupted ? "no, interrupted; " : "no; ") + text;
}

std::string absolute_errata(const std::string& path) {
  char resolved[PATH_MAX];
  return realpath(path.c_str(), resolved) == nullptr ? path : std::string(resolved);
}

// What is typed, or what is to be typed by hand.
static std::string errata_export_text(const std::string& path) {
  fix_lines lines;
  lines.push_back(command("export CUDNN_ERRATA_JSON_FILE=" + quoted(core_text(path))));
  keep_what_can_be_pasted(lines);
  return std_text(one_line(lines[0].text));
}

std::string text_of(const errata_outcome& outcome, const machine& on) {
  const std::string& subject = outcome.error.empty() ? outcome.path : outcome.error;
  std::string text = "errata file: " + on_one_line(subject) + "\n";
  if (!outcome.error.empty()) return text;
  for (std::size_t i = 0; i < outcome.added.size(); ++i) {
    const std::size_t of_a = outcome.costs[i].right_of_a;
    std::string line = rule_name(outcome.added[i]);
    if (of_a != 0) line += ", also " + counted(of_a, "right plan") + " of heuristic A";
    add_errata_line(text, i == 0 ? "added:" : "", line);
  }
  if (outcome.added.empty()) add_errata_line(text, "added:", "nothing");
  if (outcome.effect.disputed != 0) {
    add_errata_line(text, "left out:",
                    counted(outcome.effect.disputed, "wrong plan") +
                        ", because the reference may be wrong there");
  }
  if (outcome.effect.spared != 0) {
    add_errata_line(
        text, "left out:",
        counted(outcome.effect.spared, "wrong plan") +
            " that no heuristic offers, of engines that heuristic A offers and that were right");
  }
  if (outcome.kept != 0) add_errata_line(text, "kept:", counted(outcome.kept, "rule"));
  if (outcome.failing_problems != 0) {
    add_errata_line(text, "effect:", errata_effect_text(outcome.effect));
    add_errata_line(text, "verified:", second_run_text(outcome));
  }
  add_errata_line(text,
                  "valid for:", "programs compiled with cuDNN " + std_text(to_string(on.cudnn)));
  add_errata_line(text, "to use it:", errata_export_text(absolute_errata(outcome.path)));
  return text;
}

json json_of(const errata_outcome& outcome) {
  const errata_effect& effect = outcome.effect;
  const json verification =
      json_object("verified interrupted failing_problems problems blocked left",
                  is_verified(outcome), outcome.interrupted, outcome.failing_problems,
                  outcome.problems, outcome.blocked, outcome.left);
  return json_object(
      "file error added kept blocked left disputed spared right_blocked right_blocked_offered "
      "right_blocked_of_a right_blocked_first verification",
      outcome.path, outcome.error,
      json_array(outcome.added, [](const errata_rule& rule) { return json_of(rule); }),
      outcome.kept, effect.blocked, effect.left, effect.disputed, effect.spared, effect.right,
      effect.right_offered, effect.right_of_a, effect.right_first, verification);
}

}  // namespace cudnn_checked::sweep
