// SPDX-License-Identifier: BSD-3-Clause
#include "problem.h"

#include <utility>

#include "biased_convolution.h"
#include "graphs.h"
#include "problem_arrays.h"
#include "problem_table.h"
#include "row_text.h"

namespace cudnn_checked::compute {

namespace {

/// The matrix B, stored column by column.
std::vector<double> columns_first(const matrix_product& what, const std::vector<double>& b) {
  const std::size_t rows = static_cast<std::size_t>(what.k);
  const std::size_t columns = static_cast<std::size_t>(what.n);
  std::vector<double> made(b.size());
  for (std::size_t i = 0; i < b.size(); ++i) {
    const std::size_t matrix = i / (rows * columns) * (rows * columns);
    made[matrix + i % columns * rows + (i - matrix) / columns] = b[i];
  }
  return made;
}

void make_matrix(const matrix_row& row, const seeds& from, fused_problem& problem) {
  const element type = problem.type;
  matrix_product what;
  what.batch = row.batch;
  what.m = row.rows;
  what.n = row.columns;
  what.k = row.sums;
  what.act = row.act;
  what.type = type;
  what.result_type = type;
  if (type == element::e4m3) {
    // The result of a layer with a bias is bf16.  That of cudnn-frontend's matmul_fp8, which has
    // no bias, is E4M3.
    what.scales = {0.75, 1.5, row.biased ? 1.0 : 2.5};
    if (row.biased) what.result_type = element::bf16;
  }
  random_numbers random(from.seed);
  const auto product = [](std::int64_t x, std::int64_t y, std::int64_t z) {
    return static_cast<std::size_t>(x * y * z);
  };
  drawn_numbers a =
      in_range(from.range, factors(random, type, product(row.batch, row.rows, row.sums)));
  drawn_numbers b = factors(random, type, product(row.batch, row.sums, row.columns));
  drawn_numbers bias;
  if (row.biased) bias = drawn(random, what.result_type, product(1, 1, row.columns));
  bounded largest;
  bounded c = multiply(what, a.data(), b.data(), row.biased ? bias.data() : nullptr, &largest);
  if (type == element::e4m3) b.values = columns_first(what, b.values);
  problem.arrays = {input("A", type, std::move(a)), input("B", type, std::move(b)),
                    output("C", what.result_type, std::move(c))};
  if (row.biased) problem.arrays.push_back(input("bias", what.result_type, std::move(bias)));
  if (type == element::e4m3) {
    problem.arrays.push_back(
        input("scale of A", element::fp32, std::vector<double>{what.scales.a}));
    problem.arrays.push_back(
        input("scale of B", element::fp32, std::vector<double>{what.scales.b}));
  }
  if (what.result_type == element::e4m3) {
    problem.arrays.push_back(
        input("scale of C", element::fp32, std::vector<double>{what.scales.c}));
    problem.arrays.push_back(output("largest C", element::fp32, std::move(largest)));
  }
  problem.add = [what, biased = row.biased](graph_builder& graph) {
    add_matrix_product(what, biased, graph);
  };
}

norm norm_of(const norm_row& row, const fused_problem& problem) {
  norm what;
  what.kind = problem.what == fused_operation::layer_norm_forward ||
                      problem.what == fused_operation::layer_norm_backward
                  ? norm_kind::layer
                  : norm_kind::rms;
  what.rows = row.rows;
  what.columns = row.columns;
  what.epsilon = 0.01;  // large enough that a wrong epsilon changes the result
  what.type = problem.type;
  return what;
}

void make_norm(const norm_row& row, const seeds& from, fused_problem& problem) {
  const norm what = norm_of(row, problem);
  const bool layer = what.kind == norm_kind::layer;
  const element type = problem.type;
  random_numbers random(from.seed);
  const std::size_t columns = static_cast<std::size_t>(row.columns);
  const std::size_t count = static_cast<std::size_t>(row.rows) * columns;
  const drawn_numbers x = in_range(from.range, drawn(random, type, count));
  const drawn_numbers scale = drawn(random, what.parameter_type, columns);
  const drawn_numbers bias = drawn(random, what.parameter_type, columns);
  norm_output out = norm_forward(what, x.data(), scale.data(), bias.data());
  problem.arrays = {input("x", type, x), input("scale", what.parameter_type, scale)};
  std::vector<fused_array>& arrays = problem.arrays;
  if (problem.what == fused_operation::layer_norm_forward ||
      problem.what == fused_operation::rms_norm_forward) {
    if (layer) arrays.push_back(input("bias", what.parameter_type, bias));
    arrays.push_back(output("y", type, std::move(out.y)));
    if (layer) arrays.push_back(output("mean", element::fp32, std::move(out.mean)));
    arrays.push_back(output("inverse deviation", element::fp32, std::move(out.inverse)));
    problem.add = [what](graph_builder& graph) { add_norm(what, graph); };
    return;
  }
  const drawn_numbers dy = drawn(random, type, count);
  const std::vector<double> mean = rounded(element::fp32, out.mean.value);
  const std::vector<double> inverse = rounded(element::fp32, out.inverse.value);
  norm_gradients expected =
      norm_backward(what, x.data(), dy.data(), scale.data(), mean.data(), inverse.data());
  arrays.push_back(input("dy", type, dy));
  if (layer) arrays.push_back(input("mean", element::fp32, mean));
  arrays.push_back(input("inverse deviation", element::fp32, inverse));
  arrays.push_back(output("dx", type, std::move(expected.dx)));
  arrays.push_back(output("dscale", what.parameter_type, std::move(expected.dscale)));
  if (layer) arrays.push_back(output("dbias", what.parameter_type, std::move(expected.dbias)));
  problem.add = [what](graph_builder& graph) { add_norm_gradients(what, graph); };
}

/// Puts packed NCHW numbers into the order that `where` has in memory.
std::vector<double> arranged(const std::vector<double>& values, const tensor& where) {
  std::vector<double> made(values.size());
  arrange(values.data(), where, made.data());
  return made;
}

drawn_numbers arranged(drawn_numbers numbers, const tensor& where) {
  numbers.values = arranged(numbers.values, where);
  return numbers;
}

void make_convolution(const convolution_row& row, const seeds& from, fused_problem& problem) {
  const element type = problem.type;
  operation what;
  what.type = type;
  const std::int64_t x[] = {row.batch, row.channels, row.size, row.size};
  const std::int64_t w[] = {row.filters, row.channels, row.kernel, row.kernel};
  const std::int64_t y[] = {row.batch, row.filters, row.size, row.size};
  what.x = make_tensor(4, x, tensor_layout::nhwc);
  what.w = make_tensor(4, w, tensor_layout::nhwc);
  what.y = make_tensor(4, y, tensor_layout::nhwc);
  for (std::int64_t& padding : what.moves.padding) padding = row.kernel / 2;
  random_numbers random(from.seed);
  const drawn_numbers image = in_range(from.range, factors(random, type, what.x.elements()));
  const drawn_numbers filters = factors(random, type, what.w.elements());
  const drawn_numbers bias = drawn(random, type, static_cast<std::size_t>(row.filters));
  bounded expected = biased_convolution(what, image.data(), filters.data(), bias.data());
  expected.value = arranged(expected.value, what.y);
  expected.bound = arranged(expected.bound, what.y);
  problem.arrays = {input("x", type, arranged(image, what.x)),
                    input("w", type, arranged(filters, what.w)), input("bias", type, bias),
                    output("y", type, std::move(expected))};
  problem.add = [what](graph_builder& graph) { add_biased_convolution(what, graph); };
}

/// `row_of` gives a row, of the type of the one that it is given; false: there is none.
template <typename finder>
bool fill(const seeds& from, const finder& row_of, fused_problem& problem) {
  const auto fill_by = [&](auto row, const auto& make) {
    const bool found = row_of(row);
    if (found) make(row, from, problem);
    return found;
  };
  switch (problem.what) {
    case fused_operation::attention_forward:
    case fused_operation::attention_backward:
      return fill_by(attention_rows[0], make_attention);
    case fused_operation::matmul:
      return fill_by(matrix_rows[0], make_matrix);
    case fused_operation::layer_norm_forward:
    case fused_operation::layer_norm_backward:
    case fused_operation::rms_norm_forward:
    case fused_operation::rms_norm_backward:
      return fill_by(norm_rows[0], make_norm);
    case fused_operation::conv_bias:
      return fill_by(convolution_rows[0], make_convolution);
    default:  // no operation, or one of the legacy API, which is not a graph
      return false;
  }
}

/// Of the table.
struct row_at {
  std::size_t number;

