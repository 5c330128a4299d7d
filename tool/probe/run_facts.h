// SPDX-License-Identifier: BSD-3-Clause
//
// The facts of one run.
#pragma once

#include <string>

#include "../facts/words.h"

namespace cudnn_checked::probe {

/// One convolution, or one run of a fused operation; facts/run_fields.def has its other members.
struct run_facts {
  /// If this is not none, the run has no api, layout, math and products.
  fused_operation operation = fused_operation::none;
  convolution_api api = convolution_api::legacy;
  element type = element::fp32;
  tensor_layout layout = tensor_layout::nchw;
  convolution_math math = convolution_math::unknown;

#define FIELD_TEXT(name) std::string name;
#define FIELD_WHOLE(name) long long name = 0;
#define FIELD_REAL(name) double name = 0;
#include "../facts/run_fields.def"
#undef FIELD_TEXT
#undef FIELD_WHOLE
#undef FIELD_REAL

  run_facts() {
    engine = -1;
    difference = -1;
  }
};

}  // namespace cudnn_checked::probe
