// SPDX-License-Identifier: BSD-3-Clause
//
// Operations of the legacy API by their text.  Those of ctc_loss and dropout have none: what is
// right of the former needs labels that fit, and of the latter an execution.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "../fused/row_text.h"
#include "problem.h"

namespace cudnn_checked::compute {

/// What a problem is without its type.
struct legacy_shape {
  tensor_layout layout = tensor_layout::nchw;
  std::int64_t image[4] = {1, 1, 1, 1};
  legacy_kind call;
};

/// "2x16x13x13 nhwc, max of 3x3, padding 1, stride 2".
std::string text_of(const legacy_shape& of);

/// The same back.  False: the operation has no such call, it has no output, or it is not written as
/// text_of() writes it.
bool read_legacy_shape(fused_operation what, const std::string& text, legacy_shape& of);

/// Without its numbers.
legacy_problem make_legacy_problem(fused_operation what, element type, const legacy_shape& of);

/// The numbers of a shape, which can be other ones.
std::vector<shape_size> sizes_of_legacy(const legacy_shape& of);

/// The shape with these numbers; read_legacy_shape() says whether its text is one.
legacy_shape with_sizes(const legacy_shape& of, const std::vector<std::int64_t>& sizes);

}  // namespace cudnn_checked::compute
