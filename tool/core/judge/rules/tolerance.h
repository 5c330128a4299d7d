// SPDX-License-Identifier: BSD-3-Clause
//
// How far a computed convolution may be from the float64 reference.
#pragma once

#include "../../../facts/accumulation.h"
#include "../../model/observation.h"
#include "../judgement.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// Bound on element_error = |y - r| / sum |x*w|, for every element: four times the first-order
/// bound, with the unit roundoff of round to nearest.  A sum of n products in any order of
/// additions errs by at most n * 2^-24 of the sum of their absolute values (N. J. Higham, "Accuracy
/// and Stability of Numerical Algorithms", 2nd ed., sections 3.1 and 4.2).  It is the sum of:
///   accumulation  (n + 1) * 2^-24   fp32, all types
///   fp16          2^-11             the result, rounded
///   bf16          2^-8              the result, rounded to 8 significant bits
///   tf32          2 * 2^-11         both inputs, rounded
/// Two of the four are for hardware that cuts off where this says rounded (Fasi, Higham, Mikaitis,
/// Pranesh, "Numerical behavior of NVIDIA tensor cores", PeerJ Computer Science 7, 2021).
///
/// Sums of fewer than 7 products are given the bound of 7: on sm_90 engines that split fp32 inputs,
/// or transform them without saying so, were off by 16 * 2^-24 for a single one.
///
/// From 1024 products on, 32 * sqrt(n + 1) stands for n + 1: rounding errors are independent, and
/// their sum grows as the square root of their number (Higham and Mary, "A New Approach to
/// Probabilistic Rounding Error Analysis", SIAM Journal on Scientific Computing 41(5), 2019).
/// Filter gradients are such sums.  Eight products at a time that are cut off, which is not
/// independent, stay below this up to 500,000 products (tests/unit/convolution_tolerance.cpp).
///
/// Winograd and FFT multiply errors by the growth of their transforms, at worst 7 for tiles of 4x4
/// and 256 for 6x6 (row sums of the matrices of Lavin and Gray, CVPR 2016), but of sums of n/9
/// products:
///   64 * (n + 1) * 2^-24            transforms in fp32; from 288 products on 17 * sqrt(n + 1)
///                                   for n + 1
///   + 32 * 2^-11                    transformed inputs in fp16 or TF32, and sums in reduced
///                                   precision: four times what tiles of 6x6 showed in simulation
///   + 32 * 2^-8                     the same in bf16
///
/// For the shapes of the probe right results lie at least 4 times below, and a lost channel, a lost
/// tap, the other layout and a mirrored kernel at least 4 times above; only a lost channel under
/// Winograd in 10 bits is 3 times above (tests/unit/probe_compare.cpp).
double convolution_tolerance(element type, convolution_math math, double products);
/// The largest one that any arithmetic of that type has.
double coarsest_tolerance(element type, double products);
/// The tolerance of a convolution or a fused operation.
double convolution_tolerance(const convolution& c);

/// Every element was written and is within the bound.  A NaN is not.
bool has_right_numbers(const convolution& c);

/// Fills convolutions, kernel and measured.
void judge_convolutions(const observation& observed, judgement& result);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
