// SPDX-License-Identifier: BSD-3-Clause
//
// Functions that make the arrays of a problem, for all operations.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "input_range.h"
#include "problem.h"
#include "values.h"

namespace cudnn_checked::compute {

/// Numbers, and how they were drawn; the members mean the same as those of fused_array.
struct drawn_numbers {
  std::vector<double> values;
  std::uint64_t seed = 0;
  element drawn_as = element::fp16;
  std::size_t period = 0;

  const double* data() const { return values.data(); }
};

inline drawn_numbers drawn(random_numbers& random, element type, std::size_t count) {
  drawn_numbers made;
  made.seed = random.state();
  made.drawn_as = type;
  made.values.resize(count);
  fill_random(random, type, made.values.data(), count);
  return made;
}

/// Draws factors of products.  Factors in fp32 are numbers that TF32 and fp16 have, too: an engine
/// that converts them loses nothing, so the bound need not include the conversion.
inline drawn_numbers factors(random_numbers& random, element type, std::size_t count) {
  return drawn(random, type == element::fp32 ? element::fp16 : type, count);
}

/// Of another range than [-1, 1) they cannot be drawn again by their seed.
inline drawn_numbers in_range(const input_range& range, drawn_numbers numbers) {
  if (range.is_usual()) return numbers;
  range.apply(numbers.drawn_as, numbers.values.data(), numbers.values.size());
  numbers.seed = 0;
  return numbers;
}

inline std::vector<double> rounded(element type, std::vector<double> values) {
  round_to(type, values.data(), values.size());
  return values;
}

inline fused_array input(const char* name, element type, std::vector<double> values) {
  fused_array made;
  made.name = name;
  made.type = type;
  made.count = values.size();
  made.given = std::move(values);
  return made;
}

inline fused_array input(const char* name, element type, drawn_numbers numbers) {
  fused_array made = input(name, type, std::move(numbers.values));
  made.seed = numbers.seed;
  made.drawn_as = numbers.drawn_as;
  made.period = numbers.period;
  return made;
}

inline fused_array input(const char* name, const std::vector<int>& lengths) {
  fused_array made;
  made.name = name;
  made.count = lengths.size();
  made.lengths.assign(lengths.begin(), lengths.end());
  return made;
}

inline fused_array output(const char* name, element type, bounded expected) {
  fused_array made;
  made.name = name;
  made.type = type;
  made.count = expected.value.size();
  made.expected = std::move(expected);
  return made;
}

inline fused_array sums(const char* name, std::size_t count) {
  fused_array made;
  made.name = name;
  made.type = element::fp32;
  made.count = count;
  return made;
}

/// A problem depends on its row and on these.
struct seeds {
  std::uint64_t seed;
  unsigned long long cudnn;  ///< the result of cudnnGetVersion()
  input_range range;
};

/// Fills in the arrays of `problem`; its member `what` says forward or backward.
void make_attention(const attention_row& row, const seeds& from, fused_problem& problem);

}  // namespace cudnn_checked::compute
