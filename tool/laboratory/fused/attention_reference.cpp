// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <cstddef>
#include <vector>

#include "attention.h"
#include "rounding.h"
#include "sums.h"

namespace cudnn_checked::compute {

namespace attention_float64 {

constexpr double fast_exponential = 1.0 / 1048576;  // 2^-20

static std::size_t size_of_block(int length, int width) {
  return static_cast<std::size_t>(length) * static_cast<std::size_t>(width);
}

/// A row sees the keys from `first` up to, but not including, `end`.
struct key_range {
  int first = 0;
  int end = 0;

  key_range(const attention& what, int batch, int row) {
    const std::size_t n = static_cast<std::size_t>(batch);
    if (what.padded && row >= what.q_lengths[n]) return;
    end = what.padded && what.k_lengths[n] < what.keys ? what.k_lengths[n] : what.keys;
    if (!what.causal) return;
    if (row + 1 < end) end = row + 1;
    if (what.window > 0 && row + 1 > what.window) first = row + 1 - what.window;
  }
  int count() const { return end > first ? end - first : 0; }
};

/// The scores of a row and the sums of |scale| * |q * k|, both with the key as index.
struct row_scores {
  std::vector<double> score;
  std::vector<double> magnitude;

  explicit row_scores(int keys)
      : score(static_cast<std::size_t>(keys)), magnitude(static_cast<std::size_t>(keys)) {}

  void fill(const attention& what, const double* q, const double* k, const key_range& seen) {
    for (int j = seen.first; j < seen.end; ++j) {
      const measured_sum s = dot(q, k + size_of_block(j, what.size), what.size);
      score[static_cast<std::size_t>(j)] = what.score_scale() * s.sum;
      magnitude[static_cast<std::size_t>(j)] = std::fabs(what.score_scale()) * s.magnitude;
    }
  }
  double largest(const key_range& seen) const {
    double most = score[static_cast<std::size_t>(seen.first)];
    for (int j = seen.first; j < seen.end; ++j) {
      if (score[static_cast<std::size_t>(j)] > most) most = score[static_cast<std::size_t>(j)];
    }
    return most;
  }
};

/// The error eta in attention.h.
static double exponent_error(const attention& what, double magnitude) {
  return (fp32_roundoff * (what.size + 4) + 2 * input_rounding(what.type)) * magnitude +
         fast_exponential;
}

static double lesser(double a, double b) { return a < b ? a : b; }

/// A tiny number between two products may lose more than its rounding, at most all of itself.
/// Returns what it may lose beyond the rounding.
static double lost_of(element type, double number, double scale) {
  const double lost = lesser(smallest_step(type) / scale, number) - roundoff(type) * number;
  return lost > 0 ? lost : 0;
}

/// Replaces sums by the stored numbers.  `factor` is the product of the scales of the factors,
/// `scale` that of the tensor itself.  Returns the largest number before it is multiplied by
/// `scale`.
static bounded store_whole(element type, double factor, double scale, bounded& numbers) {
  largest_number largest;
  for (std::size_t i = 0; i < numbers.value.size(); ++i) {
    double& value = numbers.value[i];
    double& bound = numbers.bound[i];
    // A sum to which nothing was added is exactly 0.
    if (bound <= 0) continue;
    largest.add(value * factor, bound * factor);
    value *= factor * scale;
    bound = bound * factor * scale + roundoff(type) * std::fabs(value) + smallest_step(type);
  }
  return largest.result();
}

/// The indices at which the numbers of one head of one batch begin.
struct head_place {
  std::size_t row;       ///< the first row of stats
  std::size_t key_head;  ///< the head of K, numbered over all batches

  head_place(const attention& what, int batch, int head)
      : row(size_of_block(batch * what.query_heads + head, what.queries)),
        key_head(static_cast<std::size_t>(batch * what.key_heads +
                                          head / (what.query_heads / what.key_heads))) {}
  std::size_t keys(const attention& what, int width) const {
    return key_head * size_of_block(what.keys, width);
  }
};

struct forward_row {
  bounded o;  ///< neither scaled nor rounded
  double stats = 0;
  double stats_bound = 0;
  double largest_p = 0;

