// SPDX-License-Identifier: BSD-3-Clause
#include "random_problem.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "../../fused/problem_table.h"
#include "../../legacy/problem.h"
#include "../../recurrent/network_text.h"
#include "dice.h"
#include "problems.h"
#include "random_call.h"

namespace cudnn_checked::sweep {

namespace {

constexpr double most_network_products = 1e6;

/// A power of two makes results as much larger, and their errors.  Beside an offset it makes them
/// smaller than what they are the difference of: that is not for convolutions, whose errors are
/// measured by what inputs in [-1, 1) add up to.
compute::input_range draw_range(operation what, dice& drawn) {
  compute::input_range made;
  if (!drawn.one_in(8)) return made;
  const bool is_moved = drawn.one_in(2);
  if (is_moved) made.plus = drawn.one_in(2) ? 0.5 : 1;
  if (!is_moved || (is_fused(what) && drawn.one_in(4))) {
    made.times = std::ldexp(1, draw_int(drawn, -8, is_moved ? -4 : is_fused(what) ? 6 : 4));
  }
  return made;
}

// Convolutions.

/// Grouped ones of which half are dilated, as far as they have an output then.
shape draw_convolution(dice& drawn) {
  const shape of = random_shape(drawn.random.next(), most_ordinary_products);
  if (of.groups < 2 || drawn.one_in(2)) return of;
  shape dilated = of;
  for (int i = 0; i < of.dimensions; ++i) {
    dilated.dilation[i] = drawn.between(2, 3);
    if (dilated.output(i) < 1) return of;
  }
  return dilated;
}

// Recurrent networks.

compute::recurrent_cell draw_cell(operation what, dice& drawn) {
  using compute::recurrent_cell;
  if (what == operation::lstm_forward || what == operation::lstm_backward) {
    return recurrent_cell::lstm;
  }
  if (what == operation::gru_forward || what == operation::gru_backward) return recurrent_cell::gru;
  return drawn.one_in(2) ? recurrent_cell::tanh : recurrent_cell::relu;
}

void draw_lengths(dice& drawn, compute::network& what) {
  if (!drawn.one_in(3)) return;
  for (std::size_t i = 1; i < what.lengths.size(); ++i) {
    what.lengths[i] = draw_int(drawn, 1, what.steps());
  }
  what.packed = drawn.one_in(2);
  if (what.packed) std::sort(what.lengths.rbegin(), what.lengths.rend());
}

double products_of(const compute::network& what) {
  return static_cast<double>(compute::parameter_count(what)) * what.batch() * what.steps();
}

compute::network draw_network(operation operation_of, dice& drawn) {
  compute::network what;
  what.cell = draw_cell(operation_of, drawn);
  what.lengths.assign(static_cast<std::size_t>(draw_size(drawn, 64)), draw_int(drawn, 1, 12));
  what.inputs = draw_size(drawn, 128);
  what.hidden = draw_size(drawn, 256);
  what.layers = drawn.one_in(3) ? draw_int(drawn, 2, 3) : 1;
  what.directions = drawn.one_in(2) ? 2 : 1;
  const bool is_lstm = what.cell == compute::recurrent_cell::lstm;
  if (is_lstm && what.hidden > 1 && drawn.one_in(4)) {
    what.projection = draw_int(drawn, 1, what.hidden - 1);
  }
  draw_lengths(drawn, what);
  return what;
}

void cut_steps(compute::network& what, int most) {
  for (int& length : what.lengths) length = std::min(length, most);
}

/// For what the reference takes too long: first what is far above the usual, and the size of a
/// state last.
void make_smaller(compute::network& what) {
  if (what.inputs > 32) {
    what.inputs /= 2;
  } else if (what.batch() > 32) {
    what.lengths.resize(what.lengths.size() / 2);
  } else if (what.steps() > 4) {
    cut_steps(what, what.steps() / 2);
  } else if (what.layers > 1) {
    what.layers = 1;
  } else if (what.inputs > 8) {
    what.inputs /= 2;
  } else if (what.batch() > 8) {
    what.lengths.resize(what.lengths.size() / 2);
  } else if (what.steps() > 2) {
    cut_steps(what, 2);
  } else {
    what.hidden /= 2;
    what.projection /= 2;
  }
}

std::string draw_network_text(operation what, dice& drawn) {
  compute::network one = draw_network(what, drawn);
  while (products_of(one) > most_network_products) make_smaller(one);
  return compute::network_text(one);
}

// Fused operations.

std::string draw_attention(dice& drawn) {
  static constexpr std::int64_t heads[] = {1, 2, 4};
  static constexpr std::int64_t sizes[] = {32, 40, 64, 64, 96, 128};
  static constexpr std::int64_t levels[] = {5, 5, 5, 0, -15, -35, -100};
  compute::attention_row row = compute::attention_rows[0];
  row.batch = draw_int(drawn, 1, 4);
  row.key_heads = static_cast<int>(drawn.one_of(heads));
  row.query_heads = row.key_heads * (drawn.one_in(4) ? 2 : 1);
  row.queries = draw_size(drawn, 256);
  row.keys = drawn.one_in(2) ? row.queries : draw_size(drawn, 256);
  row.size = static_cast<int>(drawn.one_of(sizes));
  row.value_size = row.size;
  row.masked =
      drawn.one_in(2) ? compute::mask::all : static_cast<compute::mask>(draw_int(drawn, 1, 3));
  // So that the last batch has more than one key (attention_of).
  if (row.masked == compute::mask::lengths) row.keys = std::max(row.keys, 37 * row.batch + 8);
  row.level = static_cast<double>(drawn.one_of(levels));
  return shape_of(row);
}

/// Within what the scales of problem_table.h fill the range of the types for: not fewer keys.
std::string draw_attention_of_e4m3(dice& drawn) {
  static constexpr std::int64_t heads[] = {1, 2, 4};
  static constexpr std::int64_t sizes[] = {64, 128};
  static constexpr std::int64_t levels[] = {5, 5, 0, -15};
  compute::attention_row row = compute::attention_rows[0];
  row.of = compute::types::e4m3;
  row.batch = draw_int(drawn, 1, 2);
  row.key_heads = static_cast<int>(drawn.one_of(heads));
  row.query_heads = row.key_heads * (drawn.one_in(4) ? 2 : 1);
  row.queries = draw_int(drawn, 64, 256);
  row.keys = std::max(128, drawn.one_in(2) ? row.queries : draw_int(drawn, 128, 256));
  row.size = static_cast<int>(drawn.one_of(sizes));
  row.value_size = row.size;
  row.masked = drawn.one_in(2)   ? compute::mask::all
               : drawn.one_in(2) ? compute::mask::causal
                                 : compute::mask::lengths;
  row.level = static_cast<double>(drawn.one_of(levels));
  return shape_of(row);
}

/// Rows of 16 bytes, which FP8 must have.
std::string draw_matrix_of_e4m3(dice& drawn) {
  compute::matrix_row row = compute::matrix_rows[0];
  row.of = compute::types::e4m3;
  row.batch = drawn.one_in(2) ? 1 : draw_int(drawn, 2, 8);
  row.rows = draw_size(drawn, 256);
  row.columns = 16 * draw_int(drawn, 1, 16);
  row.sums = 16 * draw_int(drawn, 1, 64);
  row.biased = drawn.one_in(2);
  row.act = row.biased && drawn.one_in(2) ? compute::activation::relu : compute::activation::none;
  return shape_of(row);
}

std::string draw_matrix(dice& drawn) {
  compute::matrix_row row = compute::matrix_rows[0];
  row.batch = drawn.one_in(2) ? 1 : draw_int(drawn, 2, 8);
  row.rows = draw_size(drawn, 256);
  row.columns = draw_size(drawn, 256);
  row.sums = draw_size(drawn, 256);
  row.biased = drawn.one_in(2);
  row.act = row.biased ? static_cast<compute::activation>(draw_int(drawn, 0, 2))
                       : compute::activation::none;
  return shape_of(row);
}

std::string draw_norm(dice& drawn) {
  compute::norm_row row = compute::norm_rows[0];
  row.rows = draw_size(drawn, 256);
  row.columns = std::max(2, draw_size(drawn, 1024));
  return shape_of(row);
}

std::string draw_biased_convolution(dice& drawn) {
  static constexpr std::int64_t kernels[] = {1, 3, 3, 5};
  compute::convolution_row row = compute::convolution_rows[0];
  row.batch = draw_int(drawn, 1, 4);
  row.channels = draw_size(drawn, 64);
  row.filters = draw_size(drawn, 64);
  row.kernel = static_cast<int>(drawn.one_of(kernels));
  row.size = draw_int(drawn, 1, 33);
  return shape_of(row);
}

std::string draw_graph(operation what, element type, dice& drawn) {
  const bool is_e4m3 = type == element::e4m3;
  switch (what) {
    case operation::attention_forward:
    case operation::attention_backward:
      return is_e4m3 ? draw_attention_of_e4m3(drawn) : draw_attention(drawn);
    case operation::matmul:
      return is_e4m3 ? draw_matrix_of_e4m3(drawn) : draw_matrix(drawn);
    case operation::conv_bias:
      return draw_biased_convolution(drawn);
    default:
      return draw_norm(drawn);
  }
}

/// Of the legacy API, and no recurrent network.
bool is_call(operation what) { return has_algorithms(what) && !is_network(what); }

bool is_attention(operation what) {
  return what == operation::attention_forward || what == operation::attention_backward;
}

/// What a problem of this kind can be: an operation in a type.
using kind_of_problem = std::pair<operation, element>;

bool is_drawn(operation what, element type) {
  if (is_call(what)) return compute::has_legacy_problem(fused_of(what), type);
  if (type == element::e4m3) return is_attention(what) || what == operation::matmul;
  return type != element::fp32 || !is_attention(what);
}

/// The scales of FP8 are for inputs in [-1, 1); what attention has is its log-sum-exp.
bool has_range(operation what, element type) {
  return type != element::e4m3 && !is_attention(what) && !is_call(what);
}

std::vector<kind_of_problem> kinds_where(const request& asked, bool (*wanted)(operation)) {
  std::vector<kind_of_problem> made;
  for (const element type : asked.types) {
    for (const operation what : asked.operations) {
      if (wanted(what) && is_drawn(what, type)) made.push_back({what, type});
    }
  }
  return made;
}

struct kinds_of_problem {
  std::vector<kind_of_problem> of[3];  ///< networks, convolutions, graphs
  std::vector<kind_of_problem> calls;  ///< the others of the legacy API

