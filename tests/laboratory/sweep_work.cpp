// SPDX-License-Identifier: BSD-3-Clause
//
// A problem of the sweep as tensors and numbers.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "laboratory/sweep/work/numbers.h"

using namespace cudnn_checked;

static sweep::problem volume(sweep::operation what, tensor_layout layout) {
  sweep::problem p;
  REQUIRE(sweep::read_problem(
      "fwd fp32 nchw 2x6x5x4x3 * 4x3x3x2x1, padding 1x0x0, stride 2, groups 2", p));
  p.what = what;
  p.layout = layout;
  return p;
}

static std::vector<std::int64_t> extents_of(const compute::tensor& t) {
  return {t.extent, t.extent + t.dimensions};
}

static std::vector<std::int64_t> strides_of(const compute::tensor& t) {
  return {t.stride, t.stride + t.dimensions};
}

TEST_CASE("sweep/work: the tensors of a volume with groups, channels last") {
  const compute::operation what =
      sweep::operation_of(volume(sweep::operation::data_gradient, tensor_layout::nhwc));
  CHECK(extents_of(what.x) == std::vector<std::int64_t>{2, 6, 5, 4, 3});
  CHECK(extents_of(what.w) == std::vector<std::int64_t>{4, 3, 3, 2, 1});
  CHECK(extents_of(what.y) == std::vector<std::int64_t>{2, 4, 3, 2, 2});
  CHECK(strides_of(what.x) == std::vector<std::int64_t>{360, 1, 72, 18, 6});
  CHECK(strides_of(what.w) == std::vector<std::int64_t>{18, 1, 6, 3, 3});
  CHECK(what.computed == compute::direction::data_gradient);
  CHECK(what.moves.dimensions == 3);
  CHECK(what.moves.padding[0] == 1);
  CHECK(what.moves.padding[1] == 0);
  CHECK(what.moves.stride[2] == 2);
}

TEST_CASE("sweep/work: what is read and what is written, in each operation") {
  const auto check = [](sweep::operation which, const compute::tensor compute::operation::*first,
                        const compute::tensor compute::operation::*second,
                        const compute::tensor compute::operation::*result) {
    const compute::operation what = sweep::operation_of(volume(which, tensor_layout::nchw));
    const sweep::tensor_roles roles = sweep::roles_of(what);
    CHECK(roles.first == &(what.*first));
    CHECK(roles.second == &(what.*second));
    CHECK(roles.result == &(what.*result));
  };
  using o = compute::operation;
  check(sweep::operation::forward, &o::x, &o::w, &o::y);
  check(sweep::operation::data_gradient, &o::y, &o::w, &o::x);
  check(sweep::operation::filter_gradient, &o::y, &o::x, &o::w);
}

TEST_CASE("sweep/work: channels last is the same convolution in another order of memory") {
  for (const sweep::operation which : {sweep::operation::forward, sweep::operation::data_gradient,
                                       sweep::operation::filter_gradient}) {
    const sweep::problem_numbers plain = sweep::make_numbers(volume(which, tensor_layout::nchw), 7);
    const sweep::problem_numbers last = sweep::make_numbers(volume(which, tensor_layout::nhwc), 7);
    const compute::operation plain_what = sweep::operation_of(volume(which, tensor_layout::nchw));
    const compute::operation last_what = sweep::operation_of(volume(which, tensor_layout::nhwc));
    const compute::tensor& from = *sweep::roles_of(plain_what).result;
    const compute::tensor& to = *sweep::roles_of(last_what).result;
    const compute::bounded& plain_result = plain.arrays[2].expected;
    const compute::bounded& last_result = last.arrays[2].expected;
    REQUIRE(plain_result.value.size() == last_result.value.size());
    REQUIRE(plain.arrays[0].given.size() == last.arrays[0].given.size());
    CHECK(plain.products == last.products);
    std::int64_t at[5] = {};
    for (std::size_t i = 0; i < plain_result.value.size(); ++i) {
      std::int64_t source = 0;
      std::int64_t target = 0;
      std::size_t rest = i;
      for (int d = 4; d >= 0; --d) {
        at[d] = static_cast<std::int64_t>(rest) % from.extent[d];
        rest /= static_cast<std::size_t>(from.extent[d]);
        source += at[d] * from.stride[d];
        target += at[d] * to.stride[d];
      }
      REQUIRE(plain_result.value[static_cast<std::size_t>(source)] ==
              last_result.value[static_cast<std::size_t>(target)]);
      REQUIRE(plain_result.bound[static_cast<std::size_t>(source)] ==
              last_result.bound[static_cast<std::size_t>(target)]);
    }
  }
}

TEST_CASE(
    "sweep/work: the same seed gives the same numbers, another others; each moves something") {
  const sweep::problem p = volume(sweep::operation::forward, tensor_layout::nchw);
  const sweep::problem_numbers one = sweep::make_numbers(p, 1);
  const auto first_of = [&](std::uint64_t seed) {
    return sweep::make_numbers(p, seed).arrays[0].given;
  };
  CHECK(one.arrays[0].given == first_of(1));
  CHECK(one.arrays[0].given != first_of(2));
  CHECK(one.arrays[0].bytes == 720 * 4);
  CHECK(one.arrays[1].bytes == 72 * 4);
  bool any = false;
  for (const double value : one.arrays[2].expected.value) any = any || std::fabs(value) > 0.1;
  CHECK(any);
}
