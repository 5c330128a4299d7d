// SPDX-License-Identifier: BSD-3-Clause
#include "row_text.h"

#include <cmath>
#include <cstdio>

namespace cudnn_checked::compute {

namespace {

constexpr int largest_extent = 1 << 20;
constexpr double usual_level = 5;  ///< of the log-sum-exp; others are below it

/// Takes an ending, if the text has it.
bool take_end(std::string& text, const std::string& end) {
  if (text.size() < end.size() || text.compare(text.size() - end.size(), end.size(), end) != 0) {
    return false;
  }
  text.erase(text.size() - end.size());
  return true;
}

bool are_extents(std::initializer_list<int> numbers) {
  for (const int number : numbers) {
    if (number < 1 || number > largest_extent) return false;
  }
  return true;
}

/// What a function makes of the row of a shape; of none, or of no such operation, an empty result.
template <typename result, typename function>
result of_row(fused_operation what, const std::string& shape, const function& make) {
  const auto made = [&](auto row) { return read_row(shape, row) ? make(row) : result(); };
  switch (what) {
    case fused_operation::attention_forward:
    case fused_operation::attention_backward:
      return made(attention_row());
    case fused_operation::matmul:
      return made(matrix_row());
    case fused_operation::layer_norm_forward:
    case fused_operation::layer_norm_backward:
    case fused_operation::rms_norm_forward:
    case fused_operation::rms_norm_backward:
      return made(norm_row());
    case fused_operation::conv_bias:
      return made(convolution_row());
    default:
      return {};
  }
}

// The numbers of a row; `visit` gets each, and the least that it can be.  False: no such row is
// computed.

template <typename visitor>
bool each_size(attention_row& row, const visitor& visit) {
  int groups = row.query_heads / row.key_heads;
  int below = static_cast<int>(std::lround(usual_level - row.level));
  int masked = static_cast<int>(row.masked);
  visit(row.batch, 1);
  visit(row.key_heads, 1);
  visit(groups, 1);
  visit(row.queries, 1);
  visit(row.keys, 1);
  visit(row.size, 8);
  visit(row.value_size, 8);
  visit(masked, 0);
  visit(below, 0);
  row.query_heads = row.key_heads * groups;
  row.masked = masked < 0 || masked > 3 ? mask::all : static_cast<mask>(masked);
  row.level = usual_level - below;
  return true;
}

template <typename visitor>
bool each_size(matrix_row& row, const visitor& visit) {
  int act = static_cast<int>(row.act);
  int biased = row.biased ? 1 : 0;
  visit(row.batch, 1);
  visit(row.rows, 1);
  visit(row.columns, 1);
  visit(row.sums, 1);
  visit(act, 0);
  visit(biased, 0);
  row.act = static_cast<activation>(act);
  row.biased = biased != 0;
  return true;
}

template <typename visitor>
bool each_size(norm_row& row, const visitor& visit) {
  visit(row.rows, 1);
  visit(row.columns, 2);
  return true;
}

template <typename visitor>
bool each_size(convolution_row& row, const visitor& visit) {
  visit(row.batch, 1);
  visit(row.channels, 1);
  visit(row.filters, 1);
  visit(row.kernel, 1);
  visit(row.size, 1);
  return row.kernel % 2 == 1;  // the image keeps its size
}

}  // namespace

bool read_row(const std::string& text, attention_row& row) {
  attention_row read = {types::half, 1, 1, 1, 1, 1, 1, 1, mask::all, 0};
  int end = 0;
  if (std::sscanf(text.c_str(), "%dx%dx%dx%d keys %dx%dx%d%n", &read.batch, &read.query_heads,
                  &read.queries, &read.size, &read.key_heads, &read.keys, &read.value_size,
                  &end) != 7 ||
      !are_extents({read.batch, read.query_heads, read.queries, read.size, read.key_heads,
                    read.keys, read.value_size}) ||
      read.query_heads % read.key_heads != 0) {
    return false;
  }
  std::string rest = text.substr(static_cast<std::size_t>(end));
  const std::size_t level = rest.rfind(", log-sum-exp ");
  if (level == std::string::npos ||
      std::sscanf(rest.c_str() + level, ", log-sum-exp %lf", &read.level) != 1) {
    return false;
  }
  for (const mask one : {mask::all, mask::causal, mask::window, mask::lengths}) {
    read.masked = one;
    if (shape_of(read) != text) continue;
    row = read;
    return std::fabs(read.level) < 1e6;
  }
  return false;
}

bool read_row(const std::string& text, matrix_row& row) {
  matrix_row read = {types::half, 1, 1, 1, 1, activation::none, false};
  int again = 0;
  int sums = 0;
  if (std::sscanf(text.c_str(), "%dx%dx%d * %dx%dx%d", &read.batch, &read.rows, &read.sums, &again,
                  &sums, &read.columns) != 6 ||
      !are_extents({read.batch, read.rows, read.columns, read.sums})) {
    return false;
  }
  std::string rest = text;
  if (take_end(rest, ", relu")) read.act = activation::relu;
  if (take_end(rest, ", gelu")) read.act = activation::gelu;
  read.biased = take_end(rest, ", bias");
  if (shape_of(read) != text) return false;
  row = read;
  return true;
}

bool read_row(const std::string& text, norm_row& row) {
  norm_row read = {types::half, 1, 1};
  if (std::sscanf(text.c_str(), "%dx%d", &read.rows, &read.columns) != 2 ||
      !are_extents({read.rows, read.columns}) || shape_of(read) != text) {
    return false;
  }
  row = read;
  return true;
}

bool read_row(const std::string& text, convolution_row& row) {
  convolution_row read = {types::half, 1, 1, 1, 1, 1};
  if (std::sscanf(text.c_str(), "%dx%dx%d", &read.batch, &read.channels, &read.size) != 3) {
    return false;
  }
  const std::size_t filters = text.find(" * ");
  int channels = 0;
  if (filters == std::string::npos ||
      std::sscanf(text.c_str() + filters, " * %dx%dx%d", &read.filters, &channels, &read.kernel) !=
          3 ||
      !are_extents({read.batch, read.channels, read.size, read.filters, read.kernel}) ||
      shape_of(read) != text) {
    return false;
  }
  row = read;
  return true;
}

std::vector<shape_size> sizes_of_shape(fused_operation what, const std::string& shape) {
  return of_row<std::vector<shape_size>>(what, shape, [](auto row) {
    std::vector<shape_size> made;
    (void)each_size(row, [&](int& value, int least) { made.push_back({value, least}); });
    return made;
  });
}

std::string shape_with_sizes(fused_operation what, const std::string& shape,
                             const std::vector<std::int64_t>& sizes) {
  return of_row<std::string>(what, shape, [&](auto row) {
    std::size_t next = 0;
    const auto take = [&](int& value, int) { value = static_cast<int>(sizes[next++]); };
    if (!each_size(row, take)) return std::string();
    const std::string text = shape_of(row);
    return read_row(text, row) ? text : std::string();
  });
}

}  // namespace cudnn_checked::compute
