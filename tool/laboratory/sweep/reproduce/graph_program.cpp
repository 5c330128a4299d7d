// SPDX-License-Identifier: BSD-3-Clause
//
// The program that `cudnn-checked sweep --reproduce` prints for a graph of several operations.  In
// the printed program the failure replaces graph_failure.inc, and the contents of the other files
// replace their #include lines.  It needs only cuDNN and the CUDA runtime.

#include <cuda_runtime_api.h>
#include <cudnn.h>
#include <unistd.h>

#include <cctype>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "graph_step.h"
#include "status.h"

using namespace cudnn_checked::compute;
using namespace cudnn_checked::opened;

/// caller: in memory of the caller.  nowhere: one operation writes it and another reads it.
/// by_value: one number.
enum tensor_place { caller, nowhere, by_value };
struct tensor {
  const char* name;  // of a tensor of the caller
  tensor_place what;
  cudnnDataType_t type;
  std::vector<std::int64_t> extent;
  std::vector<std::int64_t> stride;
  float value = 0;  // the number of a tensor by_value
};
struct graph {
  std::vector<tensor> tensors;  // with the unique ids 1, 2, ...
  std::vector<graph_step> steps;
};
struct drawn_input {
  const char* name;
  std::uint64_t seed;
  cudnnDataType_t rounded_to;
  std::size_t period;  // elements 0, period, 2 * period, ... are `first`; 0: none is
  double first;
};
struct fixed_input {
  const char* name;
  std::vector<double> values;
};
/// The errors of a right kernel, as fractions of a number.
struct number_type {
  cudnnDataType_t type;
  double roundoff;       // of a stored number
  double smallest_step;  // of a tiny stored number, not as a fraction: kernels may flush it to zero
  double input_rounding;  // of a factor in tensor cores, which truncate sums of products of FP8
};
struct output {
  const char* name;
  bool is_whole;   // all elements count; otherwise those that lengths leave out do not
  bool any_order;  // a kernel adds in any order, so that two executions may differ
};
struct knob {
  int type;
  std::int64_t value;
};

#include "graph_failure.inc"

// An attribute and its name.
#define CUDNN_CHECKED_NAMED(attribute) attribute, #attribute

#include "ends.h"

#include "calls.h"
#include "graph_step_names.h"
#include "half.h"

// These use the names above.
#include "graph_calls.h"
#include "graph_numbers.h"
#include "graph_reference.h"

/// A tensor of the caller in memory of the GPU.
struct array {
  std::size_t number;  // the index of the tensor
  bool is_input;
  unsigned char* memory;
  std::vector<unsigned char> bytes;  // an input as it was copied; an output as it was fetched

  const tensor& of() const { return computed.tensors[number]; }
};

