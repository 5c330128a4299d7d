// SPDX-License-Identifier: BSD-3-Clause
//
// FP8, E4M3 and E5M2: its numbers, and the references and bounds of attention in it.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <iterator>
#include <string>

#include "convolution/half.h"
#include "flash_attention.h"
#include "laboratory/fused/problem_table.h"
#include "stored_numbers.h"

using namespace attention_test;
using cudnn_checked::compute::attention_gradients;
using cudnn_checked::compute::attention_output;
using cudnn_checked::compute::attention_scales;
using cudnn_checked::compute::bounded;
using cudnn_checked::compute::e4m3_from_float;
using cudnn_checked::compute::e5m2_from_float;
using cudnn_checked::compute::float_from_e4m3;
using cudnn_checked::compute::float_from_e5m2;
using fused_test::error_of;

namespace {

attention usual_e4m3() {
  attention a;
  a.query_heads = 2;
  a.queries = 40;
  a.keys = 48;
  a.size = 64;
  a.value_size = 32;
  a.scale = 0.125;
  a.type = element::e4m3;
  a.scales = cudnn_checked::compute::e4m3_scales;
  return a;
}

/// In units of the bounds.
struct forward_errors {
  double o, stats, largest_p, largest_o;
};

forward_errors errors_of(const attention& a, const tensors& t, flaw has) {
  const attention_output out = attention_forward(a, t.q.data(), t.k.data(), t.v.data());
  const auto found = flash_attention(a, t, has).forward();
  return {error_of(a.type, found.o, out.o), error_of(element::fp32, found.stats, out.stats),
          error_of(element::fp32, found.largest_p, out.largest_p),
          error_of(element::fp32, found.largest_o, out.largest_o)};
}

struct backward_errors {
  double dq, dk, dv, largest_ds, largest_dq, largest_dk, largest_dv;
};

/// O and stats as the forward direction stores them.
tensors with_results(const attention& a, tensors t) {
  const attention_output out = attention_forward(a, t.q.data(), t.k.data(), t.v.data());
  t.o = out.o.value;
  t.stats = out.stats.value;
  round_to(a.type, t.o.data(), t.o.size());
  round_to(element::fp32, t.stats.data(), t.stats.size());
  return t;
}

backward_errors gradient_errors_of(const attention& a, const tensors& t, flaw has) {
  const attention_gradients right = attention_backward(a, t.given());
  const auto found = flash_attention(a, t, has).backward();
  const auto largest = [](const numbers& one, const bounded& expected) {
    return error_of(element::fp32, one, expected);
  };
  const element type = a.gradient_type();
  return {error_of(type, found.dq, right.dq),          error_of(type, found.dk, right.dk),
          error_of(type, found.dv, right.dv),          largest(found.largest_ds, right.largest_ds),
          largest(found.largest_dq, right.largest_dq), largest(found.largest_dk, right.largest_dk),
          largest(found.largest_dv, right.largest_dv)};
}

numbers scaled(numbers values, double by) {
  for (double& value : values) value *= by;
  return values;
}

/// `found` is `plain` times its scale, and `largest` what is largest in `plain`.
void check_scaled(const bounded& found, double scale, const bounded& largest,
                  const bounded& plain) {
  double most = 0;
  for (std::size_t i = 0; i < plain.value.size(); ++i) {
    REQUIRE(found.value[i] == doctest::Approx(scale * plain.value[i]).epsilon(1e-12));
    most = std::fmax(most, std::fabs(plain.value[i]));
  }
  CHECK(largest.value[0] == doctest::Approx(most).epsilon(1e-12));
}

/// Of all numbers up to the largest, and of what is between two.
void check_numbers(std::uint8_t (*nearest)(float), float (*value)(std::uint8_t),
                   std::uint8_t largest) {
  for (std::uint8_t i = 0; i < largest; ++i) {
    const float low = value(i);
    const float middle = (low + value(static_cast<std::uint8_t>(i + 1))) / 2;
    CAPTURE(low);
    REQUIRE(nearest(low) == i);
    REQUIRE(nearest(-low) == (i | 0x80));
    REQUIRE(nearest(middle) == i + i % 2);  // ties to even
    REQUIRE(nearest(std::nextafter(middle, 0.0f)) == i);
    REQUIRE(nearest(std::nextafter(middle, 1e9f)) == i + 1);
  }
}

}  // namespace

