// SPDX-License-Identifier: BSD-3-Clause
//
// Operations as cuDNN's graph API has them since 9.0: operation for operation what NVIDIA's
// cudnn-frontend makes, since engines recognise a pattern and nothing else.
#pragma once

#include "attention.h"
#include "graph_builder.h"
#include "matrix.h"
#include "norm.h"

namespace cudnn_checked::compute {

/// Real tensors, in this order: Q, K, V, O, stats; of E4M3 eight numbers (float): the scales of Q,
/// K, V and P, the inverse of P's, the scale of O, the largest P, the largest O; of a padded one
/// the lengths of Q, of K.
void add_attention(const attention& what, graph_builder& graph);

/// Real tensors, in this order: Q, K, V, O, dO, stats, dQ, dK, dV, the sums of dO * O (float,
/// [batch][heads][length][1]) and the sums of dQ (float, as dQ); of a padded one the lengths.  The
/// two sums are the caller's memory, and hold nothing before.  Of E4M3 there are 16 numbers (float)
/// in place of the sums: the scales of Q, K and V, the inverse of O's, the scales of dO and P, the
/// inverse of P's, the scale of dS, its inverse, the scales of dQ, dK and dV, the largest dS, dQ,
/// dK and dV.
void add_attention_gradients(const attention& what, graph_builder& graph);

/// Real tensors, in this order: A, B, C, and the bias where there is one; where A is E4M3, whose B
/// has its columns one behind the other, the scales of A and B, and where C is, too, C's scale and
/// the largest C.
void add_matrix_product(const matrix_product& what, bool biased, graph_builder& graph);

/// Real tensors, in this order: x, scale, bias, y, mean, inverse deviation; for RMS norm without
/// bias and mean.
void add_norm(const norm& what, graph_builder& graph);

/// Real tensors, in this order: x, scale, dy, mean, inverse deviation, dx, dscale, dbias; for RMS
/// norm without mean and dbias.
void add_norm_gradients(const norm& what, graph_builder& graph);

/// y = relu(x * w + bias).  Real tensors, in this order: x, w, bias, y.
void add_biased_convolution(const operation& what, graph_builder& graph);

}  // namespace cudnn_checked::compute
