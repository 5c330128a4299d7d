// SPDX-License-Identifier: BSD-3-Clause
//
// Attention as kernels compute it: in fp32, by blocks of keys, with P and dS rounded to the type.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "attention_inputs.h"

namespace attention_test {

/// p_rounded_first and sums_cut_off are none: kernels may.
enum class flaw {
  none,
  key_left_out,
  mask_off_by_one,
  no_scale,
  no_d,
  one_nan,
  share_of_one_head,
  sum_of_rounded,
  p_rounded_first,
  sums_cut_off,
  sums_in_fp16,
  p_scale_kept,
  no_scale_of_v,
  no_scale_of_d_o,
  ds_scale_kept,
  key_of_zeros_counted
};

/// As the tensor cores of sm_90 add 32 products of E4M3: each is cut 13 bits behind the largest.
inline float add_cut(float sum, const float* products, int count) {
  float largest = std::fabs(sum);
  for (int i = 0; i < count; ++i) largest = std::fmax(largest, std::fabs(products[i]));
  const float step = std::ldexp(1.0f, std::ilogb(std::fmax(largest, 1e-30f)) - 13);
  float added = std::trunc(sum / step);
  for (int i = 0; i < count; ++i) added += std::trunc(products[i] / step);
  return added * step;
}

class flash_attention {
 public:
  flash_attention(const attention& a, const tensors& t, flaw has)
      : a_(a),
        t_(t),
        has_(has),
        scale_(has == flaw::no_scale ? 1 : static_cast<float>(a.score_scale())) {}

  struct output {
    numbers o, stats, largest_p, largest_o;
  };
  output forward() const {
    const fused_test::cutting sums(has_ == flaw::sums_cut_off);
    output result = {numbers(a_.o_elements()), numbers(a_.rows()), {0}, {0}};
    for_each_row_of(a_, [&](int n, int h, int g, int i) { attend_row({n, h, g, i}, result); });
    finish(a_.type, result.o);
    finish(element::fp32, result.stats);
    return result;
  }

  struct gradients {
    numbers dq, dk, dv, largest_ds, largest_dq, largest_dk, largest_dv;
  };
  gradients backward() const {
    const fused_test::cutting sums(has_ == flaw::sums_cut_off);
    gradients result = {numbers(a_.q_elements()),
                        numbers(a_.k_elements()),
                        numbers(a_.v_elements()),
                        {0},
                        {0},
                        {0},
                        {0}};
    for (int h = 0; h < a_.query_heads / a_.key_heads; ++h) add_share(h, result);
    const double ds_scale = has_ == flaw::ds_scale_kept ? a_.scales.ds : 1;
    finish_scaled(a_.scales.k * ds_scale, a_.scales.dq, result.dq, result.largest_dq);
    finish_scaled(a_.scales.q * ds_scale, a_.scales.dk, result.dk, result.largest_dk);
    finish_scaled(scale_of_d_o() * kept_scale_of_p(), a_.scales.dv, result.dv, result.largest_dv);
    return result;
  }

 private:
  struct place {
    int n, h, g, i;
  };
  static constexpr float log2_e = 1.44269504f;
  static constexpr int block = 16;