  explicit kinds_of_problem(const request& asked) {
    of[0] = kinds_where(asked, [](operation what) { return is_network(what); });
    of[1] = kinds_where(asked, [](operation what) { return !is_fused(what); });
    of[2] =
        kinds_where(asked, [](operation what) { return is_fused(what) && !has_algorithms(what); });
    calls = kinds_where(asked, is_call);
  }
  bool has_others() const { return !of[0].empty() || !of[1].empty() || !of[2].empty(); }
  bool empty() const { return calls.empty() && !has_others(); }
};

/// Each fifth problem is a call of the legacy API, so that the others are the same ones with and
/// without them.
bool is_turn_of_calls(const kinds_of_problem& kinds, std::size_t index) {
  return !kinds.calls.empty() && (index % 5 == 4 || !kinds.has_others());
}

/// Which of the three a draw is of.
std::size_t draw_group(const kinds_of_problem& kinds, dice& drawn) {
  static constexpr std::size_t groups[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2};
  for (;;) {
    const std::size_t group = groups[drawn.between(0, 15)];
    if (!kinds.of[group].empty()) return group;
  }
}

}  // namespace

bool has_random_problems(const request& asked) { return !kinds_of_problem(asked).empty(); }

problem random_problem(const request& asked, std::size_t index) {
  const kinds_of_problem kinds(asked);
  compute::random_numbers seeds(asked.seed);
  // Twice: seeds beside each other would give nearly the same numbers.
  dice drawn(compute::random_numbers(seeds.next() + index).next());
  const std::vector<kind_of_problem>& all =
      is_turn_of_calls(kinds, index) ? kinds.calls : kinds.of[draw_group(kinds, drawn)];
  problem made;
  const auto last = static_cast<std::int64_t>(all.size()) - 1;
  std::tie(made.what, made.type) = all[static_cast<std::size_t>(drawn.between(0, last))];
  if (is_network(made.what)) {
    made.fused_shape = draw_network_text(made.what, drawn);
  } else if (is_call(made.what)) {
    made.fused_shape = draw_call(made.what, drawn);
  } else if (is_fused(made.what)) {
    made.fused_shape = draw_graph(made.what, made.type, drawn);
  } else {
    made.layout = drawn.one_in(2) ? tensor_layout::nchw : tensor_layout::nhwc;
    made.of = draw_convolution(drawn);
  }
  if (has_range(made.what, made.type)) made.range = draw_range(made.what, drawn);
  return made;
}

}  // namespace cudnn_checked::sweep
