// SPDX-License-Identifier: BSD-3-Clause
#include "errata_outcome.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>
#include <tuple>

#include "../../../core/judge/advice/advice.h"
#include "../../../core/report/report.h"
#include "../disk/replace_file.h"
#include "../text/members.h"
#include "../text/text.h"

namespace cudnn_checked::sweep {

// So many problems are run again: a few seconds.
static constexpr std::size_t most_run_again = 64;

bool begin_errata(const std::string& path, std::string& error) {
  errata_file file;
  return load_errata(path, file, error) && can_replace_file(path, error);
}

struct failing_problems {
  std::size_t count = 0;
  std::set<std::size_t> chosen;  ///< at most so many
};

// One problem for each engine, operation, type and layout that failed, then others, evenly spread.
static failing_problems problems_that_failed(const errata_evidence& of) {
  std::set<std::size_t> numbers;
  std::set<std::tuple<operation, element, tensor_layout, std::int64_t>> kinds;
  failing_problems result;
  for (const sweep::result& r : of.seen.results) {
    if (!needs_rule(of, r)) continue;
    const problem& p = of.seen.problems[r.problem];
    numbers.insert(r.problem);
    if (kinds.insert({p.what, p.type, p.layout, r.with.engine}).second) {
      result.chosen.insert(r.problem);
    }
  }
  const std::vector<std::size_t> all(numbers.begin(), numbers.end());
  result.count = all.size();
  const std::size_t count = std::min(all.size(), most_run_again);
  for (std::size_t i = 0; i < count && result.chosen.size() < most_run_again; ++i) {
    result.chosen.insert(all[i * all.size() / count]);
  }
  return result;
}

static void run_again(errata_outcome& outcome, const errata_evidence& of,
                      const sweep_under& again) {
  const failing_problems failing = problems_that_failed(of);
  outcome.failing_problems = failing.count;
  if (failing.count == 0) return;
  // Who interrupts a sweep does not wait for another.
  outcome.interrupted = of.seen.interrupted;
  if (outcome.interrupted) return;
  const record second = again(outcome.text, {failing.chosen.begin(), failing.chosen.end()});
  outcome.interrupted = second.interrupted || !second.why_not.empty();
  outcome.problems =
      second.problems.size() - std::min(second.problems.size(), second.unfinished.size());
  outcome.blocked = second.blocked;
  outcome.interrupted = outcome.interrupted || outcome.problems < failing.chosen.size();
  outcome.left = static_cast<std::size_t>(
      std::count_if(second.results.begin(), second.results.end(), [&](const sweep::result& r) {
        return needs_rule({second, of.disputed, of.spared}, r);
      }));
}

/// Reads the file once more, because somebody may have added rules meanwhile, and adds those that
/// are missing.  False: `outcome.error` says why not.
static bool add_rules(const std::string& path, const errata_evidence& of, errata_file& file,
                      errata_outcome& outcome) {
  const file_lock others_wait(path);
  if (!load_errata(path, file, outcome.error)) return false;
  outcome.added = needed_rules(of, file);
  outcome.text = with_rules(file, outcome.added);
  return outcome.text == file.text || replace_file(path, outcome.text, outcome.error);
}

errata_outcome finish_errata(const std::string& path, const errata_evidence& given,
                             const sweep_under& again) {
  errata_outcome outcome;
  errata_evidence of = given;
  outcome.path = path;
  errata_file file;
  if (!add_rules(path, of, file, outcome)) return outcome;
  outcome.kept = file.rules.size();
  of.spared = engines_to_spare(of, file);
  file.rules.insert(file.rules.end(), outcome.added.begin(), outcome.added.end());
  outcome.effect = effect_of(file, of);
  for (const errata_rule& rule : outcome.added) {
    errata_file alone;
    alone.rules.push_back(rule);
    outcome.costs.push_back(effect_of(alone, of));
  }
  run_again(outcome, of, again);
  return outcome;
}

bool is_verified(const errata_outcome& outcome) {
  return outcome.error.empty() && !outcome.interrupted && outcome.problems != 0 &&
         outcome.left == 0 && outcome.effect.left == 0;
}

// What became of it, for people and for programs.

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
  std::error_code absent;
  const std::filesystem::path resolved = std::filesystem::canonical(path, absent);
  return absent ? path : resolved.string();
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
