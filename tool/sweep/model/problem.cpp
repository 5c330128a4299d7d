// SPDX-License-Identifier: BSD-3-Clause
#include "problem.h"

#include <cstddef>
#include <cstdio>
#include <cstdlib>

#include "read_name.h"

namespace cudnn_checked::sweep {

static constexpr const char* operation_names[] = {"fwd", "dgrad", "wgrad"};

const char* to_string(operation which) { return operation_names[static_cast<int>(which)]; }

bool read_operation(const std::string& text, operation& result) {
  return read_name(text, operation::filter_gradient, result);
}

std::int64_t shape::output(int dimension) const {
  const std::int64_t extent = (kernel[dimension] - 1) * dilation[dimension] + 1;
  const std::int64_t room = image[dimension] + 2 * padding[dimension] - extent;
  return room < 0 ? 0 : room / stride[dimension] + 1;
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

std::string to_string(const problem& p) {
  return std::string(to_string(p.what)) + " " + cudnn_checked::to_string(p.type) + " " +
         cudnn_checked::to_string(p.layout) + " " + to_string(p.of);
}

}  // namespace cudnn_checked::sweep
