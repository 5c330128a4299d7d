// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <utility>

#include "graphs.h"
#include "problem_arrays.h"
#include "problem_table.h"

namespace cudnn_checked::compute {

namespace {

/// V or dO of an attention, whose rows begin with 1 where begin_with_one() sets it.
drawn_numbers begun_with_one(const attention& what, drawn_numbers numbers) {
  const bool begun = begin_with_one(what, numbers.values.data(), numbers.values.size());
  if (begun) numbers.period = static_cast<std::size_t>(what.value_size);
  return numbers;
}

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
    made.q_lengths.push_back(std::max(1, row.queries - 29 * b));
    made.k_lengths.push_back(std::max(1, row.keys - 37 * (b + 1)));
  }
  made.scale = static_cast<double>(static_cast<float>(1 / std::sqrt(row.size)));
  made.type = type;
  if (type == element::e4m3) made.scales = e4m3_scales;
  return made;
}

/// The inputs of an attention, and its forward result.
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

/// An attention in FP8 multiplies by scales, and writes the largest numbers, from which a program
/// computes the scales of its next call.
struct named_scale {
  const char* name;
  double value;
};
struct named_largest {
  const char* name;
  bounded* expected;
};

template <std::size_t scales, std::size_t results>
void add_scaling(const named_scale (&given)[scales], const named_largest (&told)[results],
                 fused_problem& problem) {
  for (const named_scale& one : given) {
    const double stored = static_cast<double>(static_cast<float>(one.value));
    problem.arrays.push_back(input(one.name, element::fp32, std::vector<double>{stored}));
  }
  for (const named_largest& one : told) {
    problem.arrays.push_back(output(one.name, element::fp32, std::move(*one.expected)));
  }
}

void add_scaling(const attention_scales& by, attention_output& out, fused_problem& problem) {
  add_scaling({{"scale of Q", by.q},
               {"scale of K", by.k},
               {"scale of V", by.v},
               {"scale of P", by.p},
               {"inverse scale of P", 1 / by.p},
               {"scale of O", by.o}},
              {{"largest P", &out.largest_p}, {"largest O", &out.largest_o}}, problem);
}

void add_scaling(const attention_scales& by, attention_gradients& made, fused_problem& problem) {
  add_scaling({{"scale of Q", by.q},
               {"scale of K", by.k},
               {"scale of V", by.v},
               {"inverse scale of O", 1 / by.o},
               {"scale of dO", by.d_o},
               {"scale of P", by.p},
               {"inverse scale of P", 1 / by.p},
               {"scale of dS", by.ds},
               {"inverse scale of dS", 1 / by.ds},
               {"scale of dQ", by.dq},
               {"scale of dK", by.dk},
               {"scale of dV", by.dv}},
              {{"largest dS", &made.largest_ds},
               {"largest dQ", &made.largest_dq},
               {"largest dK", &made.largest_dk},
               {"largest dV", &made.largest_dv}},
              problem);
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
  if (is_fp8(type)) add_scaling(of.what.scales, of.out, problem);
  add_lengths(of.what, problem);
  problem.add = [what = of.what](graph_builder& graph) { add_attention(what, graph); };
}

/// cudnn-frontend pads these attentions with lengths that leave nothing out; so does this.
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
  // Kernels add the shares of blocks of keys to dQ in any order.  For a fixed order cudnn-frontend
  // makes another graph (set_deterministic_algorithm).
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

}  // namespace

void make_attention(const attention_row& row, const seeds& from, fused_problem& problem) {
  attention_numbers of = numbers_of(row, problem.type, from.seed);
  if (problem.what == fused_operation::attention_forward) {
    make_forward(std::move(of), problem);
  } else {
    make_backward(std::move(of), from, problem);
  }
}

}  // namespace cudnn_checked::compute
