// SPDX-License-Identifier: BSD-3-Clause
//
// The rows of problems.def as tables.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "../../facts/words.h"
#include "attention.h"
#include "matrix.h"

namespace cudnn_checked::compute {

/// In which types a row is computed.  swept: fp16, and only a sweep computes it.  half: fp16.
/// halves: fp16 and bf16.  all: fp16, bf16 and fp32.  e4m3: E4M3 alone.
enum class types : unsigned char { swept, half, halves, all, e4m3 };

enum class mask : unsigned char { all, causal, window, lengths };

/// The scales of every attention in E4M3.  Scores, P, dS and results fill the range of their types.
/// The scales differ so much that the result is wrong if a kernel takes one for another.
inline constexpr attention_scales e4m3_scales = {0.25,   40,    0x1p-9, 3,    256,
                                                 131072, 16384, 128,    2048, 10};

struct attention_row {
  types of;
  int batch, query_heads, key_heads, queries, keys, size, value_size;
  mask masked;
  double level;
};

struct matrix_row {
  types of;
  int batch, rows, columns, sums;
  activation act;
  bool biased;
};

struct norm_row {
  types of;
  int rows, columns;
};

struct convolution_row {
  types of;
  int batch, channels, filters, kernel, size;
};

#define PADDED(...)
#define MATRIX(...)
#define NORM(...)
#define CONVOLUTION(...)

#define ATTENTION(of, batch, q, k, queries, keys, size, value_size, masked, level) \
  {types::of, batch, q, k, queries, keys, size, value_size, mask::masked, level},
inline constexpr attention_row attention_rows[] = {
#include "problems.def"
};
#undef ATTENTION
#define ATTENTION(...)

#undef PADDED
#define PADDED(release) inline constexpr unsigned long long last_padded_release = release;
#include "problems.def"
#undef PADDED
#define PADDED(...)

#undef MATRIX
#define MATRIX(of, batch, rows, columns, sums, act, biased) \
  {types::of, batch, rows, columns, sums, activation::act, biased},
inline constexpr matrix_row matrix_rows[] = {
#include "problems.def"
};
#undef MATRIX
#define MATRIX(...)

#undef NORM
#define NORM(of, rows, columns) {types::of, rows, columns},
inline constexpr norm_row norm_rows[] = {
#include "problems.def"
};
#undef NORM
#define NORM(...)

#undef CONVOLUTION
#define CONVOLUTION(of, batch, channels, filters, kernel, size) \
  {types::of, batch, channels, filters, kernel, size},
inline constexpr convolution_row convolution_rows[] = {
#include "problems.def"
};
#undef PADDED
#undef ATTENTION
#undef MATRIX
#undef NORM
#undef CONVOLUTION

/// A row of a table, and one of the types in which it is computed.
struct fused_choice {
  std::size_t row;
  element type;
};

/// All choices of an operation.  Those that only a sweep computes are last.
std::vector<fused_choice> fused_choices(fused_operation what);

/// The index of the choice that has this type and shape; the number of choices if none has.
std::size_t find_fused_choice(fused_operation what, element type, const std::string& shape);

/// A proof computes the first choices of an operation: so many.
std::size_t fused_problem_count(fused_operation what);

/// Whether a GPU of that compute capability has tensor cores for E4M3.  For an attention, whether
/// cuDNN also computes it there in E4M3 (cudnn-frontend 1.32, sdpa_support_surface.h).
bool computes_e4m3(fused_operation what, int major, int minor);

/// The row's shape as reports write it: "2x4x192x64 keys 4x192x64, log-sum-exp -35".
std::string shape_of(const attention_row& row);
std::string shape_of(const matrix_row& row);
std::string shape_of(const norm_row& row);
std::string shape_of(const convolution_row& row);

/// The shape of the row of that number.
std::string fused_shape(fused_operation what, std::size_t row);

}  // namespace cudnn_checked::compute
