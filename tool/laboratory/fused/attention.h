// SPDX-License-Identifier: BSD-3-Clause
//
// Scaled dot-product attention and its gradients, computed in float64.
//
//   S = scale * Q.K^T   P = softmax(S)   O = P.V   stats = ln sum exp S of each row
//   dP = dO.V^T         D = sum dO * O of each row               dS = scale * P * (dP - D)
//   dQ = dS.K           dK = dS^T.Q                              dV = P^T.dO
//
// The bounds are those of a kernel that adds in fp32 and rounds P and dS to the type before the
// second product.  acc(n) is the error of a sum of n products in fp32, u the rounding of P, dS and
// the result (rounding.h), and e = 2^-24.  "root of" is the sum of independent errors as
// scaled_sums bounds it:
//
//   A_ij = |scale| sum |q k|
//   eta_ij = e * (size + 4) * A_ij                  the error of the score, times scale and
//                                                   log2(e), minus the largest score of the row
//            + 2^-20                                the error of a fast exponential and its
//            rescaling
//                                                   eta is a relative error of P
//   O      root of P * u * |V|                        the rounding of P
//          + sum_j P * (eta + acc(keys)) * |V|        the error of P itself, and of the sum
//          + (sum_j P * eta + acc(keys)) * |O|        the error of the sum by which P is divided
//   stats  sum_j P * eta + acc(keys)                  the same sum; the logarithm adds less
//   dP-D   acc(value_size) * (sum |dO V| + sum |dO O|)
//   dS     scale * P * (that + eta * |dP - D|)
//   dQ     root of u * |dS| * |K| + sum_j (that + acc(keys) * |dS|) * |K|
//   dK     the same with Q and the rows
//   dV     root of P * u * |dO| + sum_i P * (eta + acc(rows)) * |dO|
//
// The bound of each result also has u * |result|, and what tiny numbers lose (smallest_step): the
// result, each P, and each dS, which a kernel may round before it multiplies it by scale.  If
// several heads share a key head, a kernel may round the share of each head in dK and dV to the
// type before it adds the shares.
//
// In FP8 the factors have scales.  S is multiplied by the scales of Q and K, O by that of V, dV by
// that of dO, dP by those of dO and V, dQ by that of K, dK by that of Q.  A kernel multiplies a
// result by its own scale and then rounds it.  A tiny P or dS may lose smallest_step divided by its
// scale.  Products on tensor cores lose input_rounding().  A kernel adds the shares of heads before
// it rounds them.  The largest P, O, dS, dQ, dK and dV may have the errors of their elements.
//
// An emulated kernel stays below the bounds; if it also rounds P before it computes dS, it stays
// below 2.3 times the bounds.  A kernel that leaves out one of 1024 keys exceeds 7 times the bound
// in dQ and 100 times in dK and dV with bf16, and more with fp16.  With E4M3 its log-sum-exp is
// wrong, and its O is within the bounds.  docs/decisions.md describes the gradients in FP8.
#pragma once

#include <cstddef>
#include <vector>

#include "../../facts/words.h"
#include "bounded.h"

namespace cudnn_checked::compute {

/// Numbers of FP8 are multiplied by these so that they fill the range of the type.  For the other
/// types each scale is 1.  A program gets the largest absolute values from cuDNN, and computes the
/// scales of its next call from them.
struct attention_scales {
  double q = 1;  ///< the kernel multiplies Q, K, V and dO by these; descale_q of cudnn-frontend
  double k = 1;
  double v = 1;
  double d_o = 1;
  double p = 1;   ///< of P before it is rounded, its inverse afterwards; scale_s and descale_s
  double o = 1;   ///< of O before it is rounded; its inverse where O is an input
  double ds = 1;  ///< of dS, as p of P; scale_dp and descale_dp
  double dq = 1;  ///< of dQ, dK and dV before they are rounded
  double dk = 1;
  double dv = 1;
};

/// All tensors are packed as [batch][heads][length][size], stats as [batch][heads][queries].
struct attention {
  int batch = 1;
  int query_heads = 1;
  int key_heads = 1;  ///< the number of heads of K and of V; it divides query_heads
  int queries = 1;
  int keys = 1;
  int size = 1;         ///< the size of a head of Q and K
  int value_size = 1;   ///< the size of a head of V and O
  bool causal = false;  ///< row i sees keys 0 to i
  int window = 0;       ///< with causal: only keys above i - window; 0: all
  bool padded = false;  ///< each batch has one of the lengths below
  std::vector<int> q_lengths;
  std::vector<int> k_lengths;
  double scale = 1;              ///< at most 1, which the bounds assume
  element type = element::fp16;  ///< fp16, bf16 or E4M3
  attention_scales scales;

  /// The type of dO, dS, dQ, dK and dV.  The FP8 of gradients has more range and fewer digits.
  element gradient_type() const { return type == element::e4m3 ? element::e5m2 : type; }
  double score_scale() const { return scale * scales.q * scales.k; }
  std::size_t rows() const { return count(query_heads, queries); }  ///< of stats, one number each
  std::size_t q_elements() const { return count(query_heads, queries, size); }
  std::size_t k_elements() const { return count(key_heads, keys, size); }
  std::size_t v_elements() const { return count(key_heads, keys, value_size); }
  std::size_t o_elements() const { return count(query_heads, queries, value_size); }

 private:
  std::size_t count(int heads, int length, int width = 1) const {
    return static_cast<std::size_t>(batch) * static_cast<std::size_t>(heads) *
           static_cast<std::size_t>(length) * static_cast<std::size_t>(width);
  }
};

struct attention_output {
  bounded o;
  bounded stats;      ///< in fp32 for every type
  bounded largest_p;  ///< one number: the largest P before it is multiplied by its scale
  bounded largest_o;
};

/// Rows beyond the length of their batch and rows that see no key have the bound not_looked_at.
attention_output attention_forward(const attention& what, const double* q, const double* k,
                                   const double* v);

/// The inputs of the gradients.  The caller has rounded O to the type and stats to fp32, so that
/// neither has an error here.
struct attention_inputs {
  const double* q = nullptr;
  const double* k = nullptr;
  const double* v = nullptr;
  const double* o = nullptr;
  const double* d_o = nullptr;
  const double* stats = nullptr;
};

struct attention_gradients {
  bounded dq;
  bounded dk;
  bounded dv;
  bounded largest_ds;
  bounded largest_dq;
  bounded largest_dk;
  bounded largest_dv;
};

/// Does not read the rows of Q, O, dO and stats to which attention_forward() gives the bound
/// not_looked_at; the same rows of dQ get that bound.  Keys that no row sees have exactly the
/// gradient 0.
attention_gradients attention_backward(const attention& what, const attention_inputs& given);

}  // namespace cudnn_checked::compute
