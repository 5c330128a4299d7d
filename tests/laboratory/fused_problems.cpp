// SPDX-License-Identifier: BSD-3-Clause
//
// The problems of fused operations tell wrong kernels from right ones.
#include <doctest/doctest.h>

#include <algorithm>
#include <iterator>
#include <string>

#include "laboratory/fused/norm.h"
#include "laboratory/fused/problem.h"
#include "stored_numbers.h"

namespace fused_table {

using namespace cudnn_checked::compute;
using cudnn_checked::element;
using cudnn_checked::fused_operation;
using fused_test::error_of;
using fused_test::numbers;

/// Of a product with bias, before its activation.
numbers sums_of(const matrix_row& row, const fused_problem& problem) {
  matrix_product plain;
  plain.batch = row.batch;
  plain.m = row.rows;
  plain.n = row.columns;
  plain.k = row.sums;
  const double* const bias = row.biased ? problem.arrays[3].given.data() : nullptr;
  return multiply(plain, problem.arrays[0].given.data(), problem.arrays[1].given.data(), bias)
      .value;
}

double gelu_by_tanh(double z) {
  return z / 2 * (1 + std::tanh(0.7978845608028654 * (z + 0.044715 * z * z * z)));
}

/// By number of the activation, and as what cuDNN has as another operation.
double activated(int number, double z) {
  switch (number) {
    case static_cast<int>(activation::relu):
      return std::fmax(z, 0);
    case static_cast<int>(activation::gelu):
      return z / 2 * (1 + std::erf(z / std::sqrt(2.0)));
    case static_cast<int>(activation::gelu) + 1:
      return gelu_by_tanh(z);
    default:
      return z;
  }
}

const fused_array& array_of(const fused_problem& problem, const char* name) {
  return *std::find_if(problem.arrays.begin(), problem.arrays.end(),
                       [&](const fused_array& one) { return one.name == std::string(name); });
}

TEST_CASE("problems of products tell their activation from all others") {
  const std::vector<fused_choice> all = fused_choices(fused_operation::matmul);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].type == element::e4m3) continue;  // another formula: scales
    const fused_problem problem = make_fused_problem(fused_operation::matmul, i, 91900);
    CAPTURE(problem.shape);
    CAPTURE(problem.type);
    const matrix_row& row = matrix_rows[all[i].row];
    const numbers sums = sums_of(row, problem);
    for (int other = 0; other <= static_cast<int>(activation::gelu) + 1; ++other) {
      CAPTURE(other);
      numbers found;
      for (const double z : sums) found.push_back(activated(other, z));
      const double error = error_of(problem.type, found, problem.arrays[2].expected);
      if (other == static_cast<int>(row.act)) {
        CHECK(error < 1);
      } else {
        CHECK(error > 5);
      }
    }
  }
}

TEST_CASE("problems of norms show an epsilon that is forgotten or outside of the root") {
  for (const fused_operation what :
       {fused_operation::layer_norm_forward, fused_operation::rms_norm_forward}) {
    const std::vector<fused_choice> all = fused_choices(what);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const fused_problem problem = make_fused_problem(what, i, 91900);
      norm without;
      without.kind = what == fused_operation::rms_norm_forward ? norm_kind::rms : norm_kind::layer;
      without.rows = norm_rows[all[i].row].rows;
      without.columns = norm_rows[all[i].row].columns;
      without.epsilon = 0;
      const numbers any(static_cast<std::size_t>(without.columns));
      numbers found = norm_forward(without, problem.arrays[0].given.data(), any.data(), any.data())
                          .inverse.value;
      const bounded& expected = array_of(problem, "inverse deviation").expected;
      CHECK(error_of(element::fp32, found, expected) > 20);
      for (double& inverse : found) inverse = 1 / (1 / inverse + 0.01);
      CHECK(error_of(element::fp32, found, expected) > 20);
    }
  }
}

/// A sum that is rounded after each 16 products, which is what tensor cores add at a time.  The
/// factors of b are `stride` apart.
double sum_in(element type, const double* a, const double* b, std::size_t stride,
              std::size_t count) {
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    sum += a[i] * b[i * stride];
    if (i % 16 == 15) sum = rounded(type, sum);
  }
  return sum;
}

