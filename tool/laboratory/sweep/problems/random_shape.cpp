// SPDX-License-Identifier: BSD-3-Clause
#include <cstddef>

#include "dice.h"
#include "problems.h"

namespace cudnn_checked::sweep {

static std::int64_t draw_channels(dice& drawn) {
  static constexpr std::int64_t usual[] = {1, 2, 3, 4, 8, 16, 24, 32, 40, 48, 64, 96, 128};
  return drawn.one_in(2) ? drawn.one_of(usual) : drawn.between(1, 128);
}

static std::int64_t draw_extent(dice& drawn, std::int64_t most) {
  static constexpr std::int64_t usual[] = {1, 2, 4, 5, 7, 8, 14, 16, 28, 32};
  std::int64_t extent = drawn.one_in(2) ? drawn.one_of(usual) : drawn.between(1, 33);
  while (extent > most) extent = (extent + 1) / 2;
  return extent;
}

static std::int64_t draw_kernel(dice& drawn) {
  static constexpr std::int64_t usual[] = {1, 3, 3, 5, 7};
  return drawn.one_in(2) ? drawn.one_of(usual) : drawn.between(1, 7);
}

/// The same number along all dimensions in three cases out of four.
template <typename drawing>
static void draw_each(dice& drawn, int dimensions, std::int64_t* values, const drawing& draw) {
  const bool alike = !drawn.one_in(4);
  for (int i = 0; i < dimensions; ++i) values[i] = alike && i > 0 ? values[0] : draw();
}

/// Divides channels and filters into as many groups as they allow, or fewer; often depthwise.
static void draw_groups(dice& drawn, shape& of) {
  if (drawn.one_in(2)) {
    of.groups = of.channels;
    of.filters = of.channels;
    return;
  }
  of.groups = drawn.between(2, 8);
  of.channels = (of.channels + of.groups - 1) / of.groups * of.groups;
  of.filters = (of.filters + of.groups - 1) / of.groups * of.groups;
}

static shape draw_shape(dice& drawn) {
  shape of;
  of.dimensions = drawn.one_in(8) ? 3 : 2;
  const std::int64_t most_extent = of.dimensions == 3 ? 14 : 33;
  of.batch = drawn.one_in(2) ? drawn.between(1, 2) : drawn.between(1, 8);
  of.channels = draw_channels(drawn);
  of.filters = draw_channels(drawn);
  if (drawn.one_in(8)) draw_groups(drawn, of);
  draw_each(drawn, of.dimensions, of.image, [&] { return draw_extent(drawn, most_extent); });
  draw_each(drawn, of.dimensions, of.kernel, [&] { return draw_kernel(drawn); });
  draw_each(drawn, of.dimensions, of.padding, [&] { return drawn.between(0, 3); });
  draw_each(drawn, of.dimensions, of.stride,
            [&] { return drawn.one_in(2) ? 1 : drawn.between(1, 3); });
  if (drawn.one_in(8)) {
    draw_each(drawn, of.dimensions, of.dilation, [&] { return drawn.between(1, 3); });
  }
  return of;
}

shape random_shape(std::uint64_t seed, double most) {
  dice drawn(seed);
  for (;;) {
    const shape of = draw_shape(drawn);
    bool possible = of.products() <= most;
    for (int i = 0; i < of.dimensions; ++i) possible = possible && of.output(i) > 0;
    if (possible) return of;
  }
}

}  // namespace cudnn_checked::sweep
