// SPDX-License-Identifier: BSD-3-Clause
//
// A text is read by its numbers: what could have been written with them is written, and compared.
#include "problem_text.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "operation.h"

namespace cudnn_checked::compute {

namespace {

using text_numbers = std::vector<std::int64_t>;

// A dilated window is a product of two.
constexpr std::int64_t largest_number = 1 << 14;
constexpr double most_elements = 1 << 26;

/// Those in a text, in their order.
text_numbers numbers_in(const std::string& text) {
  text_numbers made;
  bool is_inside = false;
  for (const char c : text) {
    const bool is_digit = c >= '0' && c <= '9';
    if (is_digit && !is_inside) made.push_back(0);
    if (is_digit) made.back() = std::min(10 * made.back() + (c - '0'), largest_number);
    is_inside = is_digit;
  }
  return made;
}

int number_at(const text_numbers& of, std::size_t i) {
  return i < of.size() ? static_cast<int>(of[i]) : 0;
}

// What a text with these numbers can be.

std::vector<batch_norm> calls_with(const text_numbers&, batch_norm) {
  std::vector<batch_norm> made;
  for (const auto mode :
       {batch_norm_mode::per_activation, batch_norm_mode::spatial, batch_norm_mode::persistent}) {
    for (const bool extended : {false, true}) made.push_back({mode, extended, {}});
  }
  for (const auto ops : {batch_norm_ops::relu, batch_norm_ops::add_relu}) {
    made.push_back({batch_norm_mode::persistent, true, ops});
  }
  return made;
}

std::vector<softmax> calls_with(const text_numbers&, softmax) {
  std::vector<softmax> made;
  for (const auto algorithm :
       {softmax_algorithm::fast, softmax_algorithm::accurate, softmax_algorithm::log}) {
    for (const bool by_channel : {false, true}) made.push_back({algorithm, by_channel});
  }
  return made;
}

/// "max of 3x3, padding 1, stride 2".
std::vector<pooling> calls_with(const text_numbers& given, pooling) {
  std::vector<pooling> made;
  for (const auto mode : {pooling_mode::max, pooling_mode::average_with_padding,
                          pooling_mode::average, pooling_mode::max_deterministic}) {
    made.push_back({mode, number_at(given, 0), 0, number_at(given, 2)});
    made.push_back({mode, number_at(given, 0), number_at(given, 2), number_at(given, 3)});
  }
  return made;
}

/// "24 of 3x3, padding 1, stride 2, dilation 2, 4 groups": each of the last four can be left out.
std::vector<convolution_gradient> calls_with(const text_numbers& given, convolution_gradient) {
  std::vector<convolution_gradient> made;
  for (unsigned which = 0; which < 16; ++which) {
    convolution_gradient one;
    one.filters = number_at(given, 0);
    one.size = number_at(given, 1);
    std::size_t next = 3;
    unsigned bit = 1;
    for (int* const value : {&one.padding, &one.stride, &one.dilation, &one.groups}) {
      if ((which & bit) != 0) *value = number_at(given, next++);
      bit *= 2;
    }
    made.push_back(one);
  }
  return made;
}

/// With the coefficients of problems.def.
std::vector<activation_function> calls_with(const text_numbers&, activation_function) {
  return {{activation_mode::sigmoid, 0}, {activation_mode::relu, 0},
          {activation_mode::tanh, 0},    {activation_mode::clipped_relu, 1.5},
          {activation_mode::elu, 1},     {activation_mode::swish, 1}};
}

void put_extents(const text_numbers& given, std::int64_t (&extents)[4]) {
  for (std::size_t i = 0; i < 4; ++i) extents[i] = number_at(given, i);
}

std::vector<tensor_operation> calls_with(const text_numbers& given, tensor_operation) {
  std::vector<tensor_operation> made;
  for (int how = 0; how <= static_cast<int>(tensor_operator::complement); ++how) {
    tensor_operation one;
    one.how = static_cast<tensor_operator>(how);
    put_extents(given, one.second);
    made.push_back(one);
  }
  made.push_back(made.front());
  made.back().in_place = true;
  return made;
}

/// "norm 2 to 3x10x1x1": a number of the name may stand before.
std::vector<tensor_reduction> calls_with(const text_numbers& given, tensor_reduction) {
  std::vector<tensor_reduction> made;
  const std::size_t named = given.size() > 4 ? given.size() - 4 : 0;
  const text_numbers kept(given.begin() + static_cast<std::ptrdiff_t>(named), given.end());
  for (int how = 0; how <= static_cast<int>(tensor_reducer::norm_2); ++how) {
    tensor_reduction one;
    one.how = static_cast<tensor_reducer>(how);
    put_extents(kept, one.kept);
    made.push_back(one);
  }
  return made;
}

std::vector<tensor_transformation> calls_with(const text_numbers&, tensor_transformation) {
  return {{tensor_layout::nchw}, {tensor_layout::nhwc}};
}

/// "5 channels, alpha 1.00, beta 0.75, k 2.00".
std::vector<cross_channel_norm> calls_with(const text_numbers& given, cross_channel_norm) {
  const auto fraction = [&](std::size_t i) {
    return number_at(given, i) + number_at(given, i + 1) / 100.0;
  };
  return {{number_at(given, 0), fraction(1), fraction(3), fraction(5)}};
}

std::vector<spatial_grid> calls_with(const text_numbers&, spatial_grid) { return {spatial_grid()}; }

std::vector<spatial_sampler> calls_with(const text_numbers& given, spatial_sampler) {
  return {{number_at(given, 0), number_at(given, 1)}};
}

std::vector<bias_gradient> calls_with(const text_numbers&, bias_gradient) {
  return {bias_gradient()};
}

std::vector<activated_convolution> calls_with(const text_numbers& given, activated_convolution) {
  std::vector<activated_convolution> made;
  for (const bool adds_z : {false, true}) {
    for (const bool is_relu : {false, true}) {
      made.push_back(
          {number_at(given, 0), number_at(given, 1), number_at(given, 3), adds_z, is_relu});
    }
  }
  return made;
}

std::vector<ctc_loss> calls_with(const text_numbers&, ctc_loss) { return {}; }
std::vector<dropout_layer> calls_with(const text_numbers&, dropout_layer) { return {}; }

template <std::size_t number = 0>
bool read_call(fused_operation what, const std::string& text, legacy_kind& call) {
  if constexpr (number == std::variant_size_v<legacy_kind>) {
    return false;
  } else {
    using kind = std::variant_alternative_t<number, legacy_kind>;
    for (const kind& one : calls_with(numbers_in(text), kind())) {
      if (!is_kind_of(one, what) || text_of(one) != text) continue;
      call = one;
      return true;
    }
    return read_call<number + 1>(what, text, call);
  }
}

// Whether there is such a call on a tensor.

template <class any_kind>
bool is_possible(const any_kind&, const tensor&) {
  return true;
}

/// Other modes than per activation have a parameter for each channel.  The variance of one number
/// is none.
bool is_possible(const batch_norm& what, const tensor& x) {
  const bool is_flat = places_of(x) == 1;
  return (what.mode != batch_norm_mode::per_activation || is_flat) &&
         extent(x, 0) * places_of(x) > 1;
}

/// Whether a window of that extent has a place in an image with that padding.
bool has_place(int window, int padding, const tensor& x) {
  return window > 0 && window <= std::min(x.extent[2], x.extent[3]) + 2 * padding;
}

/// No window lies in the padding.
bool is_possible(const pooling& what, const tensor& x) {
  return what.size > what.padding && what.stride > 0 && has_place(what.size, what.padding, x);
}

bool is_possible(const convolution_gradient& what, const tensor& x) {
  return what.filters > 0 && what.size > 0 && what.stride > 0 && what.dilation > 0 &&
         what.groups > 0 && x.extent[1] % what.groups == 0 && what.filters % what.groups == 0 &&
         has_place(what.dilation * (what.size - 1) + 1, what.padding, x);
}

bool is_possible(const activated_convolution& what, const tensor& x) {
  return what.filters > 0 && has_place(what.size, what.padding, x);
}

/// Each axis as that of x, or of one element.
bool is_within(const std::int64_t (&extents)[4], const tensor& x) {
  for (int i = 0; i < 4; ++i) {
    if (extents[i] != 1 && extents[i] != x.extent[i]) return false;
  }
  return true;
}

bool is_possible(const tensor_operation& what, const tensor& x) {
  return !what.has_second() || is_within(what.second, x);
}

bool is_possible(const tensor_reduction& what, const tensor& x) { return is_within(what.kept, x); }

bool is_possible(const cross_channel_norm& what, const tensor&) { return what.width % 2 == 1; }

/// From -1 to 1 along each axis.
bool is_possible(const spatial_grid&, const tensor& x) {
  return x.extent[2] > 1 && x.extent[3] > 1;
}
bool is_possible(const spatial_sampler&, const tensor& x) {
  return x.extent[2] > 1 && x.extent[3] > 1;
}

bool has_elements(const tensor& of) {
  double count = 1;
  for (int i = 0; i < 4; ++i) {
    if (of.extent[i] < 1) return false;
    count *= static_cast<double>(of.extent[i]);
  }
  return count <= most_elements;
}

bool is_possible(const legacy_shape& of) {
  const tensor x = make_tensor(4, of.image, of.layout);
  return has_elements(x) && std::visit(
                                [&](const auto& call) {
                                  return is_possible(call, x) &&
                                         has_elements(output_of(call, x, of.layout));
                                },
                                of.call);
}

template <class any_kind>
void add_what_no_text_has(const std::int64_t (&)[4], any_kind&) {}

/// A second tensor that is not read.
void add_what_no_text_has(const std::int64_t (&image)[4], tensor_operation& what) {
  if (!what.has_second()) std::copy(std::begin(image), std::end(image), std::begin(what.second));
}

/// "2x16x13x13 nhwc, "
std::string head_of(const legacy_shape& of) {
  return extents_text(of.image) + " " + to_string(of.layout) + ", ";
}

// The numbers of a call, which are read and replaced by the same functions: use(number, least).

template <class any_kind, class visitor>
void visit_sizes(any_kind&, const legacy_shape&, visitor&) {}

template <class visitor>
void visit_sizes(pooling& what, const legacy_shape&, visitor& use) {
  use(what.size, 1);
  use(what.padding, 0);
  use(what.stride, 1);
}

template <class visitor>
void visit_sizes(convolution_gradient& what, const legacy_shape&, visitor& use) {
  use(what.filters, 1);
  use(what.size, 1);
  use(what.padding, 0);
  use(what.stride, 1);
  use(what.dilation, 1);
  use(what.groups, 1);
}

template <class visitor>
void visit_sizes(activated_convolution& what, const legacy_shape&, visitor& use) {
  use(what.filters, 1);
  use(what.size, 1);
  use(what.padding, 0);
}

template <class visitor>
void visit_sizes(cross_channel_norm& what, const legacy_shape&, visitor& use) {
  use(what.width, 1);
}

template <class visitor>
void visit_sizes(spatial_sampler& what, const legacy_shape&, visitor& use) {
  use(what.height, 1);
  use(what.width, 1);
}

/// An axis that was as long as that of x stays so.
void follow(const std::int64_t (&before)[4], const std::int64_t (&now)[4],
            std::int64_t (&extents)[4]) {
  for (int i = 0; i < 4; ++i) {
    if (extents[i] == before[i]) extents[i] = now[i];
  }
}

struct image_change {
  const std::int64_t (&before)[4];
  const std::int64_t (&now)[4];