static array make_array(std::size_t number, const arrays& inputs) {
  const tensor& t = computed.tensors[number];
  const std::size_t bytes = count_of(t) * size_of(t.type);
  const auto given = inputs.find(t.name);
  array made = {number, given != inputs.end(), allocate(bytes, zone + offset),
                std::vector<unsigned char>(bytes, 0xff)};
  if (!made.is_input) return made;
  for (std::size_t i = 0; i < given->second.size(); ++i) {
    encode(t.type, given->second[i], &made.bytes[i * size_of(t.type)]);
  }
  check(cudaMemcpy(made.memory, made.bytes.data(), bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
  return made;
}

static std::vector<array> make_arrays(const arrays& inputs) {
  std::vector<array> made;
  for (std::size_t i = 0; i < computed.tensors.size(); ++i) {
    if (computed.tensors[i].what == caller) made.push_back(make_array(i, inputs));
  }
  return made;
}

static void set_places(descriptor& pack, const std::vector<array>& all, void* workspace) {
  std::vector<std::int64_t> ids;
  std::vector<void*> places;
  for (const array& one : all) {
    ids.push_back(static_cast<std::int64_t>(one.number) + 1);
    places.push_back(one.memory);
  }
  for (std::size_t i = 0; i < computed.tensors.size(); ++i) {
    if (computed.tensors[i].what != by_value) continue;
    ids.push_back(static_cast<std::int64_t>(i) + 1);
    places.push_back(const_cast<float*>(&computed.tensors[i].value));
  }
  const auto count = static_cast<std::int64_t>(ids.size());
  pack.set(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, CUDNN_TYPE_INT64, count, ids.data());
  pack.set(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR, count, places.data());
  pack.set(CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, 1, &workspace);
  pack.finalize("finalize variant pack");
}

/// Poisons the outputs, executes the plan, and fetches the results.
static void run(cudnnHandle_t handle, const descriptor& plan, const descriptor& pack,
                std::vector<array>& all, void* workspace, std::size_t workspace_bytes) {
  for (const array& one : all) {
    if (one.is_input) continue;
    check(cudaMemset(one.memory, 0xff, one.bytes.size()), "cudaMemset");
  }
  check(cudaMemset(workspace, 0xff, workspace_bytes), "cudaMemset");
  check(cudnnBackendExecute(handle, plan.raw, pack.raw), "cudnnBackendExecute", 1);
  check(cudaDeviceSynchronize(), "cudaDeviceSynchronize", 1);
  for (array& one : all) {
    if (one.is_input) continue;
    check(cudaMemcpy(one.bytes.data(), one.memory, one.bytes.size(), cudaMemcpyDeviceToHost),
          "cudaMemcpy", 1);
  }
}

/// Ends the program if cuDNN has written bytes beside outputs and workspace, or an input.
static void check_zones(const std::vector<array>& all, const unsigned char* workspace,
                        std::size_t workspace_bytes) {
  check_zone(workspace - zone, "before the workspace");
  check_zone(workspace + workspace_bytes, "behind the workspace");
  for (const array& one : all) {
    check_zone(one.memory - zone, std::string("before ") + one.of().name);
    check_zone(one.memory + one.bytes.size(), std::string("behind ") + one.of().name);
    std::vector<unsigned char> now = one.bytes;
    check(cudaMemcpy(now.data(), one.memory, now.size(), cudaMemcpyDeviceToHost), "cudaMemcpy", 1);
    if (now != one.bytes) end(1, std::string("WRONG: an input was written: ") + one.of().name);
  }
}

static const array& array_of(const std::vector<array>& all, const output& what) {
  for (const array& one : all) {
    if (std::string(one.of().name) == what.name) return one;
  }
  end(2, std::string("not tried: no tensor ") + what.name);
}

/// Whether an element counts.  An element that lengths leave out is NaN in the reference.
static bool counts(const output& what, const number& expected) {
  return what.is_whole || std::isfinite(expected.value);
}

/// Ends the program if the bits of a result differ from those of the first execution.
static void check_bits(const std::vector<array>& once, const std::vector<array>& now,
                       const reference& expected) {
  for (const output& what : outputs) {
    if (what.any_order) continue;
    const array& one = array_of(now, what);
    const std::vector<unsigned char>& first = array_of(once, what).bytes;
    const std::size_t size = size_of(one.of().type);
    for (std::size_t e = 0; e < count_of(one.of()); ++e) {
      if (!counts(what, expected.of(one.number)[e])) continue;
      const std::size_t at = place(one.of(), e).in_memory(one.of()) * size;
      if (std::memcmp(&one.bytes[at], &first[at], size) == 0) continue;
      end(1,
          std::string("WRONG: the same plan with the same inputs gave other bits in ") + what.name);
    }
  }
}

static std::string text_of(const place& where, std::size_t dimensions) {
  std::string text;
  for (std::size_t i = 0; i < dimensions; ++i) {
    text += (i == 0 ? "[" : ",") + std::to_string(where.at[i]);
  }
  return text + "]";
}

/// Prints the first wrong elements of an output and a summary.  Returns the largest error as a
/// multiple of the bound.
static double compare(const array& one, const output& what, const std::vector<number>& expected) {
  const tensor& t = one.of();
  const std::vector<unsigned char> nothing(size_of(t.type), 0xff);
  std::size_t wrong = 0, not_finite = 0, unwritten = 0, compared = 0;
  double largest = 0;
  for (std::size_t e = 0; e < expected.size(); ++e) {
    if (!counts(what, expected[e])) continue;
    ++compared;
    const number right = std::isfinite(expected[e].value) ? expected[e] : number();
    const place at(t, e);
    const unsigned char* const stored = &one.bytes[at.in_memory(t) * nothing.size()];
    const double value = decode(t.type, stored);
    const number_type type = type_of(t.type);
    const double error =
        std::fabs(value - right.value) /
        (right.bound() + type.roundoff * std::fabs(right.value) + type.smallest_step);
    const bool is_unwritten = std::memcmp(stored, nothing.data(), nothing.size()) == 0;
    largest = std::isfinite(error) ? std::fmax(largest, error) : INFINITY;
    if (error <= tolerance) continue;
    unwritten += is_unwritten ? 1 : 0;
    not_finite += std::isfinite(value) || is_unwritten ? 0 : 1;
    if (wrong++ >= 8) continue;
    std::printf("  %s%s = %.9g%s, should be %.9g\n", t.name, text_of(at, t.extent.size()).c_str(),
                value, is_unwritten ? " (unwritten)" : "", right.value);
  }
  std::printf(
      "%s: %zu of %zu elements wrong, %zu of these not finite, %zu unwritten; largest error "
      "%.3g, tolerance %.3g\n",
      t.name, wrong, compared, not_finite, unwritten, largest, tolerance);
  return largest;
}

static void write_arrays(const std::string& directory, const std::vector<array>& all,
                         const reference& expected) {
  for (const array& one : all) {
    std::string path = one.of().name;
    for (char& c : path) {
      if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
    }
    path.insert(0, directory + "/");
    write_file(path + ".bin", one.bytes.data(), one.bytes.size());
    if (one.is_input) continue;
    std::vector<double> values(count_of(one.of()));
    for (std::size_t e = 0; e < values.size(); ++e) {
      values[place(one.of(), e).in_memory(one.of())] = expected.of(one.number)[e].value;
    }
    write_file(path + ".reference.bin", values.data(), values.size() * sizeof(double));
  }
}

int main(int argc, char** argv) {
  if (may_end) watch();
  print_machine();
  cudnnHandle_t handle = nullptr;
  check(cudnnCreate(&handle), "cudnnCreate");
  const descriptor whole = make_graph(handle);
  if (engine < 0) ask(whole);
  const descriptor plan = make_plan(handle, whole);
  const std::size_t workspace_bytes = workspace_of(plan);

  arrays inputs;
  draw(earlier, inputs);
  if (!earlier.steps.empty()) add_outputs(earlier, inputs);
  draw(computed, inputs);
  std::vector<array> all = make_arrays(inputs);
  unsigned char* const workspace = allocate(workspace_bytes, zone);
  descriptor pack(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
  set_places(pack, all, workspace);
  run(handle, plan, pack, all, workspace, workspace_bytes);

  const reference expected(computed, inputs);
  const std::vector<array> once = all;
  for (int i = 0; may_change && i < 20; ++i) {
    run(handle, plan, pack, all, workspace, workspace_bytes);
    check_bits(once, all, expected);
  }
  if (zone != 0) check_zones(all, workspace, workspace_bytes);
  if (argc > 1) write_arrays(argv[1], all, expected);

  double largest = 0;
  std::string worst;
  for (const output& what : outputs) {
    const array& one = array_of(all, what);
    const double error = compare(one, what, expected.of(one.number));
    if (error <= largest) continue;
    largest = error;
    worst = what.name;
  }
  const bool right = largest <= tolerance;
  end(right ? 0 : 1, right ? "right" : "WRONG: most of all " + worst);
}
