// SPDX-License-Identifier: BSD-3-Clause
#include "plan_list.h"

#include <algorithm>

#include "../../../opened/status.h"

namespace cudnn_checked::sweep {

static granted came_of(const compute::failure& told) {
  return opened::is_unsupported(told.status) ? granted::unsupported : granted::failed;
}

static cudnnBackendHeurMode_t mode_of(heuristic which) {
  if (which == heuristic::a) return CUDNN_HEUR_MODE_A;
  return which == heuristic::b ? CUDNN_HEUR_MODE_B : CUDNN_HEUR_MODE_FALLBACK;
}

/// Fills all of `with` but its offers.
static bool describe_plan(const compute::descriptor& configuration, element type,
                          compute::descriptor& engine, plan& with, compute::failure& told) {
  compute::engine_facts facts;
  compute::knob_choice knobs[compute::knob_choice::most];
  int count = 0;
  if (!compute::describe_engine(configuration, type, engine, facts, told) ||
      !compute::read_knobs(configuration, knobs, count, told) ||
      !compute::read_runtime_compilation(engine, with.compiled_at_run, told)) {
    return false;
  }
  with.engine = facts.index;
  with.math = facts.math;
  with.deterministic = facts.deterministic;
  with.knobs.clear();
  for (int i = 0; i < count; ++i) with.knobs.push_back({knobs[i].type, knobs[i].value});
  std::sort(with.knobs.begin(), with.knobs.end(),
            [](const knob& a, const knob& b) { return a.type < b.type; });
  return true;
}

static bool same_plan(const plan& a, const plan& b) {
  return a.engine == b.engine && std::equal(a.knobs.begin(), a.knobs.end(), b.knobs.begin(),
                                            b.knobs.end(), [](const knob& k, const knob& l) {
                                              return k.type == l.type && k.value == l.value;
                                            });
}

plan_list::offered_plan* plan_list::find(const plan& with) {
  return find_where(offered_, [&](offered_plan& known) { return same_plan(known.with, with); });
}

granted plan_list::add_offer(const compute::descriptor& configuration, offer made,
                             compute::failure& told) {
  plan with;
  compute::descriptor engine;
  if (!describe_plan(configuration, type_, engine, with, told)) return came_of(told);
  offered_plan* known = find(with);
  if (known == nullptr) {
    offered_.push_back({with, &configuration});
    known = &offered_.back();
  }
  known->with.offers.push_back(made);
  return granted::yes;
}

granted plan_list::ask_heuristic(heuristic mode, compute::failure& told) {
  const auto which = static_cast<std::size_t>(mode);
  std::int64_t count = 0;
  if (!compute::ask_heuristics(*graph_, mode_of(mode), heuristics_[which], count, told)) {
    return came_of(told);
  }
  count = std::min(count, most_offers);
  if (count <= 0) return granted::yes;
  std::vector<compute::descriptor>& configurations = configurations_[which];
  configurations = std::vector<compute::descriptor>(static_cast<std::size_t>(count));
  std::vector<cudnnBackendDescriptor_t> raw;
  for (compute::descriptor& configuration : configurations) {
    if (!compute::make_room(configuration, told)) return granted::failed;
    raw.push_back(configuration.get());
  }
  if (!compute::read_offers(heuristics_[which], raw.data(), count, told)) return came_of(told);
  // Mode B of 9.19 gives fewer than it has said before.
  for (std::int64_t i = 0; i < count && i < most_offers; ++i) {
    const granted came = add_offer(configurations[static_cast<std::size_t>(i)],
                                   {mode, static_cast<int>(i + 1)}, told);
    if (came == granted::failed) return came;
  }
  return granted::yes;
}

granted plan_list::ask(cudnnHandle_t handle, problem_graph& what, compute::failure& told,
                       std::string& words) {
  granted answered = granted::yes;
  compute::failure refused;
  const auto note = [&](granted came) {
    if (answered == granted::yes && came != granted::yes) {
      answered = came;
      told = refused;
      words = to_text(refused);
    }
    return answered;
  };
  handle_ = handle;
  type_ = what.type();
  if (!what.make(handle, refused)) return note(came_of(refused));
  graph_ = &what.whole();
  for (const heuristic mode : {heuristic::a, heuristic::b, heuristic::fallback}) {
    if (ask_heuristic(mode, refused) == granted::failed) note(granted::failed);
  }
  std::int64_t count = 0;
  if (!compute::count_engines(*graph_, count, refused)) return note(came_of(refused));
  for (std::int64_t engine = 0; engine < count; ++engine) {
    plan bare;
    bare.engine = engine;
    if (find(bare) == nullptr) engines_.push_back(engine);
  }
  return answered;
}

plan plan_list::at(std::size_t number) const {
  if (number < offered_.size()) return offered_[number].with;
  plan bare;
  bare.engine = engines_[number - offered_.size()];
  return bare;
}

granted plan_list::describe_by_index(built_plan& built, compute::failure& told) const {
  compute::descriptor own;
  if (!compute::make_engine(*graph_, built.with.engine, built.engine, told) ||
      !compute::make_configuration(built.engine, built.configuration, told)) {
    return opened::means_no_engine(told.status) ? granted::unsupported : granted::failed;
  }
  if (!describe_plan(built.configuration, type_, own, built.with, told)) return came_of(told);
  for (const offered_plan& known : offered_) {
    built.known = built.known || same_plan(known.with, built.with);
  }
  return granted::yes;
}

granted plan_list::describe(std::size_t number, built_plan& built, compute::failure& told) const {
  built.with = at(number);
  // Plans are in the order of the ranks: A's, then what only B offers, then FALLBACK.
  for (std::size_t i = 0; i < number && i < offered_.size(); ++i) {
    built.best = built.best && offered_[i].with.engine != built.with.engine;
  }
  if (number < offered_.size()) return granted::yes;
  built.best = false;
  return describe_by_index(built, told);
}

granted plan_list::build(std::size_t number, built_plan& built, compute::failure& told) const {
  const compute::descriptor& configuration =
      number < offered_.size() ? *offered_[number].configuration : built.configuration;
  std::int64_t bytes = 0;
  if (!compute::make_plan(handle_, configuration, built.finished, told) ||
      !compute::read_workspace(built.finished, bytes, told)) {
    return came_of(told);
  }
  built.workspace = bytes > 0 ? static_cast<std::uint64_t>(bytes) : 0;
  return granted::yes;
}

std::string to_text(const compute::failure& told) {
  char words[512] = "";
  cudnnGetLastErrorString(words, sizeof words);
  words[sizeof words - 1] = '\0';
  std::string text = told.call;
  if (*told.subject != '\0') text += std::string("(") + told.subject + ")";
  text +=
      ": " + std::to_string(static_cast<int>(told.status)) + " " + cudnnGetErrorString(told.status);
  if (words[0] != '\0') text += std::string(", ") + words;
  for (char& c : text) {
    if (c == '\n' || c == '\r' || c == '\t') c = ' ';
  }
  return text;
}

}  // namespace cudnn_checked::sweep
