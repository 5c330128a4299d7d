// SPDX-License-Identifier: BSD-3-Clause
#include "snippet.h"

#include <cstdio>
#include <string_view>

#include "../../core/judge/rules/tolerance.h"
#include "../../core/report/report.h"
#include "../judge/engine_finding.h"
#include "snippet_calls.h"
#include "snippet_numbers.h"

namespace cudnn_checked::sweep {

/// In a comment: one line that does not reach into the next one.
static std::string in_comment(const std::string& text) {
  std::string line = one_line(cudnn_checked::string(std::string_view(text))).c_str();
  for (char& c : line) {
    if (c == '\\') c = '/';
  }
  return line;
}

static std::string shortest(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

/// What was seen, and what the program is for.
static std::string snippet_comment(const record& of, const row& what, const result& r) {
  const std::string plan = r.with.engine < 0 ? "the question for plans" : "plan " + tag_of(r.with);
  std::string text =
      "// g++ -std=c++17 -O2 reproduce.cpp -o reproduce -I/usr/local/cuda/include "
      "-L/usr/local/cuda/lib64 -lcudart -lcudnn\n"
      "//\n"
      "// cuDNN " +
      std::string(cudnn_checked::to_string(of.on.cudnn).c_str()) + " on " + in_comment(of.on.gpu) +
      " (sm_" + std::to_string(of.on.capability) + "), " + plan + ", offered by " +
      offered_by(what) + ":\n//     " + to_string(of.problems[r.problem]) + "\n// was " +
      to_string(r.what);
  if (!r.detail.empty()) text += ": " + in_comment(r.detail);
  return text +
         ".\n"
         "//\n"
         "// Prints WRONG and exits with 1 where this happens again; prints right and exits with 0 "
         "where it\n"
         "// does not; exits with 2 where it cannot be tried.  With a directory as its argument it "
         "writes\n"
         "// x, w and y (x.bin, w.bin, y.bin) and the reference (reference.bin, float64) there, as "
         "they lie\n"
         "// in memory.\n";
}

/// The extents of x, w and y: batch or filters, channels, depth, height, width.
static void extents_of(const shape& of, std::int64_t (&extents)[3][5]) {
  const std::int64_t firsts[3][2] = {
      {of.batch, of.channels}, {of.filters, of.channels / of.groups}, {of.batch, of.filters}};
  const int skipped = shape::most_dimensions - of.dimensions;
  for (int t = 0; t < 3; ++t) {
    extents[t][0] = firsts[t][0];
    extents[t][1] = firsts[t][1];
    for (int i = 0; i < shape::most_dimensions; ++i) {
      const int own = i - skipped;
      extents[t][i + 2] = own < 0  ? 1
                          : t == 0 ? of.image[own]
                          : t == 1 ? of.kernel[own]
                                   : of.output(own);
    }
  }
}

static void strides_of(const std::int64_t (&extents)[5], tensor_layout order,
                       std::int64_t (&strides)[5]) {
  static constexpr int nchw[] = {4, 3, 2, 1, 0};
  static constexpr int nhwc[] = {1, 4, 3, 2, 0};
  std::int64_t next = 1;
  for (int i = 0; i < 5; ++i) {
    const int d = order == tensor_layout::nchw ? nchw[i] : nhwc[i];
    strides[d] = next;
    next *= extents[d];
  }
}

static std::string braces(const std::int64_t* values, int count) {
  std::string text = "{";
  for (int i = 0; i < count; ++i) text += (i == 0 ? "" : ", ") + std::to_string(values[i]);
  return text + "}";
}

/// "{1, 2, 2}": with what a depth of 1 needs in front of two.
static std::string three(const std::int64_t* values, int dimensions, std::int64_t usual) {
  std::int64_t all[3] = {usual, usual, usual};
  for (int i = 0; i < dimensions; ++i) all[3 - dimensions + i] = values[i];
  return braces(all, 3);
}

static std::string knobs_text(const plan& of) {
  std::string text;
  for (const knob& k : of.knobs) {
    text += (text.empty() ? "{" : ", {") + std::to_string(k.type) + ", " + std::to_string(k.value) +
            "}";
  }
  return text;
}

static double bound_of(const problem& p, const result& r) {
  if (r.tolerance > 0) return r.tolerance;
  double length = 1;
  for (int i = 0; i < p.of.dimensions; ++i) {
    length *=
        static_cast<double>(p.what == operation::filter_gradient ? p.of.output(i) : p.of.kernel[i]);
  }
  const std::int64_t others = p.what == operation::forward         ? p.of.channels / p.of.groups
                              : p.what == operation::data_gradient ? p.of.filters / p.of.groups
                                                                   : p.of.batch;
  return convolution_tolerance(p.type, r.with.math, length * static_cast<double>(others));
}

static std::string snippet_problem(const problem& p, const result& r) {
  static constexpr const char* written[] = {"Y", "X", "W"};
  static constexpr const char* types[] = {"CUDNN_DATA_FLOAT", "CUDNN_DATA_HALF",
                                          "CUDNN_DATA_BFLOAT16"};
  std::int64_t extents[3][5];
  std::int64_t strides[3][5];
  extents_of(p.of, extents);
  std::string extents_text;
  std::string strides_text;
  for (int t = 0; t < 3; ++t) {
    strides_of(extents[t], p.layout, strides[t]);
    extents_text += (t == 0 ? "" : ", ") + braces(extents[t], 5);
    strides_text += (t == 0 ? "" : ", ") + braces(strides[t], 5);
  }
  return std::string("\n// The convolution x * w = y.\nenum tensor { X, W, Y };\n") +
         (r.with.engine < 0
              ? std::string()
              : std::string("constexpr tensor written = ") + written[static_cast<int>(p.what)] +
                    ";  // " + to_string(p.what) + "\n") +
         "\n// Batch or filters, channels, depth, height, width; strides in elements (" +
         cudnn_checked::to_string(p.layout) +
         ").\nconstexpr int spatial = " + std::to_string(p.of.dimensions) +
         ";  // dimensions: with 2 there is no depth\nconstexpr std::int64_t extent[3][5] = {" +
         extents_text + "};\nconstexpr std::int64_t stride[3][5] = {" + strides_text +
         "};\nconstexpr std::int64_t padding[3] = " + three(p.of.padding, p.of.dimensions, 0) +
         ";\nconstexpr std::int64_t step[3] = " + three(p.of.stride, p.of.dimensions, 1) +
         ";\nconstexpr std::int64_t dilation[3] = " + three(p.of.dilation, p.of.dimensions, 1) +
         ";\nconstexpr cudnnDataType_t data_type = " + types[static_cast<int>(p.type)] + ";\n";
}

/// What a plan needs beside the problem.
static std::string snippet_engine(const problem& p, const result& r) {
  const std::size_t zone = r.what == outcome::outside ? 4096 : 0;
  const std::size_t offset = r.alignment == 16 ? 16 : 0;
  return "constexpr std::int64_t groups = " + std::to_string(p.of.groups) +
         ";\nconstexpr double tolerance = " + shortest(bound_of(p, r)) +
         ";  // times what measures_of has for the element\nconstexpr std::size_t zone = " +
         std::to_string(zone) +
         ";  // bytes around output and workspace that must stay as they are\n"
         "constexpr std::size_t offset = " +
         std::to_string(offset) +
         ";  // of the tensors from a multiple of 256 bytes\n"
         "\nconstexpr std::int64_t engine = " +
         std::to_string(r.with.engine) +
         ";  // CUDNN_ATTR_ENGINE_GLOBAL_INDEX\nstruct knob {\n  int type;\n  std::int64_t "
         "value;\n};\nstatic const std::vector<knob> knobs = {" +
         knobs_text(r.with) + "};\n";
}

/// The operation with the names that cuDNN has for its tensors.
static std::string snippet_operation(operation what) {
  static constexpr const char* descriptors[] = {"FORWARD", "BACKWARD_DATA", "BACKWARD_FILTER"};
  static constexpr const char* attributes[] = {"FORWARD", "BWD_DATA", "BWD_FILTER"};
  static constexpr const char* names[][3] = {{"X", "W", "Y"}, {"DX", "W", "DY"}, {"X", "DW", "DY"}};
  const int i = static_cast<int>(what);
  const std::string prefix = std::string("CUDNN_ATTR_OPERATION_CONVOLUTION_") + attributes[i] + "_";
  std::string text = "\nstatic descriptor make_graph(cudnnHandle_t handle) {\n";
  text += std::string("  descriptor made(CUDNN_BACKEND_OPERATION_CONVOLUTION_") + descriptors[i] +
          "_DESCRIPTOR);\n  const float one = 1;\n  const float zero = 0;\n";
  static constexpr const char* tensors[] = {"X", "W", "Y"};
  for (int t = 0; t < 3; ++t) {
    text += "  made.set(" + prefix + names[i][t] + ", make_tensor(" + tensors[t] + "));\n";
  }
  text += "  made.set(" + prefix + "CONV_DESC, make_convolution());\n";
  text += "  made.set(" + prefix + "ALPHA, CUDNN_TYPE_FLOAT, 1, &one);\n";
  text += "  made.set(" + prefix + "BETA, CUDNN_TYPE_FLOAT, 1, &zero);\n";
  return text +
         "  made.finalize(\"finalize operation\");\n"
         "  descriptor graph(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);\n"
         "  graph.set(CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, 1, &handle);\n"
         "  graph.set(CUDNN_ATTR_OPERATIONGRAPH_OPS, made);\n"
         "  graph.finalize(\"finalize operation graph\");\n"
         "  return graph;\n"
         "}\n";
}

std::string snippet_of(const record& of, const row& what) {
  const result& r = of.results[what.example];
  const problem& p = of.problems[r.problem];
  static constexpr const char* types[] = {snippet_fp32, snippet_fp16, snippet_bf16};
  const bool ends = r.what == outcome::died || r.what == outcome::hung;
  std::string text = snippet_comment(of, what, r);
  if (ends) text += snippet_signals;
  text += snippet_includes;
  text += snippet_problem(p, r);
  if (r.with.engine >= 0) text += snippet_engine(p, r);
  text += snippet_end;
  if (r.with.engine >= 0) {
    text += types[static_cast<int>(p.type)];
    text += snippet_reference;
  }
  text += snippet_cudnn;
  text += snippet_operation(p.what);
  text += snippet_machine;
  if (ends) text += snippet_ended;
  if (r.with.engine < 0) return text + snippet_ask;
  text += snippet_plan;
  text += snippet_main_begin;
  if (ends) text += "  watch();\n";
  text += snippet_main_run;
  if (r.what == outcome::changing) text += snippet_main_again;
  if (r.what == outcome::outside) text += snippet_main_zones;
  return text + snippet_main_end;
}

}  // namespace cudnn_checked::sweep
