// SPDX-License-Identifier: BSD-3-Clause
#include "compare.h"

#include <cmath>
#include <cstdint>
#include <cstring>

#include "half.h"
#include "tensor.h"

namespace cudnn_checked::compute {

/// Sums of squares, the largest element error and the unwritten elements so far.
struct error_sums {
  double difference = 0;
  double reference = 0;
  double largest = 0;
  unsigned long long unwritten = 0;
  bool finite = true;

  void add(double y, double r, double magnitude) {
    const double difference_here = std::fabs(y - r);
    reference += r * r;
    if (!(difference_here <= 1e300)) {  // written so that a NaN counts as infinite
      finite = false;
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
    return observed;
  }
};

// An element as a number.  The poison is known by its bits: as a number it is like any other NaN.

struct read_fp32 {
  static constexpr std::int64_t size = 4;
  static double read(const unsigned char* at, unsigned long long& unwritten) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, at, sizeof bits);
    if (bits == 0xffffffffu) ++unwritten;
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return static_cast<double>(value);
  }
};

template <float (*float_from)(std::uint16_t)>
struct read_16_bits {
  static constexpr std::int64_t size = 2;
  static double read(const unsigned char* at, unsigned long long& unwritten) {
    std::uint16_t bits = 0;
    std::memcpy(&bits, at, sizeof bits);
    if (bits == 0xffffu) ++unwritten;
    return static_cast<double>(float_from(bits));
  }
};

template <typename format>
static void add_row(error_sums& sums, const unsigned char* bytes, std::int64_t stride,
                    std::int64_t count, const double* reference, const double* magnitude) {
  for (std::int64_t i = 0; i < count; ++i, bytes += stride * format::size) {
    sums.add(format::read(bytes, sums.unwritten), reference[i], magnitude[i]);
  }
}

/// Elements that lie `stride` elements apart.
static void add_row(error_sums& sums, element type, const unsigned char* bytes, std::int64_t stride,
                    std::int64_t count, const double* reference, const double* magnitude) {
  switch (type) {
    case element::fp32:
      return add_row<read_fp32>(sums, bytes, stride, count, reference, magnitude);
    case element::fp16:
      return add_row<read_16_bits<float_from_half>>(sums, bytes, stride, count, reference,
                                                    magnitude);
    case element::bf16:
      return add_row<read_16_bits<float_from_bfloat16>>(sums, bytes, stride, count, reference,
                                                        magnitude);
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
