// SPDX-License-Identifier: BSD-3-Clause
//
// The float64 reference of a product of matrices, against the definition, and its bound against a
// product in fp32.
#include <doctest/doctest.h>

#include <utility>

#include "laboratory/fused/matrix.h"
#include "stored_numbers.h"

using namespace fused_test;
using cudnn_checked::compute::activation;
using cudnn_checked::compute::bounded;
using cudnn_checked::compute::matrix_product;

namespace {

struct matrices {
  numbers a, b, bias;

  explicit matrices(const matrix_product& p)
      : a(elements_drawn(1, p.type, static_cast<std::size_t>(p.batch * p.m * p.k))),
        b(elements_drawn(2, p.type, static_cast<std::size_t>(p.batch * p.k * p.n))),
        bias(elements_drawn(3, p.type, static_cast<std::size_t>(p.n))) {}
};

matrix_product product_of(int batch, int m, int n, int k, activation act, element type) {
  matrix_product p;
  p.batch = batch;
  p.m = m;
  p.n = n;
  p.k = k;
  p.act = act;
  p.type = type;
  p.result_type = type;
  return p;
}

template <typename number>
number activate(activation act, number z) {
  if (act == activation::relu) return z < 0 ? 0 : z;
  if (act == activation::gelu) return z * (1 + std::erf(z * number(0.70710678118654752440))) / 2;
  return z;
}

/// `number` is what is computed with.
template <typename number>
numbers product_by_columns(const matrix_product& p, const matrices& m, bool with_bias) {
  numbers c;
  for (int batch = 0; batch < p.batch; ++batch) {
    for (int i = 0; i < p.m; ++i) {
      for (int j = 0; j < p.n; ++j) {
        number sum = 0;
        for (int x = 0; x < p.k; ++x) {
          sum += static_cast<number>(m.a[static_cast<std::size_t>((batch * p.m + i) * p.k + x)]) *
                 static_cast<number>(m.b[static_cast<std::size_t>((batch * p.k + x) * p.n + j)]);
        }
        if (with_bias) sum += static_cast<number>(m.bias[static_cast<std::size_t>(j)]);
        c.push_back(static_cast<double>(activate(p.act, sum)));
      }
    }
  }
  return c;
}

constexpr activation activations[] = {activation::none, activation::relu, activation::gelu};
constexpr element all_types[] = {element::fp32, element::fp16, element::bf16};

}  // namespace

TEST_CASE("matrix product: the reference is the definition") {
  for (const activation act : activations) {
    for (const matrix_product& p :
         {product_of(2, 3, 5, 7, act, element::fp16), product_of(1, 1, 1, 1, act, element::fp32),
          product_of(3, 1, 4, 2, act, element::bf16), product_of(1, 4, 1, 9, act, element::fp32)}) {
      const matrices m(p);
      check_close_to(multiply(p, m.a.data(), m.b.data(), m.bias.data()).value,
                     product_by_columns<double>(p, m, true));
      check_close_to(multiply(p, m.a.data(), m.b.data(), nullptr).value,
                     product_by_columns<double>(p, m, false));
    }
  }
}

TEST_CASE("matrix product: sums in fp32 are within the bound, defects are not") {
  for (const activation act : activations) {
    for (const element type : all_types) {
      const matrix_product p = product_of(2, 20, 30, 64, act, type);
      const matrices m(p);
      const bounded expected = multiply(p, m.a.data(), m.b.data(), m.bias.data());
      const auto error = [&](const matrices& from, bool with_bias) {
        return error_of(type, product_by_columns<float>(p, from, with_bias), expected);
      };
      CHECK(error(m, true) < 1);
      CHECK(error(m, false) > 20);  // no bias
      matrices lost = m;
      lost.a[70] = 0;  // one product
      CHECK(error(lost, true) > 20);
      matrices swapped = m;
      std::swap(swapped.bias[3], swapped.bias[4]);
      CHECK(error(swapped, true) > 20);
    }
  }
}

TEST_CASE("matrix product: E4M3 with its scales, the largest C and a result of another type") {
  matrix_product p = product_of(2, 20, 30, 64, activation::relu, element::e4m3);
  p.scales = {0.75, 1.5, 2.5};
  const matrices m(p);
  bounded largest;
  const bounded expected = multiply(p, m.a.data(), m.b.data(), m.bias.data(), &largest);
  const auto product = [&](double scale) {
    matrices scaled = m;
    for (double& value : scaled.a) value *= scale;
    return product_by_columns<float>(p, scaled, true);
  };
  numbers right = product(0.75 * 1.5);
  double most = 0;
  for (double& value : right) {
    most = std::fmax(most, value);
    value *= 2.5;
  }
  CHECK(error_of(p.type, right, expected) < 2);
  CHECK(error_of(element::fp32, {most}, largest) < 1);
  CHECK(error_of(element::fp32, {most * 2.5}, largest) > 20);
  CHECK(error_of(p.type, product(0.75 * 1.5), expected) > 4);  // C without its scale
  p.scales.c = 1;
  p.result_type = element::bf16;
  const bounded wider = multiply(p, m.a.data(), m.b.data(), m.bias.data());
  CHECK(error_of(element::bf16, product(0.75 * 1.5), wider) < 1);
  CHECK(error_of(element::bf16, product(0.75), wider) > 20);
}

TEST_CASE("matrix product: subnormals of fp16 are within the bound") {
  const matrix_product p = product_of(1, 8, 8, 8, activation::none, element::fp16);
  matrices m(p);
  for (double& value : m.a) value /= 65536;
  cudnn_checked::compute::round_to(p.type, m.a.data(), m.a.size());
  check_near(error_of(p.type, product_by_columns<float>(p, m, false),
                      multiply(p, m.a.data(), m.b.data(), nullptr)));
}

TEST_CASE("matrix product: sums that are cut off are near the bound") {
  for (const activation act : activations) {
    const matrix_product p = product_of(1, 1, 1, 1000, act, element::fp16);
    matrices m(p);
    m.a = magnitudes_of(there_and_back(1, p.type, 1000, 1));
    m.b = there_and_back(2, p.type, 1000, 1);
    m.bias = {1};
    const bounded expected = multiply(p, m.a.data(), m.b.data(), m.bias.data());
    const cutting sums(true);
    check_near(error_of(p.type, product_by_columns<float>(p, m, true), expected));
  }
}

TEST_CASE("matrix product: gelu of a bias alone is within the bound") {
  const matrix_product p = product_of(1, 1, 5, 1, activation::gelu, element::fp32);
  matrices m(p);
  m.a = {0};
  m.bias = {-5, -4, -1, 1, 4};
  CHECK(error_of(p.type, product_by_columns<float>(p, m, true),
                 multiply(p, m.a.data(), m.b.data(), m.bias.data())) < 1);
}
