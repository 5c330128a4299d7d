// SPDX-License-Identifier: BSD-3-Clause
//
// The float64 references of a convolution and of its gradients, against the definition.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "convolution/reference.h"
#include "convolution/values.h"

using namespace cudnn_checked;
using cudnn_checked::compute::direction;
using cudnn_checked::compute::make_tensor;
using cudnn_checked::compute::tensor;
using cudnn_checked::compute::window;

namespace {

/// Extents of x and w and a window; the rest follows.
struct defined_convolution {
  tensor x;
  tensor w;
  tensor y;
  window moves;

  defined_convolution(const std::vector<std::int64_t>& x_extents,
                      const std::vector<std::int64_t>& w_extents, const window& moved)
      : moves(moved) {
    const int dimensions = static_cast<int>(x_extents.size());
    std::vector<std::int64_t> y_extents = {x_extents[0], w_extents[0]};
    for (int i = 0; i < dimensions - 2; ++i) {
      const std::size_t at = static_cast<std::size_t>(i) + 2;
      const std::int64_t kernel = (w_extents[at] - 1) * moved.dilation[i] + 1;
      y_extents.push_back((x_extents[at] + 2 * moved.padding[i] - kernel) / moved.stride[i] + 1);
    }
    x = make_tensor(dimensions, x_extents.data(), tensor_layout::nchw);
    w = make_tensor(dimensions, w_extents.data(), tensor_layout::nchw);
    y = make_tensor(dimensions, y_extents.data(), tensor_layout::nchw);
  }
};

std::int64_t spatial(const tensor& t, int dimension) {
  return dimension < t.dimensions - 2 ? t.extent[dimension + 2] : 1;
}

/// Calls use(index in x, index in w, index in y) for every product of the convolution: the
/// definition, in seven loops.
template <typename function>
void for_each_product(const defined_convolution& c, const function& use) {
  const std::int64_t groups = c.x.extent[1] / c.w.extent[1];
  const std::int64_t in_group = c.w.extent[0] / groups;
  const auto count = [](const tensor& t) { return spatial(t, 0) * spatial(t, 1) * spatial(t, 2); };
  const auto at = [](std::int64_t index, const tensor& t, std::int64_t* where) {
    where[2] = index % spatial(t, 2);
    where[1] = index / spatial(t, 2) % spatial(t, 1);
    where[0] = index / (spatial(t, 2) * spatial(t, 1));
  };
  for (std::int64_t n = 0; n < c.x.extent[0]; ++n) {
    for (std::int64_t k = 0; k < c.w.extent[0]; ++k) {
      for (std::int64_t ch = 0; ch < c.w.extent[1]; ++ch) {
        const std::int64_t channel = k / in_group * c.w.extent[1] + ch;
        for (std::int64_t position = 0; position < count(c.y); ++position) {
          for (std::int64_t tap = 0; tap < count(c.w); ++tap) {
            std::int64_t out[3];
            std::int64_t in[3];
            at(position, c.y, out);
            at(tap, c.w, in);
            bool inside = true;
            std::int64_t pixel = 0;
            for (int i = 0; i < 3; ++i) {
              const bool used = i < c.moves.dimensions;
              const std::int64_t from = used ? out[i] * c.moves.stride[i] +
                                                   in[i] * c.moves.dilation[i] - c.moves.padding[i]
                                             : 0;
              inside = inside && from >= 0 && from < spatial(c.x, i);
              pixel = pixel * spatial(c.x, i) + from;
            }
            if (!inside) continue;
            use(static_cast<std::size_t>((n * c.x.extent[1] + channel) * count(c.x) + pixel),
                static_cast<std::size_t>((k * c.w.extent[1] + ch) * count(c.w) + tap),
                static_cast<std::size_t>((n * c.w.extent[0] + k) * count(c.y) + position));
          }
        }
      }
    }
  }
}

std::vector<double> drawn(std::uint64_t seed, std::size_t count) {
  compute::random_numbers random(seed);
  std::vector<double> values(count);
  fill_random(random, element::fp32, values.data(), count);
  return values;
}

void check_close(const std::vector<double>& sum, const std::vector<double>& expected,
                 const std::vector<double>& magnitude) {
  for (std::size_t i = 0; i < sum.size(); ++i) {
    REQUIRE(std::fabs(sum[i] - expected[i]) <= 1e-13 * magnitude[i]);
  }
}

void check_direction(const defined_convolution& c, direction what) {
  const tensor* const of[3] = {&c.y, &c.x, &c.w};  // forward, data, filter gradient
  const tensor* const first[3] = {&c.x, &c.y, &c.y};
  const tensor* const second[3] = {&c.w, &c.w, &c.x};
  const int i = static_cast<int>(what);
  const std::vector<double> a = drawn(1, first[i]->elements());
  const std::vector<double> b = drawn(2, second[i]->elements());
  const std::size_t count = of[i]->elements();
  std::vector<double> expected(count);
  std::vector<double> expected_magnitude(count);
  std::vector<double> products(count);
  for_each_product(c, [&](std::size_t x, std::size_t w, std::size_t y) {
    const std::size_t places[3][3] = {{y, x, w}, {x, y, w}, {w, y, x}};
    const double product = a[places[i][1]] * b[places[i][2]];
    expected[places[i][0]] += product;
    expected_magnitude[places[i][0]] += std::fabs(product);
    products[places[i][0]] += 1;
  });
  std::vector<double> sum(count, -1);
  std::vector<double> magnitude(count, -1);
  reference(what, c.x, c.w, c.y, c.moves, a.data(), b.data(), sum.data(), magnitude.data());
  CAPTURE(i);
  check_close(sum, expected, expected_magnitude);
  check_close(magnitude, expected_magnitude, expected_magnitude);
  const double most = products_of(what, c.x, c.w, c.y);
  for (const double here : products) REQUIRE(here <= most);
}

void check_reference(const std::vector<std::int64_t>& x, const std::vector<std::int64_t>& w,
                     const window& moves) {
  CAPTURE(x);
  CAPTURE(w);
  const defined_convolution c(x, w, moves);
  for (const direction what :
       {direction::forward, direction::data_gradient, direction::filter_gradient}) {
    check_direction(c, what);
  }
}

}  // namespace