/// The first rows of a product with bias and relu, its inputs and its sums rounded.  The other rows
/// are right.
numbers multiply_in(element inputs, element sums, const fused_problem& problem,
                    const matrix_row& row) {
  numbers a = array_of(problem, "A").given;
  numbers b = array_of(problem, "B").given;
  round_to(inputs, a.data(), a.size());
  round_to(inputs, b.data(), b.size());
  const auto columns = static_cast<std::size_t>(row.columns);
  const auto length = static_cast<std::size_t>(row.sums);
  numbers c = array_of(problem, "C").expected.value;
  for (std::size_t i = 0; i < 32 * columns; ++i) {
    const double sum = sum_in(sums, &a[i / columns * length], &b[i % columns], columns, length);
    c[i] = std::fmax(sum + array_of(problem, "bias").given[i % columns], 0);
  }
  return c;
}

TEST_CASE("problems of products show inputs and sums of fewer bits") {
  const std::vector<fused_choice> all = fused_choices(fused_operation::matmul);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const matrix_row& row = matrix_rows[all[i].row];
    const element type = all[i].type;
    if (type == element::e4m3 || row.act != activation::relu) continue;
    const fused_problem problem = make_fused_problem(fused_operation::matmul, i, 91900);
    CAPTURE(problem.shape);
    CAPTURE(type);
    const auto error = [&](element inputs, element sums) {
      return error_of(type, multiply_in(inputs, sums, problem, row),
                      array_of(problem, "C").expected);
    };
    CHECK(error(type, element::fp32) < 1);
    if (type != element::fp32) CHECK(error(type, type) > 8);
    if (type != element::bf16) CHECK(error(element::bf16, element::fp32) > 20);
    if (type != element::fp32) continue;
    CHECK(error(element::fp16, element::fp32) < 1);  // TF32 rounds no more
    CHECK(error(type, element::fp16) > 20);
  }
}

/// Of a convolution with kernels of one pixel, its inputs and its sums rounded.
numbers convolve_in(element inputs, element sums, const fused_problem& problem) {
  numbers x = array_of(problem, "x").given;
  numbers w = array_of(problem, "w").given;
  round_to(inputs, x.data(), x.size());
  round_to(inputs, w.data(), w.size());
  const numbers& bias = array_of(problem, "bias").given;
  const std::size_t channels = w.size() / bias.size();
  numbers y;
  for (std::size_t pixel = 0; pixel < x.size(); pixel += channels) {
    for (std::size_t filter = 0; filter < bias.size(); ++filter) {
      const double sum = sum_in(sums, &x[pixel], &w[filter * channels], 1, channels);
      y.push_back(std::fmax(sum + bias[filter], 0));
    }
  }
  return y;
}

TEST_CASE("problems of convolutions show inputs and sums of fewer bits") {
  const fused_operation what = fused_operation::conv_bias;
  const std::vector<fused_choice> all = fused_choices(what);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (convolution_rows[all[i].row].kernel != 1) continue;
    const element type = all[i].type;
    CAPTURE(type);
    const fused_problem problem = make_fused_problem(what, i, 91900);
    const auto error = [&](element inputs, element sums) {
      return error_of(type, convolve_in(inputs, sums, problem), array_of(problem, "y").expected);
    };
    CHECK(error(type, element::fp32) < 1);
    if (type != element::fp32) CHECK(error(type, type) > 20);
    if (type != element::bf16) CHECK(error(element::bf16, element::fp32) > 20);
    if (type != element::fp32) continue;
    CHECK(error(element::fp16, element::fp32) < 1);  // TF32 rounds no more
    CHECK(error(type, element::fp16) > 10);
  }
}

TEST_CASE("problems of attention show a wrong head of K and a wrong corner of a causal mask") {
  CHECK(std::any_of(std::begin(attention_rows), std::end(attention_rows), [](const auto& row) {
    return row.of == types::halves && row.masked == mask::causal && row.key_heads > 1 &&
           row.query_heads > row.key_heads && row.queries != row.keys;
  }));
}

TEST_CASE("problems of attention show long sums in fp16") {
  CHECK(std::any_of(std::begin(attention_rows), std::end(attention_rows), [](const auto& row) {
    return row.queries >= 1088 && row.keys >= 1088 && row.masked == mask::all && row.level == 5;
  }));
  const fused_problem first = make_fused_problem(fused_operation::attention_backward, 0, 91900);
  for (const char* const name : {"V", "dO"}) {
    CAPTURE(name);
    const fused_array& array = array_of(first, name);
    CHECK(array.period == static_cast<std::size_t>(attention_rows[0].value_size));
    for (std::size_t i = 0; i < array.given.size(); i += array.period) {
      REQUIRE(array.given[i] == 1);
      REQUIRE(array.given[i + 1] != 1);
    }
  }
}

}  // namespace fused_table
