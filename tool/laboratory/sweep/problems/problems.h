// SPDX-License-Identifier: BSD-3-Clause
//
// Which problems a sweep computes, and in what order.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "../model/problem.h"

namespace cudnn_checked::sweep {

/// Problem number `index` of the list that a request stands for.  The list depends on its
/// operations, types and seed alone, so that every process of a sweep, and every machine, has the
/// same one; it takes some microseconds, whatever the index.
///
/// First come the problems of fused operations (tool/laboratory/fused/problems.def) and of
/// the legacy API (recurrent/networks.def, legacy/problems.def), one of each operation in turn.
/// Those of convolutions are endless.
///
/// They come in rows.  A row has one problem for each operation, type and layout, in all
/// combinations, so that whenever a sweep ends each of them was computed as often as the others.
///
///   1. Rows of a shape that was seen to go wrong, the same one in all combinations: 11 rows, 198
///      problems with all operations and types, less than half of what 60 seconds compute on an
///      H200, so that every such shape is met everywhere.
///   2. Then six rows make a round: three of ordinary curated shapes, two of random ones and, last,
///      one of large ones.  Each combination of a row gets another shape; the next row of the kind
///      moves on by one, so that in the end each shape was met in every combination.
///   3. When curated shapes are used up, random ones stand in their place.
///
/// A random shape has a batch of 1 to 8, 1 to 128 channels and filters, images of 1 to 33, kernels
/// of 1 to 7, padding 0 to 3 and strides 1 to 3; an eighth each has groups, dilation, or three
/// dimensions.  Half of all channels and images are numbers that networks use.
problem problem_at(const request& asked, std::size_t index);

constexpr std::size_t endless = std::numeric_limits<std::size_t>::max();

/// Those of a request, and E4M3 where one of the operations has problems of it.
std::vector<element> usual_types(const std::vector<operation>& operations);

/// How many problems the list has.
std::size_t problem_count(const request& asked);

/// Is the problem of that number a fused operation, or has it a shape that was seen to go wrong?
/// Plans that are compiled for seconds, and are not the best offer of their engine, run for these
/// problems and for a sample of the others.
bool is_suspect(const request& asked, std::size_t index);

// No problem costs more: the reference of 3e8 products takes one core 0.2 s where it is optimised.
constexpr double most_products = 3e8;
constexpr double most_ordinary_products = 6e7;

/// The random shape that a seed stands for; it has an output and at most `most` products.
shape random_shape(std::uint64_t seed, double most);

}  // namespace cudnn_checked::sweep
