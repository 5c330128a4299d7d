// SPDX-License-Identifier: BSD-3-Clause
#include "problem_table.h"

#include <cstdio>
#include <initializer_list>

namespace cudnn_checked::compute {

namespace {

constexpr element each_type[] = {element::fp16, element::bf16, element::fp32, element::e4m3};

bool has_type(types of, element type) {
  if (of == types::e4m3 || type == element::e4m3) {
    return of == types::e4m3 && type == element::e4m3;
  }
  return (type == element::fp16 && of >= types::half) ||
         (type == element::bf16 && of >= types::halves) || of == types::all;
}

/// On compute capability 9 cuDNN computes gradients in FP8 only of heads of size 128
/// (cudnn-frontend 1.32, sdpa_fp8_bwd.h).
bool is_made(const attention_row& row, fused_operation what) {
  return what != fused_operation::attention_backward || row.of != types::e4m3 || row.size == 128;
}
template <typename row_type>
bool is_made(const row_type&, fused_operation) {
  return true;
}

template <typename row_type, std::size_t count>
std::vector<fused_choice> proved_choices(const row_type (&rows)[count], fused_operation what) {
  std::vector<fused_choice> made;
  for (const element type : each_type) {
    for (std::size_t row = 0; row < count; ++row) {
      if (has_type(rows[row].of, type) && is_made(rows[row], what)) made.push_back({row, type});
    }
  }
  return made;
}

template <typename row_type, std::size_t count>
std::vector<fused_choice> all_choices(const row_type (&rows)[count], fused_operation what) {
  std::vector<fused_choice> made = proved_choices(rows, what);
  for (std::size_t row = 0; row < count; ++row) {
    if (rows[row].of == types::swept) made.push_back({row, element::fp16});
  }
  return made;
}

std::string extents(std::initializer_list<int> numbers) {
  std::string text;
  for (const int number : numbers) text += (text.empty() ? "" : "x") + std::to_string(number);
  return text;
}

/// Calls a function with the table of an operation, and returns its result.
template <typename result, typename function>
result of_table(fused_operation what, const function& make) {
  switch (what) {
    case fused_operation::attention_forward:
    case fused_operation::attention_backward:
      return make(attention_rows);
    case fused_operation::matmul:
      return make(matrix_rows);
    case fused_operation::layer_norm_forward:
    case fused_operation::layer_norm_backward:
    case fused_operation::rms_norm_forward:
    case fused_operation::rms_norm_backward:
      return make(norm_rows);
    case fused_operation::conv_bias:
      return make(convolution_rows);
    default:  // no operation; or one of the legacy API, which is not a graph
      break;
  }
  return {};
}

}  // namespace

std::string shape_of(const attention_row& row) {
  static constexpr const char* const masks[] = {"", ", causal", ", window 48", ", lengths"};
  char level[32];
  std::snprintf(level, sizeof level, "%g", row.level);
  return extents({row.batch, row.query_heads, row.queries, row.size}) + " keys " +
         extents({row.key_heads, row.keys, row.value_size}) + masks[static_cast<int>(row.masked)] +
         ", log-sum-exp " + level;
}

std::string shape_of(const matrix_row& row) {
  static constexpr const char* const activations[] = {"", ", relu", ", gelu"};
  return extents({row.batch, row.rows, row.sums}) + " * " +
         extents({row.batch, row.sums, row.columns}) + (row.biased ? ", bias" : "") +
         activations[static_cast<int>(row.act)];
}

std::string shape_of(const norm_row& row) { return extents({row.rows, row.columns}); }

std::string shape_of(const convolution_row& row) {
  return extents({row.batch, row.channels, row.size, row.size}) + " * " +
         extents({row.filters, row.channels, row.kernel, row.kernel});
}

std::vector<fused_choice> fused_choices(fused_operation what) {
  return of_table<std::vector<fused_choice>>(
      what, [&](const auto& rows) { return all_choices(rows, what); });
}

std::size_t find_fused_choice(fused_operation what, element type, const std::string& shape) {
  const std::vector<fused_choice> all = fused_choices(what);
  std::size_t index = 0;
  while (index < all.size() &&
         (all[index].type != type || fused_shape(what, all[index].row) != shape)) {
    ++index;
  }
  return index;
}

std::size_t fused_problem_count(fused_operation what) {
  return of_table<std::size_t>(what,
                               [&](const auto& rows) { return proved_choices(rows, what).size(); });
}

bool computes_e4m3(fused_operation what, int major, int minor) {
  const int least_minor_of_8 = what == fused_operation::matmul ? 9 : 10;
  return major > 8 || (major == 8 && minor >= least_minor_of_8);
}

std::string fused_shape(fused_operation what, std::size_t row) {
  return of_table<std::string>(what, [&](const auto& rows) { return shape_of(rows[row]); });
}

}  // namespace cudnn_checked::compute