  /// `v` has the values of the whole head.
  forward_row(const attention& what, const double* v, const key_range& seen,
              const row_scores& row) {
    const double most = row.largest(seen);
    double sum = 0;
    for (int j = seen.first; j < seen.end; ++j) {
      sum += std::exp(row.score[static_cast<std::size_t>(j)] - most);
    }
    const double rounding = roundoff(what.type) + input_rounding(what.type);
    const double adding = accumulation(seen.count());
    double sum_error = adding;
    scaled_sums sums(1, what.value_size);
    largest_p = 1 / sum;
    for (int j = seen.first; j < seen.end; ++j) {
      const std::size_t at = static_cast<std::size_t>(j);
      const double p = std::exp(row.score[at] - most) / sum;
      const double error = exponent_error(what, row.magnitude[at]);
      sum_error += p * error;
      sums.add(0, p, p * (error + adding) + lost_of(what.type, p, what.scales.p), p * rounding,
               v + size_of_block(j, what.value_size));
    }
    o = sums.finish();
    for (std::size_t d = 0; d < o.value.size(); ++d) {
      o.bound[d] += sum_error * std::fabs(o.value[d]);
    }
    stats = most + std::log(sum);
    stats_bound = sum_error;
  }
};

/// The tensors of one row of queries.
struct backward_row {
  const double* q;
  const double* k;  ///< k and v have the whole head
  const double* v;
  const double* d_o;
  double stats;
  measured_sum d;
};

/// P and dS of one key.
struct score_gradient {
  double p;
  double p_error;   ///< the error of P before its rounding
  double value;     ///< dS
  double error;     ///< the error of dS before its rounding
  double rounding;  ///< a kernel may round dS before it multiplies it by scale
  double p_rounding;

  score_gradient(const attention& what, const backward_row& row, double score, double magnitude,
                 const double* v)
      : p(std::exp(score - row.stats)), p_error(p * exponent_error(what, magnitude)) {
    const measured_sum dp = dot(row.d_o, v, what.value_size);
    const double dp_scale = what.scales.d_o * what.scales.v;
    const double d_scale = what.scales.d_o / what.scales.o;
    const double adding = accumulation(what.value_size);
    const double scale = std::fabs(what.scale);
    const double difference = dp_scale * dp.sum - d_scale * row.d.sum;
    const double lost = (adding + 2 * input_rounding(what.type)) * dp_scale * dp.magnitude +
                        adding * d_scale * row.d.magnitude;
    const element type = what.gradient_type();
    value = what.scale * p * difference;
    rounding = std::fabs(value) * (roundoff(type) + input_rounding(what.type));
    error = scale * (p * lost + p_error * std::fabs(difference)) +
            lost_of(type, std::fabs(value), what.scales.ds);
    p_rounding = p * (roundoff(what.type) + input_rounding(what.type));
    p_error += lost_of(what.type, p, what.scales.p);
  }
};

/// The share of one head in the gradients of K and V.
struct head_gradients {
  scaled_sums dk;
  scaled_sums dv;

  explicit head_gradients(const attention& what)
      : dk(what.keys, what.size), dv(what.keys, what.value_size) {}

