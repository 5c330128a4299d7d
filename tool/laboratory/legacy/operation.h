// SPDX-License-Identifier: BSD-3-Clause
//
// What the file of an operation of the legacy API defines, and what it is made of.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "../../convolution/values.h"
#include "../fused/rounding.h"
#include "problem.h"

namespace cudnn_checked::compute {

/// Add the arrays of a problem and what must come out of it, one file each.
void add_arrays(const batch_norm& what, random_numbers& random, legacy_problem& problem);
void add_arrays(const softmax& what, random_numbers& random, legacy_problem& problem);
void add_arrays(const pooling& what, random_numbers& random, legacy_problem& problem);
void add_arrays(const convolution_gradient& what, random_numbers& random, legacy_problem& problem);
void add_arrays(const activation_function& what, random_numbers& random, legacy_problem& problem);
void add_arrays(const tensor_operation& what, random_numbers& random, legacy_problem& problem);
void add_arrays(const tensor_reduction& what, random_numbers& random, legacy_problem& problem);
void add_arrays(const tensor_transformation& what, random_numbers& random, legacy_problem& problem);
void add_arrays(const cross_channel_norm& what, random_numbers& random, legacy_problem& problem);
void add_arrays(const spatial_grid& what, random_numbers& random, legacy_problem& problem);
void add_arrays(const spatial_sampler& what, random_numbers& random, legacy_problem& problem);
void add_arrays(const ctc_loss& what, random_numbers& random, legacy_problem& problem);
void add_arrays(const bias_gradient& what, random_numbers& random, legacy_problem& problem);
void add_arrays(const activated_convolution& what, random_numbers& random, legacy_problem& problem);
void add_arrays(const dropout_layer& what, random_numbers& random, legacy_problem& problem);

/// Whether a row of problems.def with that call belongs to the operation.
bool is_kind_of(const batch_norm& kind, fused_operation what);
bool is_kind_of(const softmax& kind, fused_operation what);
bool is_kind_of(const pooling& kind, fused_operation what);
bool is_kind_of(const convolution_gradient& kind, fused_operation what);
bool is_kind_of(const activation_function& kind, fused_operation what);
bool is_kind_of(const tensor_operation& kind, fused_operation what);
bool is_kind_of(const tensor_reduction& kind, fused_operation what);
bool is_kind_of(const tensor_transformation& kind, fused_operation what);
bool is_kind_of(const cross_channel_norm& kind, fused_operation what);
bool is_kind_of(const spatial_grid& kind, fused_operation what);
bool is_kind_of(const spatial_sampler& kind, fused_operation what);
bool is_kind_of(const ctc_loss& kind, fused_operation what);
bool is_kind_of(const bias_gradient& kind, fused_operation what);
bool is_kind_of(const activated_convolution& kind, fused_operation what);
bool is_kind_of(const dropout_layer& kind, fused_operation what);

/// Not every cuDNN computes it.
template <class any_kind>
bool can_be_refused(const any_kind&) {
  return false;
}
/// Algorithm 1 computes all convolutions, the others some.
inline bool can_be_refused(const convolution_gradient& kind) {
  return kind.algorithm != gradient_algorithm::one;
}

/// Frameworks call all others.
inline bool can_be_refused(const activation_function& kind) {
  return kind.mode == activation_mode::swish;
}

/// What follows the extents in the shape.
std::string text_of(const batch_norm& what);
std::string text_of(const softmax& what);
std::string text_of(const pooling& what);
std::string text_of(const convolution_gradient& what);
std::string text_of(const activation_function& what);
std::string text_of(const tensor_operation& what);
std::string text_of(const tensor_reduction& what);
std::string text_of(const tensor_transformation& what);
std::string text_of(const cross_channel_norm& what);
std::string text_of(const spatial_grid& what);
std::string text_of(const spatial_sampler& what);
std::string text_of(const ctc_loss& what);
std::string text_of(const bias_gradient& what);
std::string text_of(const activated_convolution& what);
std::string text_of(const dropout_layer& what);

/// Of the tensor that `what` makes of x.
inline tensor output_of(const batch_norm&, const tensor& x, tensor_layout) { return x; }
inline tensor output_of(const softmax&, const tensor& x, tensor_layout) { return x; }
inline tensor output_of(const activation_function&, const tensor& x, tensor_layout) { return x; }
inline tensor output_of(const tensor_operation&, const tensor& x, tensor_layout) { return x; }
inline tensor output_of(const cross_channel_norm&, const tensor& x, tensor_layout) { return x; }
inline tensor output_of(const spatial_grid&, const tensor& x, tensor_layout) { return x; }
inline tensor output_of(const ctc_loss&, const tensor& x, tensor_layout) { return x; }
inline tensor output_of(const bias_gradient&, const tensor& x, tensor_layout) { return x; }
inline tensor output_of(const dropout_layer&, const tensor& x, tensor_layout) { return x; }
tensor output_of(const activated_convolution& what, const tensor& x, tensor_layout order);
tensor output_of(const pooling& what, const tensor& x, tensor_layout order);
tensor output_of(const convolution_gradient& what, const tensor& x, tensor_layout order);

tensor output_of(const tensor_reduction& what, const tensor& x, tensor_layout order);
tensor output_of(const tensor_transformation& what, const tensor& x, tensor_layout order);
tensor output_of(const spatial_sampler& what, const tensor& x, tensor_layout order);

/// What so many roundings in fp32 take of a number at most.
constexpr double fp32_roundings(double count) { return count * fp32_roundoff; }

/// What storing a number takes of it at most.
inline double stored_error(element type, double value) {
  return roundoff(type) * std::fabs(value) + smallest_step(type);
}

inline std::size_t extent(const tensor& of, int axis) {
  return static_cast<std::size_t>(of.extent[axis]);
}
/// Elements of a channel of an image.
inline std::size_t places_of(const tensor& of) { return extent(of, 2) * extent(of, 3); }

/// "1x10x1x1".
inline std::string extents_text(const std::int64_t (&extents)[4]) {
  std::string made;
  for (const std::int64_t one : extents) made += (made.empty() ? "" : "x") + std::to_string(one);
  return made;
}

/// Where the element `i` of `large` is in `small`, both in packed NCHW: an axis of one element is
/// the same all along.
inline std::size_t place_in(const tensor& small, const tensor& large, std::size_t i) {
  std::size_t made = 0;
  std::size_t step = 1;
  for (int axis = 3; axis >= 0; --axis) {
    if (small.extent[axis] > 1) made += i % extent(large, axis) * step;
    step *= extent(small, axis);
    i /= extent(large, axis);
  }
  return made;
}

inline std::vector<double> numbers_of(random_numbers& random, element type, std::size_t count) {
  std::vector<double> values(count);
  fill_random(random, type, values.data(), count);
  return values;
}

/// `values` and expected numbers are packed NCHW, and come to lie as `where` says.
inline fused_array given(const char* name, element type, const std::vector<double>& values,
                         const tensor& where) {
  fused_array made;
  made.name = name;
  made.type = type;
  made.count = values.size();
  made.given.resize(values.size());
  arrange(values.data(), where, made.given.data());
  return made;
}
inline fused_array expected(const char* name, element type, const bounded& values,
                            const tensor& where) {
  fused_array made;
  made.name = name;
  made.type = type;
  made.count = values.value.size();
  made.expected = values;
  arrange(values.value.data(), where, made.expected.value.data());
  arrange(values.bound.data(), where, made.expected.bound.data());
  return made;
}

/// One number a channel, in fp32.
inline fused_array given(const char* name, std::vector<double> values) {
  fused_array made;
  made.name = name;
  made.type = element::fp32;
  made.count = values.size();
  made.given = std::move(values);
  return made;
}
inline fused_array expected(const char* name, bounded values) {
  fused_array made;
  made.name = name;
  made.type = element::fp32;
  made.count = values.value.size();
  made.expected = std::move(values);
  return made;
}

/// What is written, and looked at by nobody.
inline fused_array written(const char* name, element type, std::size_t count) {
  fused_array made;
  made.name = name;
  made.type = type;
  made.count = count;
  return made;
}

}  // namespace cudnn_checked::compute
