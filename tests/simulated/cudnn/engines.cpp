// SPDX-License-Identifier: BSD-3-Clause
//
// Counts, knobs and notes are those of 9.14 and 9.19; which engines there are is a selection.
#include "engines.h"

#include <algorithm>
#include <utility>

#include "engine_faults.h"
#include "services.h"

namespace simulated {

static constexpr int tile_size = 2, use_tex = 3, split_k = 17, kernel_cfg = 24;

/// The run-time compiled engines have the same two knobs.
static std::vector<knob> compiled_knobs(std::int64_t highest) {
  return {{split_k, 1, 128}, {kernel_cfg, 0, highest}};
}

static std::vector<knob> tiles(std::int64_t highest) {
  return {{tile_size, 0, highest}, {use_tex, 0, 1}};
}

static const std::vector<int> none = {};
static const std::vector<int> tensor_core = {CUDNN_NUMERICAL_NOTE_TENSOR_CORE};
static const std::vector<int> strict_nan = {CUDNN_NUMERICAL_NOTE_STRICT_NAN_PROP};
static const std::vector<int> random_order = {CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC};

// The engines of three operations in a whole set.
static const std::vector<engine>& whole_set(operation what) {
  static const std::vector<engine> forward = {
      {0, true, strict_nan, {}, 0},
      {1, true, none, tiles(4), 1024},
      {2, true, none, tiles(4), 0},  // refuses strides, when it is configured
      {4, false, tensor_core, {}, 256},
      {5, false, none, {}, 0},  // refuses everything, as a plan
      {7, false, tensor_core, {}, 0},
      {38, true, tensor_core, {}, 4096},
      {70, true, none, {}, 0},  // fp32
      {71, false, tensor_core, compiled_knobs(41), 0},
      {72, false, tensor_core, compiled_knobs(55), 0},
      {79, false, tensor_core, compiled_knobs(263), 0},
      {80, false, none, compiled_knobs(0), 0}};
  static const std::vector<engine> data_gradient = {
      {0, true, strict_nan, {}, 0},
      {1, true, none, tiles(3), 1024},
      {25, true, random_order, tiles(2), 0},
      {60, true, none, {}, 0},
      {62, true, tensor_core, {}, 4096},
      {77, false, tensor_core, compiled_knobs(42), 0},
      {78, false, tensor_core, compiled_knobs(55), 0},
      {83, false, tensor_core, compiled_knobs(263), 0}};
  static const std::vector<engine> filter_gradient = {
      {0, true, strict_nan, {}, 0},
      {1, true, none, tiles(3), 1024},
      {3, true, random_order, {{use_tex, 0, 1}}, 0},
      {57, true, none, {}, 0},
      {58, true, tensor_core, {}, 4096},
      {69, false, tensor_core, compiled_knobs(41), 0},
      {70, false, tensor_core, compiled_knobs(55), 0},
      {74, false, tensor_core, compiled_knobs(263), 0}};
  return what == operation::forward         ? forward
         : what == operation::data_gradient ? data_gradient
                                            : filter_gradient;
}

// Without precompiled engines or heuristic the run-time compiled engines have these numbers, the
// same for all operations.
static const std::vector<engine>& compiled_set() {
  static const std::vector<engine> only = {{0, false, tensor_core, compiled_knobs(13), 0},
                                           {4, false, tensor_core, compiled_knobs(55), 256},
                                           {7, false, tensor_core, compiled_knobs(41), 0},
                                           {8, false, none, compiled_knobs(0), 0},
                                           {9, false, tensor_core, compiled_knobs(263), 0}};
  return only;
}

static bool is_whole() {
  return cudnn_simulated_services()->has_precompiled() &&
         cudnn_simulated_services()->has_heuristic();
}

std::int64_t offer::knob_value(int type) const {
  for (const knob_choice& choice : choices) {
    if (choice.type == type && choice.value != -1) return choice.value;
  }
  for (const knob& known : from.knobs) {
    if (known.type == type) return known.lowest;
  }
  return -1;
}

std::int64_t offer::workspace() const {
  const std::int64_t parts = knob_value(split_k);
  return from.workspace + (parts > 1 ? 1024 * parts : 0);
}

bool offer::says(int note) const {
  for (const int said : from.notes) {
    if (said == note) return true;
  }
  return false;
}

std::int64_t engine_count(const convolution& what) {
  if (!is_whole()) return 11;
  return what.what == operation::forward ? 81 : what.what == operation::data_gradient ? 85 : 75;
}

static bool is_simple(const convolution& what) {
  return what.dimensions == 2 && what.groups() == 1 && !what.x.is_nhwc();
}

static bool computes(const engine& candidate, const convolution& what) {
  if (candidate.number <= 3 && candidate.number > 0) return is_simple(what);
  const bool only_fp32 = what.what == operation::forward && candidate.number == 70;
  return !only_fp32 || what.x.type == CUDNN_DATA_FLOAT;
}

int find_engine(const convolution& what, std::int64_t index, offer& found) {
  for (const engine& candidate : is_whole() ? whole_set(what.what) : compiled_set()) {
    if (candidate.number != index) continue;
    if (!computes(candidate, what)) return failed(3000, "");
    found = {candidate, {}, false};
    if (has_fault("engine-reads-workspace", what, found, moment::execute)) {
      found.from.workspace += 256;
    }
    // As seen on a GPU of compute capability 9.0 with 9.14 and 9.19; here on every GPU.
    found.other_layout = !is_whole() && index == 7 && !what.x.is_nhwc();
    return 0;
  }
  return failed(3000, "");
}

int configure(const convolution& what, const std::vector<knob_choice>& choices, offer& chosen) {
  for (const knob_choice& choice : choices) {
    if (choice.value == -1) continue;  // the engine's own choice, whatever knob it is
    bool fits = false;
    for (const knob& known : chosen.from.knobs) {
      fits = fits || (known.type == choice.type && known.lowest <= choice.value &&
                      choice.value <= known.highest);
    }
    if (!fits) return failed(3000, "");
  }
  if (!choices.empty()) chosen.choices = choices;
  const bool strided = what.stride[0] > 1 || what.stride[1] > 1 || what.stride[2] > 1;
  if (what.what == operation::forward && chosen.from.number == 2 && is_whole() && strided) {
    return failed(3000, "");
  }
  return 0;
}

int plan_status(const offer& chosen) {
  return chosen.from.number == 5 && is_whole() ? failed(3000, "") : 0;
}

/// What is offered, with the choices: none in FALLBACK's configurations, as on an H200.
struct proposal {
  int engine;
  std::vector<knob_choice> choices;
};

static std::vector<knob_choice> compiled(std::int64_t parts, std::int64_t configuration) {
  return {{split_k, parts}, {kernel_cfg, configuration}};
}

static std::vector<proposal> forward_proposals(const convolution& what,
                                               cudnnBackendHeurMode_t mode) {
  if (mode == CUDNN_HEUR_MODE_FALLBACK) {
    return {{1, {}}, {0, {}}, {71, {}}};
  }
  std::vector<proposal> all = {
      {38, {}}, {4, {}}, {7, {}}, {79, compiled(1, 12)}, {79, compiled(2, 100)}, {5, {}}};
  if (what.x.type == CUDNN_DATA_FLOAT) all.insert(all.begin(), {70, {}});
  if (mode == CUDNN_HEUR_MODE_B) all.insert(all.begin(), {79, compiled(4, 200)});
  return all;
}

static std::vector<proposal> gradient_proposals(const convolution& what,
                                                cudnnBackendHeurMode_t mode) {
  const bool data = what.what == operation::data_gradient;
  if (mode == CUDNN_HEUR_MODE_FALLBACK) {
    return {{1, {}}, {0, {}}, {data ? 78 : 70, {}}};
  }
  const proposal plain{data ? 60 : 57, {}};
  const proposal with_tensor_cores{data ? 62 : 58, {}};
  const proposal unordered =
      data ? proposal{25, {{tile_size, 1}, {use_tex, 0}}} : proposal{3, {{use_tex, 0}}};
  std::vector<proposal> all = {
      with_tensor_cores, plain, unordered, {data ? 83 : 74, compiled(1, 12)}};
  if (what.x.type == CUDNN_DATA_FLOAT) std::swap(all[0], all[1]);
  if (mode == CUDNN_HEUR_MODE_B) std::swap(all[0], all[3]);
  return all;
}

// The order of 7 and 4 is as seen on the same GPU: fp16 NCHW computes wrong numbers, and no word.
static std::vector<proposal> compiled_proposals(const convolution& what,
                                                cudnnBackendHeurMode_t mode) {
  const proposal four{4, compiled(1, 0)};
  const proposal seven{7, compiled(1, 0)};
  const bool half = what.x.type != CUDNN_DATA_FLOAT;
  std::vector<proposal> all = {four, seven};
  if (half && !what.x.is_nhwc()) all = {seven, four};
  if (mode == CUDNN_HEUR_MODE_FALLBACK) all = {{4, {}}, {7, {}}, {8, {}}, {9, {}}};
  return all;
}

std::vector<offer> offers_for(const convolution& what, cudnnBackendHeurMode_t mode) {
  std::vector<proposal> proposals = !is_whole() ? compiled_proposals(what, mode)
                                    : what.what == operation::forward
                                        ? forward_proposals(what, mode)
                                        : gradient_proposals(what, mode);
  for (const placed_engine& placed : placed_engines(what, mode)) {
    const std::size_t place = std::min(placed.rank - 1, proposals.size());
    proposals.insert(proposals.begin() + static_cast<std::ptrdiff_t>(place),
                     {placed.engine, placed.choices});
  }
  std::vector<offer> all;
  for (const proposal& made : proposals) {
    offer found;
    if (find_engine(what, made.engine, found) == 0 && configure(what, made.choices, found) == 0) {
      all.push_back(found);
    }
  }
  return all;
}

}  // namespace simulated
