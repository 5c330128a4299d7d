// SPDX-License-Identifier: BSD-3-Clause
//
// Runs of fused operations, as the probe observes them.
#pragma once

#include "core/model/observation.h"

namespace test {

using namespace cudnn_checked;

/// A right one.
inline convolution fused_run(fused_operation operation, element type = element::fp16) {
  convolution run;
  run.operation = operation;
  run.api = convolution_api::graph;
  run.type = type;
  run.shape = "2x4x192x64, causal";
  run.output = "dQ";
  run.engine = 6;
  run.ran = true;
  run.relative_error = 4.1e-4;
  run.element_error = 0.5;
  run.milliseconds = 0.25;
  return run;
}

inline convolution wrong_run(fused_operation operation, element type = element::fp16) {
  convolution run = fused_run(operation, type);
  run.relative_error = 0.12;
  run.element_error = 31;
  return run;
}

}  // namespace test
