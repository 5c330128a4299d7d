// SPDX-License-Identifier: BSD-3-Clause
#include "engines.h"

namespace cudnn_checked::compute {

bool count_engines(const descriptor& graph, std::int64_t& count, failure& told) {
  std::int64_t values = 0;
  return graph.get(CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATIONGRAPH_ENGINE_GLOBAL_COUNT),
                   CUDNN_TYPE_INT64, 1, values, &count, told);
}

bool make_engine(const descriptor& graph, std::int64_t index, descriptor& engine, failure& told) {
  return engine.create(CUDNN_BACKEND_ENGINE_DESCRIPTOR, told) &&
         engine.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_ENGINE_OPERATION_GRAPH), graph, told) &&
         engine.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_ENGINE_GLOBAL_INDEX), index, told) &&
         engine.finalize("CUDNN_BACKEND_ENGINE_DESCRIPTOR", told);
}

bool make_configuration(const descriptor& engine, descriptor& configuration, failure& told) {
  return configuration.create(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR, told) &&
         configuration.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_ENGINECFG_ENGINE), engine, told) &&
         configuration.finalize("CUDNN_BACKEND_ENGINECFG_DESCRIPTOR", told);
}

static bool read_knob(const descriptor& choice, knob_choice& knob, failure& told) {
  std::int64_t count = 0;
  cudnnBackendKnobType_t type = {};
  if (!choice.get(CUDNN_CHECKED_NAMED(CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE), CUDNN_TYPE_KNOB_TYPE, 1,
                  count, &type, told) ||
      !choice.get(CUDNN_CHECKED_NAMED(CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE), CUDNN_TYPE_INT64, 1,
                  count, &knob.value, told)) {
    return false;
  }
  knob.type = static_cast<std::int64_t>(type);
  return true;
}

bool read_knobs(const descriptor& configuration, knob_choice* knobs, int& count, failure& told) {
  // Asked without room, cuDNN 9.19 says that a heuristic's configuration has none.
  count = 0;
  descriptor choices[knob_choice::most];
  cudnnBackendDescriptor_t raw[knob_choice::most];
  for (int i = 0; i < knob_choice::most; ++i) {
    if (!choices[i].create(CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR, told)) return false;
    raw[i] = choices[i].get();
  }
  std::int64_t there = 0;
  if (!configuration.get(CUDNN_CHECKED_NAMED(CUDNN_ATTR_ENGINECFG_KNOB_CHOICES),
                         CUDNN_TYPE_BACKEND_DESCRIPTOR, knob_choice::most, there, raw, told)) {
    return false;
  }
  if (there > knob_choice::most) there = knob_choice::most;
  for (; count < there; ++count) {
    if (!read_knob(choices[count], knobs[count], told)) return false;
  }
  return true;
}

bool read_runtime_compilation(const descriptor& engine, bool& compiled, failure& told) {
  constexpr std::int64_t room = 16;
  cudnnBackendBehaviorNote_t notes[room] = {};
  std::int64_t count = 0;
  compiled = false;
  if (!engine.get(CUDNN_CHECKED_NAMED(CUDNN_ATTR_ENGINE_BEHAVIOR_NOTE), CUDNN_TYPE_BEHAVIOR_NOTE,
                  room, count, notes, told)) {
    return false;
  }
  for (std::int64_t i = 0; i < count && i < room; ++i) {
    compiled = compiled || notes[i] == CUDNN_BEHAVIOR_NOTE_RUNTIME_COMPILATION;
  }
  return true;
}

}  // namespace cudnn_checked::compute
