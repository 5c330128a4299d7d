// SPDX-License-Identifier: BSD-3-Clause
//
// The bounds of attention's references: a kernel that is right stays below them, one that is not is
// far above 4 times them.
#include <doctest/doctest.h>

#include <algorithm>

#include "flash_attention.h"
#include "stored_numbers.h"

using namespace attention_test;
using cudnn_checked::compute::attention_gradients;
using cudnn_checked::compute::attention_output;
using fused_test::check_near;
using fused_test::error_of;
using fused_test::magnitudes_of;
using fused_test::there_and_back;

namespace {

/// In units of the bounds.
struct errors {
  double o, stats, dq, dk, dv;
};

errors simulate(const attention& a, tensors t, flaw has) {
  const attention_output out = attention_forward(a, t.q.data(), t.k.data(), t.v.data());
  const auto found = flash_attention(a, t, has).forward();
  t.o = out.o.value;
  t.stats = out.stats.value;
  round_to(a.type, t.o.data(), t.o.size());
  round_to(element::fp32, t.stats.data(), t.stats.size());
  const attention_gradients expected = attention_backward(a, t.given());
  const auto gradients = flash_attention(a, t, has).backward();
  return {error_of(a.type, found.o, out.o), error_of(element::fp32, found.stats, out.stats),
          error_of(a.type, gradients.dq, expected.dq), error_of(a.type, gradients.dk, expected.dk),
          error_of(a.type, gradients.dv, expected.dv)};
}

attention usual(element type) {
  attention a;
  a.query_heads = 2;
  a.queries = 30;
  a.keys = 37;
  a.size = 32;
  a.value_size = 24;
  a.scale = 0.17677669;
  a.causal = true;
  a.type = type;
  return a;
}

void scale_all(element type, numbers& values, double factor) {
  for (double& value : values) value *= factor;
  round_to(type, values.data(), values.size());
}

void check_right(const attention& a, const tensors& t) {
  CAPTURE(a.type);
  CAPTURE(a.queries);
  CAPTURE(a.window);
  const errors e = simulate(a, t, flaw::none);
  CHECK(e.o < 1);
  CHECK(e.stats < 1);
  CHECK(e.dq < 1);
  CHECK(e.dk < 1);
  CHECK(e.dv < 1);
}

/// Far above what is tolerated, or as if nothing were wrong.
void check_found(bool wrong, double error) {
  if (wrong) {
    CHECK(error > 20);
  } else {
    CHECK(error < 1);
  }
}

constexpr element half_types[] = {element::fp16, element::bf16};

}  // namespace

TEST_CASE("attention: a kernel that rounds P and dS is within the bounds") {
  for (const element type : half_types) {
    for (const double level : {3.6, -15.0, -35.0, -100.0}) {
      CAPTURE(level);
      attention a = usual(type);
      check_right(a, tensors(a, level));
      a.window = 3;
      check_right(a, tensors(a, level));
      a.causal = false;
      a.queries = 1;
      a.keys = 128;
      check_right(a, tensors(a, level));
    }
  }
}

TEST_CASE("attention: a kernel that rounds P before it computes dS is within twice the bounds") {
  for (const element type : half_types) {
    attention a = usual(type);
    for (const int queries : {1, 30}) {
      a.causal = queries > 1;
      a.queries = queries;
      const errors e = simulate(a, tensors(a, -35), flaw::p_rounded_first);
      CHECK(e.dq < 2);
      CHECK(e.dk < 2);
    }
  }
}

TEST_CASE("attention: numbers that fp16 has as subnormals are within the bounds") {
  const attention a = usual(element::fp16);
  tensors t(a, 0);
  scale_all(a.type, t.v, 1.0 / 65536);
  scale_all(a.type, t.d_o, 1.0 / 65536);
  check_right(a, t);
}

TEST_CASE("attention: P and dS that fp16 has as subnormals are within the bounds") {
  attention a = usual(element::fp16);
  a.causal = false;
  tensors t(a, std::log(a.keys) - 1);
  // The first key of each row has nearly all of P, and nothing to add.
  for (std::size_t d = 0; d < 32; ++d) t.k[d] = d == 0 ? -12 * t.k[32] : 0;
  for (std::size_t d = 0; d < 24; ++d) t.v[d] = 0;
  round_to(a.type, t.k.data(), t.k.size());
  tensors large_sums = t;
  scale_all(a.type, large_sums.v, 64);
  check_right(a, large_sums);  // of P
  scale_all(a.type, t.q, 1.0 / 64);
  scale_all(a.type, t.k, 64);
  check_right(a, t);  // of dS
}

TEST_CASE("attention: scores of hundreds and of thousands are within the bounds") {
  for (const element type : half_types) {
    const attention a = usual(type);
    const double factor = type == element::fp16 ? 128 : 32;
    tensors t(a, std::log(a.keys));
    scale_all(type, t.q, factor);
    scale_all(type, t.k, factor);
    const attention_output out = attention_forward(a, t.q.data(), t.k.data(), t.v.data());
    CHECK(*std::max_element(out.stats.value.begin(), out.stats.value.end()) > 10 * factor);
    check_right(a, t);
  }
}

