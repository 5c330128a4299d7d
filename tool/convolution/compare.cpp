// SPDX-License-Identifier: BSD-3-Clause
#include "compare.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "half.h"
#include "tensor.h"

namespace cudnn_checked::compute {

/// Sums of squares, the largest element error and the unwritten elements so far.
struct error_sums {
  double difference = 0;
  double reference = 0;
  double largest = 0;
  unsigned long long unwritten = 0;
  unsigned long long not_finite = 0;
  bool finite = true;

  void add(double y, double r, double magnitude) {
    const double difference_here = std::fabs(y - r);
    reference += r * r;
    if (!(difference_here <= 1e300)) {  // written so that a NaN counts as infinite
      finite = false;
      ++not_finite;
      return;
    }
    difference += difference_here * difference_here;
    if (difference_here <= largest * magnitude) return;  // without a division nearly always
    if (magnitude > 0) {
      largest = difference_here / magnitude;
    } else if (difference_here > 0) {
      finite = false;  // a sum of nothing but zeros is exact
    }
  }

  comparison result() const {
    const bool measurable = finite && (reference > 0 || difference <= 0);
    comparison observed;
    observed.element_error = finite ? largest : HUGE_VAL;
    observed.relative_error = !measurable     ? HUGE_VAL
                              : reference > 0 ? std::sqrt(difference / reference)
                                              : 0;
    observed.unwritten = unwritten;
    observed.not_finite = not_finite - unwritten;
    return observed;
  }
};

/// Elements that lie `stride` elements apart.  The poison is known by its bits: as a number it is
/// like any other NaN.
template <typename bits, typename function>
static void add_row(error_sums& sums, const unsigned char* bytes, std::int64_t stride,
                    std::int64_t count, const double* reference, const double* magnitude,
                    const function& number_of) {
  for (std::int64_t i = 0; i < count; ++i, bytes += stride * std::int64_t{sizeof(bits)}) {
    bits stored = 0;
    std::memcpy(&stored, bytes, sizeof stored);
    if (stored == std::numeric_limits<bits>::max()) ++sums.unwritten;
    sums.add(static_cast<double>(number_of(stored)), reference[i], magnitude[i]);
  }
}

static float float_of_bits(std::uint32_t bits) {
  float value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

static void add_row(error_sums& sums, element type, const unsigned char* bytes, std::int64_t stride,
                    std::int64_t count, const double* reference, const double* magnitude) {
  switch (type) {
    case element::fp32:
      return add_row<std::uint32_t>(sums, bytes, stride, count, reference, magnitude,
                                    float_of_bits);
    case element::fp16:
      return add_row<std::uint16_t>(sums, bytes, stride, count, reference, magnitude,
                                    float_from_half);
    case element::bf16:
      return add_row<std::uint16_t>(sums, bytes, stride, count, reference, magnitude,
                                    float_from_bfloat16);
    case element::e4m3:
      return add_row<std::uint8_t>(sums, bytes, stride, count, reference, magnitude,
                                   float_from_e4m3);
    case element::e5m2:
      return add_row<std::uint8_t>(sums, bytes, stride, count, reference, magnitude,
                                   float_from_e5m2);
  }
}

comparison compare(const void* result, element type, const tensor& result_layout,
                   const double* reference, const double* magnitude) {
  const unsigned char* bytes = static_cast<const unsigned char*>(result);
  error_sums sums;
  for_each_row(result_layout, [&](std::int64_t place, std::int64_t first, std::int64_t count,
                                  std::int64_t stride) {
    add_row(sums, type, bytes + place * static_cast<std::int64_t>(size_of(type)), stride, count,
            reference + first, magnitude + first);
  });
  return sums.result();
}

comparison compare_in_order(const void* result, element type, std::size_t count,
                            const double* reference, const double* magnitude) {
  error_sums sums;
  add_row(sums, type, static_cast<const unsigned char*>(result), 1,
          static_cast<std::int64_t>(count), reference, magnitude);
  return sums.result();
}

}  // namespace cudnn_checked::compute
