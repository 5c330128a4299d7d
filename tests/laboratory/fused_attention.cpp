// SPDX-License-Identifier: BSD-3-Clause
//
// The float64 references of attention and of its gradients, against the definition.
#include <doctest/doctest.h>

#include "attention_inputs.h"

using namespace attention_test;
using cudnn_checked::compute::attention_gradients;
using cudnn_checked::compute::attention_output;
using cudnn_checked::compute::bounded;

namespace {

double score_of(const attention& a, const tensors& t, int n, int h, int g, int i, int j) {
  double score = 0;
  for (int d = a.size - 1; d >= 0; --d) {
    score +=
        t.q[index_of(a.query_heads, a.queries, a.size, n, h, i) + static_cast<std::size_t>(d)] *
        t.k[index_of(a.key_heads, a.keys, a.size, n, g, j) + static_cast<std::size_t>(d)];
  }
  return a.scale * score;
}

/// Writes O and the logarithms, without a maximum: for scores that exp can take.  A row that sees
/// nothing has a logarithm of -infinity.
void attend(const attention& a, tensors& t) {
  t.o.assign(a.o_elements(), 0);
  t.stats.assign(a.rows(), -HUGE_VAL);
  for_each_row_of(a, [&](int n, int h, int g, int i) {
    double sum = 0;
    for (int j = 0; j < a.keys; ++j) {
      if (sees(a, n, i, j)) sum += std::exp(score_of(a, t, n, h, g, i, j));
    }
    t.stats[index_of(a.query_heads, a.queries, 1, n, h, i)] = std::log(sum);
    for (int j = 0; j < a.keys; ++j) {
      if (!sees(a, n, i, j)) continue;
      const double p = std::exp(score_of(a, t, n, h, g, i, j)) / sum;
      for (int d = 0; d < a.value_size; ++d) {
        const std::size_t at = static_cast<std::size_t>(d);
        t.o[index_of(a.query_heads, a.queries, a.value_size, n, h, i) + at] +=
            p * t.v[index_of(a.key_heads, a.keys, a.value_size, n, g, j) + at];
      }
    }
  });
}

/// What the gradients are the gradients of.
double loss(const attention& a, tensors& t) {
  attend(a, t);
  double sum = 0;
  for (std::size_t i = 0; i < t.o.size(); ++i) sum += t.o[i] * t.d_o[i];
  return sum;
}

void check_looked_at(const attention& a, const bounded& rows, int width) {
  for_each_row_of(a, [&](int n, int h, int, int i) {
    bool any = false;
    for (int j = 0; j < a.keys; ++j) any = any || sees(a, n, i, j);
    const std::size_t at = index_of(a.query_heads, a.queries, width, n, h, i);
    for (std::size_t d = at; d < at + static_cast<std::size_t>(width); ++d) {
      if (any) {
        REQUIRE(rows.bound[d] > 0);
      } else {
        REQUIRE(rows.bound[d] == bounded::not_looked_at);
      }
    }
  });
}

void check_values(const bounded& found, const numbers& expected) {
  REQUIRE(found.value.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (found.bound[i] < 0) continue;
    REQUIRE(std::fabs(found.value[i] - expected[i]) <= 1e-13 * (1 + std::fabs(expected[i])));
  }
}

/// `moved` is a tensor of `t`.
void check_gradient(const attention& a, tensors& t, numbers& moved, const bounded& gradient) {
  constexpr double step = 1e-4;
  for (std::size_t i = 0; i < moved.size(); ++i) {
    const double before = moved[i];
    moved[i] = before + step;
    const double above = loss(a, t);
    moved[i] = before - step;
    const double below = loss(a, t);
    moved[i] = before;
    const double slope = (above - below) / (2 * step);
    // Rows that see nothing do not change the loss.
    if (gradient.bound[i] <= 0) REQUIRE(std::fabs(slope) <= 1e-12);
    REQUIRE(std::fabs(gradient.value[i] - slope) <= 1e-7 * (1 + std::fabs(slope)));
  }
}

void check_attention(const attention& a, double level = 0.5) {
  CAPTURE(a.queries);
  CAPTURE(a.keys);
  CAPTURE(a.causal);
  CAPTURE(a.window);
  tensors t(a, level);
  attend(a, t);
  const attention_output found = attention_forward(a, t.q.data(), t.k.data(), t.v.data());
  check_values(found.o, t.o);
  check_values(found.stats, t.stats);
  check_looked_at(a, found.o, a.value_size);
  check_looked_at(a, found.stats, 1);
  const attention_gradients gradients = attention_backward(a, t.given());
  check_looked_at(a, gradients.dq, a.size);
  check_gradient(a, t, t.q, gradients.dq);
  check_gradient(a, t, t.k, gradients.dk);
  check_gradient(a, t, t.v, gradients.dv);
}

attention shape(int query_heads, int key_heads, int queries, int keys) {
  attention a;
  a.query_heads = query_heads;
  a.key_heads = key_heads;
  a.queries = queries;
  a.keys = keys;
  a.size = 3;
  a.value_size = 2;
  a.scale = 0.7;
  return a;
}

attention causal(attention a, int window) {
  a.causal = true;
  a.window = window;
  return a;
}

}  // namespace