TEST_CASE("E4M3: every number survives the way to float and back, and what is between is rounded") {
  CHECK(float_from_e4m3(0x01) == std::ldexp(1.0f, -9));
  CHECK(float_from_e4m3(0x08) == std::ldexp(1.0f, -6));
  CHECK(float_from_e4m3(0x7e) == 448);
  CHECK(float_from_e4m3(0xbc) == -1.5f);
  check_numbers(e4m3_from_float, float_from_e4m3, 0x7e);
}

TEST_CASE("E4M3: what is too large is 448, and NaN stays NaN") {
  for (const float large : {448.0f, 465.0f, 1e9f, HUGE_VALF}) {
    CHECK(e4m3_from_float(large) == 0x7e);
    CHECK(e4m3_from_float(-large) == 0xfe);
  }
  CHECK(std::isnan(float_from_e4m3(e4m3_from_float(std::nanf("")))));
  CHECK(std::isnan(float_from_e4m3(0xff)));
}

TEST_CASE("E5M2: every number survives the way to float and back, and what is between is rounded") {
  CHECK(float_from_e5m2(0x01) == std::ldexp(1.0f, -16));
  CHECK(float_from_e5m2(0x04) == std::ldexp(1.0f, -14));
  CHECK(float_from_e5m2(0xbd) == -1.25f);
  check_numbers(e5m2_from_float, float_from_e5m2, 0x7b);
  for (const float large : {57344.0f, 61000.0f, 1e9f, HUGE_VALF}) {
    CHECK(e5m2_from_float(large) == 0x7b);
    CHECK(e5m2_from_float(-large) == 0xfb);
  }
  CHECK(std::isnan(float_from_e5m2(e5m2_from_float(std::nanf("")))));
}

TEST_CASE(
    "E4M3: attention that rounds scaled P, and adds as sm_90 does, is within twice the bounds") {
  for (const double level : {5.0, -15.0}) {
    for (const bool causal : {false, true}) {
      CAPTURE(level);
      CAPTURE(causal);
      attention a = usual_e4m3();
      a.causal = causal;
      const forward_errors e = errors_of(a, tensors(a, level), flaw::none);
      CHECK(e.o < 2);
      CHECK(e.stats < 1);
      CHECK(e.largest_p < 1);
      CHECK(e.largest_o < 1);
    }
  }
}

TEST_CASE("E4M3: the largest P that a program gets is before its scale") {
  const attention a = usual_e4m3();
  const tensors t(a, 5);
  const attention_output out = attention_forward(a, t.q.data(), t.k.data(), t.v.data());
  const double largest = flash_attention(a, t, flaw::none).forward().largest_p[0];
  CHECK(error_of(element::fp32, {largest}, out.largest_p) < 1);
  CHECK(error_of(element::fp32, {largest * a.scales.p}, out.largest_p) > 20);
}

TEST_CASE("E4M3: what defective attention computes is outside of what is tolerated") {
  struct row {
    flaw has;
    double forward_errors::*shown;
  };
  attention a = usual_e4m3();
  for (const bool causal : {false, true}) {
    a.causal = causal;
    const tensors t(a, 5);
    for (const row& r :
         {row{flaw::key_left_out, &forward_errors::stats},
          row{flaw::no_scale, &forward_errors::stats}, row{flaw::one_nan, &forward_errors::o},
          row{flaw::p_scale_kept, &forward_errors::o}, row{flaw::no_scale_of_v, &forward_errors::o},
          row{flaw::no_scale_of_v, &forward_errors::largest_o}}) {
      CAPTURE(r.has);
      CAPTURE(causal);
      CHECK(errors_of(a, t, r.has).*r.shown > 6);
    }
  }
}

TEST_CASE(
    "E4M3: gradients are those of what the scaled numbers stand for, times their own scales") {
  attention a = usual_e4m3();
  a.query_heads = 4;
  a.key_heads = 2;
  a.causal = true;
  const tensors t = with_results(a, tensors(a, -15));
  const attention_gradients found = attention_backward(a, t.given());
  const attention_scales by = a.scales;
  attention plain = a;
  plain.type = element::fp16;
  plain.scales = {};
  tensors whole = t;
  whole.q = scaled(t.q, by.q);
  whole.k = scaled(t.k, by.k);
  whole.v = scaled(t.v, by.v);
  whole.o = scaled(t.o, 1 / by.o);
  whole.d_o = scaled(t.d_o, by.d_o);
  const attention_gradients expected = attention_backward(plain, whole.given());
  check_scaled(found.dq, by.dq, found.largest_dq, expected.dq);
  check_scaled(found.dk, by.dk, found.largest_dk, expected.dk);
  check_scaled(found.dv, by.dv, found.largest_dv, expected.dv);
  CHECK(found.largest_ds.value[0] == doctest::Approx(expected.largest_ds.value[0]).epsilon(1e-12));
}

