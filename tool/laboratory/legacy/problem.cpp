// SPDX-License-Identifier: BSD-3-Clause
#include "problem.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "operation.h"
#include "problem_text.h"

namespace cudnn_checked::compute {

namespace {

enum class legacy_types : unsigned char { half, halves, all, single };

struct legacy_row {
  legacy_types of;
  tensor_layout layout;
  std::int64_t image[4];
  legacy_kind call;
};

const legacy_row legacy_rows[] = {
#define BATCH_NORM(of, layout, n, c, h, w, mode, extended) \
  {legacy_types::of,                                       \
   tensor_layout::layout,                                  \
   {n, c, h, w},                                           \
   batch_norm{batch_norm_mode::mode, extended, batch_norm_ops::plain}},
#define BATCH_NORM_RELU(of, layout, n, c, h, w, ops) \
  {legacy_types::of,                                 \
   tensor_layout::layout,                            \
   {n, c, h, w},                                     \
   batch_norm{batch_norm_mode::persistent, true, batch_norm_ops::ops}},
#define SOFTMAX(of, layout, n, c, h, w, algorithm, by_channel) \
  {legacy_types::of,                                           \
   tensor_layout::layout,                                      \
   {n, c, h, w},                                               \
   softmax{softmax_algorithm::algorithm, by_channel}},
#define POOLING(of, layout, n, c, h, w, mode, size, padding, stride) \
  {legacy_types::of,                                                 \
   tensor_layout::layout,                                            \
   {n, c, h, w},                                                     \
   pooling{pooling_mode::mode, size, padding, stride}},
#define ACTIVATION(of, layout, n, c, h, w, mode, coefficient) \
  {legacy_types::of,                                          \
   tensor_layout::layout,                                     \
   {n, c, h, w},                                              \
   activation_function{activation_mode::mode, coefficient}},
#define TENSOR_OP(of, layout, n, c, h, w, how, in_place, n2, c2, h2, w2) \
  {legacy_types::of,                                                     \
   tensor_layout::layout,                                                \
   {n, c, h, w},                                                         \
   tensor_operation{tensor_operator::how, in_place, {n2, c2, h2, w2}}},
#define REDUCE(of, layout, n, c, h, w, how, n2, c2, h2, w2) \
  {legacy_types::of,                                        \
   tensor_layout::layout,                                   \
   {n, c, h, w},                                            \
   tensor_reduction{tensor_reducer::how, {n2, c2, h2, w2}}},
#define TRANSFORM(of, layout, n, c, h, w, to) \
  {legacy_types::of, tensor_layout::layout, {n, c, h, w}, tensor_transformation{tensor_layout::to}},
#define LRN(of, layout, n, c, h, w, width, alpha, beta, k) \
  {legacy_types::of,                                       \
   tensor_layout::layout,                                  \
   {n, c, h, w},                                           \
   cross_channel_norm{width, alpha, beta, k}},
#define SPATIAL(of, layout, n, c, h, w, height, width)                                     \
  {legacy_types::of, tensor_layout::layout, {n, c, h, w}, spatial_sampler{height, width}}, \
      {legacy_types::of, tensor_layout::layout, {n, c, height, width}, spatial_grid{}},
#define CTC(steps, batch, classes, longest, alike, any_order, on_gpu) \
  {legacy_types::single,                                              \
   tensor_layout::nchw,                                               \
   {steps, batch, classes, 1},                                        \
   ctc_loss{longest, alike, any_order, on_gpu}},
#define BIAS_GRADIENT(of, layout, n, c, h, w) \
  {legacy_types::of, tensor_layout::layout, {n, c, h, w}, bias_gradient{}},
#define ACTIVATED(of, layout, n, c, h, w, filters, size, padding, adds_z, is_relu) \
  {legacy_types::of,                                                               \
   tensor_layout::layout,                                                          \
   {n, c, h, w},                                                                   \
   activated_convolution{filters, size, padding, adds_z, is_relu}},
#define DROPOUT(of, layout, n, c, h, w, percent) \
  {legacy_types::of, tensor_layout::layout, {n, c, h, w}, dropout_layer{percent}},
#define BY_ALGORITHM(of, layout, n, c, h, w, filters, size, padding, stride, dilation, groups, by) \
  {legacy_types::of,                                                                               \
   tensor_layout::layout,                                                                          \
   {n, c, h, w},                                                                                   \
   convolution_gradient{filters, size, padding, stride, dilation, groups,                          \
                        gradient_algorithm::by}},
// Microsoft's preprocessor passes __VA_ARGS__ on as one argument, which becomes several when the
// text is read again.
#define EXPANDED(text) text
#define CONVOLUTION(...)                          \
  EXPANDED(BY_ALGORITHM(__VA_ARGS__, one))        \
  EXPANDED(BY_ALGORITHM(__VA_ARGS__, zero))       \
  EXPANDED(BY_ALGORITHM(__VA_ARGS__, three))      \
  EXPANDED(BY_ALGORITHM(__VA_ARGS__, fft))        \
  EXPANDED(BY_ALGORITHM(__VA_ARGS__, fft_tiling)) \
  EXPANDED(BY_ALGORITHM(__VA_ARGS__, winograd))   \
  EXPANDED(BY_ALGORITHM(__VA_ARGS__, winograd_nonfused))
#include "problems.def"
#undef BATCH_NORM
#undef BATCH_NORM_RELU
#undef SOFTMAX
#undef POOLING
#undef CONVOLUTION
#undef ACTIVATION
#undef ACTIVATED
#undef DROPOUT
#undef TENSOR_OP
#undef REDUCE
#undef TRANSFORM
#undef LRN
#undef SPATIAL
#undef CTC
#undef BIAS_GRADIENT
#undef BY_ALGORITHM
#undef EXPANDED
};

bool has_legacy_type(legacy_types of, element type) {
  if (type == element::fp32) return of == legacy_types::all || of == legacy_types::single;
  if (type == element::bf16) return of == legacy_types::all || of == legacy_types::halves;
  return of != legacy_types::single;
}

struct legacy_choice {
  const legacy_row* row;
  element type;
};

std::vector<legacy_choice> choices_of(fused_operation what) {
  std::vector<legacy_choice> made;
  for (const element type : {element::fp16, element::bf16, element::fp32}) {
    for (const legacy_row& row : legacy_rows) {
      const bool is_of =
          std::visit([&](const auto& kind) { return is_kind_of(kind, what); }, row.call);
      if (is_of && has_legacy_type(row.of, type)) made.push_back({&row, type});
    }
  }
  return made;
}

}  // namespace

std::size_t legacy_problem_count(fused_operation what) { return choices_of(what).size(); }

bool has_legacy_problem(fused_operation what, element type) {
  // Each drawn problem asks for all of them.
  static const std::set<std::pair<fused_operation, element>> known = [] {
    std::set<std::pair<fused_operation, element>> made;
    for (const fused_operation one : fused_operations) {
      for (const legacy_choice& choice : choices_of(one)) made.insert({one, choice.type});
    }
    return made;
  }();
  return known.count({what, type}) != 0;
}

legacy_problem legacy_problem_at(fused_operation what, std::size_t index) {
  const legacy_choice chosen = choices_of(what)[index];
  legacy_shape of;
  of.layout = chosen.row->layout;
  std::copy(std::begin(chosen.row->image), std::end(chosen.row->image), std::begin(of.image));
  of.call = chosen.row->call;
  return make_legacy_problem(what, chosen.type, of);
}

void draw(std::uint64_t seed, legacy_problem& problem) {
  random_numbers random(seed);
  problem.arrays.clear();
  std::visit([&](const auto& call) { add_arrays(call, random, problem); }, problem.call);
}

}  // namespace cudnn_checked::compute
