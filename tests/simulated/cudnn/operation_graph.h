// SPDX-License-Identifier: BSD-3-Clause
//
// Graphs of several operations: attention, matrix products, norms, convolutions with bias, which
// tests/laboratory/simulated computes.  Numbers are float between the operations, rounded to the
// type of each tensor.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engines.h"

namespace simulated {

struct descriptor;

enum class place { memory, nowhere, by_value };

/// A tensor as an operation names it.
struct operand {
  bool is_there = false;
  tensor_view view;
  std::int64_t uid = 0;
  place where = place::memory;
};

struct node {
  cudnnBackendDescriptorType_t what;
  int mode = 0;       ///< of pointwise operations, reductions and norms
  int axis = 0;       ///< of GEN_INDEX, as tensor_view counts
  float padding = 0;  ///< of matrix products, behind the lengths
  convolution convolved;
  std::vector<operand> inputs;  ///< in the order of the rules in operation_nodes.cpp
  std::vector<operand> outputs;
};

struct operation_graph {
  std::string name;  ///< "attention/backward/fp16": how faults name it
  std::vector<node> nodes;
};

/// Reads an operation; a status.
int make_node(const descriptor& operation, node& made);

/// Puts operations together, in the order in which they are computed; a status.
int make_operation_graph(const std::vector<void*>& operations, operation_graph& made);

std::int64_t engine_count(const operation_graph& what);
std::vector<offer> offers_for(const operation_graph& what);
int find_engine(const operation_graph& what, std::int64_t index, offer& found);

/// Dies or fails where a fault says so; a status.
int disturb_plan(const operation_graph& what);

/// Gives a tensor's address, null where there is none.
using find_address = std::function<void*(std::int64_t uid)>;

/// Computes, or repeats what was computed last; faults are applied.  A status.
int compute(const std::shared_ptr<const operation_graph>& what, const find_address& address);

}  // namespace simulated
