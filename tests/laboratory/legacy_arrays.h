// SPDX-License-Identifier: BSD-3-Clause
//
// Problems of the legacy API, and their arrays by name.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "laboratory/legacy/problem.h"
#include "stored_numbers.h"

namespace legacy_test {

using cudnn_checked::element;
using cudnn_checked::fused_operation;
using cudnn_checked::compute::bounded;
using cudnn_checked::compute::fused_array;
using cudnn_checked::compute::legacy_problem;
using cudnn_checked::compute::legacy_problem_at;
using cudnn_checked::compute::legacy_problem_count;
using fused_test::error_of;
using fused_test::numbers;

inline const fused_array& array_of(const legacy_problem& problem, std::string_view name) {
  for (const fused_array& one : problem.arrays) {
    if (one.name == name) return one;
  }
  FAIL("no array " << name);
  return problem.arrays[0];
}

/// The first that has all of these words in its shape.
inline legacy_problem problem_with(fused_operation what, element type, const std::string& words) {
  for (std::size_t i = 0; i < legacy_problem_count(what); ++i) {
    legacy_problem made = legacy_problem_at(what, i);
    if (made.type != type || made.shape.find(words) == std::string::npos) continue;
    draw(1, made);
    return made;
  }
  FAIL("no problem with " << words);
  return {};
}

}  // namespace legacy_test
