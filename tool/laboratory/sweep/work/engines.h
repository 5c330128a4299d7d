// SPDX-License-Identifier: BSD-3-Clause
//
// Engines by their global index, with their default knobs, whether a heuristic offers them or not;
// and the properties of an engine and of its configuration.  As in plan.h, false means that a call
// failed.
#pragma once

#include <cstdint>

#include "../../../convolution/plan.h"

namespace cudnn_checked::compute {

/// The number of engines that cuDNN has for this operation; their indices are below it.
bool count_engines(const descriptor& graph, std::int64_t& count, failure& told);

/// Fails with CUDNN_STATUS_NOT_SUPPORTED for most engines: they do not compute this operation.
bool make_engine(const descriptor& graph, std::int64_t index, descriptor& engine, failure& told);

/// The engine with its own default knobs.
bool make_configuration(const descriptor& engine, descriptor& configuration, failure& told);

/// A setting of an engine, cudnnBackendKnobType_t by its number.
struct knob_choice {
  static constexpr int most = 16;  ///< of a configuration; 9.19 has up to 6

  std::int64_t type = 0;
  std::int64_t value = 0;
};

/// The knobs that the configuration sets, at most knob_choice::most, in cuDNN's order.
bool read_knobs(const descriptor& configuration, knob_choice* knobs, int& count, failure& told);

/// Whether the engine's code is compiled while the program runs.
bool read_runtime_compilation(const descriptor& engine, bool& compiled, failure& told);

}  // namespace cudnn_checked::compute
