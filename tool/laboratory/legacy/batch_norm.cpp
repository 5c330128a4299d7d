// SPDX-License-Identifier: BSD-3-Clause
//
// Batch norm: what layer norm is for a row is this for a channel, whose scale and bias are one
// number each (fused/norm.h).
#include <algorithm>

#include "../fused/norm.h"
#include "operation.h"

namespace cudnn_checked::compute {

bool is_kind_of(const batch_norm& kind, fused_operation what) {
  if (what == fused_operation::batch_norm_inference) {
    // The same function whether training calls those that end in Ex, which have no other here.
    return !kind.is_relu() && (!kind.extended || kind.mode != batch_norm_mode::spatial);
  }
  return what == fused_operation::batch_norm_forward ||
         what == fused_operation::batch_norm_backward;
}

std::string text_of(const batch_norm& what) {
  return std::string(batch_norm_mode_names[static_cast<int>(what.mode)]) +
         (what.extended ? ", Ex" : "") + (what.adds_z() ? ", z" : "") +
         (what.is_relu() ? ", relu" : "");
}

namespace {

/// The numbers of a channel behind each other.
std::vector<double> channel_of(const std::vector<double>& values, const tensor& where,
                               std::size_t channel) {
  const std::size_t places = places_of(where);
  std::vector<double> made;
  for (std::size_t n = 0; n < extent(where, 0); ++n) {
    const double* const first = &values[(n * extent(where, 1) + channel) * places];
    made.insert(made.end(), first, first + places);
  }
  return made;
}

void put_channel(const bounded& values, const tensor& where, std::size_t channel, bounded& target) {
  const std::size_t places = places_of(where);
  for (std::size_t i = 0; i < values.value.size(); ++i) {
    const std::size_t at = (i / places * extent(where, 1) + channel) * places + i % places;
    target.value[at] = values.value[i];
    target.bound[at] = values.bound[i];
  }
}

norm norm_of_channel(element type, std::size_t count) {
  norm made;
  made.rows = 1;
  made.columns = static_cast<int>(count);
  made.epsilon = batch_norm::epsilon;
  made.type = type;
  return made;
}

struct batch_norm_numbers {
  std::size_t channels;
  std::vector<double> x, scale, bias;

  batch_norm_numbers(random_numbers& random, const legacy_problem& problem)
      : channels(extent(problem.x, 1)),
        x(numbers_of(random, problem.type, problem.x.elements())),
        scale(numbers_of(random, element::fp32, channels)),
        bias(numbers_of(random, element::fp32, channels)) {}
};

std::vector<double> z_of(const batch_norm& what, random_numbers& random,
                         const legacy_problem& problem) {
  return numbers_of(random, problem.type, what.adds_z() ? problem.x.elements() : 0);
}

/// One number a channel.
struct channel_results {
  bounded mean, inverse, running_mean, running_variance;

