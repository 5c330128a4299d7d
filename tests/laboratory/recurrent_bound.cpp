// SPDX-License-Identifier: BSD-3-Clause
//
// The bounds of the float64 reference of recurrent networks, against kernels that round all that
// they keep.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "laboratory/recurrent/uncertain.h"
#include "recurrent_numbers.h"

namespace recurrent_test {

namespace {

constexpr double tolerated = 4;

/// As tensor cores take a number in fp32: with 11 bits.
double as_tf32(double value) {
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(fraction, 11)), exponent - 11);
}

simulated::recurrent_network rounding_kernel(const network& what) {
  simulated::recurrent_network kernel = as_kernel(what);
  kernel.store = [type = what.type](double value) { return rounded(type, value); };
  if (what.type == element::fp32 && what.math != recurrent_math::fma) {
    kernel.factor = as_tf32;
  }
  return kernel;
}

struct largest_errors {
  double forward = 0;
  double backward = 0;
};

largest_errors errors_of(const network& what, const kernel_results& found,
                         const network_results& expected) {
  const auto error = [&](const numbers& values, const bounded& of) {
    return fused_test::error_of(what.type, values, of);
  };
  largest_errors made;
  made.forward = std::max(
      {error(found.y, expected.y), error(found.hy, expected.hy), error(found.cy, expected.cy)});
  made.backward = std::max({error(found.dx, expected.dx), error(found.dhx, expected.dhx),
                            error(found.dcx, expected.dcx), error(found.dw, expected.dw)});
  return made;
}

largest_errors errors_of(const network& what, const network_numbers& given) {
  return errors_of(what, run_kernel(what, given, rounding_kernel(what)),
                   run_network(what, given.inputs(), true));
}

}  // namespace

TEST_CASE("recurrent: a kernel that rounds is within the bounds, which are not wide") {
  for (const element type : {element::fp16, element::bf16, element::fp32}) {
    for (const recurrent_cell cell : each_cell) {
      CAPTURE(to_string(type));
      CAPTURE(to_string(cell));
      network what = network_of(cell, type, 8, 16, {4, 4, 4}, 2, 2);
      const largest_errors found = errors_of(what, numbers_of(what));
      CHECK(found.forward < 1);
      CHECK(found.backward < 1);
      CHECK(found.forward > 0.02);
      CHECK(found.backward > 0.02);
      what.math = recurrent_math::fma;
      CHECK(errors_of(what, numbers_of(what)).backward < 1);
    }
    const network projected = network_of(recurrent_cell::lstm, type, 8, 16, {4, 2}, 2, 2, 8);
    CHECK(errors_of(projected, numbers_of(projected)).backward < 1);
  }
}

TEST_CASE("recurrent: the bounds hold where gates saturate, where states explode and in one step") {
  for (const recurrent_cell cell : each_cell) {
    CAPTURE(to_string(cell));
    for (const double gain : {0.0, 1.0 / 16, 8.0, 32.0}) {
      CAPTURE(gain);
      for (const std::vector<int>& lengths : {std::vector<int>{1, 1}, std::vector<int>{6, 1}}) {
        const network what = network_of(cell, element::fp16, 4, 8, lengths, 2);
        const largest_errors found = errors_of(what, numbers_of(what, gain));
        CHECK(found.forward <= 1);
        CHECK(found.backward <= 1);
      }
    }
  }
}

TEST_CASE("recurrent: the bounds hold where the slope of a gate says nothing of its errors") {
  // Sums of 8 that are rounded to a quarter, and states whose signs are chance after some steps.
  for (const element type : {element::fp16, element::bf16, element::fp32}) {
    for (const recurrent_cell cell : each_cell) {
      CAPTURE(to_string(type));
      CAPTURE(to_string(cell));
      for (const double gain : {4.0, 16.0, 32.0, 64.0}) {
        CAPTURE(gain);
        const network what = network_of(cell, type, 8, 16, {12, 12}, 1, 2);
        const largest_errors found = errors_of(what, numbers_of(what, gain));
        CHECK(found.forward < tolerated);
        CHECK(found.backward < tolerated);
      }
    }
  }
}

