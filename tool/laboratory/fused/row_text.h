// SPDX-License-Identifier: BSD-3-Clause
//
// Rows like those of problems.def, from the text of their shape: what is drawn at random is in no
// table.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "problem_table.h"

namespace cudnn_checked::compute {

// False: the text is no shape of such a row, or is not written as shape_of writes it.
bool read_row(const std::string& text, attention_row& row);
bool read_row(const std::string& text, matrix_row& row);
bool read_row(const std::string& text, norm_row& row);
bool read_row(const std::string& text, convolution_row& row);

/// A number of a shape, and the least that it can be.
struct shape_size {
  std::int64_t value;
  std::int64_t least;
};

/// The numbers of a shape, which can be other ones; a mask, an activation and a bias are among
/// them, and 0 where there is none.
std::vector<shape_size> sizes_of_shape(fused_operation what, const std::string& shape);

/// The shape with these numbers.  Empty: there is none.
std::string shape_with_sizes(fused_operation what, const std::string& shape,
                             const std::vector<std::int64_t>& sizes);

}  // namespace cudnn_checked::compute
