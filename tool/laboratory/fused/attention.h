// SPDX-License-Identifier: BSD-3-Clause
//
// What must come out of scaled dot-product attention and of its gradients, in float64.
//
//   S = scale * Q.K^T   P = softmax(S)   O = P.V   stats = ln sum exp S, of each row
//   dP = dO.V^T         D = sum dO * O, of each row              dS = scale * P * (dP - D)
//   dQ = dS.K           dK = dS^T.Q                              dV = P^T.dO
//
// Bounds are of a kernel that sums in fp32 and rounds P and dS to the type before the second
// product.  With n the number of products of a sum, acc(n) what fp32 loses in it, u the rounding of
// P, dS and the result (rounding.h), e = 2^-24, and root what independent errors add up to
// (scaled_sums):
//
//   A_ij = |scale| sum |q k|
//   eta_ij = e * (size + 4) * A_ij                  the score, times scale and log2(e), less the
//                                                   row's largest score
//            + 2^-20                                a fast exponential, and its rescaling
//                                                   together a relative error of P
//   O      root of P * u * |V|                        P, rounded
//          + sum_j P * (eta + acc(keys)) * |V|        P itself, and the sum
//          + (sum_j P * eta + acc(keys)) * |O|        the sum that P is divided by
//   stats  sum_j P * eta + acc(keys)                  the same sum; what its logarithm adds is less
//   dP-D   acc(value_size) * (sum |dO V| + sum |dO O|)
//   dS     scale * P * (that + eta * |dP - D|)
//   dQ     root of u * |dS| * |K| + sum_j (that + acc(keys) * |dS|) * |K|
//   dK     the same with Q and the rows
//   dV     root of P * u * |dO| + sum_i P * (eta + acc(rows)) * |dO|
//
// To each result come u * |result| and what is lost where numbers are tiny (smallest_step): of the
// result, of each P, and of each dS, which may be rounded before it is multiplied by scale.  Where
// heads share a key head, each head's share of dK and dV may be rounded to the type before they are
// added.
//
// In FP8 scale is times the scales of Q and K, O times that of V, dV that of dO, dP those of dO and
// V, dQ that of K, dK that of Q.  Results are rounded when they are times their own scale, and a
// tiny P or dS loses a step by its scale.  Products on tensor cores lose what input_rounding says.
// Heads are added before they are rounded.  The largest P, O, dS, dQ, dK and dV err by what their
// elements may.
//
// An emulated kernel stays below the bounds, and below 2.3 times them if it rounds P before dS,
// too; one that leaves out one of 1024 keys is above 7 in dQ and 100 in dK and dV with bf16, more
// with fp16; with E4M3 the log-sum-exp shows it, and O does not.  FP8's gradients are in
// docs/decisions.md.
#pragma once

#include <cstddef>
#include <vector>

#include "../../facts/words.h"
#include "bounded.h"

namespace cudnn_checked::compute {

/// What numbers of FP8 are multiplied with, so that they fill its range; else 1.  A program gets
/// the largest absolute values, from which it takes the scales of its next call.
struct attention_scales {
  double q = 1;  ///< Q, K, V, dO as they are given; cudnn-frontend's descale_q and so on
  double k = 1;
  double v = 1;
  double d_o = 1;
  double p = 1;   ///< P before it is rounded, and again its inverse; scale_s and descale_s
  double o = 1;   ///< O before it is rounded, and its inverse where it is given
  double ds = 1;  ///< dS as P; scale_dp and descale_dp
  double dq = 1;  ///< before they are rounded
  double dk = 1;
  double dv = 1;
};

/// All tensors are packed [batch][heads][length][size], and stats [batch][heads][queries].
struct attention {
  int batch = 1;
  int query_heads = 1;
  int key_heads = 1;  ///< of K and of V; divides query_heads
  int queries = 1;
  int keys = 1;
  int size = 1;         ///< of a head of Q and K
  int value_size = 1;   ///< of a head of V and O
  bool causal = false;  ///< row i sees keys 0 to i
  int window = 0;       ///< with causal: only keys above i - window; 0: all
  bool padded = false;  ///< the lengths below count, one each batch
  std::vector<int> q_lengths;
  std::vector<int> k_lengths;
  double scale = 1;              ///< bounds are of one up to 1
  element type = element::fp16;  ///< or bf16, E4M3
  attention_scales scales;

  /// Of dO, dS, dQ, dK and dV: FP8 has for gradients more range and fewer places.
  element gradient_type() const { return type == element::e4m3 ? element::e5m2 : type; }
  double score_scale() const { return scale * scales.q * scales.k; }
  std::size_t rows() const { return count(query_heads, queries); }  ///< elements of stats
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
  bounded stats;      ///< fp32, whatever the type
  bounded largest_p;  ///< one number: before it is multiplied by its scale
  bounded largest_o;
};

/// Rows from their batch's length on, and rows that see no key, are not looked at.
attention_output attention_forward(const attention& what, const double* q, const double* k,
                                   const double* v);

/// The gradients are a function of these: O is rounded to the type and stats to fp32 before, and so
/// are no errors.
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

/// Rows of Q, O, dO and stats that forward does not look at are not read, and not looked at in dQ.
/// Keys that no row sees have the gradient 0, exactly.
attention_gradients attention_backward(const attention& what, const attention_inputs& given);

}  // namespace cudnn_checked::compute
