// SPDX-License-Identifier: BSD-3-Clause
//
// Local response normalisation over neighbouring channels:
//
//   s  = k + alpha / width * (sum of x^2 of the channels that are at most width / 2 away)
//   y  = x * s^-beta
//   dx = dy * s^-beta - 2 * alpha * beta / width * x * (sum of dy * y / s of these channels)
//
// cuDNN is given y for the gradient, and may compute it again from x.
#include <algorithm>

#include "operation.h"

namespace cudnn_checked::compute {

bool is_kind_of(const cross_channel_norm&, fused_operation what) {
  return what == fused_operation::lrn_forward || what == fused_operation::lrn_backward;
}

std::string text_of(const cross_channel_norm& what) {
  const auto text = [](double hundredths) {
    const int whole = static_cast<int>(hundredths * 100 + 0.5);
    std::string digits = std::to_string(whole % 100);
    if (digits.size() < 2) digits.insert(0, "0");
    return std::to_string(whole / 100) + "." + digits;
  };
  return std::to_string(what.width) + " channels, alpha " + text(what.alpha) + ", beta " +
         text(what.beta) + ", k " + text(what.k);
}

namespace {

/// The numbers of the channels at one place of an image, as packed NCHW has them.
struct channel_line {
  const std::vector<double>& of;
  std::size_t first, step, count;

  std::size_t at(std::size_t channel) const { return first + channel * step; }

  template <typename function>
  double sum(int width, std::size_t channel, const function& part) const {
    const std::size_t away = static_cast<std::size_t>(width / 2);
    double made = 0;
    for (std::size_t c = channel < away ? 0 : channel - away; c < count && c <= channel + away;
         ++c) {
      made += part(at(c));
    }
    return made;
  }
};

template <typename function>
void each_line(const tensor& x, const std::vector<double>& of, const function& use) {
  const std::size_t places = places_of(x);
  for (std::size_t n = 0; n < extent(x, 0); ++n) {
    for (std::size_t place = 0; place < places; ++place) {
      use(channel_line{of, n * extent(x, 1) * places + place, places, extent(x, 1)});
    }
  }
}

/// What s is off by, as a part of it: a sum of squares and k, none of which is negative.
double sum_error(const cross_channel_norm& what) {
  return accumulation(what.width + 1) + fp32_roundings(3);
}

/// What s^-beta is off by, as a part of it, where it is 2^(-beta * log2(s)): log2 by the GPU's own
/// instruction is off by 2^-21.4 near 1 and by 2 ulp elsewhere, 2^x by 2 ulp.
double power_error(const cross_channel_norm& what, double s) {
  constexpr double natural = 0.69314718055994531;  // log(2)
  const double logarithm = std::fabs(std::log2(s));
  const double off = 1.0 / 2097152 + fp32_roundings(4 * logarithm);  // 2^-21
  return what.beta * (sum_error(what) + natural * off) + fp32_roundings(4 + what.beta * logarithm);
}

/// y before it is stored, and s.
struct normalised {
  std::vector<double> s, y, error;
};

normalised normalise(const cross_channel_norm& what, const tensor& shape,
                     const std::vector<double>& x) {
  normalised made{x, x, x};
  each_line(shape, x, [&](const channel_line& line) {
    for (std::size_t c = 0; c < line.count; ++c) {
      const std::size_t i = line.at(c);
      const double squares = line.sum(what.width, c, [&](std::size_t at) { return x[at] * x[at]; });
      made.s[i] = what.k + what.alpha / what.width * squares;
      made.y[i] = x[i] * std::pow(made.s[i], -what.beta);
      made.error[i] = std::fabs(made.y[i]) * (power_error(what, made.s[i]) + fp32_roundings(2));
    }
  });
  return made;
}

bounded slopes(const cross_channel_norm& what, const legacy_problem& problem,
               const std::vector<double>& x, const normalised& exact,
               const std::vector<double>& kept, const std::vector<double>& dy) {
  bounded dx(x.size(), 0);
  const double factor = 2 * what.alpha * what.beta / what.width;
  each_line(problem.x, x, [&](const channel_line& line) {
    for (std::size_t c = 0; c < line.count; ++c) {
      const std::size_t i = line.at(c);
      const double sum =
          line.sum(what.width, c, [&](std::size_t at) { return dy[at] * kept[at] / exact.s[at]; });
      const double lost = line.sum(what.width, c, [&](std::size_t at) {
        const double size = std::fabs(dy[at] / exact.s[at]);
        const double part = accumulation(what.width) + sum_error(what) + fp32_roundings(6);
        return size *
               (part * std::fabs(kept[at]) + exact.error[at] + std::fabs(kept[at] - exact.y[at]));
      });
      const double power = std::pow(exact.s[i], -what.beta);
      dx.value[i] = dy[i] * power - factor * x[i] * sum;
      dx.bound[i] = std::fabs(dy[i]) * power * (power_error(what, exact.s[i]) + fp32_roundings(2)) +
                    factor * std::fabs(x[i]) * lost + stored_error(problem.type, dx.value[i]);
    }
  });
  return dx;
}

}  // namespace

void add_arrays(const cross_channel_norm& what, random_numbers& random, legacy_problem& problem) {
  const element type = problem.type;
  std::vector<double> x = numbers_of(random, type, problem.x.elements());
  for (double& value : x) value *= 4;  // squares that are more than k
  const normalised exact = normalise(what, problem.x, x);
  if (problem.what == fused_operation::lrn_forward) {
    bounded y(x.size(), 0);
    y.value = exact.y;
    for (std::size_t i = 0; i < x.size(); ++i) {
      y.bound[i] = exact.error[i] + stored_error(type, exact.y[i]);
    }
    problem.arrays = {given("x", type, x, problem.x), expected("y", type, y, problem.x)};
    return;
  }
  std::vector<double> kept = exact.y;
  for (double& value : kept) value = rounded(type, value);
  const std::vector<double> dy = numbers_of(random, type, x.size());
  problem.arrays = {given("x", type, x, problem.x), given("y", type, kept, problem.x),
                    given("dy", type, dy, problem.x),
                    expected("dx", type, slopes(what, problem, x, exact, kept, dy), problem.x)};
}

}  // namespace cudnn_checked::compute
