// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <iterator>

#include "../../../core/judge/advice/advice.h"
#include "../model/engine.h"
#include "../model/names.h"
#include "../problems/problems.h"
#include "../text/text.h"
#include "judge.h"

namespace cudnn_checked::sweep {

static const char* plural_of(operation what) {
  static constexpr const char* words[] = {"forward convolutions",
                                          "data gradients",
                                          "filter gradients",
                                          "convolutions with bias",
                                          "matrix products",
                                          "attention",
                                          "gradients of attention",
                                          "layer norms",
                                          "gradients of layer norms",
                                          "RMS norms",
                                          "gradients of RMS norms",
                                          "recurrent networks",
                                          "gradients of recurrent networks",
                                          "LSTMs",
                                          "gradients of LSTMs",
                                          "GRUs",
                                          "gradients of GRUs",
                                          "batch norms in inference",
                                          "batch norms in training",
                                          "gradients of batch norms",
                                          "softmax",
                                          "gradients of softmax",
                                          "poolings",
                                          "gradients of poolings",
                                          "data gradients by the legacy API",
                                          "filter gradients by the legacy API",
                                          "gradients of biases",
                                          "convolutions with bias and activation",
                                          "activations",
                                          "gradients of activations",
                                          "sums of tensors",
                                          "operations on tensors",
                                          "reductions of tensors",
                                          "transformed tensors",
                                          "local response normalisations",
                                          "gradients of local response normalisations",
                                          "grids of spatial transformers",
                                          "gradients of grids of spatial transformers",
                                          "samples of spatial transformers",
                                          "gradients of samples of spatial transformers"};
  static_assert(std::size(words) == static_cast<std::size_t>(last_of<operation>) + 1);
  return words[static_cast<int>(what)];
}

/// "engine 78 of cuDNN 9.19.0 computes wrong data gradients".
static std::string summary_of(const record& of, const row& r) {
  const std::string who =
      (r.engine < 0 ? std::string("the heuristics") : engine_phrase(r.what, r.engine)) +
      " of cuDNN " + std::string(cudnn_checked::to_string(of.on.cudnn).c_str());
  // What one engine does, or the heuristics do.
  static constexpr struct {
    outcome what;
    const char* one;
    const char* several;
    const char* more;
  } verbs[] = {{outcome::unwritten, " leaves elements of ", " leave elements of ", " unwritten"},
               {outcome::outside, " writes outside of the output in ",
                " write outside of the output in ", ""},
               {outcome::changing, " computes ", " compute ", " that change from run to run"},
               {outcome::failed, " fails in ", " fail in ", " that it supports"},
               {outcome::died, " ends the process, or its CUDA context, in ",
                " end the process, or its CUDA context, in ", ""},
               {outcome::hung, " does not end in ", " do not end in ", ""}};
  const std::string what = plural_of(r.what);
  for (const auto& verb : verbs) {
    if (verb.what == r.worst)
      return who + (r.engine < 0 ? verb.several : verb.one) + what + verb.more;
  }
  return who + (r.engine < 0 ? " compute wrong " : " computes wrong ") + what;
}

static std::string mode_and_rank(const offer& made) {
  const std::string mode = made.mode == heuristic::fallback
                               ? to_string(made.mode)
                               : std::string("heuristic ") + to_string(made.mode);
  return mode + (made.rank == 1 ? std::string(", first") : ", number " + std::to_string(made.rank));
}

std::string offered_by(const row& of) {
  if (of.engine < 0) return "before any plan";
  if (is_network(of.what)) return of.how == reach::first ? "PyTorch" : "nobody";
  if (has_algorithms(of.what)) return "programs";
  return of.how == reach::by_index ? "no heuristic" : mode_and_rank(of.best);
}

static const char* who_meets(const row& of) {
  static constexpr const char* words[] = {"ordinary calls take it",
                                          "autotuners run it, ordinary calls take another",
                                          "only a program that names it by its index takes it"};
  static constexpr const char* network_words[] = {
      "it takes this algorithm and math type by default", "",
      "only a program that chooses it, or another framework, takes it"};
  if (is_network(of.what)) return network_words[static_cast<int>(of.how)];
  static constexpr const char* call_words[] = {
      "calls that name no other algorithm or mode take it",
      "those that choose this algorithm or mode, ordinary calls take another", ""};
  if (has_algorithms(of.what)) return call_words[static_cast<int>(of.how)];
  return of.engine < 0 ? "ordinary calls ask for plans, too" : words[static_cast<int>(of.how)];
}

std::string failures_of(const outcome_counts& plans) {
  std::vector<outcome> seen;
  for (std::size_t i = 0; i < outcome_counts::kinds; ++i) {
    const outcome what = static_cast<outcome>(i);
    if (is_defect(what) && plans[what] != 0) seen.push_back(what);
  }
  std::sort(seen.begin(), seen.end(), worse);
  std::string text;
  for (const outcome what : seen) {
    text += (text.empty() ? "" : ", ") + std::to_string(plans[what]) + " " + to_string(what);
  }
  return text;
}

/// What was seen in the example, in the words of its outcome.
static std::string seen_in(const result& r) {
  switch (r.what) {
    case outcome::unwritten:
      return std::to_string(r.unwritten) + " of " + std::to_string(r.elements) +
             " elements unwritten";
    case outcome::wrong:
      return formatted("%.2g", r.element_error) + ", relative error " +
             formatted("%.2g", r.relative_error);
    default:
      return to_string(r.what);
  }
}

static void add(finding& to, const char* label, const std::string& value,
                const std::string& where) {
  to.more.push_back({label, core_text(value), core_text(where)});
}

/// The simplest failure, which all that follows is about.
static void tell_example(const record& of, const row& r, finding& to) {
  const result& example = of.results[r.example];
  if (example.what == outcome::wrong) {
    to.expected = {"tolerance", core_text(formatted("%.2g", example.tolerance)),
                   is_fused(r.what) ? "of the first-order bound, against a float64 reference"
                                    : "of what a sum can be, against a float64 reference"};
  }
  to.found = {"computed", core_text(seen_in(example)),
              core_text(to_string(of.problems[example.problem]))};
  // Without a place of its own it does not widen the columns.
  if (!example.detail.empty()) add(to, "detail", example.detail, "");
  if (r.engine < 0) return;
  if (has_algorithms(r.what)) return;
  add(to, "plan", tag_of(example.with),
      example.alignment == 16 && r.unaligned == r.plans.failed()
          ? "right where all tensors lie at 256 bytes"
          : "");
}

static void tell_rows(const std::vector<row>& rows, const row& lead, finding& to) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const row& r = rows[i];
    if (r.what != lead.what || r.engine != lead.engine) continue;
    const std::string label =
        std::string(cudnn_checked::to_string(r.type)) + " " + layout_name(r.what, r.layout);
    to.more.push_back(
        {core_text(label),
         core_text(std::to_string(r.problems_failed) + " of " +
                   std::to_string(r.problems_computed) + " problems"),
         core_text(failures_of(r.plans) + " of " + std::to_string(r.plans.computed()) +
                   " plans, row " + std::to_string(i + 1))});
  }
}

