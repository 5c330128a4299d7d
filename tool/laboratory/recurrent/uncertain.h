// SPDX-License-Identifier: BSD-3-Clause
//
// Numbers with bounds on the error that a right kernel may have.
//
// Each rounding of a kernel is an independent error of either sign, at most as large as its bound.
// This code draws a sign for each rounding 16 times, and computes the effects of all roundings
// through the whole network: to the first order, and beyond it where the slope of a function says
// too little of what a right kernel may have (reach, curved).  One rounding may reach a result in
// several ways.  Its effects add up or cancel here as they do in a kernel.  Bounds made of absolute
// values would not show that: with each step they would grow by the sum of a row of weights, which
// is 3 for 32 elements.  The bound of a number is 3 times the root mean square of its 16 errors.
// Roundings are distributed uniformly, so that this is 5 standard deviations.
#pragma once

#include <algorithm>
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
  /// With 16 draws a right kernel exceeds 4 bounds only if all draws together show less than 1/6 of
  /// the standard deviation.
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

/// What multiplies the errors of the other factor of a product.  A right kernel may be off by
/// `fused_tolerance` bounds in both factors: (a + da)(b + db) - ab = da (b + db / 2) + db (a + da /
/// 2).  Without the halves a product of two numbers that are about 0 would have no error.
inline double reach(const uncertain& a) {
  return a.value + std::copysign(fused_tolerance / 2 * a.bound(), a.value);
}

/// The result of a function of `a` that has this value and this slope there.
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
  uncertain made = through(a, a.value * b.value, reach(b));
  made.add_errors(reach(a), b);
  return made;
}

/// A sum of products before its rounding.
struct uncertain_sum {
  uncertain sum;
  double magnitude = 0;  ///< the sum of the absolute values
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

/// The roundings of a network's arithmetic.  Each draws its own signs.
class network_rounding {
 public:
  /// With CUDNN_TENSOR_OP_MATH_ALLOW_CONVERSION cuDNN computes a network of fp32 as one of fp16.
  explicit network_rounding(const network& what)
      : type_(what.type == element::fp32 && what.math == recurrent_math::tensor_op_conversion
                  ? element::fp16
                  : what.type),
        has_tensor_cores_(what.type != element::fp32 || what.math != recurrent_math::fma) {}

  /// Adds an error of that size: 0.6 or 1.28 times it, so that its root mean square is the size.
  /// Two equal errors of one size cancel in 16 draws once in 65536 numbers, which a matrix has.
  void add(double size, uncertain& a) {
    std::uint64_t drawn = signs_.next();
    for (double& error : a.errors) {
      const double one = size * ((drawn & 2) != 0 ? 1.28 : 0.6);
      error += (drawn & 1) != 0 ? one : -one;
      drawn >>= 2;
    }
  }

  /// Rounds a number to the type of the network.  If the type may be unable to hold the number, it
  /// may be infinite in a right kernel: the bound becomes infinite, and nothing that depends on the
  /// number is compared.
  uncertain stored(uncertain a) {
    add(roundoff(type_) * std::fabs(a.value) + smallest_step(type_), a);
    if (!(std::fabs(a.value) + fused_tolerance * a.bound() < largest())) {
      a.errors[0] = std::numeric_limits<double>::infinity();
    }
    return a;
  }

  /// Rounds a factor of a matrix product: of a number in fp32 tensor cores use 11 bits (TF32).
  uncertain factor(uncertain a) {
    if (type_ == element::fp32 && has_tensor_cores_) add(tf32_roundoff * std::fabs(a.value), a);
    return a;
  }

  /// Rounds a sum in fp32.
  uncertain result(const uncertain_sum& of) {
    uncertain made = of.sum;
    if (of.products > 0) add(accumulation(of.products) * of.magnitude, made);
    return made;
  }

  /// tanh.approx.f32 of the GPU has an error of at most 2^-11 of its result (PTX ISA, "tanh").  In
  /// fp32 without tensor cores the error is 8 ulp of 1 (CUDA C++ Programming Guide, "Mathematical
  /// Functions": tanhf has 2 ulp, expf and a division 4).  It is measured in ulp of 1 because a
  /// kernel may compute tanh from the logistic function, which is near 1/2 where tanh is near 0.
  uncertain hyperbolic_tangent(const uncertain& a) {
    const auto tangent = [](double x) { return std::tanh(x); };
    const double value = tangent(a.value);
    return approximated(curved(tangent, a, value, 1 - value * value));
  }
  uncertain logistic(const uncertain& a) {
    const auto function = [](double x) { return 1 / (1 + std::exp(-x)); };
    const double value = function(a.value);
    return approximated(curved(function, a, value, value * (1 - value)));
  }

  /// If the sum may have either sign, the kernel may keep it or put 0 in its place.
  uncertain rectified(const uncertain& a) {
    const bool is_kept = a.value > 0 || may_have_either_sign(a);
    return through(a, a.value > 0 ? a.value : 0, is_kept ? 1 : 0);
  }

  /// 1 or 0, depending on the sum before relu.  Both are right if the sum may have either sign: 3
  /// errors of a quarter are 3/4, of which 4 are tolerated.
  uncertain slope_of_rectified(const uncertain& sum) {
    uncertain made = exact(sum.value > 0 ? 1 : 0);
    if (may_have_either_sign(sum)) add(0.25, made);
    return made;
  }

 private:
  /// A bound is 5 standard deviations.  Twice as far, because errors may have one sign; but not as
  /// far as what is tolerated, or in a large network of bf16 zeros would pass as its gradients.
  static bool may_have_either_sign(const uncertain& a) {
    return !(std::fabs(a.value) > 2 * a.bound());
  }

  /// The result of a function of `a` that rises there by `slope`, and by more on the steepest way
  /// to a number that a right kernel may have in place of `a`.  Where it is flat, as of a saturated
  /// gate, the slope alone would leave nothing of an error.  What goes beyond the slope neither
  /// adds up nor cancels with the same error elsewhere.
  template <typename function>
  uncertain curved(const function& rising, const uncertain& a, double value, double slope) {
    uncertain made = through(a, value, slope);
    const double far = fused_tolerance * a.bound();
    if (!(far > 0) || !std::isfinite(far)) return made;
    const double steepest =
        std::max(rising(a.value + far) - value, value - rising(a.value - far)) / far;
    if (steepest > slope) {
      // Half as much again, because it is a matter of chance what the draws add up to.
      add(a.bound() / 2 * std::sqrt(steepest * steepest - slope * slope), made);
    }
    return made;
  }

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

/// Computes 1 - tanh^2 from tanh.
inline uncertain slope_of_tangent(const uncertain& tangent) {
  return through(tangent, 1 - tangent.value * tangent.value, -2 * reach(tangent));
}

/// Computes s * (1 - s) from the logistic function s.
inline uncertain slope_of_logistic(const uncertain& s) {
  uncertain made = through(s, s.value * (1 - s.value), 0);
  const double slope = 1 - 2 * s.value;
  made.add_errors(slope + std::copysign(fused_tolerance * s.bound(), slope), s);
  return made;
}

}  // namespace cudnn_checked::compute
