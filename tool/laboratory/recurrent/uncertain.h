// SPDX-License-Identifier: BSD-3-Clause
//
// Numbers with how far those of a right kernel may be from them.
//
// Each rounding of a kernel is an error of its own, as large as its bound and of either sign. Their
// first-order effects are followed through the whole network, operation by operation, for 16 draws
// of all signs at once: so those of one rounding that reach a result by several ways add up or
// cancel as they do in a kernel, which bounds of sums of absolute values do not show (they grow
// with each step by the sum of a row of weights, 3 for 32 elements).  The bound of a number is 3
// times the root of the mean of their squares: roundings are uniform, so that these are 5
// deviations.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "../../convolution/values.h"
#include "../fused/rounding.h"
#include "network.h"

namespace cudnn_checked::compute {

/// A number of the float64 reference.
struct uncertain {
  /// A right kernel misses 4 bounds by chance if 16 draws show less than 1/6 of the deviation.
  static constexpr int draws = 16;

  double value = 0;
  double errors[draws] = {};

  double bound() const {
    double squares = 0;
    for (const double error : errors) squares += error * error;
    return 3 * std::sqrt(squares / draws);
  }
  /// Adds `factor` times the errors of another number.
  void add_errors(double factor, const uncertain& of) {
    const double* from = of.errors;
    for (double& error : errors) error += factor * *from++;
  }
};

using uncertain_row = std::vector<uncertain>;

inline uncertain exact(double value) {
  uncertain made;
  made.value = value;
  return made;
}

/// A function of a number with that value and slope.
inline uncertain through(const uncertain& a, double value, double slope) {
  uncertain made = exact(value);
  made.add_errors(slope, a);
  return made;
}

inline uncertain operator+(uncertain a, const uncertain& b) {
  a.value += b.value;
  a.add_errors(1, b);
  return a;
}

inline uncertain operator-(uncertain a, const uncertain& b) {
  a.value -= b.value;
  a.add_errors(-1, b);
  return a;
}

inline uncertain operator*(const uncertain& a, const uncertain& b) {
  uncertain made = through(a, a.value * b.value, b.value);
  made.add_errors(a.value, b);
  return made;
}

/// A sum of products before its rounding.
struct uncertain_sum {
  uncertain sum;
  double magnitude = 0;  ///< of the absolute values
  int products = 0;

  void add(const uncertain& a, const uncertain& b) {
    add(b.value, a);
    sum.add_errors(a.value, b);
  }
  void add(double a, const uncertain& b) {
    const double product = a * b.value;
    sum.value += product;
    magnitude += std::fabs(product);
    sum.add_errors(a, b);
    ++products;
  }
};

/// What a network's arithmetic rounds, with a sign for each rounding.
class network_rounding {
 public:
  /// CUDNN_TENSOR_OP_MATH_ALLOW_CONVERSION computes a network of fp32 as one of fp16.
  explicit network_rounding(const network& what)
      : type_(what.type == element::fp32 && what.math == recurrent_math::tensor_op_conversion
                  ? element::fp16
                  : what.type),
        has_tensor_cores_(what.type != element::fp32 || what.math != recurrent_math::fma) {}

  /// An error of that size.
  void add(double size, uncertain& a) {
    std::uint64_t signs = signs_.next();
    for (double& error : a.errors) {
      error += (signs & 1) != 0 ? size : -size;
      signs >>= 1;
    }
  }

  /// A number that lies in the type of the network from here on.  One that the type may not hold
  /// is infinite in a right kernel: nothing that depends on it is looked at.
  uncertain stored(uncertain a) {
    add(roundoff(type_) * std::fabs(a.value) + smallest_step(type_), a);
    if (!(std::fabs(a.value) + fused_tolerance * a.bound() < largest())) {
      a.errors[0] = std::numeric_limits<double>::infinity();
    }
    return a;
  }

  /// A factor of a matrix product: of fp32, tensor cores take 11 bits (TF32).
  uncertain factor(uncertain a) {
    if (type_ == element::fp32 && has_tensor_cores_) add(tf32_roundoff * std::fabs(a.value), a);
    return a;
  }

  /// A sum in fp32.
  uncertain result(const uncertain_sum& of) {
    uncertain made = of.sum;
    if (of.products > 0) add(accumulation(of.products) * of.magnitude, made);
    return made;
  }

  /// tanh.approx.f32 of the GPU errs by at most 2^-11 of its result (PTX ISA, "tanh").  In fp32
  /// without tensor cores 8 ulp of 1 (CUDA C++ Programming Guide, "Mathematical Functions": tanhf
  /// has 2, expf and a division 4): tanh may be made of the logistic function, which is near 1/2
  /// where tanh is near 0.
  uncertain hyperbolic_tangent(const uncertain& a) {
    const double value = std::tanh(a.value);
    return approximated(through(a, value, 1 - value * value));
  }
  uncertain logistic(const uncertain& a) {
    const double value = 1 / (1 + std::exp(-a.value));
    return approximated(through(a, value, value * (1 - value)));
  }

  uncertain rectified(const uncertain& a) {
    const uncertain slope = slope_of_rectified(a);
    uncertain made = through(a, a.value > 0 ? a.value : 0, slope.value);
    // Where the sum may have the other sign as well, it may be what is kept of it.
    if (slope.bound() > 0) add(a.bound(), made);
    return made;
  }

  /// 1 or 0, from the sum before relu; either is right where the sum may have either sign.
  uncertain slope_of_rectified(const uncertain& sum) {
    uncertain made = exact(sum.value > 0 ? 1 : 0);
    if (!(std::fabs(sum.value) > fused_tolerance * sum.bound())) add(1, made);
    return made;
  }

 private:
  uncertain approximated(uncertain a) {
    add(has_tensor_cores_ ? std::fabs(a.value) / 2048 : 8 * 2 * fp32_roundoff, a);
    return a;
  }
  double largest() const {
    return type_ == element::fp16 ? 65504 : static_cast<double>(std::numeric_limits<float>::max());
  }

  element type_;
  bool has_tensor_cores_;
  random_numbers signs_{1};
};

/// 1 - tanh^2, from tanh.
inline uncertain slope_of_tangent(const uncertain& tangent) {
  return through(tangent, 1 - tangent.value * tangent.value, -2 * tangent.value);
}

/// s * (1 - s), from the logistic function.
inline uncertain slope_of_logistic(const uncertain& s) {
  return through(s, s.value * (1 - s.value), 1 - 2 * s.value);
}

}  // namespace cudnn_checked::compute