TEST_CASE("attention: what a defective kernel computes is far outside of the bounds") {
  struct row {
    flaw has;
    bool o, stats, dq, dk, dv;
  };
  for (const element type : half_types) {
    for (const double level : {3.6, -35.0}) {
      for (const row& r : {row{flaw::key_left_out, true, true, true, true, true},
                           row{flaw::mask_off_by_one, true, true, true, true, true},
                           row{flaw::no_scale, true, true, true, true, true},
                           row{flaw::no_d, false, false, true, true, false},
                           row{flaw::one_nan, true, true, true, true, true},
                           row{flaw::share_of_one_head, false, false, false, true, true}}) {
        CAPTURE(type);
        CAPTURE(level);
        CAPTURE(r.has);
        const attention a = usual(type);
        const errors e = simulate(a, tensors(a, level), r.has);
        check_found(r.o, e.o);
        check_found(r.stats, e.stats);
        check_found(r.dq, e.dq);
        check_found(r.dk, e.dk);
        check_found(r.dv, e.dv);
      }
    }
  }
}

TEST_CASE("attention: one of 1024 keys left out is outside of what is tolerated") {
  for (const element type : half_types) {
    attention a = usual(type);
    a.query_heads = 1;
    a.causal = false;
    a.queries = 8;
    a.keys = 1024;
    const errors e = simulate(a, tensors(a, 0), flaw::key_left_out);
    CHECK(e.dk > 20);
    CHECK(e.dv > 20);
  }
}

namespace {

attention single_head(int queries, int keys, int size, int value_size, double scale) {
  attention a;
  a.queries = queries;
  a.keys = keys;
  a.size = size;
  a.value_size = value_size;
  a.scale = scale;
  return a;
}

}  // namespace

TEST_CASE("attention: long sums that are cut off are near their bounds") {
  const attention wide = single_head(1, 4096, 1, 1, 0.5);
  tensors over_keys(wide, 0);
  over_keys.q = {0.5};
  over_keys.k = magnitudes_of(there_and_back(1, wide.type, 4096, 1));
  over_keys.v = there_and_back(2, wide.type, 4096, 16);
  const errors of_keys = simulate(wide, over_keys, flaw::sums_cut_off);
  check_near(of_keys.o);
  check_near(of_keys.stats);
  check_near(of_keys.dq);
  const attention high = single_head(4096, 2, 1, 1, 0.5);
  tensors over_rows(high, 0);
  over_rows.q = magnitudes_of(there_and_back(1, high.type, 4096, 1));
  over_rows.k = {0.25, 0.5};
  over_rows.v = {1, -1};
  over_rows.d_o = there_and_back(2, high.type, 4096, 1);
  const errors of_rows = simulate(high, over_rows, flaw::sums_cut_off);
  check_near(of_rows.dk);
  check_near(of_rows.dv);
}

TEST_CASE("attention: long sums in fp16 of what does not cancel are outside of what is tolerated") {
  for (const bool over_keys : {true, false}) {
    const attention a = single_head(over_keys ? 128 : 1088, over_keys ? 1088 : 128, 8, 1, 0.125);
    tensors t(a, std::log(a.keys));
    t.v.assign(t.v.size(), 1);
    t.d_o.assign(t.d_o.size(), 1);
    check_right(a, t);
    const errors e = simulate(a, t, flaw::sums_in_fp16);
    CHECK((over_keys ? e.o : e.dv) > 4);
  }
}

TEST_CASE("attention: scores whose products cancel are near the bounds of what they lose") {
  for (const double of_first : {0.0, 1.0}) {
    CAPTURE(of_first);
    const attention a = single_head(1, 2, 128, 1, -1.0 / 16);
    tensors t(a, 0);
    t.q = there_and_back(1, a.type, 128, 24);
    const numbers key = magnitudes_of(there_and_back(2, a.type, 128, 24));
    t.k.assign(256, 0);
    std::copy(key.begin(), key.end(), t.k.begin());
    t.v = {of_first, of_first > 0 ? -1.0 : 1.0};
    t.d_o = {1};
    const errors e = simulate(a, t, flaw::sums_cut_off);
    check_near(e.o);
    check_near(e.stats);
    check_near(e.dq);
    check_near(e.dk);
    check_near(e.dv);
  }
}

TEST_CASE("attention: products of V or of O with dO that cancel are near the bound of dS") {
  for (const bool of_o : {false, true}) {
    CAPTURE(of_o);
    const attention a = single_head(1, 2, 1, 128, 0.5);
    tensors t(a, 0);
    t.q = {1};
    t.k = {0, 0};
    t.d_o = magnitudes_of(there_and_back(1, a.type, 128, 1));
    t.v = there_and_back(2, a.type, 128, 16);
    for (std::size_t i = 0; i < 128; ++i) t.v.push_back(of_o ? 0 : -t.v[i]);
    check_near(simulate(a, t, flaw::sums_cut_off).dk);
  }
}

TEST_CASE("attention: a sum of rounded P is outside of what is tolerated of stats") {
  for (const element type : half_types) {
    const attention a = usual(type);
    CHECK(simulate(a, tensors(a, 3.6), flaw::sum_of_rounded).stats > 20);
  }
}