TEST_CASE("recurrent: a product of two numbers that may be 0 has an error") {
  // Both gates of this gru are 1: the gradient of the new memory is (1 - update) (1 - new^2), and a
  // kernel with the GPU's tanh has 2^-11 and 2^-10 for what is nearly 0.
  const network what = network_of(recurrent_cell::gru, element::fp32, 1, 1, {1});
  network_numbers given;
  given.x = {1};
  given.hx = {0.5};
  given.parameters = {0, 20, 20, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  given.dy = {1};
  given.dhy = {0};
  const network_results out = run_network(what, given.inputs(), true);
  CHECK(out.dw.value[2] < 1e-20);
  CHECK(tolerated * out.dw.bound[2] > 1.0 / (1 << 21));
  CHECK(tolerated * out.dw.bound[2] < 1.0 / (1 << 12));
}

TEST_CASE("recurrent: no two errors of one size cancel in all draws") {
  network_rounding rounding(network_of(recurrent_cell::tanh, element::fp32, 1, 8, {1}));
  std::vector<uncertain> rounded_numbers(1024, exact(1));
  for (uncertain& one : rounded_numbers) rounding.add(1.0 / 4096, one);
  // Half a million sums of two of them: with one size, eight of them would have no error.
  double least = 1;
  for (std::size_t i = 0; i < rounded_numbers.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      least = std::min(least, (rounded_numbers[i] + rounded_numbers[j]).bound());
    }
  }
  CHECK(least > 1.0 / 16384);
}

TEST_CASE("recurrent: zeros are not the gradients of relu in bf16") {
  const network what =
      network_of(recurrent_cell::relu, element::bf16, 16, 32, std::vector<int>(8, 8), 2, 2);
  const network_numbers given = numbers_of(what);
  const network_results expected = run_network(what, given.inputs(), true);
  const auto share_seen = [&](const bounded& of) {
    double seen = 0;
    for (std::size_t i = 0; i < of.value.size(); ++i) {
      seen += std::fabs(of.value[i]) > tolerated * of.bound[i] ? 1 : 0;
    }
    return seen / static_cast<double>(of.value.size());
  };
  CHECK(share_seen(expected.dx) > 0.3);
  CHECK(share_seen(expected.dw) > 0.3);
  CHECK(errors_of(what, given).backward < 2);
}

TEST_CASE("recurrent: errors that all have one sign, and add up, are tolerated") {
  for (const recurrent_cell cell : {recurrent_cell::relu, recurrent_cell::tanh}) {
    const network what = network_of(cell, element::fp16, 4, 16, {8});
    network_numbers given = numbers_of(what, 0.25);
    for (numbers* const all : {&given.x, &given.hx, &given.parameters, &given.dy, &given.dhy}) {
      for (double& one : *all) one = std::fabs(one);
    }
    simulated::recurrent_network kernel = rounding_kernel(what);
    // Cut off instead of rounded: twice the error, of one sign.
    kernel.store = [](double value) {
      const double near = rounded(element::fp16, value);
      return std::fabs(near) <= std::fabs(value) ? near
                                                 : rounded(element::fp16, value * (1 - 1.0 / 1024));
    };
    const largest_errors found =
        errors_of(what, run_kernel(what, given, kernel), run_network(what, given.inputs(), true));
    CHECK(found.forward < tolerated);
    CHECK(found.backward < tolerated);
  }
}

TEST_CASE("recurrent: what a kernel leaves out or mixes up is beyond what is tolerated") {
  for (const element type : {element::fp16, element::bf16, element::fp32}) {
    for (const recurrent_cell cell : each_cell) {
      CAPTURE(to_string(type));
      CAPTURE(to_string(cell));
      const network what = network_of(cell, type, 8, 16, {3, 3, 3}, 2);
      const network_numbers given = numbers_of(what);
      const network_results expected = run_network(what, given.inputs(), true);
      const auto error = [&](const network_numbers& other) {
        return errors_of(what, run_kernel(what, other, rounding_kernel(what)), expected);
      };
      network_numbers no_state = given;
      no_state.hx.assign(no_state.hx.size(), 0);
      CHECK(error(no_state).forward > tolerated);
      CHECK(error(no_state).backward > tolerated);
      network_numbers no_last = given;
      no_last.dhy.assign(no_last.dhy.size(), 0);
      CHECK(error(no_last).backward > tolerated);
      network_numbers other_direction = given;
      for (std::size_t i = 0; i < 16; ++i) {
        std::swap(other_direction.dy[i], other_direction.dy[16 + i]);
      }
      CHECK(error(other_direction).backward > tolerated);
      network_numbers no_row = given;
      const std::size_t first = parameters_of(what, 1).recurrent;
      for (std::size_t i = 0; i < 16; ++i) no_row.parameters[first + i] = 0;
      CHECK(error(no_row).backward > tolerated);
    }
  }
}

}  // namespace recurrent_test
