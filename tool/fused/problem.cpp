// SPDX-License-Identifier: BSD-3-Clause
#include "problem.h"

#include <cmath>
#include <utility>

#include "biased_convolution.h"
#include "graphs.h"
#include "problem_table.h"
#include "values.h"

namespace cudnn_checked::compute {

namespace {

/// Numbers, and where they come from as fused_array says it.
struct drawn_numbers {
  std::vector<double> values;
  std::uint64_t seed = 0;
  element drawn_as = element::fp16;
  std::size_t period = 0;

  const double* data() const { return values.data(); }
};

drawn_numbers drawn(random_numbers& random, element type, std::size_t count) {
  drawn_numbers made;
  made.seed = random.state();
  made.drawn_as = type;
  made.values.resize(count);
  fill_random(random, type, made.values.data(), count);
  return made;
}

/// What products are made of.  fp32 has numbers that TF32 has, too, and fp16: whoever takes it as
/// that loses nothing, and the bound is of nothing else.
drawn_numbers factors(random_numbers& random, element type, std::size_t count) {
  return drawn(random, type == element::fp32 ? element::fp16 : type, count);
}

std::vector<double> rounded(element type, std::vector<double> values) {
  round_to(type, values.data(), values.size());
  return values;
}

fused_array input(const char* name, element type, std::vector<double> values) {
  fused_array made;
  made.name = name;
  made.type = type;
  made.count = values.size();
  made.given = std::move(values);
  return made;
}

fused_array input(const char* name, element type, drawn_numbers numbers) {
  fused_array made = input(name, type, std::move(numbers.values));
  made.seed = numbers.seed;
  made.drawn_as = numbers.drawn_as;
  made.period = numbers.period;
  return made;
}

fused_array input(const char* name, const std::vector<int>& lengths) {
  fused_array made;
  made.name = name;
  made.count = lengths.size();
  made.lengths.assign(lengths.begin(), lengths.end());
  return made;
}

fused_array output(const char* name, element type, bounded expected) {
  fused_array made;
  made.name = name;
  made.type = type;
  made.count = expected.value.size();
  made.expected = std::move(expected);
  return made;
}

fused_array sums(const char* name, std::size_t count) {
  fused_array made;
  made.name = name;
  made.type = element::fp32;
  made.count = count;
  return made;
}

/// V or dO of an attention.
drawn_numbers begun_with_one(const attention& what, drawn_numbers numbers) {
  const bool begun = begin_with_one(what, numbers.values.data(), numbers.values.size());
  if (begun) numbers.period = static_cast<std::size_t>(what.value_size);
  return numbers;
}

/// What a problem depends on besides its row.
struct seeds {
  std::uint64_t seed;
  unsigned long long cudnn;  ///< its release, as cudnnGetVersion() says it
};

attention attention_of(const attention_row& row, element type) {
  attention made;
  made.batch = row.batch;
  made.query_heads = row.query_heads;
  made.key_heads = row.key_heads;
  made.queries = row.queries;
  made.keys = row.keys;
  made.size = row.size;
  made.value_size = row.value_size;
  made.causal = row.masked == mask::causal || row.masked == mask::window;
  made.window = row.masked == mask::window ? 48 : 0;
  made.padded = row.masked == mask::lengths;
  for (int b = 0; made.padded && b < row.batch; ++b) {
    made.q_lengths.push_back(row.queries - 29 * b);
    made.k_lengths.push_back(row.keys - 37 * (b + 1));
  }
  made.scale = static_cast<double>(static_cast<float>(1 / std::sqrt(row.size)));
  made.type = type;
  if (type == element::e4m3) made.scales = {2.5, 4, 0.25, 0.375, 256, 384, 1024, 64, 48, 128};
  return made;
}

/// What an attention is given, and its forward result.
struct attention_numbers {
  attention what;
  drawn_numbers q;
  drawn_numbers k;
  drawn_numbers v;
  attention_output out;
};

attention_numbers numbers_of(const attention_row& row, element type, std::uint64_t seed) {
  attention_numbers made;
  made.what = attention_of(row, type);
  random_numbers random(seed);
  made.q = drawn(random, type, made.what.q_elements());
  made.k = drawn(random, type, made.what.k_elements());
  if (offset_scores(made.what, row.level, made.q.values.data(), made.k.values.data())) {
    made.q.period = made.k.period = static_cast<std::size_t>(row.size);
  }
  made.v = begun_with_one(made.what, drawn(random, type, made.what.v_elements()));
  made.out = attention_forward(made.what, made.q.data(), made.k.data(), made.v.data());
  return made;
}

void add_number(const char* name, double value, fused_problem& problem) {
  const double stored = static_cast<double>(static_cast<float>(value));
  problem.arrays.push_back(input(name, element::fp32, std::vector<double>{stored}));
}

void add_largest(const char* name, bounded expected, fused_problem& problem) {
  problem.arrays.push_back(output(name, element::fp32, std::move(expected)));
}

void add_scaling(attention_numbers& of, fused_problem& problem) {
  const attention_scales& by = of.what.scales;
  add_number("scale of Q", by.q, problem);
  add_number("scale of K", by.k, problem);
  add_number("scale of V", by.v, problem);
  add_number("scale of P", by.p, problem);
  add_number("inverse scale of P", 1 / by.p, problem);
  add_number("scale of O", by.o, problem);
  add_largest("largest P", std::move(of.out.largest_p), problem);
  add_largest("largest O", std::move(of.out.largest_o), problem);
}

void add_scaling(const attention_scales& by, attention_gradients& expected,
                 fused_problem& problem) {
  add_number("scale of Q", by.q, problem);
  add_number("scale of K", by.k, problem);
  add_number("scale of V", by.v, problem);
  add_number("inverse scale of O", 1 / by.o, problem);
  add_number("scale of dO", by.d_o, problem);
  add_number("scale of P", by.p, problem);
  add_number("inverse scale of P", 1 / by.p, problem);
  add_number("scale of dS", by.ds, problem);
  add_number("inverse scale of dS", 1 / by.ds, problem);
  add_number("scale of dQ", by.dq, problem);
  add_number("scale of dK", by.dk, problem);
  add_number("scale of dV", by.dv, problem);
  add_largest("largest dS", std::move(expected.largest_ds), problem);
  add_largest("largest dQ", std::move(expected.largest_dq), problem);
  add_largest("largest dK", std::move(expected.largest_dk), problem);
  add_largest("largest dV", std::move(expected.largest_dv), problem);
}

void add_lengths(const attention& what, fused_problem& problem) {
  if (!what.padded) return;
  problem.arrays.push_back(input("lengths of Q", what.q_lengths));
  problem.arrays.push_back(input("lengths of K", what.k_lengths));
}

void make_forward(attention_numbers of, fused_problem& problem) {
  const element type = problem.type;
  problem.arrays = {input("Q", type, std::move(of.q)), input("K", type, std::move(of.k)),
                    input("V", type, std::move(of.v)), output("O", type, std::move(of.out.o)),
                    output("stats", element::fp32, std::move(of.out.stats))};
  if (is_fp8(type)) add_scaling(of, problem);
  add_lengths(of.what, problem);
  problem.add = [what = of.what](graph_builder& graph) { add_attention(what, graph); };
}

/// What a program gets by cudnn-frontend: lengths that leave nothing out.
void pad_as_frontend(unsigned long long cudnn, attention& what) {
  if (what.padded || what.keys % 128 == 0 || cudnn > last_padded_release || is_fp8(what.type)) {
    return;
  }
  what.padded = true;
  what.q_lengths.assign(static_cast<std::size_t>(what.batch), what.queries);
  what.k_lengths.assign(static_cast<std::size_t>(what.batch), what.keys);
}

void make_backward(attention_numbers of, const seeds& from, fused_problem& problem) {
  pad_as_frontend(from.cudnn, of.what);
  const element type = problem.type;
  random_numbers random(from.seed + 1000);
  const std::vector<double> o = rounded(type, of.out.o.value);
  const std::vector<double> stats = rounded(element::fp32, of.out.stats.value);
  const element gradient_type = of.what.gradient_type();
  const drawn_numbers d_o = begun_with_one(of.what, drawn(random, gradient_type, o.size()));
  attention_gradients expected = attention_backward(
      of.what, {of.q.data(), of.k.data(), of.v.data(), o.data(), d_o.data(), stats.data()});
  problem.arrays = {input("Q", type, std::move(of.q)),
                    input("K", type, std::move(of.k)),
                    input("V", type, std::move(of.v)),
                    input("O", type, o),
                    input("dO", gradient_type, d_o),
                    input("stats", element::fp32, stats),
                    output("dQ", gradient_type, std::move(expected.dq)),
                    output("dK", gradient_type, std::move(expected.dk)),
                    output("dV", gradient_type, std::move(expected.dv))};
  // Blocks of keys add to it (cudnn-frontend, set_deterministic_algorithm, asks for another graph).
  problem.arrays[6].any_order = true;
  if (is_fp8(type)) {
    add_scaling(of.what.scales, expected, problem);
  } else {
    problem.arrays.push_back(sums("sums of dO * O", of.what.rows()));
    problem.arrays.push_back(sums("sums of dQ", of.what.q_elements()));
  }
  add_lengths(of.what, problem);
  problem.add = [what = of.what](graph_builder& graph) { add_attention_gradients(what, graph); };
}

void make_attention(std::size_t index, const seeds& from, fused_problem& problem) {
  const attention_row& row = attention_rows[index];
  attention_numbers of = numbers_of(row, problem.type, from.seed);
  if (problem.what == fused_operation::attention_forward) {
    make_forward(std::move(of), problem);
  } else {
    make_backward(std::move(of), from, problem);
  }
}

/// B with its columns one behind the other.
std::vector<double> columns_first(const matrix_product& what, const std::vector<double>& b) {
  const std::size_t rows = static_cast<std::size_t>(what.k);
  const std::size_t columns = static_cast<std::size_t>(what.n);
  std::vector<double> made(b.size());
  for (std::size_t i = 0; i < b.size(); ++i) {
    const std::size_t matrix = i / (rows * columns) * (rows * columns);
    made[matrix + i % columns * rows + (i - matrix) / columns] = b[i];
  }
  return made;
}

void make_matrix(std::size_t index, const seeds& from, fused_problem& problem) {
  const matrix_row& row = matrix_rows[index];
  const element type = problem.type;
  matrix_product what;
  what.batch = row.batch;
  what.m = row.rows;
  what.n = row.columns;
  what.k = row.sums;
  what.act = row.act;
  what.type = type;
  what.result_type = type;
  if (type == element::e4m3) {
    // A layer of a network gives bf16; cudnn-frontend's matmul_fp8, which has no bias, E4M3.
    what.scales = {0.75, 1.5, row.biased ? 1.0 : 2.5};
    if (row.biased) what.result_type = element::bf16;
  }
  random_numbers random(from.seed);
  const auto product = [](std::int64_t x, std::int64_t y, std::int64_t z) {
    return static_cast<std::size_t>(x * y * z);
  };
  drawn_numbers a = factors(random, type, product(row.batch, row.rows, row.sums));
  drawn_numbers b = factors(random, type, product(row.batch, row.sums, row.columns));
  drawn_numbers bias;
  if (row.biased) bias = drawn(random, what.result_type, product(1, 1, row.columns));
  bounded largest;
  bounded c = multiply(what, a.data(), b.data(), row.biased ? bias.data() : nullptr, &largest);
  if (type == element::e4m3) b.values = columns_first(what, b.values);
  problem.arrays = {input("A", type, std::move(a)), input("B", type, std::move(b)),
                    output("C", what.result_type, std::move(c))};
  if (row.biased) problem.arrays.push_back(input("bias", what.result_type, std::move(bias)));
  if (type == element::e4m3) {
    problem.arrays.push_back(
        input("scale of A", element::fp32, std::vector<double>{what.scales.a}));
    problem.arrays.push_back(
        input("scale of B", element::fp32, std::vector<double>{what.scales.b}));
  }
  if (what.result_type == element::e4m3) {
    problem.arrays.push_back(
        input("scale of C", element::fp32, std::vector<double>{what.scales.c}));
    problem.arrays.push_back(output("largest C", element::fp32, std::move(largest)));
  }
  problem.add = [what, biased = row.biased](graph_builder& graph) {
    add_matrix_product(what, biased, graph);
  };
}

norm norm_of(const norm_row& row, const fused_problem& problem) {
  norm what;
  what.kind = problem.what == fused_operation::layer_norm_forward ||
                      problem.what == fused_operation::layer_norm_backward
                  ? norm_kind::layer
                  : norm_kind::rms;
  what.rows = row.rows;
  what.columns = row.columns;
  what.epsilon = 0.01;  // of a size that its errors show
  what.type = problem.type;
  return what;
}

void make_norm(std::size_t index, const seeds& from, fused_problem& problem) {
  const norm_row& row = norm_rows[index];
  const norm what = norm_of(row, problem);
  const bool layer = what.kind == norm_kind::layer;
  const element type = problem.type;
  random_numbers random(from.seed);
  const std::size_t columns = static_cast<std::size_t>(row.columns);
  const std::size_t count = static_cast<std::size_t>(row.rows) * columns;
  const drawn_numbers x = drawn(random, type, count);
  const drawn_numbers scale = drawn(random, what.parameter_type, columns);
  const drawn_numbers bias = drawn(random, what.parameter_type, columns);
  norm_output out = norm_forward(what, x.data(), scale.data(), bias.data());
  problem.arrays = {input("x", type, x), input("scale", what.parameter_type, scale)};
  std::vector<fused_array>& arrays = problem.arrays;
  if (problem.what == fused_operation::layer_norm_forward ||
      problem.what == fused_operation::rms_norm_forward) {
    if (layer) arrays.push_back(input("bias", what.parameter_type, bias));
    arrays.push_back(output("y", type, std::move(out.y)));
    if (layer) arrays.push_back(output("mean", element::fp32, std::move(out.mean)));
    arrays.push_back(output("inverse deviation", element::fp32, std::move(out.inverse)));
    problem.add = [what](graph_builder& graph) { add_norm(what, graph); };
    return;
  }
  const drawn_numbers dy = drawn(random, type, count);
  const std::vector<double> mean = rounded(element::fp32, out.mean.value);
  const std::vector<double> inverse = rounded(element::fp32, out.inverse.value);
  norm_gradients expected =
      norm_backward(what, x.data(), dy.data(), scale.data(), mean.data(), inverse.data());
  arrays.push_back(input("dy", type, dy));
  if (layer) arrays.push_back(input("mean", element::fp32, mean));
  arrays.push_back(input("inverse deviation", element::fp32, inverse));
  arrays.push_back(output("dx", type, std::move(expected.dx)));
  arrays.push_back(output("dscale", what.parameter_type, std::move(expected.dscale)));
  if (layer) arrays.push_back(output("dbias", what.parameter_type, std::move(expected.dbias)));
  problem.add = [what](graph_builder& graph) { add_norm_gradients(what, graph); };
}

/// The bytes of a tensor that lies as `where` says, from packed NCHW.
std::vector<double> arranged(const std::vector<double>& values, const tensor& where) {
  std::vector<double> made(values.size());
  arrange(values.data(), where, made.data());
  return made;
}

drawn_numbers arranged(drawn_numbers numbers, const tensor& where) {
  numbers.values = arranged(numbers.values, where);
  return numbers;
}

void make_convolution(std::size_t index, const seeds& from, fused_problem& problem) {
  const convolution_row& row = convolution_rows[index];
  const element type = problem.type;
  operation what;
  what.type = type;
  const std::int64_t x[] = {row.batch, row.channels, row.size, row.size};
  const std::int64_t w[] = {row.filters, row.channels, row.kernel, row.kernel};
  const std::int64_t y[] = {row.batch, row.filters, row.size, row.size};
  what.x = make_tensor(4, x, tensor_layout::nhwc);
  what.w = make_tensor(4, w, tensor_layout::nhwc);
  what.y = make_tensor(4, y, tensor_layout::nhwc);
  for (std::int64_t& padding : what.moves.padding) padding = row.kernel / 2;
  random_numbers random(from.seed);
  const drawn_numbers image = factors(random, type, what.x.elements());
  const drawn_numbers filters = factors(random, type, what.w.elements());
  const drawn_numbers bias = drawn(random, type, static_cast<std::size_t>(row.filters));
  bounded expected = biased_convolution(what, image.data(), filters.data(), bias.data());
  expected.value = arranged(expected.value, what.y);
  expected.bound = arranged(expected.bound, what.y);
  problem.arrays = {input("x", type, arranged(image, what.x)),
                    input("w", type, arranged(filters, what.w)), input("bias", type, bias),
                    output("y", type, std::move(expected))};
  problem.add = [what](graph_builder& graph) { add_biased_convolution(what, graph); };
}

void fill(std::size_t row, const seeds& from, fused_problem& problem) {
  switch (problem.what) {
    case fused_operation::attention_forward:
    case fused_operation::attention_backward:
      return make_attention(row, from, problem);
    case fused_operation::matmul:
      return make_matrix(row, from, problem);
    case fused_operation::layer_norm_forward:
    case fused_operation::layer_norm_backward:
    case fused_operation::rms_norm_forward:
    case fused_operation::rms_norm_backward:
      return make_norm(row, from, problem);
    case fused_operation::conv_bias:
      return make_convolution(row, from, problem);
    case fused_operation::none:
      return;
  }
}

}  // namespace

fused_problem make_fused_problem(fused_operation what, std::size_t index,
                                 unsigned long long cudnn) {
  const fused_choice one = fused_choices(what)[index];
  fused_problem problem;
  problem.what = what;
  problem.type = one.type;
  problem.shape = fused_shape(what, one.row);
  fill(one.row, {one.row + 1, cudnn}, problem);
  return problem;
}

}  // namespace cudnn_checked::compute
