// SPDX-License-Identifier: BSD-3-Clause
//
// A problem as people read it, and back.
#include <doctest/doctest.h>

#include <string>

#include "laboratory/sweep/model/problem.h"

using namespace cudnn_checked;

TEST_CASE("a problem comes back from its text") {
  for (const char* text : {
           "fwd fp16 nchw 1x4x5x1 * 16x4x3x3, padding 1, stride 2",
           "dgrad bf16 nhwc 2x48x8x8 * 8x48x7x7, stride 3",
           "wgrad fp32 nchw 8x96x1x1 * 40x96x1x1, padding 1",
           "fwd fp32 nchw 1x1x1x1 * 1x1x1x1",
           "fwd fp32 nchw 2x8x4x9x9 * 6x4x3x3x3, padding 0x1x2, stride 1x2x1, dilation 1x2x2, "
           "groups 2",
           "fwd fp32 nhwc 1x64x28x28 * 64x1x3x3, padding 1, groups 64",
       }) {
    CAPTURE(text);
    sweep::problem p;
    REQUIRE(sweep::read_problem(text, p));
    CHECK(sweep::to_string(p) == text);
  }
  sweep::problem p;
  REQUIRE(sweep::read_problem("dgrad bf16 nhwc 2x8x4x9x7 * 6x4x1x2x3, padding 0x1x2, groups 2", p));
  CHECK(p.what == sweep::operation::data_gradient);
  CHECK(p.type == element::bf16);
  CHECK(p.layout == tensor_layout::nhwc);
  CHECK(p.of.dimensions == 3);
  CHECK(p.of.batch == 2);
  CHECK(p.of.channels == 8);
  CHECK(p.of.filters == 6);
  CHECK(p.of.groups == 2);
  CHECK(p.of.image[2] == 7);
  CHECK(p.of.kernel[1] == 2);
  CHECK(p.of.padding[2] == 2);
  CHECK(p.of.stride[2] == 1);
}

TEST_CASE("what is no problem, or is written in another way, is rejected") {
  for (const char* text : {
           "",
           "fwd",
           "fwd fp16 nchw ",
           "fwd fp16 nchw",
           "fwd fp16 nchw 1x4x5x1",
           "fwd fp64 nchw 1x4x5x1 * 16x4x3x3, padding 1",
           "fwd fp16 chwn 1x4x5x1 * 16x4x3x3, padding 1",
           "bwd fp16 nchw 1x4x5x1 * 16x4x3x3, padding 1",
           "fwd  fp16 nchw 1x4x5x1 * 16x4x3x3, padding 1",
           "fwd fp16 nchw 1x4x5x1 * 16x4x3x3, padding 1 ",
           "fwd fp16 nchw 1x4x5x1 * 16x4x3x3, padding 1,",
           "fwd fp16 nchw 1x4x5x1 * 16x4x3x3, padding 1, stride 1",
           "fwd fp16 nchw 1x4x5x1 * 16x4x3x3, stride 2, padding 1",
           "fwd fp16 nchw 1x4x5x1 * 16x4x3x3, padding 1x1",
           "fwd fp16 nchw 1x4x5x1 * 16x4x3x3, padding 1x1x1",
           "fwd fp16 nchw 1x4x5x1 * 16x4x3x3, padding -1",
           "fwd fp16 nchw 1x4x5x1 * 16x4x3x3, padding 01",
           "fwd fp16 nchw 1x4x5x1 * 16x4x3x3, padding",
           "fwd fp16 nchw 1x4x5x1 * 16x4x3x3, padding 1, padding 1",
           "fwd fp16 nchw 1x4x5x1 * 16x4x3x3, margin 1",
           "fwd fp16 nchw 1x4x5x1 * 16x4x3x3, padding 1, stride 0",
           "fwd fp16 nchw 1x4x5x1 * 16x2x3x3, padding 1",
           "fwd fp16 nchw 1x4x5x1 * 15x2x3x3, padding 1, groups 2",
           "fwd fp16 nchw 1x4x5x1 * 16x4x3x3",
           "fwd fp16 nchw 1x4x5 * 16x4x3",
           "fwd fp16 nchw 1x4x5x1x1x1 * 16x4x3x3x1x1, padding 1",
           "fwd fp16 nchw 1x4x5x1 * 16x4x3x3x1, padding 1",
           "fwd fp16 nchw 0x4x5x1 * 16x4x3x3, padding 1",
           "fwd fp16 nchw 1x4x5xx1 * 16x4x3x3, padding 1",
           "fwd fp16 nchw 1x4x5x1 * 16x4x3x3 * 1, padding 1",
           "fwd fp16 nchw 1x4x5x9223372036854775807 * 16x4x3x3, padding 1",
           "fwd fp16 nchw 1x4x5x1 * 16x4x3x3, padding 99999999999999999999",
       }) {
    CAPTURE(text);
    sweep::problem p;
    CHECK_FALSE(sweep::read_problem(text, p));
  }
}
