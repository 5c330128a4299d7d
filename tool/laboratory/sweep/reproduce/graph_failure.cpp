// SPDX-License-Identifier: BSD-3-Clause
//
// Writes a graph and its inputs as constants of a program.
#include <algorithm>
#include <cmath>
#include <iterator>

#include "../../../core/judge/rules/tolerance.h"
#include "../../fused/graph_builder.h"
#include "../../fused/graph_step_names.h"
#include "../../fused/problem.h"
#include "../../fused/rounding.h"
#include "../text/text.h"
#include "parts.h"

namespace cudnn_checked::sweep {

namespace {

using compute::fused_array;
using compute::fused_problem;
using compute::graph_builder;
using compute::graph_step;
using compute::step_kind;

/// A problem with its graph, of the operation `what` and the type and shape of the given problem.
struct whole_problem {
  fused_problem of;
  graph_builder graph;

  whole_problem(fused_operation what, const problem& p, unsigned long long cudnn)
      : of(compute::make_fused_problem({what, p.type, p.fused_shape, p.range}, cudnn)) {
    if (of.add) of.add(graph);
  }
};

const char* name_of(cudnnDataType_t type) {
  for (const named_type& one : named_types) {
    if (compute::data_type_of(one.type) == type) return one.name;
  }
  return type == CUDNN_DATA_INT32 ? "CUDNN_DATA_INT32" : "CUDNN_DATA_BOOLEAN";
}

#define CUDNN_CHECKED_MODE(number) \
  if (step.mode == (number)) return #number;

std::string mode_name(const graph_step& step) {
  if (step.what == step_kind::norm_forward || step.what == step_kind::norm_backward) {
    CUDNN_CHECKED_MODE(CUDNN_LAYER_NORM)
    CUDNN_CHECKED_MODE(CUDNN_RMS_NORM)
  }
  if (step.what == step_kind::reduction) {
    CUDNN_CHECKED_MODE(CUDNN_REDUCE_TENSOR_ADD)
    CUDNN_CHECKED_MODE(CUDNN_REDUCE_TENSOR_AMAX)
    CUDNN_CHECKED_MODE(CUDNN_REDUCE_TENSOR_MAX)
  }
  if (step.what == step_kind::pointwise) {
    CUDNN_CHECKED_MODE(CUDNN_POINTWISE_ADD)
    CUDNN_CHECKED_MODE(CUDNN_POINTWISE_BINARY_SELECT)
    CUDNN_CHECKED_MODE(CUDNN_POINTWISE_CMP_GE)
    CUDNN_CHECKED_MODE(CUDNN_POINTWISE_CMP_GT)
    CUDNN_CHECKED_MODE(CUDNN_POINTWISE_CMP_LT)
    CUDNN_CHECKED_MODE(CUDNN_POINTWISE_DIV)
    CUDNN_CHECKED_MODE(CUDNN_POINTWISE_EXP)
    CUDNN_CHECKED_MODE(CUDNN_POINTWISE_GELU_FWD)
    CUDNN_CHECKED_MODE(CUDNN_POINTWISE_GEN_INDEX)
    CUDNN_CHECKED_MODE(CUDNN_POINTWISE_IDENTITY)
    CUDNN_CHECKED_MODE(CUDNN_POINTWISE_LOG)
    CUDNN_CHECKED_MODE(CUDNN_POINTWISE_LOGICAL_AND)
    CUDNN_CHECKED_MODE(CUDNN_POINTWISE_MUL)
    CUDNN_CHECKED_MODE(CUDNN_POINTWISE_RELU_FWD)
    CUDNN_CHECKED_MODE(CUDNN_POINTWISE_SUB)
  }
  return std::to_string(step.mode);
}

#undef CUDNN_CHECKED_MODE

std::string number_text(double value) {
  if (std::isinf(value)) return value < 0 ? "-INFINITY" : "INFINITY";
  return formatted("%.17g", value);
}

std::string quoted(const std::string& name) { return "\"" + name + "\""; }

std::string tensor_line(const compute::graph_tensor& t, const std::string& name) {
  static constexpr const char* places[] = {"caller", "nowhere", "by_value"};
  std::string line = "{" + quoted(name) + ", " + places[static_cast<int>(t.where)] + ", " +
                     name_of(t.type) + ", " + braces(t.shape.extent, t.shape.dimensions) + ", " +
                     braces(t.shape.stride, t.shape.dimensions);
  if (t.where == compute::tensor_place::by_value) {
    line += ", " + number_text(static_cast<double>(t.value));
  }
  return line + "}";
}

std::string step_line(const graph_step& step) {
  static constexpr const char* kinds[] = {"product",     "pointwise",    "reduction",    "reshape",
                                          "convolution", "norm_forward", "norm_backward"};
  std::string ids;
  for (int i = 0; i < compute::names_of_graph_steps[static_cast<int>(step.what)].count; ++i) {
    ids += (i == 0 ? "" : ", ") + std::to_string(step.tensors[i]);
  }
  return std::string("{step_kind::") + kinds[static_cast<int>(step.what)] + ", " + mode_name(step) +
         ", " + std::to_string(step.number) + ", " + name_of(step.computed) + ", {" + ids + "}}";
}

std::string graph_text(const char* name, const whole_problem& p) {
  std::string text = std::string("static const graph ") + name + " = {\n    {\n";
  std::size_t arrays = 0;
  std::size_t id = 0;
  for (const compute::graph_tensor& t : p.graph.tensors()) {
    const bool is_real = t.where == compute::tensor_place::caller;
    text += "        /* " + std::to_string(++id) + " */ " +
            tensor_line(t, is_real ? p.of.arrays[arrays++].name : "") + ",\n";
  }
  text += "    },\n    {\n";
  for (const graph_step& step : p.graph.steps()) text += "        " + step_line(step) + ",\n";
  return text + "    }};\n";
}

bool has_name(const std::vector<fused_array>& arrays, const fused_array& wanted) {
  return std::any_of(arrays.begin(), arrays.end(),
                     [&](const fused_array& one) { return std::string(one.name) == wanted.name; });
}

/// The inputs of both graphs, each once, without those that the earlier graph computes.
std::vector<fused_array> inputs_of(const fused_problem& computed, const fused_problem& before) {
  std::vector<fused_array> results;
  std::copy_if(before.arrays.begin(), before.arrays.end(), std::back_inserter(results),
               [](const fused_array& one) { return one.is_output(); });
  std::vector<fused_array> made;
  for (const fused_problem* const p : {&computed, &before}) {
    for (const fused_array& array : p->arrays) {
      const bool is_known = has_name(made, array) || has_name(results, array);
      if (array.is_input() && !is_known) made.push_back(array);
    }
  }
  return made;
}

std::string table(const char* type, const char* name, const std::vector<std::string>& lines) {
  std::string text = std::string("static const std::vector<") + type + "> " + name + " = {";
  for (const std::string& line : lines) text += "\n    {" + line + "},";
  return text + (lines.empty() ? "};\n" : "\n};\n");
}

/// Writes "{160, 131}", the numbers of an input that was not drawn.
std::string numbers_text(const fused_array& input) {
  std::string text = joined(input.lengths, ", ");
  for (const double value : input.given) text += (text.empty() ? "" : ", ") + number_text(value);
  return "{" + text + "}";
}

std::string inputs_text(const std::vector<fused_array>& inputs) {
  std::vector<std::string> drawn;
  std::vector<std::string> fixed;
  for (const fused_array& one : inputs) {
    const std::string name = quoted(one.name) + ", ";
    if (one.seed == 0) {
      fixed.push_back(name + numbers_text(one));
      continue;
    }
    drawn.push_back(name + std::to_string(one.seed) + "U, " + type_name(one.drawn_as) + ", " +
                    std::to_string(one.period) + ", " +
                    number_text(one.period == 0 ? 0 : one.given.front()));
  }
  return table("drawn_input", "drawn", drawn) + table("fixed_input", "fixed", fixed);
}

std::string types_text() {
  std::string text = "static constexpr number_type number_types[] = {";
  for (const named_type& one : named_types) {
    text += std::string("\n    {") + one.name + ", " + number_text(compute::roundoff(one.type)) +
            ", " + number_text(compute::smallest_step(one.type)) + ", " +
            number_text(compute::input_rounding(one.type)) + "},";
  }
  return text + "\n};\n";
}

std::string outputs_text(const fused_problem& p) {
  const auto flag = [](bool is_so) { return is_so ? ", true" : ", false"; };
  std::vector<std::string> lines;
  for (const fused_array& one : p.arrays) {
    if (!one.is_output()) continue;
    const std::vector<double>& bounds = one.expected.bound;
    const bool is_whole =
        std::none_of(bounds.begin(), bounds.end(), [](double bound) { return bound < 0; });
    lines.push_back(quoted(one.name) + flag(is_whole) + flag(one.any_order));
  }
  return table("output", "outputs", lines);
}

/// The operation whose results are inputs of this operation, or none.
fused_operation earlier(fused_operation what) {
  switch (what) {
    case fused_operation::attention_backward:
      return fused_operation::attention_forward;
    case fused_operation::layer_norm_backward:
      return fused_operation::layer_norm_forward;
    case fused_operation::rms_norm_backward:
      return fused_operation::rms_norm_forward;
    default:
      return fused_operation::none;
  }
}

}  // namespace

std::string graph_failure(const problem& p, const result& r, unsigned long long cudnn) {
  const fused_operation what = fused_of(p.what);
  const whole_problem computed(what, p, cudnn);
  if (computed.of.arrays.empty()) return {};
  const bool has_earlier = earlier(what) != fused_operation::none;
  const whole_problem before(has_earlier ? earlier(what) : what, p, cudnn);
  return constant("cudnnDataType_t data_type", type_name(p.type)) +
         constant("double tolerance", formatted("%g", fused_tolerance),
                  "  // as a multiple of the bound for the element") +
         types_text() +
         constant("double tf32_rounding", formatted("%.17g", compute::tf32_roundoff),
                  "  // of a sum of a convolution in fp32") +
         plan_constants(r) +
         "\n// Inputs: random numbers (next_number), rounded to that type.  With a period p the "
         "numbers 0, p, 2 p\n// and so on are the number that stands last.\n" +
         inputs_text(inputs_of(computed.of, before.of)) + outputs_text(computed.of) +
         "\n// The graph that computes the other inputs, in float64 and without cuDNN.\n" +
         (has_earlier ? graph_text("earlier", before) : "static const graph earlier = {};\n") +
         "\n// The graph that cuDNN computes.  Extents and strides are in elements.  The ids of a "
         "product are a, b,\n// c, and the valid lengths of its rows, columns and sums; those of a "
         "pointwise operation x, b, t, y;\n// those of others stand in graph_step_names.\n" +
         graph_text("computed", computed);
}

}  // namespace cudnn_checked::sweep
