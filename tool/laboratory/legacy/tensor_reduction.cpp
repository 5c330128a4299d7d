// SPDX-License-Identifier: BSD-3-Clause
//
// What is made of all numbers along some axes, in fp32.
#include <algorithm>
#include <limits>

#include "operation.h"

namespace cudnn_checked::compute {

bool is_kind_of(const tensor_reduction&, fused_operation what) {
  return what == fused_operation::tensor_reduce;
}

std::string text_of(const tensor_reduction& what) {
  static constexpr const char* const names[] = {"sum",          "product", "smallest", "largest",
                                                "largest size", "average", "norm 1",   "norm 2"};
  return names[static_cast<int>(what.how)] + std::string(" to ") + extents_text(what.kept);
}

tensor output_of(const tensor_reduction& what, const tensor&, tensor_layout order) {
  return make_tensor(4, what.kept, order);
}

namespace {

/// What has been made of the numbers so far.
struct reduced {
  double sum = 0;
  double sizes = 0;
  double squares = 0;
  double product = 1;
  double smallest = std::numeric_limits<double>::infinity();
  double largest = -std::numeric_limits<double>::infinity();
  double largest_size = 0;
  double count = 0;

  void add(double x) {
    sum += x;
    sizes += std::fabs(x);
    squares += x * x;
    product *= x;
    smallest = std::min(smallest, x);
    largest = std::max(largest, x);
    largest_size = std::max(largest_size, std::fabs(x));
    ++count;
  }
};

void put(const tensor_reduction& what, element type, const reduced& all, double& value,
         double& bound) {
  const double adding = accumulation(all.count);
  switch (what.how) {
    case tensor_reducer::add:
      value = all.sum;
      bound = adding * all.sizes;
      break;
    case tensor_reducer::average:
      value = all.sum / all.count;
      bound = (adding + fp32_roundings(2)) * all.sizes / all.count;
      break;
    case tensor_reducer::norm_1:
      value = all.sizes;
      bound = adding * all.sizes;
      break;
    case tensor_reducer::norm_2:
      value = std::sqrt(all.squares);
      bound = (adding / 2 + fp32_roundings(3)) * value;
      break;
    case tensor_reducer::multiply:
      value = all.product;
      bound = fp32_roundings(all.count) * std::fabs(value);
      break;
    // Chosen, and no other number is right.
    case tensor_reducer::minimum:
      value = all.smallest;
      return;
    case tensor_reducer::maximum:
      value = all.largest;
      return;
    case tensor_reducer::largest_size:
      value = all.largest_size;
      return;
  }
  bound += stored_error(type, value);
}

}  // namespace

void add_arrays(const tensor_reduction& what, random_numbers& random, legacy_problem& problem) {
  const element type = problem.type;
  std::vector<double> x = numbers_of(random, type, problem.x.elements());
  if (what.how == tensor_reducer::multiply) {
    // Between 1/2 and 3/2, so that products of many are numbers of fp16.
    for (double& value : x) value = rounded(type, 1 + value / 2);
  }
  std::vector<reduced> all(problem.y.elements());
  for (std::size_t i = 0; i < x.size(); ++i) all[place_in(problem.y, problem.x, i)].add(x[i]);
  bounded y(all.size(), 0);
  for (std::size_t i = 0; i < all.size(); ++i) put(what, type, all[i], y.value[i], y.bound[i]);
  problem.arrays = {given("x", type, x, problem.x), expected("y", type, y, problem.y)};
}

}  // namespace cudnn_checked::compute