  /// Adds the share of a row, and adds its dS to `largest`.  Returns its dQ.
  bounded add(const attention& what, const backward_row& row, const key_range& seen,
              const row_scores& scores, largest_number& largest) {
    const double over_keys = accumulation(seen.count());
    const double over_rows = accumulation(what.queries * (what.query_heads / what.key_heads));
    scaled_sums dq(1, what.size);
    for (int j = seen.first; j < seen.end; ++j) {
      const std::size_t at = static_cast<std::size_t>(j);
      const score_gradient ds(what, row, scores.score[at], scores.magnitude[at],
                              row.v + size_of_block(j, what.value_size));
      const double size = std::fabs(ds.value);
      dq.add(0, ds.value, ds.error + over_keys * size, ds.rounding,
             row.k + size_of_block(j, what.size));
      dk.add(j, ds.value, ds.error + over_rows * size, ds.rounding, row.q);
      dv.add(j, ds.p, ds.p_error + ds.p * over_rows, ds.p_rounding, row.d_o);
      largest.add(ds.value, ds.error);
    }
    return dq.finish();
  }
};

/// Adds the share of a head to the gradient of the head of K or V that it uses.
static void add_share(const attention& what, bounded share, std::size_t first, bounded& whole) {
  if (what.query_heads > what.key_heads && !is_fp8(what.type)) {
    (void)store_whole(what.type, 1, 1, share);
  }
  for (std::size_t i = 0; i < share.value.size(); ++i) {
    whole.value[first + i] += share.value[i];
    whole.bound[first + i] += share.bound[i];
  }
}

static void put_row(const bounded& row, std::size_t first, bounded& result) {
  for (std::size_t i = 0; i < row.value.size(); ++i) {
    result.value[first + i] = row.value[i];
    result.bound[first + i] = row.bound[i];
  }
}

static void add_head_gradients(const attention& what, const attention_inputs& given, int batch,
                               int head, row_scores& scores, largest_number& largest,
                               attention_gradients& result) {
  const head_place at(what, batch, head);
  head_gradients share(what);
  for (int i = 0; i < what.queries; ++i) {
    const key_range seen(what, batch, i);
    if (seen.count() == 0) continue;
    const std::size_t row = at.row + static_cast<std::size_t>(i);
    const std::size_t q = row * static_cast<std::size_t>(what.size);
    const std::size_t o = row * static_cast<std::size_t>(what.value_size);
    const backward_row here = {given.q + q,
                               given.k + at.keys(what, what.size),
                               given.v + at.keys(what, what.value_size),
                               given.d_o + o,
                               given.stats[row],
                               dot(given.d_o + o, given.o + o, what.value_size)};
    scores.fill(what, here.q, here.k, seen);
    put_row(share.add(what, here, seen, scores, largest), q, result.dq);
  }
  add_share(what, share.dk.finish(), at.keys(what, what.size), result.dk);
  add_share(what, share.dv.finish(), at.keys(what, what.value_size), result.dv);
}

template <typename function>
static void for_each_head(const attention& what, const function& use) {
  for (int n = 0; n < what.batch; ++n) {
    for (int h = 0; h < what.query_heads; ++h) use(n, h);
  }
}

}  // namespace attention_float64

attention_output attention_forward(const attention& what, const double* q, const double* k,
                                   const double* v) {
  using namespace attention_float64;
  attention_output result = {bounded(what.o_elements(), bounded::not_looked_at),
                             bounded(what.rows(), bounded::not_looked_at),
                             {},
                             {}};
  row_scores scores(what.keys);
  largest_number largest_p;
  for_each_head(what, [&](int n, int h) {
    const head_place at(what, n, h);
    for (int i = 0; i < what.queries; ++i) {
      const key_range seen(what, n, i);
      if (seen.count() == 0) continue;
      const std::size_t row = at.row + static_cast<std::size_t>(i);
      const std::size_t o = row * static_cast<std::size_t>(what.value_size);
      scores.fill(what, q + row * static_cast<std::size_t>(what.size), k + at.keys(what, what.size),
                  seen);
      const forward_row found(what, v + at.keys(what, what.value_size), seen, scores);
      largest_p.add(found.largest_p, found.largest_p * found.stats_bound);
      put_row(found.o, o, result.o);
      result.stats.value[row] = found.stats;
      result.stats.bound[row] = found.stats_bound;
    }
  });
  result.largest_p = largest_p.result();
  result.largest_o = store_whole(what.type, what.scales.v, what.scales.o, result.o);
  return result;
}

attention_gradients attention_backward(const attention& what, const attention_inputs& given) {
  using namespace attention_float64;
  attention_gradients result;
  result.dq = bounded(what.q_elements(), bounded::not_looked_at);
  result.dk = bounded(what.k_elements(), 0);
  result.dv = bounded(what.v_elements(), 0);
  row_scores scores(what.keys);
  largest_number largest;
  for_each_head(
      what, [&](int n, int h) { add_head_gradients(what, given, n, h, scores, largest, result); });
  const attention_scales& by = what.scales;
  const element type = what.gradient_type();
  result.largest_ds = largest.result();
  result.largest_dq = store_whole(type, by.k, by.dq, result.dq);
  result.largest_dk = store_whole(type, by.q, by.dk, result.dk);
  result.largest_dv = store_whole(type, by.d_o, by.dv, result.dv);
  return result;
}

}  // namespace cudnn_checked::compute
