// SPDX-License-Identifier: BSD-3-Clause
#include "problem.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

#include "fields.h"
#include "names.h"

namespace cudnn_checked::sweep {

static constexpr const char* convolution_names[] = {"fwd", "dgrad", "wgrad"};

fused_operation fused_of(operation which) {
  const int number = static_cast<int>(which) - static_cast<int>(operation::filter_gradient);
  return number <= 0 ? fused_operation::none : static_cast<fused_operation>(number);
}

std::vector<operation> all_operations() {
  std::vector<operation> made;
  for (int i = 0; i <= static_cast<int>(last_of<operation>); ++i) {
    made.push_back(static_cast<operation>(i));
  }
  return made;
}

const char* to_string(operation which) {
  return is_fused(which) ? cudnn_checked::to_string(fused_of(which))
                         : convolution_names[static_cast<int>(which)];
}

const char* layout_name(operation what, tensor_layout layout) {
  return is_fused(what) ? "packed" : cudnn_checked::to_string(layout);
}

std::int64_t shape::output(int dimension) const {
  const std::int64_t extent = (kernel[dimension] - 1) * dilation[dimension] + 1;
  const std::int64_t room = image[dimension] + 2 * padding[dimension] - extent;
  return room < 0 ? 0 : room / stride[dimension] + 1;
}

double shape::products() const {
  double products = static_cast<double>(batch) * static_cast<double>(filters) *
                    static_cast<double>(channels / groups);
  for (int i = 0; i < dimensions; ++i) {
    products *= static_cast<double>(kernel[i]) * static_cast<double>(output(i));
  }
  return products;
}

static std::string joined(const std::int64_t* extents, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    if (i != 0) text += 'x';
    text += std::to_string(extents[i]);
  }
  return text;
}

static void add_setting(std::string& text, const char* name, const std::int64_t* values, int count,
                        std::int64_t usual) {
  bool unusual = false;
  bool alike = true;
  for (int i = 0; i < count; ++i) {
    unusual = unusual || values[i] != usual;
    alike = alike && values[i] == values[0];
  }
  if (unusual) text += std::string(", ") + name + " " + joined(values, alike ? 1 : count);
}

std::string to_string(const shape& of) {
  std::string text = std::to_string(of.batch) + "x" + std::to_string(of.channels) + "x" +
                     joined(of.image, of.dimensions) + " * " + std::to_string(of.filters) + "x" +
                     std::to_string(of.channels / of.groups) + "x" +
                     joined(of.kernel, of.dimensions);
  add_setting(text, "padding", of.padding, of.dimensions, 0);
  add_setting(text, "stride", of.stride, of.dimensions, 1);
  add_setting(text, "dilation", of.dilation, of.dimensions, 1);
  add_setting(text, "groups", &of.groups, 1, 1);
  return text;
}

static constexpr const char* range_word = ", inputs times ";

static std::string range_text(const compute::input_range& range) {
  if (range.is_usual()) return {};
  return range_word + text_of(range.times, style::shortest) + " plus " +
         text_of(range.plus, style::shortest);
}

std::string shape_text(const problem& p) {
  return (is_fused(p.what) ? p.fused_shape : to_string(p.of)) + range_text(p.range);
}

std::string to_string(const problem& p) {
  std::string text = std::string(to_string(p.what)) + " " + cudnn_checked::to_string(p.type) + " ";
  if (!is_fused(p.what)) text += std::string(layout_name(p.what, p.layout)) + " ";
  return text + shape_text(p);
}

// An extent is far below what 64 bits hold, so that no product of two of them overflows.
static constexpr std::int64_t largest_extent = std::int64_t{1} << 30;

/// "1x4x5x1".
static bool read_extents(const std::string& text, std::int64_t least,
                         std::vector<std::int64_t>& extents) {
  extents.clear();
  for (const std::string& part : split_text(text, "x")) {
    std::int64_t extent = 0;
    if (!read_whole(part, least, largest_extent, extent)) return false;
    extents.push_back(extent);
  }
  return extents.size() <= 2 + shape::most_dimensions;
}

/// "padding 1", "stride 1x2", "groups 4".
static bool read_setting(const std::string& text, shape& of) {
  const std::vector<std::string> words = split_text(text, " ");
  std::vector<std::int64_t> values;
  if (words.size() != 2 || !read_extents(words[1], words[0] == "padding" ? 0 : 1, values)) {
    return false;
  }
  if (words[0] == "groups") {
    of.groups = values[0];
    return values.size() == 1;
  }
  std::int64_t* const target = words[0] == "padding"    ? of.padding
                               : words[0] == "stride"   ? of.stride
                               : words[0] == "dilation" ? of.dilation
                                                        : nullptr;
  if (target == nullptr) return false;
  const auto count = static_cast<std::size_t>(of.dimensions);
  if (values.size() != 1 && values.size() != count) return false;
  for (std::size_t i = 0; i < count; ++i) target[i] = values[values.size() == 1 ? 0 : i];
  return true;
}

bool read_shape(const std::string& text, shape& of) {
  const std::vector<std::string> parts = split_text(text, ", ");
  const std::vector<std::string> tensors = split_text(parts[0], " * ");
  std::vector<std::int64_t> x;
  std::vector<std::int64_t> w;
  if (tensors.size() != 2 || !read_extents(tensors[0], 1, x) || !read_extents(tensors[1], 1, w) ||
      x.size() != w.size() || x.size() < 4) {
    return false;
  }
  of = {};
  of.dimensions = static_cast<int>(x.size()) - 2;
  of.batch = x[0];
  of.channels = x[1];
  of.filters = w[0];
  for (std::size_t i = 2; i < x.size(); ++i) {
    of.image[i - 2] = x[i];
    of.kernel[i - 2] = w[i];
  }
  for (std::size_t i = 1; i < parts.size(); ++i) {
    if (!read_setting(parts[i], of)) return false;
  }
  if (w[1] * of.groups != of.channels || of.filters % of.groups != 0) return false;
  for (int i = 0; i < of.dimensions; ++i) {
    if (of.output(i) < 1) return false;
  }
  // What is left out, the order of what is not, and whether values are joined: as it is written.
  return to_string(of) == text;
}

/// Takes the first word and the space behind it.
template <class enumeration>
static bool take_name(std::string& text, enumeration& value) {
  const std::size_t end = text.find(' ');
  if (end == std::string::npos || !read_name(text.substr(0, end), value)) return false;
  text.erase(0, end + 1);
  return true;
}

static bool is_printable(const std::string& text) {
  return !text.empty() && all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

/// Takes the range from the end, where there is one.
static bool take_range(std::string& text, compute::input_range& range) {
  const std::size_t begin = text.find(range_word);
  if (begin == std::string::npos) return true;
  const std::vector<std::string> numbers =
      split_text(text.substr(begin + std::strlen(range_word)), " plus ");
  const std::string whole = text.substr(begin);
  text.erase(begin);
  return numbers.size() == 2 && read_text(numbers[0], range.times, style::shortest) &&
         read_text(numbers[1], range.plus, style::shortest) && range_text(range) == whole;
}

bool read_problem(const std::string& text, problem& result) {
  std::string rest = text;
  result = {};
  if (!take_name(rest, result.what) || !take_name(rest, result.type) ||
      !take_range(rest, result.range)) {
    return false;
  }
  if (is_fused(result.what)) {
    result.fused_shape = rest;
    return is_printable(rest);
  }
  return has_convolutions(result.type) && take_name(rest, result.layout) &&
         read_shape(rest, result.of);
}

}  // namespace cudnn_checked::sweep