TEST_CASE("attention: the references are the definition, with and without a mask") {
  check_attention(shape(2, 2, 5, 7));
  check_attention(shape(4, 2, 3, 5));  // two heads share one of K
  check_attention(shape(3, 1, 2, 3));  // all do
  check_attention(shape(1, 1, 1, 6));  // one row
  check_attention(shape(1, 1, 4, 1));  // one key
  check_attention(causal(shape(2, 1, 5, 5), 0));
  check_attention(causal(shape(1, 1, 3, 7), 0));  // keys that no row sees
  check_attention(causal(shape(1, 1, 7, 3), 0));  // rows below see all
  check_attention(causal(shape(2, 2, 6, 6), 2));
  check_attention(causal(shape(1, 1, 6, 6), 1));  // each row sees its own key
  check_attention(causal(shape(1, 1, 8, 3), 2));  // rows from 4 on see nothing
  attention negative = shape(1, 1, 3, 4);
  negative.scale = -0.7;
  check_attention(negative);
}

TEST_CASE("attention: the references are the definition, with a length for each batch") {
  attention a = shape(2, 1, 4, 5);
  a.batch = 4;
  a.padded = true;
  a.q_lengths = {4, 3, 0, 1};
  a.k_lengths = {5, 1, 4, 0};
  check_attention(a);
  check_attention(causal(a, 0));
  check_attention(causal(a, 2));
  a.padded = false;
  check_attention(a);
}

TEST_CASE("attention: rows that are not looked at are not read") {
  attention a = shape(1, 1, 4, 3);
  a.padded = true;
  a.q_lengths = {2};
  a.k_lengths = {2};
  tensors t(a, 0);
  attend(a, t);
  const attention_gradients clean = attention_backward(a, t.given());
  for (numbers* values : {&t.q, &t.o, &t.d_o, &t.stats, &t.k, &t.v}) {
    const std::size_t length = values == &t.k || values == &t.v ? 3 : 4;
    for (std::size_t i = values->size() / length * 2; i < values->size(); ++i) (*values)[i] = NAN;
  }
  const attention_output out = attention_forward(a, t.q.data(), t.k.data(), t.v.data());
  for (std::size_t i = 0; i < 4; ++i) CHECK(std::isfinite(out.o.value[i]));
  const attention_gradients dirty = attention_backward(a, t.given());
  CHECK(dirty.dq.value == clean.dq.value);
  CHECK(dirty.dk.value == clean.dk.value);
  CHECK(dirty.dv.value == clean.dv.value);
  CHECK(dirty.dk.bound == clean.dk.bound);
  for (std::size_t i = 6; i < 9; ++i) {
    CHECK(clean.dk.value[i] == 0);
    CHECK(clean.dk.bound[i] == 0);
  }
}

TEST_CASE("attention: scores that exp alone cannot take") {
  for (const double level : {-1000.0, 1000.0}) {
    attention a = shape(1, 1, 3, 4);
    const tensors t(a, level);
    const attention_output found = attention_forward(a, t.q.data(), t.k.data(), t.v.data());
    for (const double stats : found.stats.value) CHECK(std::fabs(stats - level) < 10);
    for (const double o : found.o.value) CHECK(std::fabs(o) <= 1);
  }
}

TEST_CASE("attention: equal scores give the mean of the values") {
  attention a = shape(1, 1, 2, 3);
  tensors t(a, 0);
  t.q.assign(t.q.size(), 0);
  const attention_output found = attention_forward(a, t.q.data(), t.k.data(), t.v.data());
  for (std::size_t i = 0; i < 4; ++i) {
    const double mean = (t.v[i % 2] + t.v[i % 2 + 2] + t.v[i % 2 + 4]) / 3;
    CHECK(found.o.value[i] == doctest::Approx(mean).epsilon(1e-14));
  }
  for (const double stats : found.stats.value) CHECK(stats == doctest::Approx(std::log(3.0)));
}