  template <class any_kind>
  void operator()(any_kind&) const {}
  void operator()(tensor_operation& what) const {
    if (what.has_second()) follow(before, now, what.second);
  }
  void operator()(tensor_reduction& what) const { follow(before, now, what.kept); }
};

template <class visitor>
void visit_sizes(legacy_shape& of, visitor& use) {
  for (std::int64_t& extent : of.image) use(extent, 1);
  std::visit([&](auto& call) { visit_sizes(call, of, use); }, of.call);
}

}  // namespace

std::string text_of(const legacy_shape& of) {
  return head_of(of) + std::visit([](const auto& call) { return text_of(call); }, of.call);
}

bool read_legacy_shape(fused_operation what, const std::string& text, legacy_shape& of) {
  of = {};
  const text_numbers given = numbers_in(text.substr(0, text.find(' ')));
  put_extents(given, of.image);
  for (const tensor_layout layout : {tensor_layout::nchw, tensor_layout::nhwc}) {
    of.layout = layout;
    const std::string head = head_of(of);
    if (text.compare(0, head.size(), head) != 0) continue;
    if (!read_call(what, text.substr(head.size()), of.call)) return false;
    std::visit([&](auto& call) { add_what_no_text_has(of.image, call); }, of.call);
    return is_possible(of);
  }
  return false;
}

legacy_problem make_legacy_problem(fused_operation what, element type, const legacy_shape& of) {
  legacy_problem made;
  made.what = what;
  made.type = type;
  made.layout = of.layout;
  made.call = of.call;
  made.x = make_tensor(4, of.image, made.layout);
  made.shape = text_of(of);
  std::visit(
      [&](const auto& call) {
        made.y = output_of(call, made.x, made.layout);
        made.may_be_unsupported = can_be_refused(call);
      },
      made.call);
  return made;
}

std::vector<shape_size> sizes_of_legacy(const legacy_shape& of) {
  std::vector<shape_size> made;
  legacy_shape copy = of;
  const auto note = [&](auto& value, std::int64_t least) {
    made.push_back({static_cast<std::int64_t>(value), least});
  };
  visit_sizes(copy, note);
  return made;
}

legacy_shape with_sizes(const legacy_shape& of, const std::vector<std::int64_t>& sizes) {
  legacy_shape made = of;
  std::size_t next = 0;
  const auto put = [&](auto& value, std::int64_t) {
    value = static_cast<std::decay_t<decltype(value)>>(sizes[next++]);
  };
  visit_sizes(made, put);
  std::visit(image_change{of.image, made.image}, made.call);
  return made;
}

}  // namespace cudnn_checked::compute
