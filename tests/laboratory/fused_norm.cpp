// SPDX-License-Identifier: BSD-3-Clause
//
// The float64 references of norms and of their gradients, against the definition, and their bounds
// against norms in fp32.
#include <doctest/doctest.h>

#include "laboratory/fused/norm.h"
#include "stored_numbers.h"

using namespace fused_test;
using cudnn_checked::compute::bounded;
using cudnn_checked::compute::norm;
using cudnn_checked::compute::norm_gradients;
using cudnn_checked::compute::norm_kind;
using cudnn_checked::compute::norm_output;

namespace {

struct norm_tensors {
  numbers x, dy, scale, bias;

  explicit norm_tensors(const norm& a)
      : x(elements_drawn(1, a.type, static_cast<std::size_t>(a.rows * a.columns))),
        dy(elements_drawn(2, a.type, x.size())),
        scale(elements_drawn(3, a.parameter_type, static_cast<std::size_t>(a.columns))),
        bias(elements_drawn(4, a.parameter_type, scale.size())) {}
};

norm norm_of(norm_kind kind, int rows, int columns, element type) {
  norm a;
  a.kind = kind;
  a.rows = rows;
  a.columns = columns;
  a.type = type;
  return a;
}

template <typename number>
struct row_statistics {
  number mean = 0;
  number inverse = 0;

  row_statistics(const norm& a, const double* x) {
    number square = 0;
    for (int i = 0; i < a.columns; ++i) {
      const number value = static_cast<number>(x[i]);
      mean += value;
      square += value * value;
    }
    const number count = static_cast<number>(a.columns);
    mean = a.kind == norm_kind::layer ? mean / count : 0;
    inverse = 1 / std::sqrt(square / count - mean * mean + static_cast<number>(a.epsilon));
  }
};

struct normalised {
  numbers y, mean, inverse;
};

/// In one pass, with the variance from the mean of the squares.
template <typename number>
normalised normalise(const norm& a, const norm_tensors& t) {
  normalised result;
  for (std::size_t first = 0; first < t.x.size(); first += t.scale.size()) {
    const row_statistics<number> row(a, &t.x[first]);
    if (a.kind == norm_kind::layer) result.mean.push_back(static_cast<double>(row.mean));
    result.inverse.push_back(static_cast<double>(row.inverse));
    for (std::size_t i = 0; i < t.scale.size(); ++i) {
      number y = (static_cast<number>(t.x[first + i]) - row.mean) * row.inverse *
                 static_cast<number>(t.scale[i]);
      if (a.kind == norm_kind::layer) y += static_cast<number>(t.bias[i]);
      result.y.push_back(static_cast<double>(y));
    }
  }
  return result;
}

struct gradients_of_norm {
  numbers dx, dscale, dbias;
};

/// As frameworks have it: everything over the number of columns at last.
template <typename number>
gradients_of_norm differentiate(const norm& a, const norm_tensors& t, const normalised& out) {
  const std::size_t n = t.scale.size();
  const bool layer = a.kind == norm_kind::layer;
  std::vector<number> dscale(n);
  std::vector<number> dbias(n);
  gradients_of_norm result;
  for (std::size_t row = 0; row < out.inverse.size(); ++row) {
    const number mean = layer ? static_cast<number>(out.mean[row]) : 0;
    const number inverse = static_cast<number>(out.inverse[row]);
    const auto xhat = [&](std::size_t i) {
      return static_cast<number>(t.x[row * n + i]) * inverse - mean * inverse;
    };
    const auto dy = [&](std::size_t i) { return static_cast<number>(t.dy[row * n + i]); };
    const auto g = [&](std::size_t i) { return dy(i) * static_cast<number>(t.scale[i]); };
    number sum = 0;
    number product = 0;
    for (std::size_t i = 0; i < n; ++i) {
      sum += layer ? g(i) : 0;
      product += g(i) * xhat(i);
      dscale[i] += dy(i) * xhat(i);
      dbias[i] += dy(i);
    }
    for (std::size_t i = 0; i < n; ++i) {
      result.dx.push_back(
          static_cast<double>(inverse / static_cast<number>(n) *
                              (static_cast<number>(n) * g(i) - sum - xhat(i) * product)));
    }
  }
  result.dscale.assign(dscale.begin(), dscale.end());
  if (layer) result.dbias.assign(dbias.begin(), dbias.end());
  return result;
}

norm_output forward_of(const norm& a, const norm_tensors& t) {
  return norm_forward(a, t.x.data(), t.scale.data(), t.bias.data());
}

norm_gradients backward_of(const norm& a, const norm_tensors& t, const normalised& out) {
  return norm_backward(a, t.x.data(), t.dy.data(), t.scale.data(), out.mean.data(),
                       out.inverse.data());
}

double loss_of(const norm& a, const norm_tensors& t) {
  const normalised out = normalise<double>(a, t);
  double sum = 0;
  for (std::size_t i = 0; i < out.y.size(); ++i) sum += out.y[i] * t.dy[i];
  return sum;
}

/// `moved` is a tensor of `t`.
void check_norm_gradient(const norm& a, const norm_tensors& t, numbers& moved,
                         const bounded& gradient) {
  constexpr double step = 1e-5;
  REQUIRE(gradient.value.size() == moved.size());
  for (std::size_t i = 0; i < moved.size(); ++i) {
    const double before = moved[i];
    moved[i] = before + step;
    const double above = loss_of(a, t);
    moved[i] = before - step;
    const double slope = (above - loss_of(a, t)) / (2 * step);
    moved[i] = before;
    REQUIRE(std::fabs(gradient.value[i] - slope) <= 1e-6 * (1 + std::fabs(slope)));
  }
}

constexpr norm_kind kinds[] = {norm_kind::layer, norm_kind::rms};

}  // namespace

