// SPDX-License-Identifier: BSD-3-Clause
#include "reproduce.h"

#include <algorithm>
#include <iterator>

#include "../../../convolution/reference.h"
#include "../../../core/judge/rules/tolerance.h"
#include "../../../core/report/report.h"
#include "../model/engine.h"
#include "../text/text.h"
#include "../work/numbers.h"
#include "parts.h"
#include "program_text.h"

namespace cudnn_checked::sweep {

/// The text as a part of a comment: one line, which does not continue in the next line.
static std::string in_comment(const std::string& text) {
  std::string line = on_one_line(text);
  for (char& c : line) {
    if (c == '\\') c = '/';
  }
  return line;
}

/// The comment on top of the program: the failure, and how to use the program.
static std::string comment_of(const record& of, const row& what, const result& r) {
  const std::string plan = is_network(what.what) ? engine_phrase(what.what, r.with.engine)
                           : r.with.engine < 0   ? "the question for plans"
                                                 : "plan " + tag_of(r.with);
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
  const char* const written =
      is_fused(what.what)
          ? "// the caller's tensors (dQ.bin) and the reference of what is written\n"
            "// (dQ.reference.bin, float64) there, as they lie in memory.\n"
          : "// x, w and y (x.bin, w.bin, y.bin) and the reference (reference.bin, float64) there, "
            "as they lie\n"
            "// in memory.\n";
  if (is_network(what.what)) {
    return text +
           ".\n"
           "//\n"
           "// Prints WRONG and exits with 1 where this happens again; prints right and exits with "
           "0 "
           "where it\n"
           "// does not; exits with 2 where it cannot be tried.\n";
  }
  return text +
         ".\n"
         "//\n"
         "// Prints WRONG and exits with 1 where this happens again; prints right and exits with 0 "
         "where it\n"
         "// does not; exits with 2 where it cannot be tried.  With a directory as its argument it "
         "writes\n" +
         written;
}

/// Writes "{1, 2, 2}".  If there are two values, `usual` stands before them for a depth of 1.
static std::string three(const std::int64_t* values, int dimensions, std::int64_t usual) {
  std::int64_t all[3] = {usual, usual, usual};
  for (int i = 0; i < dimensions; ++i) all[3 - dimensions + i] = values[i];
  return braces(all, 3);
}

/// The tensor with a depth, and with the strides of that.
static compute::tensor with_depth(const compute::tensor& of, tensor_layout order) {
  std::int64_t extents[compute::tensor::most_dimensions] = {of.extent[0], of.extent[1], 1};
  std::copy_backward(of.extent + 2, of.extent + of.dimensions, std::end(extents));
  return compute::make_tensor(compute::tensor::most_dimensions, extents, order);
}

static std::string constants_of(const problem& p, const result& r) {
  static constexpr const char* written[] = {"Y", "X", "W"};
  const compute::operation what = operation_of(p);
  const double products = compute::products_of(what.computed, what.x, what.w, what.y);
  const double tolerance =
      r.tolerance > 0 ? r.tolerance : convolution_tolerance(p.type, r.with.math, products);
  std::string extents;
  std::string strides;
  for (const compute::tensor* const one : {&what.x, &what.w, &what.y}) {
    const compute::tensor whole = with_depth(*one, p.layout);
    extents += (extents.empty() ? "" : ", ") + braces(whole.extent, 5);
    strides += (strides.empty() ? "" : ", ") + braces(whole.stride, 5);
  }
  return constant("tensor written", written[static_cast<int>(p.what)]) +
         "\n// Batch or filters, channels, depth, height, width; strides in elements (" +
         std::string(cudnn_checked::to_string(p.layout)) + ").\n" +
         constant("int spatial", std::to_string(p.of.dimensions),
                  "  // 2 or 3 dimensions; with 2 there is no depth") +
         constant("std::int64_t extent[3][5]", "{" + extents + "}") +
         constant("std::int64_t stride[3][5]", "{" + strides + "}") +
         constant("std::int64_t padding[3]", three(p.of.padding, p.of.dimensions, 0)) +
         constant("std::int64_t step[3]", three(p.of.stride, p.of.dimensions, 1)) +
         constant("std::int64_t dilation[3]", three(p.of.dilation, p.of.dimensions, 1)) +
         constant("std::int64_t groups", std::to_string(p.of.groups)) +
         constant("cudnnDataType_t data_type", type_name(p.type)) +
         constant("double times", formatted("%.17g", p.range.times),
                  "  // the first input, in [-1, 1)") +
         constant("double plus", formatted("%.17g", p.range.plus)) +
         constant("double tolerance", formatted("%.6g", tolerance),
                  "  // as a multiple of measures_of() for the element") +
         plan_constants(r);
}

/// The text of a file without the comment on top.
static std::string without_head(const std::string& file) {
  return file.substr(file.find("\n\n") + 2);
}

static void erase_each(std::string& text, const std::string& what) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos;) {
    text.erase(at, what.size());
  }
}

/// Removes the lines that only the build of this project needs.
static void tidy(std::string& text) {
  for (const char* const name : {"compute", "opened"}) {
    const std::string whole = std::string("namespace cudnn_checked::") + name;
    erase_each(text, "using " + whole + ";\n");
    erase_each(text, whole + " {\n\n");
    erase_each(text, "}  // " + whole + "\n");
  }
  for (std::size_t at = 0; (at = text.find("\n\n\n")) != std::string::npos;) text.erase(at, 1);
}

/// The text of an included file without its own #include <...>: the program includes all headers.
static std::string without_headers(const std::string& file) {
  std::string text = without_head(file);
  std::size_t at = 0;
  while ((at = text.find("#include <")) != std::string::npos) {
    text.erase(at, text.find_first_not_of('\n', text.find('\n', at)) - at);
  }
  return text;
}

/// Replaces the first #include of a file by the contents of the file, and removes the others.
static void include(std::string& text, const std::string& file, const std::string& contents) {
  const std::string line = "#include \"" + file + "\"\n";
  const std::size_t first = text.find(line);
  if (first == std::string::npos) return;
  std::size_t next = first;
  while ((next = text.find(line, first + 1)) != std::string::npos) text.erase(next, line.size());
  text.replace(first, line.size(), contents);
}

static unsigned long long number_of(const version& release) {
  return static_cast<unsigned long long>(release.major * unit_of_cudnn(release.major) +
                                         release.minor * 100 + release.patch);
}

/// A program, and the file in place of which the constants of a failure stand.
struct kind_of_program {
  const char* text;
  const char* failure;
};

static kind_of_program kind_of(const problem& p) {
  if (is_network(p.what)) return {cudnn_checked_network_program, "network_failure.inc"};
  if (is_fused(p.what)) return {cudnn_checked_graph_program, "graph_failure.inc"};
  return {cudnn_checked_program, "failure.inc"};
}

std::string reproducing_program(const record& of, const row& what) {
  const result& r = of.results[what.example];
  const problem& p = of.problems[r.problem];
  const kind_of_program kind = kind_of(p);
  const std::string failure = is_network(p.what) ? network_failure(p, r)
                              : is_fused(p.what) ? graph_failure(p, r, number_of(of.on.cudnn))
                                                 : constants_of(p, r);
  if (failure.empty()) return {};
  std::string text = without_head(kind.text);
  include(text, kind.failure, failure);
  for (const auto& [name, contents] : cudnn_checked_program_files) {
    include(text, name, without_headers(contents));
  }
  tidy(text);
  return comment_of(of, what, r) + '\n' + text;
}

}  // namespace cudnn_checked::sweep
