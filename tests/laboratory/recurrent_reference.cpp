// SPDX-License-Identifier: BSD-3-Clause
//
// The float64 reference of recurrent networks: against finite differences, against another way to
// compute them, and against cases that can be computed by hand.
#include <doctest/doctest.h>

#include "recurrent_numbers.h"

namespace recurrent_test {

namespace {

/// What the gradients are of.
double loss_of(const network& what, const network_numbers& given) {
  const network_results out = run_network(what, given.inputs(), false);
  double sum = 0;
  const auto add = [&](const bounded& values, const numbers& factors) {
    for (std::size_t i = 0; i < factors.size(); ++i) {
      if (values.bound[i] >= 0) sum += values.value[i] * factors[i];
    }
  };
  add(out.y, given.dy);
  add(out.hy, given.dhy);
  add(out.cy, given.dcy);
  return sum;
}

void check_differences(const network& what, const network_numbers& given,
                       numbers network_numbers::*input, const bounded& gradient) {
  REQUIRE(gradient.value.size() == (given.*input).size());
  constexpr double step = 1.0 / (1 << 18);
  for (std::size_t i = 0; i < gradient.value.size(); ++i) {
    if (gradient.bound[i] < 0) continue;
    network_numbers more = given;
    network_numbers less = given;
    (more.*input)[i] += step;
    (less.*input)[i] -= step;
    const double slope = (loss_of(what, more) - loss_of(what, less)) / (2 * step);
    REQUIRE(std::fabs(slope - gradient.value[i]) < 1e-8);
  }
}

void check_all_differences(const network& what) {
  const network_numbers given = numbers_of(what);
  const network_results out = run_network(what, given.inputs(), true);
  check_differences(what, given, &network_numbers::x, out.dx);
  check_differences(what, given, &network_numbers::hx, out.dhx);
  check_differences(what, given, &network_numbers::cx, out.dcx);
  check_differences(what, given, &network_numbers::parameters, out.dw);
}

numbers looked_at(const bounded& values, const numbers& of) {
  numbers made;
  for (std::size_t i = 0; i < of.size(); ++i) {
    if (values.bound[i] >= 0) made.push_back(of[i]);
  }
  return made;
}

void check_same(const bounded& found, const numbers& expected) {
  fused_test::check_close_to(looked_at(found, found.value), looked_at(found, expected));
}

/// tanh of one element without weights but these.
network_numbers one_element(double x, double h, double weight, double state_weight) {
  network_numbers made;
  made.x = {x};
  made.hx = {h};
  made.parameters = {weight, state_weight, 0, 0};
  made.dy = {1};
  made.dhy = {0};
  return made;
}

}  // namespace

TEST_CASE("recurrent: gradients are those of finite differences") {
  for (const recurrent_cell cell : each_cell) {
    CAPTURE(to_string(cell));
    check_all_differences(network_of(cell, element::fp32, 3, 4, {3, 3}));
    check_all_differences(network_of(cell, element::fp32, 2, 3, {4, 1, 3}, 2, 2));
  }
  check_all_differences(network_of(recurrent_cell::lstm, element::fp32, 3, 4, {3, 2}, 2, 2, 2));
}

TEST_CASE("recurrent: the same numbers as of a kernel that rounds nothing") {
  const auto check = [](const network& what) {
    const network_numbers given = numbers_of(what);
    simulated::recurrent_network kernel = as_kernel(what);
    kernel.single = false;
    const kernel_results other = run_kernel(what, given, kernel);
    const network_results out = run_network(what, given.inputs(), true);
    check_same(out.y, other.y);
    check_same(out.hy, other.hy);
    check_same(out.cy, other.cy);
    check_same(out.dx, other.dx);
    check_same(out.dhx, other.dhx);
    check_same(out.dcx, other.dcx);
    check_same(out.dw, other.dw);
  };
  for (const recurrent_cell cell : each_cell) {
    CAPTURE(to_string(cell));
    check(network_of(cell, element::fp16, 5, 6, {4, 4, 4}, 2, 3));
    check(network_of(cell, element::fp16, 5, 6, {7, 5, 5, 1}, 2, 2));
  }
  check(network_of(recurrent_cell::lstm, element::fp16, 5, 6, {4, 3}, 2, 2, 3));
}

TEST_CASE("recurrent: one step of one element, by hand") {
  const network what = network_of(recurrent_cell::tanh, element::fp32, 1, 1, {1});
  const network_numbers given = one_element(0.5, -1, 2, 0.25);
  const network_results out = run_network(what, given.inputs(), true);
  const double h = std::tanh(0.75);
  fused_test::check_close_to(out.y.value, {h});
  fused_test::check_close_to(out.hy.value, {h});
  const double slope = 1 - h * h;
  fused_test::check_close_to(out.dx.value, {2 * slope});
  fused_test::check_close_to(out.dhx.value, {0.25 * slope});
  fused_test::check_close_to(out.dw.value, {0.5 * slope, -slope, slope, slope});
}

TEST_CASE("recurrent: the update gate of gru keeps the state, its reset gate forgets it") {
  const network what = network_of(recurrent_cell::gru, element::fp32, 1, 1, {1});
  network_numbers given = one_element(0.5, 0.75, 0, 0);
  // Matrices of the input and of the state, then the biases: reset, update, new.
  const auto h_of = [&](double reset, double update) {
    given.parameters = {0, 0, 1, 0, 0, 1, reset, update, 0, 0, 0, 0.125};
    return run_network(what, given.inputs(), false).y.value[0];
  };
  CHECK(h_of(0, 50) == doctest::Approx(0.75));
  CHECK(h_of(-50, -50) == doctest::Approx(std::tanh(0.5)));
  CHECK(h_of(50, -50) == doctest::Approx(std::tanh(0.5 + 0.75 + 0.125)));
}

TEST_CASE("recurrent: the gates of lstm, each alone") {
  const network what = network_of(recurrent_cell::lstm, element::fp32, 1, 1, {1});
  network_numbers given = one_element(0, 0, 0, 0);
  given.cx = {0.5};
  given.dcy = {0};
  const auto c_and_h = [&](double input, double forget, double added, double output) {
    given.parameters = {0, 0, 0, 0, 0, 0, 0, 0, input, forget, added, output, 0, 0, 0, 0};
    const network_results out = run_network(what, given.inputs(), false);
    return std::pair<double, double>(out.cy.value[0], out.hy.value[0]);
  };
  CHECK(c_and_h(-50, 50, 50, 50).first == doctest::Approx(0.5));
  CHECK(c_and_h(50, -50, 50, 50).first == doctest::Approx(1));
  CHECK(c_and_h(50, 50, -50, 50).first == doctest::Approx(-0.5));
  CHECK(c_and_h(50, 50, 50, 50).second == doctest::Approx(std::tanh(1.5)));
  CHECK(c_and_h(50, 50, 50, -50).second == doctest::Approx(0));
}

TEST_CASE("recurrent: saturated gates have no gradient, and a bound that is not zero") {
  const network what = network_of(recurrent_cell::tanh, element::fp16, 1, 1, {1});
  const network_results out = run_network(what, one_element(100, 0, 1, 1).inputs(), true);
  CHECK(out.y.value[0] == 1);
  CHECK(std::fabs(out.dx.value[0]) < 1e-80);
  // What rounding y to one less would give.
  CHECK(out.dx.bound[0] > 1.0 / 2048);
  CHECK(out.dx.bound[0] < 1.0 / 256);
}

TEST_CASE("recurrent: at zero relu has either gradient, beside it one") {
  const network what = network_of(recurrent_cell::relu, element::fp16, 1, 1, {1});
  const auto dx_of = [&](double x) {
    const network_results out = run_network(what, one_element(x, 0.5, 1, -1).inputs(), true);
    return std::pair<double, double>(out.dx.value[0], out.dx.bound[0]);
  };
  CHECK(dx_of(0.5).first == 0);
  // 1 is tolerated in the place of 0, and 4 is not.
  CHECK(dx_of(0.5).second >= 0.25);
  CHECK(dx_of(0.5).second < 1);
  CHECK(dx_of(0.375).first == 0);
  CHECK(dx_of(0.375).second < 0.01);
  CHECK(dx_of(0.625).first == 1);
  CHECK(dx_of(0.625).second < 0.01);
}

TEST_CASE("recurrent: a sequence of no steps keeps its state") {
  const network what = network_of(recurrent_cell::gru, element::fp16, 2, 3, {2, 0}, 2);
  const network_numbers given = numbers_of(what);
  const network_results out = run_network(what, given.inputs(), true);
  for (const unsigned i : {3U, 4U, 5U, 9U, 10U, 11U}) {
    CHECK(out.hy.value[i] == given.hx[i]);
    CHECK(out.dhx.value[i] == given.dhy[i]);
  }
}

TEST_CASE("recurrent: what lies beyond the length of a sequence is not looked at, nor read") {
  const network what = network_of(recurrent_cell::tanh, element::fp16, 2, 3, {3, 1}, 2);
  network_numbers given = numbers_of(what);
  const network_results out = run_network(what, given.inputs(), true);
  for (std::size_t i = 0; i < 2; ++i) {
    given.x[place_of_step(what, 1, 1) * 2 + i] = NAN;
    given.x[place_of_step(what, 2, 1) * 2 + i] = NAN;
    CHECK(out.dx.bound[place_of_step(what, 2, 1) * 2 + i] == bounded::not_looked_at);
  }
  const network_results other = run_network(what, given.inputs(), true);
  CHECK(other.y.value == out.y.value);
  CHECK(other.dw.value == out.dw.value);
  CHECK(out.y.bound[place_of_step(what, 1, 1) * 6] == bounded::not_looked_at);
  CHECK(out.y.bound[place_of_step(what, 0, 1) * 6] > 0);
}

TEST_CASE("recurrent: what fp16 cannot hold is not looked at, nor what depends on it") {
  network what = network_of(recurrent_cell::relu, element::fp16, 1, 1, {3});
  network_numbers given;
  given.x = {1, 1, 1};
  given.hx = {0};
  given.parameters = {300, 300, 0, 0};
  given.dy = {1, 1, 1};
  given.dhy = {0};
  network_results out = run_network(what, given.inputs(), true);
  CHECK(out.y.bound[0] > 0);
  CHECK(out.y.bound[1] == bounded::not_looked_at);
  CHECK(out.y.bound[2] == bounded::not_looked_at);
  CHECK(out.dw.bound[1] == bounded::not_looked_at);
  what.type = element::bf16;
  out = run_network(what, given.inputs(), true);
  CHECK(out.y.bound[2] > 0);
}

}  // namespace recurrent_test
