// SPDX-License-Identifier: BSD-3-Clause
//
// E4M3: its numbers, and the bounds of a matrix product and of attention's forward direction in it.
#include <doctest/doctest.h>

#include <cmath>

#include "convolution/half.h"
#include "flash_attention.h"
#include "fused/matrix.h"
#include "stored_numbers.h"

using namespace attention_test;
using cudnn_checked::compute::attention_output;
using cudnn_checked::compute::bounded;
using cudnn_checked::compute::e4m3_from_float;
using cudnn_checked::compute::float_from_e4m3;
using cudnn_checked::compute::matrix_product;
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
  a.scales = {2.5, 4, 0.25, 256, 384};
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

}  // namespace

TEST_CASE("E4M3: every number survives the way to float and back, and what is between is rounded") {
  CHECK(float_from_e4m3(0x01) == std::ldexp(1.0f, -9));
  CHECK(float_from_e4m3(0x08) == std::ldexp(1.0f, -6));
  CHECK(float_from_e4m3(0x7e) == 448);
  CHECK(float_from_e4m3(0xbc) == -1.5f);
  for (std::uint8_t i = 0; i < 0x7e; ++i) {
    const float low = float_from_e4m3(i);
    const float middle = (low + float_from_e4m3(static_cast<std::uint8_t>(i + 1))) / 2;
    CAPTURE(low);
    REQUIRE(e4m3_from_float(low) == i);
    REQUIRE(e4m3_from_float(-low) == (i | 0x80));
    REQUIRE(e4m3_from_float(middle) == i + i % 2);  // ties to even
    REQUIRE(e4m3_from_float(std::nextafter(middle, 0.0f)) == i);
    REQUIRE(e4m3_from_float(std::nextafter(middle, 1e9f)) == i + 1);
  }
}

TEST_CASE("E4M3: what is too large is 448, and NaN stays NaN") {
  for (const float large : {448.0f, 465.0f, 1e9f, HUGE_VALF}) {
    CHECK(e4m3_from_float(large) == 0x7e);
    CHECK(e4m3_from_float(-large) == 0xfe);
  }
  CHECK(std::isnan(float_from_e4m3(e4m3_from_float(std::nanf("")))));
  CHECK(std::isnan(float_from_e4m3(0xff)));
}

TEST_CASE("E4M3: attention that rounds scaled P, and adds as sm_90 does, is within the bounds") {
  for (const double level : {5.0, -15.0}) {
    for (const bool causal : {false, true}) {
      CAPTURE(level);
      CAPTURE(causal);
      attention a = usual_e4m3();
      a.causal = causal;
      const forward_errors e = errors_of(a, tensors(a, level), flaw::none);
      CHECK(e.o < 1);
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
