// SPDX-License-Identifier: BSD-3-Clause
//
// What problems of all operations are made of.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "problem.h"
#include "values.h"

namespace cudnn_checked::compute {

/// Numbers, and where they come from as fused_array says it.
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

/// The factors of products.  Those of fp32 are also numbers of TF32 and fp16: an engine that
/// converts them loses nothing, so the bound need not include the conversion.
inline drawn_numbers factors(random_numbers& random, element type, std::size_t count) {
  return drawn(random, type == element::fp32 ? element::fp16 : type, count);
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

/// What a problem depends on besides its row.
struct seeds {
  std::uint64_t seed;
  unsigned long long cudnn;  ///< its release, as cudnnGetVersion() says it
};

/// Forward or backward, as `problem` says.
void make_attention(std::size_t index, const seeds& from, fused_problem& problem);

}  // namespace cudnn_checked::compute