TEST_CASE("norm: the references are the definition") {
  for (const norm_kind kind : kinds) {
    for (norm a : {norm_of(kind, 3, 7, element::fp16), norm_of(kind, 1, 2, element::fp32),
                   norm_of(kind, 4, 1, element::bf16)}) {
      a.epsilon = 0.01;
      norm_tensors t(a);
      const normalised out = normalise<double>(a, t);
      const norm_output found = forward_of(a, t);
      check_close_to(found.y.value, out.y);
      check_close_to(found.mean.value, out.mean);
      check_close_to(found.inverse.value, out.inverse);
      const norm_gradients gradients = backward_of(a, t, out);
      check_norm_gradient(a, t, t.x, gradients.dx);
      check_norm_gradient(a, t, t.scale, gradients.dscale);
      if (kind == norm_kind::layer) check_norm_gradient(a, t, t.bias, gradients.dbias);
    }
  }
}

TEST_CASE("norm: what fp32 computes is within the bounds") {
  for (const norm_kind kind : kinds) {
    for (const element type : {element::fp32, element::fp16, element::bf16}) {
      for (const double shift : {0.0, 4.0}) {
        norm a = norm_of(kind, 40, 130, type);
        a.parameter_type = type;
        norm_tensors t(a);
        for (double& x : t.x) x += shift;
        cudnn_checked::compute::round_to(type, t.x.data(), t.x.size());
        const normalised out = normalise<float>(a, t);
        const norm_output expected = forward_of(a, t);
        CHECK(error_of(type, out.y, expected.y) < 1);
        CHECK(error_of(element::fp32, out.mean, expected.mean) < 1);
        CHECK(error_of(element::fp32, out.inverse, expected.inverse) < 1);
        const gradients_of_norm found = differentiate<float>(a, t, out);
        const norm_gradients gradients = backward_of(a, t, out);
        CHECK(error_of(type, found.dx, gradients.dx) < 1);
        CHECK(error_of(type, found.dscale, gradients.dscale) < 1);
        CHECK(error_of(type, found.dbias, gradients.dbias) < 1);
      }
    }
  }
}

