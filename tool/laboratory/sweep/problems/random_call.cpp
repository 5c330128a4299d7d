// SPDX-License-Identifier: BSD-3-Clause
#include "random_call.h"

#include "../../legacy/problem_text.h"

namespace cudnn_checked::sweep {

namespace {

using compute::legacy_shape;

/// The reference of a convolution is computed for each algorithm.
constexpr double most_call_products = 2e6;
constexpr double most_call_elements = 1 << 15;

void draw_image(legacy_shape& of, dice& drawn) {
  of.layout = drawn.one_in(3) ? tensor_layout::nhwc : tensor_layout::nchw;
  of.image[0] = drawn.one_in(2) ? drawn.between(1, 2) : drawn.between(1, 8);
  of.image[1] = draw_size(drawn, 64);
  of.image[2] = drawn.between(1, 33);
  of.image[3] = drawn.one_in(2) ? of.image[2] : drawn.between(1, 33);
}

/// A row of numbers for each of a batch.
void draw_rows(legacy_shape& of, dice& drawn) {
  of.layout = tensor_layout::nchw;
  of.image[0] = draw_size(drawn, 64);
  of.image[1] = draw_size(drawn, 1024);
  of.image[2] = 1;
  of.image[3] = 1;
}

double elements_of(const std::int64_t (&extents)[4]) {
  double count = 1;
  for (const std::int64_t extent : extents) count *= static_cast<double>(extent);
  return count;
}

/// Each axis as it is, or of one element: a channel's, all, or any.
void draw_kept(const legacy_shape& of, dice& drawn, std::int64_t (&extents)[4]) {
  const std::int64_t kind = drawn.between(1, 4);
  for (int i = 0; i < 4; ++i) {
    const bool is_kept = kind == 1 ? i == 1 : kind == 2 || drawn.one_in(2);
    extents[i] = is_kept ? of.image[i] : 1;
  }
}

compute::batch_norm draw_batch_norm(operation what, legacy_shape& of, dice& drawn) {
  compute::batch_norm made;
  if (drawn.one_in(4)) {
    draw_rows(of, drawn);
    made.mode = compute::batch_norm_mode::per_activation;
  } else if (what != operation::batch_norm_inference && drawn.one_in(4)) {
    of.layout = tensor_layout::nhwc;
    of.image[1] = 4 * drawn.between(1, 16);
    made = {compute::batch_norm_mode::persistent, true,
            drawn.one_in(2) ? compute::batch_norm_ops::relu : compute::batch_norm_ops::add_relu};
  }
  return made;
}

compute::softmax draw_softmax(legacy_shape& of, dice& drawn) {
  if (drawn.one_in(2)) draw_rows(of, drawn);
  return {drawn.one_in(3) ? compute::softmax_algorithm::log : compute::softmax_algorithm::accurate,
          drawn.one_in(2)};
}

/// The mode that is not deterministic stands for both.
compute::pooling draw_pooling(dice& drawn) {
  compute::pooling made;
  made.mode = drawn.one_in(2)   ? compute::pooling_mode::max
              : drawn.one_in(2) ? compute::pooling_mode::average
                                : compute::pooling_mode::average_with_padding;
  made.size = draw_int(drawn, 1, 7);
  made.padding = drawn.one_in(2) ? 0 : draw_int(drawn, 0, 3);
  made.stride = draw_int(drawn, 1, 3);
  return made;
}

compute::convolution_gradient draw_gradient(legacy_shape& of, dice& drawn) {
  static constexpr std::int64_t usual[] = {1, 3, 3, 5};
  compute::convolution_gradient made;
  made.filters = draw_size(drawn, 64);
  made.size = drawn.one_in(4) ? draw_int(drawn, 1, 7) : static_cast<int>(drawn.one_of(usual));
  made.padding = draw_int(drawn, 0, 3);
  made.stride = drawn.one_in(2) ? 1 : draw_int(drawn, 1, 3);
  if (drawn.one_in(6)) made.dilation = draw_int(drawn, 2, 3);
  if (drawn.one_in(4)) {
    made.groups = draw_int(drawn, 2, 8);
    of.image[1] = (of.image[1] + made.groups - 1) / made.groups * made.groups;
    made.filters = (made.filters + made.groups - 1) / made.groups * made.groups;
  }
  return made;
}

compute::activated_convolution draw_activated(dice& drawn) {
  compute::activated_convolution made;
  made.filters = draw_size(drawn, 64);
  made.size = 1 + 2 * draw_int(drawn, 0, 2);
  made.padding = draw_int(drawn, 0, 2);
  made.is_relu = !drawn.one_in(3);
  made.adds_z = drawn.one_in(2);
  return made;
}

/// Those that have a coefficient have that of problems.def.
compute::activation_function draw_activation(dice& drawn) {
  using compute::activation_mode;
  static constexpr compute::activation_function all[] = {
      {activation_mode::sigmoid, 0}, {activation_mode::relu, 0},
      {activation_mode::tanh, 0},    {activation_mode::clipped_relu, 1.5},
      {activation_mode::elu, 1},     {activation_mode::swish, 1}};
  return all[drawn.between(0, 5)];
}

compute::tensor_operation draw_operation(operation what, const legacy_shape& of, dice& drawn) {
  compute::tensor_operation made;
  made.in_place = what == operation::tensor_add;
  if (!made.in_place) made.how = static_cast<compute::tensor_operator>(drawn.between(0, 5));
  if (made.has_second()) draw_kept(of, drawn, made.second);
  return made;
}

/// A product of more numbers is none of fp16.
compute::tensor_reduction draw_reduction(const legacy_shape& of, dice& drawn) {
  constexpr double most_factors = 16;
  compute::tensor_reduction made;
  made.how = static_cast<compute::tensor_reducer>(drawn.between(0, 7));
  draw_kept(of, drawn, made.kept);
  const bool is_long = elements_of(of.image) > most_factors * elements_of(made.kept);
  if (made.how == compute::tensor_reducer::multiply && is_long) {
    made.how = compute::tensor_reducer::maximum;
  }
  return made;
}

compute::cross_channel_norm draw_cross_channel_norm(legacy_shape& of, dice& drawn) {
  of.layout = tensor_layout::nchw;
  compute::cross_channel_norm made;
  made.width = 1 + 2 * draw_int(drawn, 0, 7);
  made.alpha = drawn.one_in(2) ? 1 : 0.5;
  made.beta = drawn.one_in(2) ? 0.75 : 0.5;
  made.k = drawn.one_in(2) ? 1 : 2;
  return made;
}

void draw_small_image(legacy_shape& of, dice& drawn) {
  of.layout = tensor_layout::nchw;
  of.image[0] = drawn.between(1, 4);
  of.image[1] = drawn.between(1, 8);
  of.image[2] = drawn.between(2, 17);
  of.image[3] = drawn.between(2, 17);
}

compute::legacy_kind draw_kind(operation what, legacy_shape& of, dice& drawn) {
  switch (what) {
    case operation::batch_norm_inference:
    case operation::batch_norm_forward:
    case operation::batch_norm_backward:
      return draw_batch_norm(what, of, drawn);
    case operation::softmax_forward:
    case operation::softmax_backward:
      return draw_softmax(of, drawn);
    case operation::pooling_forward:
    case operation::pooling_backward:
      return draw_pooling(drawn);
    case operation::conv_backward_data:
    case operation::conv_backward_filter:
      return draw_gradient(of, drawn);
    case operation::conv_backward_bias:
      return compute::bias_gradient();
    case operation::conv_activation:
      return draw_activated(drawn);
    case operation::activation_forward:
    case operation::activation_backward:
      return draw_activation(drawn);
    case operation::tensor_add:
    case operation::tensor_op:
      return draw_operation(what, of, drawn);
    case operation::tensor_reduce:
      return draw_reduction(of, drawn);
    case operation::tensor_transform:
      return compute::tensor_transformation{of.layout == tensor_layout::nchw ? tensor_layout::nhwc
                                                                             : tensor_layout::nchw};
    case operation::lrn_forward:
    case operation::lrn_backward:
      return draw_cross_channel_norm(of, drawn);
    case operation::spatial_grid_forward:
    case operation::spatial_grid_backward:
      draw_small_image(of, drawn);
      return compute::spatial_grid();
    default:
      draw_small_image(of, drawn);
      return compute::spatial_sampler{draw_int(drawn, 1, 17), draw_int(drawn, 1, 17)};
  }
}

/// Of a convolution; 0 of all else.
struct products_of_call {
  const legacy_shape& of;

  template <class any_kind>
  double operator()(const any_kind&) const {
    return 0;
  }
  double operator()(const compute::convolution_gradient& call) const {
    return of_filters(call.filters, call.size) / call.groups;
  }
  double operator()(const compute::activated_convolution& call) const {
    return of_filters(call.filters, call.size);
  }

  double of_filters(int filters, int size) const {
    return elements_of(of.image) * filters * size * size;
  }
};

}  // namespace

std::string draw_call(operation what, dice& drawn) {
  for (;;) {
    legacy_shape of;
    draw_image(of, drawn);
    of.call = draw_kind(what, of, drawn);
    if (elements_of(of.image) > most_call_elements) continue;
    if (std::visit(products_of_call{of}, of.call) > most_call_products) continue;
    const std::string text = compute::text_of(of);
    if (compute::read_legacy_shape(fused_of(what), text, of)) return text;
  }
}

}  // namespace cudnn_checked::sweep
