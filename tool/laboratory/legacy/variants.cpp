// SPDX-License-Identifier: BSD-3-Clause
#include "variants.h"

#include <variant>

#include "operation.h"

namespace cudnn_checked::compute {

namespace {

/// cuDNN numbers the two algorithms of filters otherwise that tile, and that data have not.
int number_of(const convolution_gradient& call, fused_operation what) {
  const bool of_filters = what == fused_operation::conv_backward_filter;
  if (of_filters && call.algorithm == gradient_algorithm::three) return 3;
  if (of_filters && call.algorithm == gradient_algorithm::fft_tiling) return 6;
  return static_cast<int>(call.algorithm);
}
int number_of(const softmax& call, fused_operation) { return static_cast<int>(call.algorithm); }
int number_of(const pooling& call, fused_operation) { return static_cast<int>(call.mode); }
/// No function of inference ends in Ex.
bool has_extended(fused_operation what) { return what != fused_operation::batch_norm_inference; }
int number_of(const batch_norm& call, fused_operation what) {
  return static_cast<int>(call.mode) + (call.extended && has_extended(what) ? 3 : 0);
}
template <class any_kind>
int number_of(const any_kind&, fused_operation) {
  return 0;
}

template <class any_kind>
bool is_deterministic(const any_kind&) {
  return false;
}
bool is_deterministic(const convolution_gradient& call) {
  return call.algorithm != gradient_algorithm::zero && call.algorithm != gradient_algorithm::three;
}
bool is_deterministic(const pooling& call) { return call.mode == pooling_mode::max_deterministic; }

std::vector<convolution_gradient> same_as(const convolution_gradient& call, fused_operation) {
  std::vector<convolution_gradient> made;
  for (int i = 0; i <= static_cast<int>(gradient_algorithm::three); ++i) {
    made.push_back(call);
    made.back().algorithm = static_cast<gradient_algorithm>(i);
  }
  return made;
}

std::vector<softmax> same_as(const softmax& call, fused_operation) {
  if (call.algorithm == softmax_algorithm::log) return {call};
  return {{softmax_algorithm::fast, call.by_channel},
          {softmax_algorithm::accurate, call.by_channel}};
}

std::vector<pooling> same_as(const pooling& call, fused_operation) {
  if (!call.is_max()) return {call};
  std::vector<pooling> made = {call, call};
  made[0].mode = pooling_mode::max;
  made[1].mode = pooling_mode::max_deterministic;
  return made;
}

std::vector<batch_norm> same_as(const batch_norm& call, fused_operation what) {
  if (call.is_relu()) return {call};
  std::vector<batch_norm_mode> modes = {batch_norm_mode::spatial, batch_norm_mode::persistent};
  if (call.mode == batch_norm_mode::per_activation) modes = {call.mode};
  std::vector<batch_norm> made;
  for (const bool extended : {false, true}) {
    if (extended && !has_extended(what)) continue;
    for (const batch_norm_mode mode : modes) made.push_back({mode, extended, call.ops});
  }
  return made;
}

template <class any_kind>
std::vector<any_kind> same_as(const any_kind& call, fused_operation) {
  return {call};
}

}  // namespace

int variant_number(fused_operation what, const legacy_kind& call) {
  return std::visit([&](const auto& one) { return number_of(one, what); }, call);
}

std::vector<legacy_variant> variants_of(fused_operation what, const legacy_kind& call) {
  return std::visit(
      [&](const auto& given) {
        std::vector<legacy_variant> made;
        for (const auto& one : same_as(given, what)) {
          if (is_kind_of(one, what)) {
            made.push_back({number_of(one, what), one, is_deterministic(one)});
          }
        }
        return made;
      },
      call);
}

}  // namespace cudnn_checked::compute
