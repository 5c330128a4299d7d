// SPDX-License-Identifier: BSD-3-Clause
//
// Operations of the legacy API by their text, and the calls that compute the same.
#include <doctest/doctest.h>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "laboratory/legacy/problem_text.h"
#include "laboratory/legacy/variants.h"

namespace legacy_text {

using namespace cudnn_checked;
using namespace cudnn_checked::compute;

static legacy_shape read(fused_operation what, const std::string& text) {
  legacy_shape made;
  CAPTURE(text);
  REQUIRE(read_legacy_shape(what, text, made));
  return made;
}

static bool has_text(fused_operation what) {
  return what != fused_operation::ctc_loss && what != fused_operation::dropout;
}

TEST_CASE("the problems of the legacy API come back from their text") {
  for (const fused_operation what : fused_operations) {
    for (std::size_t i = 0; i < legacy_problem_count(what); ++i) {
      const legacy_problem of = legacy_problem_at(what, i);
      CAPTURE(std::string(to_string(what)) + " " + of.shape);
      legacy_shape made;
      CHECK(read_legacy_shape(what, of.shape, made) == has_text(what));
      if (!has_text(what)) continue;
      const legacy_problem again = make_legacy_problem(what, of.type, made);
      CHECK(again.shape == of.shape);
      CHECK(again.call.index() == of.call.index());
      std::vector<std::int64_t> same;
      for (const shape_size& one : sizes_of_legacy(made)) same.push_back(one.value);
      CHECK(text_of(with_sizes(made, same)) == of.shape);
      // All that a text leaves out is as it was, but the algorithm.
      legacy_problem numbers = again;
      draw(1, numbers);
      legacy_problem known = of;
      draw(1, known);
      REQUIRE(numbers.arrays.size() == known.arrays.size());
      for (std::size_t k = 0; k < known.arrays.size(); ++k) {
        CHECK(numbers.arrays[k].given == known.arrays[k].given);
        CHECK(numbers.arrays[k].expected.value == known.arrays[k].expected.value);
      }
    }
  }
}

TEST_CASE("what is no call has no text") {
  legacy_shape made;
  const struct {
    fused_operation what;
    const char* text;
  } texts[] = {
      {fused_operation::pooling_forward, "1x8x9x9 nchw, max of 3x3"},
      {fused_operation::pooling_forward, "1x8x9x9 nchw, max of 3x2, stride 2"},
      {fused_operation::pooling_forward, "1x8x9x9 nchw, max of 3x3, padding 3, stride 2"},
      {fused_operation::pooling_forward, "1x8x2x9 nchw, max of 3x3, stride 2"},
      {fused_operation::pooling_forward, "1x8x9x9 nchw, max of 3x3, stride 0"},
      {fused_operation::pooling_forward, "1x8x9 nchw, max of 3x3, stride 2"},
      {fused_operation::pooling_forward, "1x8x9x9, max of 3x3, stride 2"},
      {fused_operation::pooling_forward, "1x8x9x9 nchw, accurate, by image"},
      {fused_operation::softmax_forward, "99999x99999x9x9 nchw, accurate, by image"},
      {fused_operation::softmax_forward, "999x999x999x999 nchw, accurate, by image"},
      {fused_operation::conv_backward_data, "1x6x5x5 nchw, 4 of 3x3, 4 groups"},
      {fused_operation::conv_backward_data, "1x4x5x5 nchw, 4 of 3x3, dilation 3"},
      {fused_operation::conv_backward_data, "1x4x5x5 nchw, 4 of 3x3, stride 2, padding 1"},
      {fused_operation::batch_norm_forward, "1x4x1x1 nchw, spatial"},
      {fused_operation::batch_norm_forward, "2x4x2x1 nchw, per activation"},
      {fused_operation::batch_norm_inference, "2x4x2x1 nhwc, persistent, Ex, relu"},
      {fused_operation::tensor_add, "2x4x2x1 nchw, plus 2x3x1x1"},
      {fused_operation::tensor_reduce, "2x4x2x1 nchw, sum to 2x4x3x1"},
      {fused_operation::lrn_forward, "2x4x2x1 nchw, 4 channels, alpha 1.00, beta 0.75, k 1.00"},
      {fused_operation::spatial_grid_forward, "2x4x1x2 nchw, affine"},
      {fused_operation::dropout, "2x4x1x2 nchw, 50 %"},
      {fused_operation::rnn_forward, "2x4x1x2 nchw, affine"},
  };
  for (const auto& one : texts) {
    CAPTURE(std::string(one.text));
    CHECK_FALSE(read_legacy_shape(one.what, one.text, made));
  }
}

TEST_CASE("a call of the legacy API can have other numbers") {
  const struct {
    fused_operation what;
    const char* text;
    const char* smallest;
  } cases[] = {
      {fused_operation::conv_backward_filter,
       "2x8x12x12 nhwc, 4 of 3x3, padding 2, stride 2, dilation 2, 4 groups",
       "1x1x1x1 nhwc, 1 of 1x1"},
      {fused_operation::pooling_backward, "2x8x12x12 nchw, average of 3x3, padding 2, stride 2",
       "1x1x1x1 nchw, average of 1x1, stride 1"},
      {fused_operation::tensor_op, "2x8x12x12 nchw, times 1x8x1x12", "1x1x1x1 nchw, times 1x1x1x1"},
      {fused_operation::tensor_reduce, "2x8x12x12 nchw, norm 2 to 2x8x1x1",
       "1x1x1x1 nchw, norm 2 to 1x1x1x1"},
      {fused_operation::conv_activation, "2x8x12x12 nchw, 4 of 3x3, padding 1, z, relu",
       "1x1x1x1 nchw, 1 of 1x1, padding 0, z, relu"},
      {fused_operation::lrn_forward, "2x8x12x12 nchw, 5 channels, alpha 1.00, beta 0.75, k 2.00",
       "1x1x1x1 nchw, 1 channels, alpha 1.00, beta 0.75, k 2.00"},
      {fused_operation::softmax_forward, "2x8x12x12 nchw, log, by channel",
       "1x1x1x1 nchw, log, by channel"},
  };
  for (const auto& one : cases) {
    const legacy_shape of = read(one.what, one.text);
    std::vector<std::int64_t> least;
    for (const shape_size& size : sizes_of_legacy(of)) least.push_back(size.least);
    CHECK(text_of(with_sizes(of, least)) == one.smallest);
    read(one.what, one.smallest);
  }
}

static std::string names_of(fused_operation what, const std::string& text, std::string& own) {
  const legacy_kind call = read(what, text).call;
  own = variant_name(what, variant_number(what, call));
  std::string made;
  for (const legacy_variant& one : variants_of(what, call)) {
    CHECK(variant_number(what, one.call) == one.number);
    made += (made.empty() ? "" : "; ") + variant_name(what, one.number);
    made += one.deterministic ? " (deterministic)" : "";
  }
  return made;
}

TEST_CASE("calls that compute the same are those that take another algorithm or mode") {
  const struct {
    fused_operation what;
    const char* text;
    const char* own;
    const char* all;
  } cases[] = {
      {fused_operation::conv_backward_data, "1x4x5x5 nchw, 4 of 3x3", "1",
       "0; 1 (deterministic); 2 (deterministic); 3 (deterministic); 4 (deterministic); 5 "
       "(deterministic)"},
      {fused_operation::conv_backward_filter, "1x4x5x5 nchw, 4 of 3x3", "1",
       "0; 1 (deterministic); 2 (deterministic); 6 (deterministic); 5 (deterministic); 3"},
      {fused_operation::softmax_forward, "1x4x5x5 nchw, accurate, by image", "accurate",
       "fast; accurate"},
      {fused_operation::softmax_backward, "1x4x5x5 nchw, log, by image", "log", "log"},
      {fused_operation::pooling_forward, "1x4x5x5 nchw, max of 2x2, stride 2", "max",
       "max; max, deterministic (deterministic)"},
      {fused_operation::pooling_forward, "1x4x5x5 nchw, average of 2x2, stride 2", "average",
       "average"},
      {fused_operation::batch_norm_forward, "1x4x5x5 nchw, spatial", "spatial",
       "spatial; persistent; spatial, Ex; persistent, Ex"},
      {fused_operation::batch_norm_inference, "1x4x5x5 nchw, persistent, Ex", "persistent",
       "spatial; persistent"},
      {fused_operation::batch_norm_backward, "2x4x1x1 nchw, per activation, Ex",
       "per activation, Ex", "per activation; per activation, Ex"},
      {fused_operation::batch_norm_backward, "1x4x5x5 nhwc, persistent, Ex, z, relu",
       "persistent, Ex", "persistent, Ex"},
      {fused_operation::tensor_add, "1x4x5x5 nchw, plus 1x4x1x1", "call", "call"},
  };
  for (const auto& one : cases) {
    CAPTURE(std::string(one.text));
    std::string own;
    CHECK(names_of(one.what, one.text, own) == one.all);
    CHECK(own == one.own);
  }
}

}  // namespace legacy_text