TEST_CASE("E4M3: gradients of a kernel that rounds scaled P and dS are within twice the bounds") {
  for (const double level : {5.0, -15.0, -35.0}) {
    for (const int key_heads : {1, 2}) {
      CAPTURE(level);
      CAPTURE(key_heads);
      attention a = usual_e4m3();
      a.key_heads = key_heads;
      a.causal = key_heads == 1;
      const tensors t = with_results(a, tensors(a, level));
      const backward_errors e = gradient_errors_of(a, t, flaw::none);
      CHECK(e.dq < 2);
      CHECK(e.dk < 2);
      CHECK(e.dv < 2);
      CHECK(e.largest_ds < 1);
      CHECK(e.largest_dq < 1);
      CHECK(e.largest_dk < 1);
      CHECK(e.largest_dv < 1);
    }
  }
}

TEST_CASE("E4M3: gradients of defective attention are outside of what is tolerated") {
  using e = backward_errors;
  struct row {
    flaw has;
    double e::*shown;
  };
  attention a = usual_e4m3();
  a.key_heads = 1;
  const tensors t = with_results(a, tensors(a, -15));
  for (const row& r :
       {row{flaw::key_left_out, &e::dv}, row{flaw::no_scale, &e::largest_ds},
        row{flaw::no_d, &e::largest_ds}, row{flaw::one_nan, &e::dk},
        row{flaw::share_of_one_head, &e::dv}, row{flaw::no_scale_of_v, &e::largest_ds},
        row{flaw::no_scale_of_d_o, &e::largest_dv}, row{flaw::p_scale_kept, &e::dv},
        row{flaw::ds_scale_kept, &e::dq}, row{flaw::ds_scale_kept, &e::largest_dk},
        row{flaw::key_of_zeros_counted, &e::largest_ds}}) {
    CAPTURE(r.has);
    CHECK(gradient_errors_of(a, t, r.has).*r.shown > 6);
  }
}

TEST_CASE("E4M3: no scale may stand in place of another") {
  using s = attention_scales;
  // What is stored is a sum times the scale of an operand and its own.
  struct row {
    std::string result;
    double s::*own;
    double s::*operand;
  };
  const row rows[] = {
      {"O", &s::o, &s::v}, {"dQ", &s::dq, &s::k}, {"dK", &s::dk, &s::q}, {"dV", &s::dv, &s::d_o}};
  const attention a = usual_e4m3();
  const tensors t = with_results(a, tensors(a, 5));
  const attention_output out = attention_forward(a, t.q.data(), t.k.data(), t.v.data());
  const attention_gradients right = attention_backward(a, t.given());
  const bounded* const results[] = {&out.o, &right.dq, &right.dk, &right.dv};
  for (std::size_t i = 0; i < std::size(rows); ++i) {
    const element type = i == 0 ? a.type : a.gradient_type();
    for (double s::*const scale : {rows[i].own, rows[i].operand}) {
      for (double s::*const other :
           {&s::q, &s::k, &s::v, &s::d_o, &s::p, &s::o, &s::ds, &s::dq, &s::dk, &s::dv}) {
        if (other == scale) continue;
        const double factor = a.scales.*other / a.scales.*scale;
        CAPTURE(rows[i].result);
        CAPTURE(factor);
        numbers found = scaled(results[i]->value, factor);
        round_to(type, found.data(), found.size());
        CHECK(error_of(type, found, *results[i]) > 4);
      }
    }
  }
}

TEST_CASE("E4M3: zeros instead of results are outside of what is tolerated") {
  const attention a = usual_e4m3();
  const tensors t = with_results(a, tensors(a, 5));
  const attention_output out = attention_forward(a, t.q.data(), t.k.data(), t.v.data());
  const attention_gradients right = attention_backward(a, t.given());
  for (const bounded* const one : {&out.o, &right.dq, &right.dk, &right.dv}) {
    CHECK(error_of(a.gradient_type(), numbers(one->value.size()), *one) > 5);
  }
}