  static float rounded(element type, float value) {
    double number = static_cast<double>(value);
    round_to(type, &number, 1);
    return static_cast<float>(number);
  }
  float rounded(float value) const { return rounded(a_.type, value); }
  float as_operand(float p) const {
    const float p_scale = static_cast<float>(a_.scales.p);
    return rounded(p * p_scale) / p_scale;
  }
  double kept_scale_of_p() const { return has_ == flaw::p_scale_kept ? a_.scales.p : 1; }
  double scale_of_v() const { return has_ == flaw::no_scale_of_v ? 1 : a_.scales.v; }
  double scale_of_d_o() const { return has_ == flaw::no_scale_of_d_o ? 1 : a_.scales.d_o; }
  void finish_scaled(double factor, double scale, numbers& values, numbers& largest) const {
    for (double& value : values) {
      largest[0] = std::fmax(largest[0], std::fabs(value * factor));
      value *= factor * scale;
    }
    finish(a_.gradient_type(), values);
  }
  /// O and dV after 16 products, which is what tensor cores add at a time.
  float added(float sum) const { return has_ == flaw::sums_in_fp16 ? rounded(sum) : sum; }
  void finish(element type, numbers& values) const {
    round_to(type, values.data(), values.size());
    if (has_ == flaw::one_nan) values[values.size() / 3] = std::nan("");
  }
  bool sees_key(const place& p, int j) const {
    if (has_ == flaw::key_left_out && j == a_.keys / 3) return false;
    if (has_ != flaw::mask_off_by_one) return sees(a_, p.n, p.i, j);
    return j == 0 || sees(a_, p.n, p.i, j - 1);
  }
  float dot_of(const double* a, const double* b, int count) const {
    if (a_.type == element::e4m3) {
      float sum = 0;
      std::vector<float> products;
      for (int d = 0; d < count; ++d) products.push_back(static_cast<float>(a[d] * b[d]));
      for (int d = 0; d < count; d += 32) {
        sum = add_cut(sum, &products[static_cast<std::size_t>(d)], std::min(32, count - d));
      }
      return sum;
    }
    return sum_of(a, b, count);
  }
  static float sum_of(const double* a, const double* b, int count) {
    float sum = 0;
    for (int d = 0; d < count; ++d) sum += static_cast<float>(a[d]) * static_cast<float>(b[d]);
    return sum;
  }
  std::size_t row(const place& p, int width) const {
    return index_of(a_.query_heads, a_.queries, width, p.n, p.h, p.i);
  }
  std::size_t key(const place& p, int width, int j) const {
    return index_of(a_.key_heads, a_.keys, width, p.n, p.g, j);
  }
  /// Of base 2.
  float score(const place& p, int j) const {
    return dot_of(&t_.q[row(p, a_.size)], &t_.k[key(p, a_.size, j)], a_.size) * (scale_ * log2_e);
  }

  void attend_row(const place& p, output& result) const {
    std::vector<float> o(static_cast<std::size_t>(a_.value_size));
    float most = -HUGE_VALF;
    float sum = 0;
    for (int first = 0; first < a_.keys; first += block) add_block(p, first, o, most, sum);
    const double whole = kept_scale_of_p() * scale_of_v();
    for (std::size_t d = 0; d < o.size(); ++d) {
      const double value = static_cast<double>(o[d] / sum) * whole;
      result.largest_o[0] = std::fmax(result.largest_o[0], std::fabs(value));
      result.o[row(p, a_.value_size) + d] = value * a_.scales.o;
    }
    result.largest_p[0] = std::fmax(result.largest_p[0], 1.0 / static_cast<double>(sum));
    result.stats[row(p, 1)] = static_cast<double>(most / log2_e + std::log(sum));
  }
  void add_block(const place& p, int first, std::vector<float>& o, float& most, float& sum) const {
    const int end = first + block < a_.keys ? first + block : a_.keys;
    std::vector<float> scores(block, -HUGE_VALF);
    float above = most;
    for (int j = first; j < end; ++j) {
      if (sees_key(p, j)) scores[static_cast<std::size_t>(j - first)] = score(p, j);
      above = std::fmax(above, scores[static_cast<std::size_t>(j - first)]);
    }
    if (std::isinf(above)) return;
    const float shrink = std::exp2(most - above);
    most = above;
    sum *= shrink;
    for (float& value : o) value *= shrink;
    for (int j = first; j < end; ++j) {
      const float weight = std::exp2(scores[static_cast<std::size_t>(j - first)] - most);
      sum += has_ == flaw::sum_of_rounded ? rounded(weight) : weight;
      const float operand = as_operand(weight);
      for (std::size_t d = 0; d < o.size(); ++d) {
        o[d] += operand * static_cast<float>(t_.v[key(p, a_.value_size, j) + d]);
      }
    }
    for (float& value : o) value = added(value);
  }