/// What speaks for it and against it, so that nobody is accused wrongly.
static void tell_proof(const row& r, finding& to) {
  const std::string failed = std::to_string(r.problems_failed);
  switch (r.shown) {
    case proof::by_itself:
      add(to, "shown by", "what it did", "no reference is needed for it");
      break;
    case proof::by_other_engines:
      add(to, "shown by", "other engines",
          "right on " + std::to_string(r.right_elsewhere) + " of these " + failed + " problems");
      break;
    case proof::by_reference_only:
      add(to, "shown by", "the reference alone", "no other engine is right on these problems");
      break;
    case proof::disputed:
      add(to, "disputed by", "other plans",
          r.same_elsewhere > 0 ? "two engines compute the same: is the reference wrong?"
                               : "none is right on any problem of this kind");
  }
  if (r.shown == proof::by_reference_only && r.same_elsewhere > 0) {
    add(to, "the same", "another engine",
        "wrong in the same way on " + std::to_string(r.same_elsewhere) + " of these problems");
  }
  if (r.narrow == r.problems_failed) {
    add(to, "in common", "a dimension is 1", "in all of these problems: their layout is ambiguous");
  }
  const std::string failed_plans = " of " + std::to_string(r.plans.failed()) + " failed plans";
  if (r.reads_workspace != 0) {
    add(to, "reads", "the workspace",
        "before it writes there: " + std::to_string(r.reads_workspace) + failed_plans +
            " are right with a workspace of zeros");
  }
  if (r.reads_beside != 0) {
    add(to, "reads", "beside the tensors",
        std::to_string(r.reads_beside) + failed_plans + " are right with zeros there");
  }
  if (r.knobs_matter != answer::unknown) {
    add(to, "knobs", r.knobs_matter == answer::yes ? "decide" : "do not matter",
        r.knobs_matter == answer::yes ? "with other settings it is right there"
                                      : "all settings that were run fail there");
  }
}

static std::string typed(const std::string& word) {
  return std::string(quoted(core_text(word)).c_str());
}

