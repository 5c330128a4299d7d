// SPDX-License-Identifier: BSD-3-Clause
//
// Prints the numbers of one problem of a sweep: what a GPU is given, and what must come out.
//
//   reference_numbers 'rnn/backward fp16 tanh 8x2x1 to 32, 2 directions'
//
// Lines first: the problem's operation, type and shape, what is tolerated in bounds, and one for
// each array: given or expected, type, number of elements, name.  After an empty line come the
// arrays as float64 in the order of the lines; the bounds of what is expected follow it (-1: not
// looked at).  Images are packed NC(D)HW, those of calls of the legacy API as they lie, matrices
// and parameters as the headers of tool/laboratory say.  Status 2: there is no such problem.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "convolution/half.h"
#include "facts/accumulation.h"
#include "laboratory/fused/problem.h"
#include "laboratory/legacy/problem_text.h"
#include "laboratory/recurrent/network_text.h"
#include "laboratory/recurrent/problem.h"
#include "laboratory/sweep/model/problem.h"
#include "laboratory/sweep/work/numbers.h"

namespace {

using namespace cudnn_checked;

struct printed_array {
  std::string name;
  element type = element::fp32;
  std::vector<double> values;
  std::vector<double> bounds;  ///< empty: given
};
using printed_arrays = std::vector<printed_array>;

void add_given(const char* name, element type, const std::vector<double>& values,
               printed_arrays& all) {
  if (!values.empty()) all.push_back({name, type, values, {}});
}

void add_expected(const char* name, element type, const compute::bounded& of, printed_arrays& all) {
  if (!of.value.empty()) all.push_back({name, type, of.value, of.bound});
}

double decoded(element type, const unsigned char* bytes) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, bytes, compute::size_of(type));
  float value = 0;
  if (type == element::fp16) {
    value = compute::float_from_half(static_cast<std::uint16_t>(bits));
  } else {
    if (type == element::bf16) bits <<= 16;
    std::memcpy(&value, &bits, sizeof value);
  }
  return static_cast<double>(value);
}

/// A seed and its numbers are the same in both layouts.
bool add_convolution(sweep::problem p, std::uint64_t seed, double& tolerated, printed_arrays& all) {
  p.layout = tensor_layout::nchw;
  const sweep::problem_numbers numbers = sweep::make_numbers(p, seed);
  tolerated = numbers.coarsest();
  for (const sweep::problem_array& array : numbers.arrays) {
    if (array.is_output()) {
      add_expected(array.name.c_str(), array.type, array.expected, all);
      continue;
    }
    const std::size_t size = compute::size_of(array.type);
    std::vector<double> values;
    for (std::size_t i = 0; i < array.given.size(); i += size) {
      values.push_back(decoded(array.type, array.given.data() + i));
    }
    add_given(array.name.c_str(), array.type, values, all);
  }
  return true;
}

void add_arrays(const std::vector<compute::fused_array>& arrays, printed_arrays& all) {
  for (const compute::fused_array& array : arrays) {
    const std::vector<double> lengths(array.lengths.begin(), array.lengths.end());
    add_given(array.name, array.type, array.lengths.empty() ? array.given : lengths, all);
    add_expected(array.name, array.type, array.expected, all);
  }
}

bool add_graph(const sweep::problem& p, printed_arrays& all) {
  // Of a release that pads nothing (problems.def).
  const compute::fused_problem made =
      compute::make_fused_problem({sweep::fused_of(p.what), p.type, p.fused_shape, p.range}, 99999);
  add_arrays(made.arrays, all);
  return !made.arrays.empty();
}

bool add_network(const sweep::problem& p, std::uint64_t seed, printed_arrays& all) {
  compute::network_problem of;
  if (!compute::read_network(p.fused_shape, of.what)) return false;
  const element type = p.type;
  of.what.type = type;
  of.what.math = compute::offered_math(type);
  of.gradients = std::string(to_string(p.what)).find("backward") != std::string::npos;
  of.range = p.range;
  compute::draw(seed, of);
  add_given("x", type, of.x, all);
  add_given("hx", type, of.hx, all);
  add_given("cx", type, of.cx, all);
  add_given("w", type, of.parameters, all);
  add_given("dy", type, of.dy, all);
  add_given("dhy", type, of.dhy, all);
  add_given("dcy", type, of.dcy, all);
  const compute::network_results& out = of.expected;
  add_expected("y", type, out.y, all);
  add_expected("hy", type, out.hy, all);
  add_expected("cy", type, out.cy, all);
  add_expected("dx", type, out.dx, all);
  add_expected("dhx", type, out.dhx, all);
  add_expected("dcx", type, out.dcx, all);
  add_expected("dw", type, out.dw, all);
  return true;
}

bool add_call(const sweep::problem& p, std::uint64_t seed, printed_arrays& all) {
  compute::legacy_shape of;
  if (!compute::read_legacy_shape(sweep::fused_of(p.what), p.fused_shape, of)) return false;
  compute::legacy_problem made = compute::make_legacy_problem(sweep::fused_of(p.what), p.type, of);
  compute::draw(seed, made);
  add_arrays(made.arrays, all);
  return true;
}

void print(const std::vector<double>& values) {
  (void)std::fwrite(values.data(), sizeof(double), values.size(), stdout);
}

}  // namespace

int main(int count, char** arguments) {
  sweep::problem p;
  if (count != 2 || !sweep::read_problem(arguments[1], p)) return 2;
  const std::uint64_t seed =
      compute::hash_of(sweep::to_string(p));  // as of a problem that is drawn
  printed_arrays all;
  double tolerated = cudnn_checked::fused_tolerance;
  const bool made = sweep::is_network(p.what)       ? add_network(p, seed, all)
                    : sweep::has_algorithms(p.what) ? add_call(p, seed, all)
                    : sweep::is_fused(p.what)       ? add_graph(p, all)
                                                    : add_convolution(p, seed, tolerated, all);
  if (!made) return 2;
  p.range = {};
  std::printf("%s\n%s\n%s\n%.17g\n", to_string(p.what), to_string(p.type),
              sweep::shape_text(p).c_str(), tolerated);
  for (const printed_array& one : all) {
    std::printf("%s %s %zu %s\n", one.bounds.empty() ? "given" : "expected", to_string(one.type),
                one.values.size(), one.name.c_str());
  }
  std::printf("\n");
  for (const printed_array& one : all) {
    print(one.values);
    print(one.bounds);
  }
  return std::fflush(stdout) == 0 ? 0 : 1;
}