TEST_CASE("norm: sums that are cut off are near the bounds") {
  for (const norm_kind kind : kinds) {
    const norm a = norm_of(kind, 500, 500, element::fp32);
    norm_tensors t(a);
    for (numbers* values : {&t.x, &t.dy, &t.scale}) *values = magnitudes_of(*values);
    const norm_output expected = forward_of(a, t);
    const normalised out = normalise<double>(a, t);
    const norm_gradients gradients = backward_of(a, t, out);
    const cutting sums(true);
    const normalised found = normalise<float>(a, t);
    check_near(error_of(a.type, found.y, expected.y));
    check_near(error_of(a.type, found.inverse, expected.inverse));
    const gradients_of_norm computed = differentiate<float>(a, t, out);
    // What is no sum loses twice as much as by rounding.
    check_near(error_of(a.type, computed.dx, gradients.dx) / 2);
    if (kind == norm_kind::rms) {
      check_near(error_of(a.type, computed.dscale, gradients.dscale));
      continue;
    }
    check_near(error_of(a.type, found.mean, expected.mean));
    check_near(error_of(a.type, computed.dbias, gradients.dbias));
  }
}

TEST_CASE("norm: what is no sum and is cut off is near the bounds") {
  norm a = norm_of(norm_kind::rms, 1, 1000, element::fp32);
  a.epsilon = 2e-5;
  norm_tensors t(a);
  t.scale.assign(t.scale.size(), 0);
  t.scale[0] = 0.7;  // of one element alone
  const normalised out = normalise<double>(a, t);
  const norm_gradients gradients = backward_of(a, t, out);
  t.x.assign(t.x.size(), 1e-6);  // less than epsilon
  const norm_output expected = forward_of(a, t);
  const cutting all(true);
  check_near(error_of(a.type, normalise<float>(a, t).inverse, expected.inverse));
  t.x = norm_tensors(a).x;
  check_near(error_of(a.type, differentiate<float>(a, t, out).dx, gradients.dx));
}

TEST_CASE("norm: a bias that is nearly all of y, and is cut off, is near the bound") {
  norm a = norm_of(norm_kind::layer, 1, 1000, element::fp32);
  a.epsilon = 0.01;
  norm_tensors t(a);
  for (double& x : t.x) x = static_cast<double>(static_cast<float>(x / 1000));
  const norm_output expected = forward_of(a, t);
  const cutting all(true);
  check_near(error_of(a.type, normalise<float>(a, t).y, expected.y));
}

TEST_CASE("norm: defects are far outside of the bounds") {
  for (const element type : {element::fp32, element::fp16, element::bf16}) {
    const norm a = norm_of(norm_kind::layer, 40, 130, type);
    const norm_tensors t(a);
    const normalised out = normalise<float>(a, t);
    const norm_output expected = forward_of(a, t);
    const norm_gradients gradients = backward_of(a, t, out);
    norm_tensors flawed = t;
    flawed.x[200] = 0;  // an element that is left out
    CHECK(error_of(type, normalise<float>(a, flawed).y, expected.y) > 20);
    CHECK(error_of(element::fp32, normalise<float>(a, flawed).mean, expected.mean) > 20);
    CHECK(error_of(element::fp32, normalise<float>(a, flawed).inverse, expected.inverse) > 20);
    CHECK(error_of(a.parameter_type, differentiate<float>(a, flawed, out).dscale,
                   gradients.dscale) > 20);
    norm sized = a;
    sized.kind = norm_kind::rms;  // no mean is taken away
    CHECK(error_of(type, differentiate<float>(sized, t, out).dx, gradients.dx) > 20);
    sized = a;
    sized.epsilon = 0.01;
    CHECK(error_of(element::fp32, normalise<float>(sized, t).inverse, expected.inverse) > 20);
    flawed = t;
    flawed.dy[200] = 0;
    CHECK(error_of(a.parameter_type, differentiate<float>(a, flawed, out).dbias, gradients.dbias) >
          20);
  }
}