TEST_CASE("convolution: the references are the definition, in two dimensions") {
  check_reference({2, 3, 9, 8}, {5, 3, 3, 3}, {2, {1, 1}, {1, 1}, {1, 1}});
  check_reference({1, 4, 5, 1}, {16, 4, 3, 3}, {2, {1, 1}, {2, 2}, {1, 1}});
  check_reference({2, 5, 8, 11}, {3, 5, 7, 2}, {2, {3, 0}, {3, 1}, {1, 1}});
  check_reference({1, 2, 7, 6}, {4, 2, 5, 5}, {2, {4, 3}, {1, 2}, {2, 1}});
  check_reference({1, 6, 20, 20}, {9, 2, 3, 3}, {2, {1, 1}, {1, 1}, {1, 1}});  // 3 groups, blocks
  check_reference({2, 6, 5, 5}, {6, 1, 3, 3}, {2, {1, 1}, {1, 1}, {1, 1}});    // depthwise
  check_reference({3, 7, 1, 1}, {5, 7, 1, 1}, {2, {1, 1}, {1, 1}, {1, 1}});
  check_reference({1, 1, 2, 2}, {1, 1, 5, 5}, {2, {3, 3}, {3, 3}, {1, 1}});
  check_reference({1, 3, 17, 33}, {2, 3, 1, 7}, {2, {0, 3}, {1, 1}, {1, 1}});
}

TEST_CASE("convolution: the references are the definition, in three dimensions") {
  check_reference({2, 3, 4, 5, 6}, {4, 3, 3, 3, 3}, {3, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}});
  check_reference({1, 4, 6, 7, 5}, {6, 2, 2, 1, 3}, {3, {0, 2, 1}, {2, 3, 1}, {1, 1, 2}});
  check_reference({1, 2, 9, 8, 9}, {3, 2, 1, 1, 1}, {3, {0, 0, 0}, {2, 1, 2}, {1, 1, 1}});
}
