// SPDX-License-Identifier: BSD-3-Clause
#include "compare.h"

#include <cmath>
#include <cstdint>
#include <cstring>

#include "half.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace probe {

/// Reads element `index`.  The poison is known by its bits: as a number it is like any other NaN.
static double read_element(const unsigned char* bytes, std::int64_t index, element type,
                           bool& unwritten) {
  if (type == element::fp16) {
    std::uint16_t half = 0;
    std::memcpy(&half, bytes + 2 * index, sizeof half);
    unwritten = half == 0xffffu;
    return static_cast<double>(float_from_half(half));
  }
  std::uint32_t bits = 0;
  std::memcpy(&bits, bytes + 4 * index, sizeof bits);
  unwritten = bits == 0xffffffffu;
  float value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return static_cast<double>(value);
}

/// Sums of squares and the largest element error so far.
struct error_sums {
  double difference = 0;
  double reference = 0;
  double largest = 0;
  bool finite = true;

  void add(double y, double r, double magnitude) {
    const double difference_here = std::fabs(y - r);
    reference += r * r;
    if (!(difference_here <= 1e300)) {  // written so that a NaN counts as infinite
      finite = false;
      return;
    }
    difference += difference_here * difference_here;
    if (magnitude > 0) {
      if (difference_here / magnitude > largest) largest = difference_here / magnitude;
    } else if (difference_here > 0) {
      finite = false;  // a sum of nothing but zeros is exact
    }
  }
};

comparison compare(const void* result, element type, const tensor& result_layout,
                   const double* reference, const double* magnitude) {
  const unsigned char* bytes = static_cast<const unsigned char*>(result);
  comparison observed;
  error_sums sums;
  const std::int64_t* extent = result_layout.extent;
  for (std::int64_t n = 0; n < extent[0]; ++n) {
    for (std::int64_t c = 0; c < extent[1]; ++c) {
      for (std::int64_t h = 0; h < extent[2]; ++h) {
        std::int64_t at =
            n * result_layout.stride[0] + c * result_layout.stride[1] + h * result_layout.stride[2];
        for (std::int64_t w = 0; w < extent[3]; ++w) {
          bool unwritten = false;
          const double y = read_element(bytes, at, type, unwritten);
          if (unwritten) ++observed.unwritten;
          sums.add(y, *reference, *magnitude);
          at += result_layout.stride[3];
          ++reference;
          ++magnitude;
        }
      }
    }
  }
  const bool measurable = sums.finite && (sums.reference > 0 || sums.difference <= 0);
  observed.element_error = sums.finite ? sums.largest : HUGE_VAL;
  observed.relative_error = !measurable          ? HUGE_VAL
                            : sums.reference > 0 ? std::sqrt(sums.difference / sums.reference)
                                                 : 0;
  return observed;
}

}  // namespace probe
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