  explicit channel_results(std::size_t channels)
      : mean(channels, 0), inverse(mean), running_mean(mean), running_variance(mean) {}
};

/// old + factor * (now - old), which a kernel may compute as (1 - factor) * old + factor * now.
void put_average(double old, double now, double error, std::size_t at, bounded& target) {
  constexpr double factor = batch_norm::average_factor;
  target.value[at] = (1 - factor) * old + factor * now;
  target.bound[at] = factor * error + fp32_roundings(4) * (std::fabs(old) + std::fabs(now)) +
                     stored_error(element::fp32, target.value[at]);
}

void average_channel(const std::vector<double>& x, double old_mean, double old_variance,
                     const norm_output& row, std::size_t at, channel_results& results) {
  const double count = static_cast<double>(x.size());
  double square = 0;
  double variance = 0;
  for (const double value : x) {
    square += value * value / count;
    variance += (value - row.mean.value[0]) * (value - row.mean.value[0]) / count;
  }
  const double unbiased = count / (count - 1);
  put_average(old_mean, row.mean.value[0], row.mean.bound[0], at, results.running_mean);
  put_average(old_variance, variance * unbiased, accumulation(count) * square * unbiased, at,
              results.running_variance);
}

/// relu of y and z, where there is z.
void rectify(const std::vector<double>& z, element type, bounded& y) {
  for (std::size_t i = 0; i < y.value.size(); ++i) {
    const double added = z.empty() ? 0 : z[i];
    y.value[i] = std::max(y.value[i] + added, 0.0);
    // The y before is not stored, which is more than is lost by the addition in fp32.
    y.bound[i] += fp32_roundings(2) * std::fabs(added) + stored_error(type, y.value[i]);
  }
}

void add_training(const batch_norm& what, random_numbers& random, legacy_problem& problem) {
  const batch_norm_numbers drawn(random, problem);
  const std::vector<double> old_mean = numbers_of(random, element::fp32, drawn.channels);
  std::vector<double> old_variance = numbers_of(random, element::fp32, drawn.channels);
  for (double& value : old_variance) value = std::fabs(value);
  bounded y(problem.x.elements(), 0);
  channel_results results(drawn.channels);
  for (std::size_t c = 0; c < drawn.channels; ++c) {
    const std::vector<double> x = channel_of(drawn.x, problem.x, c);
    const std::vector<double> scale(x.size(), drawn.scale[c]);
    const std::vector<double> bias(x.size(), drawn.bias[c]);
    const norm_output row =
        norm_forward(norm_of_channel(problem.type, x.size()), x.data(), scale.data(), bias.data());
    put_channel(row.y, problem.x, c, y);
    results.mean.value[c] = row.mean.value[0];
    results.mean.bound[c] = row.mean.bound[0];
    results.inverse.value[c] = row.inverse.value[0];
    results.inverse.bound[c] = row.inverse.bound[0];
    average_channel(x, old_mean[c], old_variance[c], row, c, results);
  }
  const std::vector<double> z = z_of(what, random, problem);
  if (what.is_relu()) rectify(z, problem.type, y);
  fused_array running_mean = expected("running mean", results.running_mean);
  fused_array running_variance = expected("running variance", results.running_variance);
  running_mean.given = old_mean;
  running_variance.given = old_variance;
  problem.arrays = {given("x", problem.type, drawn.x, problem.x),
                    given("scale", drawn.scale),
                    given("bias", drawn.bias),
                    expected("y", problem.type, y, problem.x),
                    running_mean,
                    running_variance,
                    expected("mean", results.mean),
                    expected("inverse deviation", results.inverse)};
  if (what.adds_z()) problem.arrays.push_back(given("z", problem.type, z, problem.x));
}

void add_inference(random_numbers& random, legacy_problem& problem) {
  const batch_norm_numbers drawn(random, problem);
  const std::vector<double> mean = numbers_of(random, element::fp32, drawn.channels);
  std::vector<double> variance = numbers_of(random, element::fp32, drawn.channels);
  for (double& value : variance) value = rounded(element::fp32, std::fabs(value) + 0.125);
  bounded y(problem.x.elements(), 0);
  for (std::size_t i = 0; i < y.value.size(); ++i) {
    const std::size_t c = i / places_of(problem.x) % drawn.channels;
    const double factor = drawn.scale[c] / std::sqrt(variance[c] + batch_norm::epsilon);
    y.value[i] = (drawn.x[i] - mean[c]) * factor + drawn.bias[c];
    y.bound[i] =
        fp32_roundings(7) * ((std::fabs(drawn.x[i]) + std::fabs(mean[c])) * std::fabs(factor) +
                             std::fabs(drawn.bias[c])) +
        stored_error(problem.type, y.value[i]);
  }
  problem.arrays = {given("x", problem.type, drawn.x, problem.x),
                    given("scale", drawn.scale),
                    given("bias", drawn.bias),
                    given("mean", mean),
                    given("variance", variance),
                    expected("y", problem.type, y, problem.x)};
}

/// The gradient of what is before relu: 0 where that is negative.
std::vector<double> gradient_before(const batch_norm& what, const legacy_problem& problem,
                                    const batch_norm_numbers& drawn, const std::vector<double>& z,
                                    std::vector<double> dy) {
  if (!what.is_relu()) return dy;
  bounded y(problem.x.elements(), 0);
  for (std::size_t c = 0; c < drawn.channels; ++c) {
    const std::vector<double> x = channel_of(drawn.x, problem.x, c);
    const std::vector<double> scale(x.size(), drawn.scale[c]);
    const std::vector<double> bias(x.size(), drawn.bias[c]);
    put_channel(
        norm_forward(norm_of_channel(problem.type, x.size()), x.data(), scale.data(), bias.data())
            .y,
        problem.x, c, y);
  }
  rectify(z, problem.type, y);
  for (std::size_t i = 0; i < dy.size(); ++i) {
    if (y.value[i] <= 0) dy[i] = 0;
  }
  return dy;
}

void add_gradients(const batch_norm& what, random_numbers& random, legacy_problem& problem) {
  const batch_norm_numbers drawn(random, problem);
  const std::vector<double> dy_of_y = numbers_of(random, problem.type, problem.x.elements());
  const std::vector<double> z = z_of(what, random, problem);
  const std::vector<double> dy = gradient_before(what, problem, drawn, z, dy_of_y);
  std::vector<double> means(drawn.channels);
  std::vector<double> inverses(drawn.channels);
  bounded dx(problem.x.elements(), 0);
  bounded dscale(drawn.channels, 0);
  bounded dbias(drawn.channels, 0);
  for (std::size_t c = 0; c < drawn.channels; ++c) {
    const std::vector<double> x = channel_of(drawn.x, problem.x, c);
    const std::vector<double> dy_of_channel = channel_of(dy, problem.x, c);
    const std::vector<double> scale(x.size(), drawn.scale[c]);
    const norm of_channel = norm_of_channel(problem.type, x.size());
    const norm_output row = norm_forward(of_channel, x.data(), scale.data(), scale.data());
    means[c] = rounded(element::fp32, row.mean.value[0]);
    inverses[c] = rounded(element::fp32, row.inverse.value[0]);
    const norm_gradients gradients = norm_backward(of_channel, x.data(), dy_of_channel.data(),
                                                   scale.data(), &means[c], &inverses[c]);
    put_channel(gradients.dx, problem.x, c, dx);
    const double adding = accumulation(static_cast<double>(x.size()));
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double size = std::fabs(dy_of_channel[i]);
      dscale.value[c] += dy_of_channel[i] * (x[i] - means[c]) * inverses[c];
      dscale.bound[c] += adding * size * (std::fabs(x[i]) + std::fabs(means[c])) * inverses[c];
      dbias.value[c] += dy_of_channel[i];
      dbias.bound[c] += adding * size;
    }
    dscale.bound[c] += stored_error(element::fp32, dscale.value[c]);
    dbias.bound[c] += stored_error(element::fp32, dbias.value[c]);
  }
  // The forward pass before it writes y and what it saves, where nobody looks.
  problem.arrays = {given("x", problem.type, drawn.x, problem.x),
                    given("scale", drawn.scale),
                    given("bias", drawn.bias),
                    given("dy", problem.type, dy_of_y, problem.x),
                    given("mean", means),
                    given("inverse deviation", inverses),
                    expected("dx", problem.type, dx, problem.x),
                    expected("dscale", dscale),
                    expected("dbias", dbias),
                    written("y", problem.type, problem.x.elements()),
                    written("saved mean", element::fp32, drawn.channels),
                    written("saved inverse deviation", element::fp32, drawn.channels)};
  if (!what.adds_z()) return;
  bounded dz(dy.size(), 0);
  dz.value = dy;  // and no other number is right
  problem.arrays.push_back(given("z", problem.type, z, problem.x));
  problem.arrays.push_back(expected("dz", problem.type, dz, problem.x));
}

}  // namespace

void add_arrays(const batch_norm& what, random_numbers& random, legacy_problem& problem) {
  if (problem.what == fused_operation::batch_norm_inference) return add_inference(random, problem);
  if (problem.what == fused_operation::batch_norm_forward)
    return add_training(what, random, problem);
  add_gradients(what, random, problem);
}

}  // namespace cudnn_checked::compute