  bool operator()(attention_row& row) const { return copy(attention_rows[number], row); }
  bool operator()(matrix_row& row) const { return copy(matrix_rows[number], row); }
  bool operator()(norm_row& row) const { return copy(norm_rows[number], row); }
  bool operator()(convolution_row& row) const { return copy(convolution_rows[number], row); }

 private:
  template <typename row_type>
  static bool copy(const row_type& from, row_type& to) {
    to = from;
    return true;
  }
};

}  // namespace

fused_problem make_fused_problem(fused_operation what, std::size_t index,
                                 unsigned long long cudnn) {
  const fused_choice one = fused_choices(what)[index];
  fused_problem problem;
  problem.what = what;
  problem.type = one.type;
  problem.shape = fused_shape(what, one.row);
  (void)fill({one.row + 1, cudnn, {}}, row_at{one.row}, problem);
  return problem;
}

fused_problem make_fused_problem(const fused_request& asked, unsigned long long cudnn) {
  const std::size_t index = find_fused_choice(asked.what, asked.type, asked.shape);
  if (asked.range.is_usual() && index < fused_choices(asked.what).size()) {
    return make_fused_problem(asked.what, index, cudnn);
  }
  fused_problem problem;
  problem.what = asked.what;
  problem.type = asked.type;
  problem.shape = asked.shape;
  const auto read = [&](auto& row) { return read_row(asked.shape, row); };
  (void)fill({hash_of(asked.shape), cudnn, asked.range}, read, problem);
  return problem;
}

}  // namespace cudnn_checked::compute