/// The same sweep once more.  Its operations and types decide which problems there are; one that
/// was shorter than usual is not repeated as that.
static std::string same_sweep(const request& asked, const std::string& directory) {
  const request usual;
  std::string text =
      "cudnn-checked sweep " + typed(directory) + " --seed " + std::to_string(asked.seed);
  if (asked.seconds > usual.seconds) text += " --seconds " + formatted("%.10g", asked.seconds);
  const bool is_usual =
      asked.random ? asked.operations == all_operations() : asked.operations == usual.operations;
  if (!is_usual) {
    text += " --operations " + joined(asked.operations, ",");
  }
  if (asked.random) text += " --random";
  if (asked.types != usual_types(asked.operations)) text += " --types " + joined(asked.types, ",");
  if (asked.each_device) {
    text += " --device all";
  } else if (asked.devices != usual.devices) {
    text += " --device " + joined(asked.devices, ",");
  }
  if (asked.plan_seconds != usual.plan_seconds) {
    text += " --plan-timeout " + formatted("%.10g", asked.plan_seconds);
  }
  return text;
}

/// What computes the simplest failure of a row once more, and nothing else.
static std::string repetition(const record& of, const row& lead, const std::string& directory) {
  const problem& p = of.problems[of.results[lead.example].problem];
  return "cudnn-checked sweep " + typed(directory) + " --problem " + typed(to_string(p));
}

/// What shows the failure of a row again: a program, or of a fused operation all of its problems.
static std::string reproduction(const record& of, std::size_t number, const row& lead,
                                const follow_up& next) {
  const bool is_graph = is_fused(lead.what) && !is_network(lead.what);
  if (of.asked.random && is_graph) return repetition(of, lead, next.directory);
  if (is_graph) {
    request of_one = of.asked;
    of_one.operations = {lead.what};
    return same_sweep(of_one, next.directory);
  }
  return (next.report.empty() ? same_sweep(of.asked, next.directory)
                              : "cudnn-checked sweep " + typed(next.report)) +
         " --reproduce " + std::to_string(number + 1);
}

/// Whether an errata file can name what failed: an engine, and not by a call that returns an error,
/// behind which programs take their next plan.
static bool gets_rule(const std::vector<row>& rows, const row& lead) {
  return !is_fused(lead.what) && any_of(rows, [&](const row& r) {
    return r.what == lead.what && r.engine == lead.engine && r.engine >= 0 &&
           r.worst != outcome::failed;
  });
}

static void advise(const record& of, const std::vector<row>& rows, std::size_t number_of_lead,
                   const follow_up& next, finding& to) {
  const row& lead = rows[number_of_lead];
  const std::string again = same_sweep(of.asked, next.directory);
  const std::string reproduce = reproduction(of, number_of_lead, lead, next);
  if (of.asked.random) to.fix.push_back(command(core_text(repetition(of, lead, next.directory))));
  const bool is_graph = is_fused(lead.what) && !is_network(lead.what);
  if (lead.shown == proof::disputed && is_graph) {
    to.fix.push_back(command(core_text(reproduce)));
  } else if (lead.shown == proof::disputed) {
    to.fix.push_back(command(core_text(reproduce + " > reproduce.cpp")));
    to.fix.push_back(advice("build and run that program, which has a reference of its own"));
  } else {
    if (next.configuring && to.weight == severity::error) {
      to.fix.push_back(
          advice(has_precompiled(of)
                     ? "take another release of cuDNN"
                     : "install the full cuDNN package: this one has no precompiled engines"));
      to.fix.push_back(advice("leave the sweep out: CuDNNChecked_SWEEP=0"));
    } else if (gets_rule(rows, lead)) {
      to.fix.push_back(command(
          core_text(next.errata.empty() ? again + " --errata errata.json"
                                        : "export CUDNN_ERRATA_JSON_FILE=" + typed(next.errata))));
    }
    to.fix.push_back(advice(core_text(
        std::string("report it to NVIDIA, with ") +
        (is_graph ? "what this prints: " : "the program that this prints: ") + reproduce)));
  }
  keep_what_can_be_pasted(to.fix);
}

finding engine_finding(const record& of, const std::vector<row>& rows, std::size_t first,
                       const follow_up& next) {
  const row& lead = rows[first];
  arena_vector<finding> made;
  finding& f = add_finding<finding_id::wrong_engine>(made);
  f.weight = lead.weight;
  for (const row& r : rows) {
    if (r.what == lead.what && r.engine == lead.engine && r.weight > f.weight) f.weight = r.weight;
  }
  const std::string sm = "sm_" + std::to_string(of.on.capability);
  f.summary = core_text(summary_of(of, lead) + " on this GPU, " + sm);
  tell_example(of, lead, f);
  add(f, "offered by", offered_by(lead), who_meets(lead));
  tell_rows(rows, lead, f);
  tell_proof(lead, f);
  if (!lead.known_as.empty()) add(f, "known as", lead.known_as, lead.known_from);
  add(f, "GPU", sm, of.on.gpu);
  advise(of, rows, first, next, f);
  return made[0];
}

}  // namespace cudnn_checked::sweep
