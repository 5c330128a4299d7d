// SPDX-License-Identifier: BSD-3-Clause
#include "simpler.h"

#include <algorithm>
#include <string>

#include "../../fused/row_text.h"
#include "../../legacy/problem_text.h"
#include "../../recurrent/network_text.h"

namespace cudnn_checked::sweep {

namespace {

/// Takes the next of the numbers, or notes it: the same function goes through a problem for both.
struct size_visitor {
  std::vector<problem_size>* noted = nullptr;
  const std::vector<std::int64_t>* given = nullptr;
  std::size_t next = 0;

  template <typename number>
  void operator()(number& value, std::int64_t least) {
    if (noted != nullptr) noted->push_back({static_cast<std::int64_t>(value), least});
    if (given != nullptr) value = static_cast<number>((*given)[next++]);
  }
};

void visit_shape(shape& of, size_visitor& visit) {
  std::int64_t channels = of.channels / of.groups;
  std::int64_t filters = of.filters / of.groups;
  visit(of.batch, 1);
  visit(channels, 1);
  visit(filters, 1);
  visit(of.groups, 1);
  for (int i = 0; i < of.dimensions; ++i) {
    visit(of.image[i], 1);
    visit(of.kernel[i], 1);
    visit(of.padding[i], 0);
    visit(of.stride[i], 1);
    visit(of.dilation[i], 1);
  }
  of.channels = channels * of.groups;
  of.filters = filters * of.groups;
}

void visit_network(compute::network& what, size_visitor& visit) {
  int batch = what.batch();
  int steps = what.steps();
  int differing = what.same_lengths() ? 0 : 1;
  int packed = what.packed ? 1 : 0;
  visit(batch, 1);
  visit(steps, 1);
  visit(what.inputs, 1);
  visit(what.hidden, 1);
  visit(what.projection, 0);
  visit(what.layers, 1);
  visit(what.directions, 1);
  visit(differing, 0);
  visit(packed, 0);
  what.packed = packed != 0;
  what.lengths.resize(static_cast<std::size_t>(std::max(batch, 1)), steps);
  what.lengths[0] = steps;
  for (int& length : what.lengths) length = differing != 0 ? std::min(length, steps) : steps;
}

/// The range is all that it is, or as usual.
void visit_range(compute::input_range& range, size_visitor& visit) {
  int kept = range.is_usual() ? 0 : 1;
  visit(kept, 0);
  if (kept == 0) range = {};
}

bool is_convolution(const shape& of) {
  for (int i = 0; i < of.dimensions; ++i) {
    if (of.output(i) < 1) return false;
  }
  return true;
}

}  // namespace

std::vector<problem_size> sizes_of(const problem& p) {
  problem copy = p;
  std::vector<problem_size> made;
  size_visitor visit;
  visit.noted = &made;
  compute::network what;
  compute::legacy_shape call;
  if (!is_fused(p.what)) {
    visit_shape(copy.of, visit);
  } else if (!has_algorithms(p.what)) {
    for (const compute::shape_size& one :
         compute::sizes_of_shape(fused_of(p.what), p.fused_shape)) {
      made.push_back({one.value, one.least});
    }
  } else if (compute::read_network(p.fused_shape, what)) {
    visit_network(what, visit);
  } else if (compute::read_legacy_shape(fused_of(p.what), p.fused_shape, call)) {
    for (const compute::shape_size& one : compute::sizes_of_legacy(call)) {
      made.push_back({one.value, one.least});
    }
  }
  visit_range(copy.range, visit);
  return made;
}

bool with_sizes(const problem& p, const std::vector<std::int64_t>& sizes, problem& result) {
  problem made = p;
  size_visitor visit;
  visit.given = &sizes;
  compute::network what;
  compute::legacy_shape call;
  if (!is_fused(p.what)) {
    visit_shape(made.of, visit);
    if (!is_convolution(made.of)) return false;
  } else if (!has_algorithms(p.what)) {
    made.fused_shape = compute::shape_with_sizes(fused_of(p.what), p.fused_shape, sizes);
    visit.next = sizes.size() - 1;
  } else if (compute::read_network(p.fused_shape, what)) {
    visit_network(what, visit);
    made.fused_shape = compute::network_text(what);
    if (!compute::read_network(made.fused_shape, what)) return false;
  } else if (compute::read_legacy_shape(fused_of(p.what), p.fused_shape, call)) {
    made.fused_shape = compute::text_of(compute::with_sizes(call, sizes));
    visit.next = sizes.size() - 1;
    if (!compute::read_legacy_shape(fused_of(p.what), made.fused_shape, call)) return false;
  }
  visit_range(made.range, visit);
  return read_problem(to_string(made), result);
}

}  // namespace cudnn_checked::sweep