  /// Of the query head number `share` of each group.
  void add_share(int share, gradients& result) const {
    std::vector<float> dk(result.dk.size());
    std::vector<float> dv(result.dv.size());
    const int group = a_.query_heads / a_.key_heads;
    for_each_row_of(a_, [&](int n, int h, int g, int i) {
      if (h % group == share) add_row({n, h, g, i}, result, dk, dv);
    });
    if (has_ == flaw::share_of_one_head && share > 0) return;
    const bool is_rounded = group > 1 && !is_fp8(a_.type);
    for (std::size_t i = 0; i < dk.size(); ++i) {
      result.dk[i] += static_cast<double>(is_rounded ? rounded(dk[i]) : dk[i]);
    }
    for (std::size_t i = 0; i < dv.size(); ++i) {
      result.dv[i] += static_cast<double>(is_rounded ? rounded(dv[i]) : dv[i]);
    }
  }
  float d_of(const place& p) const {
    if (has_ == flaw::no_d) return 0;
    const std::size_t first = row(p, a_.value_size);
    return sum_of(&t_.d_o[first], &t_.o[first], a_.value_size) *
           static_cast<float>(scale_of_d_o() / a_.scales.o);
  }
  /// dS as the operand of its products.
  float ds_of(float value, numbers& largest) const {
    if (!is_fp8(a_.type)) return rounded(value) * scale_;
    const float scale = has_ == flaw::no_scale ? 1 : static_cast<float>(a_.scale);
    const float own = static_cast<float>(a_.scales.ds);
    largest[0] = std::fmax(largest[0], std::fabs(static_cast<double>(value * scale)));
    return rounded(a_.gradient_type(), value * scale * own) / own;
  }
  void add_row(const place& p, gradients& result, std::vector<float>& dk,
               std::vector<float>& dv) const {
    const double* d_o = &t_.d_o[row(p, a_.value_size)];
    const float level = static_cast<float>(t_.stats[row(p, 1)]) * log2_e;
    const float d = d_of(p);
    const float dp_scale = static_cast<float>(scale_of_d_o() * scale_of_v());
    if (has_ == flaw::key_of_zeros_counted) (void)ds_of(std::exp2(-level) * d, result.largest_ds);
    std::vector<float> row_dq(static_cast<std::size_t>(a_.size));
    for (int j = 0; j < a_.keys; ++j) {
      if (!sees_key(p, j)) continue;
      const float exact = std::exp2(score(p, j) - level);
      const float weight = has_ == flaw::p_rounded_first ? rounded(exact) : exact;
      const float dp = dot_of(d_o, &t_.v[key(p, a_.value_size, j)], a_.value_size) * dp_scale;
      const float ds = ds_of(weight * (dp - d), result.largest_ds);
      for (std::size_t c = 0; c < row_dq.size(); ++c) {
        row_dq[c] += ds * static_cast<float>(t_.k[key(p, a_.size, j) + c]);
        dk[key(p, a_.size, j) + c] += ds * static_cast<float>(t_.q[row(p, a_.size) + c]);
      }
      for (std::size_t c = 0; c < static_cast<std::size_t>(a_.value_size); ++c) {
        float& sum = dv[key(p, a_.value_size, j) + c];
        sum += as_operand(weight) * static_cast<float>(d_o[c]);
        if (p.i % 16 == 15) sum = added(sum);
      }
    }
    for (std::size_t c = 0; c < row_dq.size(); ++c) {
      result.dq[row(p, a_.size) + c] = static_cast<double>(row_dq[c]);
    }
  }

  const attention& a_;
  const tensors& t_;
  flaw has_;
  float scale_;
};

}  // namespace attention_test
