// SPDX-License-Identifier: BSD-3-Clause
//
// Operations as graphs of cuDNN's graph API since 9.0.  Each graph has the same operations as that
// of NVIDIA's cudnn-frontend, because an engine computes only graphs whose pattern it recognises.
#pragma once

#include "attention.h"
#include "graph_builder.h"
#include "matrix.h"
#include "norm.h"

namespace cudnn_checked::compute {

/// Adds real tensors in this order: Q, K, V, O, stats.  An attention in E4M3 has eight numbers
/// (float) behind them: the scales of Q, K, V and P, the inverse of P's scale, the scale of O, the
/// largest P and the largest O.  A padded attention has the lengths of Q and of K at the end.
void add_attention(const attention& what, graph_builder& graph);

/// Adds real tensors in this order: Q, K, V, O, dO, stats, dQ, dK, dV, the sums of dO * O (float,
/// [batch][heads][length][1]) and the sums of dQ (float, with the shape of dQ).  The caller has
/// memory for the two sums, and need not initialise it.  A padded attention has the lengths of Q
/// and of K at the end.  An attention in E4M3 has 16 numbers (float) in place of the sums: the
/// scales of Q, K and V, the inverse of O's scale, the scales of dO and P, the inverse of P's
/// scale, the scale of dS and its inverse, the scales of dQ, dK and dV, the largest dS, dQ, dK and
/// dV.
void add_attention_gradients(const attention& what, graph_builder& graph);

/// Adds real tensors in this order: A, B, C, and the bias if there is one.  If A is E4M3, B is
/// stored column by column, and the scales of A and B follow.  If C is E4M3 as well, C's scale and
/// the largest C follow them.
void add_matrix_product(const matrix_product& what, bool biased, graph_builder& graph);

/// Adds real tensors in this order: x, scale, bias, y, mean, inverse deviation.  RMS norm has no
/// bias and no mean.
void add_norm(const norm& what, graph_builder& graph);

/// Adds real tensors in this order: x, scale, dy, mean, inverse deviation, dx, dscale, dbias.  RMS
/// norm has no mean and no dbias.
void add_norm_gradients(const norm& what, graph_builder& graph);

/// y = relu(x * w + bias).  Adds real tensors in this order: x, w, bias, y.
void add_biased_convolution(const operation& what, graph_builder& graph);

}  // namespace cudnn_checked::compute
