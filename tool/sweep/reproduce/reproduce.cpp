// SPDX-License-Identifier: BSD-3-Clause
#include "reproduce.h"

#include <algorithm>
#include <iterator>

#include "../../convolution/reference.h"
#include "../../core/judge/rules/tolerance.h"
#include "../../core/report/report.h"
#include "../text/text.h"
#include "../work/numbers.h"

// program.cpp and numbers.h (program_text.cpp.in).
extern const char* const cudnn_checked_program;
extern const char* const cudnn_checked_program_numbers;

namespace cudnn_checked::sweep {

/// In a comment: one line that does not reach into the next one.
static std::string in_comment(const std::string& text) {
  std::string line = on_one_line(text);
  for (char& c : line) {
    if (c == '\\') c = '/';
  }
  return line;
}

/// What was seen, and what the program is for.
static std::string comment_of(const record& of, const row& what, const result& r) {
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

/// With a depth, and the strides that it then has.
static compute::tensor with_depth(const compute::tensor& of, tensor_layout order) {
  std::int64_t extents[compute::tensor::most_dimensions] = {of.extent[0], of.extent[1], 1};
  std::copy_backward(of.extent + 2, of.extent + of.dimensions, std::end(extents));
  return compute::make_tensor(compute::tensor::most_dimensions, extents, order);
}

static std::string constants_of(const problem& p, const result& r) {
  static constexpr const char* written[] = {"Y", "X", "W"};
  static constexpr const char* types[] = {"CUDNN_DATA_FLOAT", "CUDNN_DATA_HALF",
                                          "CUDNN_DATA_BFLOAT16"};
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
  std::string text;
  const auto add = [&](const std::string& name, const std::string& value,
                       const char* comment = "") {
    text += "constexpr " + name + " = " + value + ";" + comment + "\n";
  };
  const auto flag = [](bool is_so) { return is_so ? "true" : "false"; };
  add("tensor written", written[static_cast<int>(p.what)]);
  text += "\n// Batch or filters, channels, depth, height, width; strides in elements (" +
          std::string(cudnn_checked::to_string(p.layout)) + ").\n";
  add("int spatial", std::to_string(p.of.dimensions), "  // dimensions: with 2 there is no depth");
  add("std::int64_t extent[3][5]", "{" + extents + "}");
  add("std::int64_t stride[3][5]", "{" + strides + "}");
  add("std::int64_t padding[3]", three(p.of.padding, p.of.dimensions, 0));
  add("std::int64_t step[3]", three(p.of.stride, p.of.dimensions, 1));
  add("std::int64_t dilation[3]", three(p.of.dilation, p.of.dimensions, 1));
  add("std::int64_t groups", std::to_string(p.of.groups));
  add("cudnnDataType_t data_type", types[static_cast<int>(p.type)]);
  add("double tolerance", formatted("%.6g", tolerance),
      "  // times what measures_of has for the element");
  add("std::size_t zone", r.what == outcome::outside ? "4096" : "0",
      "  // bytes around output and workspace that must stay as they are");
  add("std::size_t offset", r.alignment == 16 ? "16" : "0",
      "  // of the tensors from a multiple of 256 bytes");
  add("bool may_change", flag(r.what == outcome::changing), "  // another run gave other bits");
  add("bool may_end", flag(r.what == outcome::died || r.what == outcome::hung),
      "  // the program, by a signal or not at all");
  add("std::int64_t engine", std::to_string(r.with.engine),
      r.with.engine < 0 ? "  // plans are asked for, none is run"
                        : "  // CUDNN_ATTR_ENGINE_GLOBAL_INDEX");
  return text + "static const std::vector<knob> knobs = {" + knobs_text(r.with) + "};\n";
}

/// A file without the comment on top.
static std::string without_head(const std::string& file) {
  return file.substr(file.find("\n\n") + 2);
}

/// Puts the contents of a file in the place of its #include.
static void include(std::string& text, const std::string& file, const std::string& contents) {
  const std::string line = "#include \"" + file + "\"\n";
  text.replace(text.find(line), line.size(), contents);
}

std::string reproducing_program(const record& of, const row& what) {
  const result& r = of.results[what.example];
  const problem& p = of.problems[r.problem];
  std::string text = without_head(cudnn_checked_program);
  include(text, "failure.inc", constants_of(p, r));
  include(text, "numbers.h", without_head(cudnn_checked_program_numbers));
  return comment_of(of, what, r) + '\n' + text;
}

}  // namespace cudnn_checked::sweep
