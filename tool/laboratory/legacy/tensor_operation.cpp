// SPDX-License-Identifier: BSD-3-Clause
//
// c = a + b, a * b, the smaller or larger of both, the square root of a, 1 - a; element by element.
// An axis of b that has one element is as long as that of a, with the same number all along.
#include <algorithm>

#include "operation.h"

namespace cudnn_checked::compute {

bool is_kind_of(const tensor_operation& kind, fused_operation what) {
  return what == (kind.in_place ? fused_operation::tensor_add : fused_operation::tensor_op);
}

std::string text_of(const tensor_operation& what) {
  static constexpr const char* const names[] = {"plus",      "times",   "smaller of",
                                                "larger of", "root of", "one without"};
  const std::string name = names[static_cast<int>(what.how)];
  return what.has_second() ? name + " " + extents_text(what.second) : name;
}

namespace {

bounded computed(const tensor_operation& what, element type, double a, double b) {
  bounded made(1, 0);
  double& value = made.value[0];
  double lost = 0;
  switch (what.how) {
    case tensor_operator::add:
      value = a + b;
      lost = fp32_roundings(2) * (std::fabs(a) + std::fabs(b));
      break;
    case tensor_operator::multiply:
      value = a * b;
      lost = fp32_roundings(2) * std::fabs(value);
      break;
    case tensor_operator::minimum:
    case tensor_operator::maximum:
      // Chosen, and no other number is right.
      value = what.how == tensor_operator::minimum ? std::min(a, b) : std::max(a, b);
      return made;
    case tensor_operator::square_root:
      value = std::sqrt(a);
      lost = fp32_roundings(3) * value;
      break;
    case tensor_operator::complement:
      value = 1 - a;
      lost = fp32_roundings(2) * (1 + std::fabs(a));
      break;
  }
  made.bound[0] = lost + stored_error(type, value);
  return made;
}

}  // namespace

void add_arrays(const tensor_operation& what, random_numbers& random, legacy_problem& problem) {
  const element type = problem.type;
  const tensor second = make_tensor(4, what.second, problem.layout);
  std::vector<double> a = numbers_of(random, type, problem.x.elements());
  if (what.how == tensor_operator::square_root) {
    for (double& value : a) value = std::fabs(value);
  }
  const std::vector<double> b = numbers_of(random, type, second.elements());
  bounded c(a.size(), 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const bounded one = computed(what, type, a[i], b[place_in(second, problem.x, i)]);
    c.value[i] = one.value[0];
    c.bound[i] = one.bound[0];
  }
  if (what.in_place) {
    // c is what b is added to.
    fused_array both = expected("c", type, c, problem.x);
    both.given = given("c", type, a, problem.x).given;
    problem.arrays = {given("a", type, b, second), both};
    return;
  }
  problem.arrays = {given("a", type, a, problem.x), given("b", type, b, second),
                    expected("c", type, c, problem.x)};
}

}  // namespace cudnn_checked::compute
