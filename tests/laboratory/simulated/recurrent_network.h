// SPDX-License-Identifier: BSD-3-Clause
//
// Recurrent networks and their gradients as a kernel computes them: sums in fp32, and what it keeps
// rounded to a type.  The simulated cuDNN computes with this, and tests hold the float64 reference
// of tool/laboratory/recurrent against it; it shares no code with that.
#pragma once

#include <cmath>
#include <cstddef>
#include <functional>
#include <vector>

namespace simulated {

using numbers = std::vector<double>;

enum class cell { relu, tanh, lstm, gru };

/// One layer in one direction: matrices and biases by linLayerID, rows of columns.
struct layer_weights {
  std::vector<numbers> matrices;
  std::vector<numbers> biases;
};

struct recurrent_network {
  cell kind = cell::tanh;
  std::size_t inputs = 1, hidden = 1, projection = 0, layers = 1, directions = 1;
  std::vector<std::size_t> lengths;  ///< of each sequence; the first is a longest one
  std::function<double(double)> store = [](double value) { return value; };
  /// What tensor cores make of a factor.
  std::function<double(double)> factor = [](double value) { return value; };
  bool single = true;  ///< sums in fp32, else in float64

  std::size_t gates() const { return kind == cell::lstm ? 4 : kind == cell::gru ? 3 : 1; }
  std::size_t state() const { return projection == 0 ? hidden : projection; }
  std::size_t width(std::size_t layer) const { return layer == 0 ? inputs : state() * directions; }
  std::size_t batch() const { return lengths.size(); }

  double sum(double a, double b) const {
    return single ? static_cast<double>(static_cast<float>(a) + static_cast<float>(b)) : a + b;
  }
};

struct step_memory {
  numbers x, h, c;           ///< what went in
  numbers gates, kept;       ///< activated; gru: R h + b of the new memory
  numbers cell_state, made;  ///< c, and h before the projection
  numbers d_input, d_state, d_h;
};

class recurrent_run {
 public:
  recurrent_run(const recurrent_network& what, const std::vector<layer_weights>& weights)
      : n_(what), w_(weights), steps_(what.layers * what.directions) {
    d_ = w_;
    for (layer_weights& one : d_) {
      for (numbers& m : one.matrices) m.assign(m.size(), 0);
      for (numbers& b : one.biases) b.assign(b.size(), 0);
    }
  }

  numbers y, hy, cy, dx, dhx, dcx;
  const std::vector<layer_weights>& dw() const { return d_; }

  void forward(const numbers& x, const numbers& hx, const numbers& cx) {
    hy = hx;
    cy = cx;
    numbers in = x;
    for (std::size_t layer = 0; layer < n_.layers; ++layer) {
      const std::size_t out = n_.state() * n_.directions;
      numbers made(n_.lengths[0] * n_.batch() * out);
      for (std::size_t d = 0; d < n_.directions; ++d) {
        const std::size_t p = layer * n_.directions + d;
        steps_[p].resize(n_.lengths[0] * n_.batch());
        for (std::size_t b = 0; b < n_.batch(); ++b) {
          for (std::size_t turn = 0; turn < n_.lengths[b]; ++turn) {
            const std::size_t at = place(d, b, turn);
            step_memory& s = steps_[p][at];
            s.x = cut(in, at, n_.width(layer));
            s.h = cut(hy, p * n_.batch() + b, n_.state());
            s.c = n_.kind == cell::lstm ? cut(cy, p * n_.batch() + b, n_.hidden) : numbers();
            paste(step(w_[p], s), hy, p * n_.batch() + b);
            paste(s.cell_state, cy, p * n_.batch() + b);
            for (std::size_t i = 0; i < n_.state(); ++i) {
              made[at * out + d * n_.state() + i] = hy[(p * n_.batch() + b) * n_.state() + i];
            }
          }
        }
      }
      in = made;
    }
    y = in;
  }

  void backward(const numbers& dy, const numbers& dhy, const numbers& dcy) {
    dhx = dhy;
    dcx = dcy;
    numbers above = dy;
    for (std::size_t layer = n_.layers; layer-- > 0;) {
      const std::size_t out = n_.state() * n_.directions;
      numbers below(n_.lengths[0] * n_.batch() * n_.width(layer));
      for (std::size_t d = 0; d < n_.directions; ++d) {
        const std::size_t p = layer * n_.directions + d;
        for (std::size_t b = 0; b < n_.batch(); ++b) {
          numbers dh = cut(dhx, p * n_.batch() + b, n_.state());
          numbers dc = cut(dcx, p * n_.batch() + b, n_.kind == cell::lstm ? n_.hidden : 0);
          for (std::size_t turn = n_.lengths[b]; turn-- > 0;) {
            const std::size_t at = place(d, b, turn);
            step_memory& s = steps_[p][at];
            for (std::size_t i = 0; i < dh.size(); ++i) {
              dh[i] = n_.store(n_.sum(dh[i], above[at * out + d * n_.state() + i]));
            }
            const numbers of_x = step_back(w_[p], s, dh, dc);
            add(of_x, below, at);
          }
          paste(dh, dhx, p * n_.batch() + b);
          paste(dc, dcx, p * n_.batch() + b);
        }
        weight_gradients(p);
      }
      above = below;
    }
    dx = above;
  }

 private:
  std::size_t place(std::size_t direction, std::size_t b, std::size_t turn) const {
    return (direction == 0 ? turn : n_.lengths[b] - 1 - turn) * n_.batch() + b;
  }
  static numbers cut(const numbers& all, std::size_t index, std::size_t size) {
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(index * size);
    return numbers(first, first + static_cast<std::ptrdiff_t>(size));
  }
  static void paste(const numbers& part, numbers& all, std::size_t index) {
    for (std::size_t i = 0; i < part.size(); ++i) all[index * part.size() + i] = part[i];
  }
  void add(const numbers& part, numbers& all, std::size_t index) const {
    for (std::size_t i = 0; i < part.size(); ++i) {
      double& sum = all[index * part.size() + i];
      sum = n_.store(n_.sum(sum, part[i]));
    }
  }

  /// Row i of the matrix times v; with `column`, that column.
  double product(const numbers& matrix, std::size_t i, const numbers& v, bool column) const {
    double sum = 0;
    const std::size_t width = matrix.size() / v.size();
    for (std::size_t k = 0; k < v.size(); ++k) {
      sum = n_.sum(sum, matrix[column ? k * width + i : i * v.size() + k] * n_.factor(v[k]));
    }
    return sum;
  }

  static double logistic(double v) { return 1 / (1 + std::exp(-v)); }

  /// h of this step.
  numbers step(const layer_weights& w, step_memory& s) const {
    const std::size_t size = n_.hidden;
    const std::size_t gates = n_.gates();
    s.gates.assign(gates * size, 0);
    s.kept.assign(size, 0);
    s.made.assign(size, 0);
    if (n_.kind == cell::lstm) s.cell_state.assign(size, 0);
    for (std::size_t i = 0; i < size; ++i) {
      const auto input = [&](std::size_t g) {
        return n_.store(product(w.matrices[g], i, s.x, false)) + w.biases[g][i];
      };
      const auto state = [&](std::size_t g) {
        return n_.store(product(w.matrices[gates + g], i, s.h, false)) + w.biases[gates + g][i];
      };
      const auto gate = [&](std::size_t g) -> double& { return s.gates[g * size + i]; };
      if (n_.kind == cell::relu || n_.kind == cell::tanh) {
        const double sum = input(0) + state(0);
        gate(0) = n_.store(n_.kind == cell::tanh ? std::tanh(sum) : sum > 0 ? sum : 0);
        s.made[i] = gate(0);
      } else if (n_.kind == cell::lstm) {
        for (const unsigned g : {0U, 1U, 3U}) gate(g) = n_.store(logistic(input(g) + state(g)));
        gate(2) = n_.store(std::tanh(input(2) + state(2)));
        s.cell_state[i] = n_.store(gate(1) * s.c[i] + gate(0) * gate(2));
        s.made[i] = n_.store(gate(3) * std::tanh(s.cell_state[i]));
      } else {
        for (const unsigned g : {0U, 1U}) gate(g) = n_.store(logistic(input(g) + state(g)));
        s.kept[i] = n_.store(state(2));
        gate(2) = n_.store(std::tanh(input(2) + gate(0) * s.kept[i]));
        s.made[i] = n_.store(gate(2) + gate(1) * (s.h[i] - gate(2)));
      }
    }
    if (n_.projection == 0) return s.made;
    numbers h(n_.projection);
    for (std::size_t i = 0; i < h.size(); ++i) {
      h[i] = n_.store(product(w.matrices[8], i, s.made, false));
    }
    return h;
  }

  /// The gradient of x; dh and dc become those of the step before.
  numbers step_back(const layer_weights& w, step_memory& s, numbers& dh, numbers& dc) const {
    const std::size_t size = n_.hidden;
    const std::size_t gates = n_.gates();
    s.d_h = dh;
    s.d_input.assign(gates * size, 0);
    s.d_state.assign(gates * size, 0);
    numbers direct(n_.state(), 0);
    for (std::size_t i = 0; i < size; ++i) {
      const double g = n_.projection == 0 ? dh[i] : n_.store(product(w.matrices[8], i, dh, true));
      const auto gate = [&](std::size_t of) { return s.gates[of * size + i]; };
      const auto put = [&](std::size_t of, double value) {
        s.d_input[of * size + i] = s.d_state[of * size + i] = n_.store(value);
      };
      const auto slope = [&](std::size_t of) { return gate(of) - gate(of) * gate(of); };
      if (n_.kind == cell::relu) {
        put(0, gate(0) > 0 ? g : 0);
      } else if (n_.kind == cell::tanh) {
        put(0, g * (1 - gate(0) * gate(0)));
      } else if (n_.kind == cell::lstm) {
        const double t = std::tanh(s.cell_state[i]);
        const double all = n_.store(dc[i] + g * gate(3) * (1 - t * t));
        put(0, all * gate(2) * slope(0));
        put(1, all * s.c[i] * slope(1));
        put(2, all * gate(0) * (1 - gate(2) * gate(2)));
        put(3, g * t * slope(3));
        dc[i] = n_.store(all * gate(1));
      } else {
        const double of_new = g * (1 - gate(1)) * (1 - gate(2) * gate(2));
        put(0, of_new * s.kept[i] * slope(0));
        put(1, g * (s.h[i] - gate(2)) * slope(1));
        put(2, of_new);
        s.d_state[2 * size + i] = n_.store(of_new * gate(0));
        direct[i] = n_.store(g * gate(1));
      }
    }
    numbers of_x(s.x.size(), 0);
    for (std::size_t k = 0; k < of_x.size(); ++k) {
      double sum = 0;
      for (std::size_t g = 0; g < gates; ++g) {
        sum = n_.sum(sum, product(w.matrices[g], k, cut(s.d_input, g, size), true));
      }
      of_x[k] = n_.store(sum);
    }
    for (std::size_t k = 0; k < dh.size(); ++k) {
      double sum = direct[k];
      for (std::size_t g = 0; g < gates; ++g) {
        sum = n_.sum(sum, product(w.matrices[gates + g], k, cut(s.d_state, g, size), true));
      }
      dh[k] = n_.store(sum);
    }
    return of_x;
  }

  void outer(const numbers& rows, std::size_t first, std::size_t count, const numbers& columns,
             numbers& target) const {
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t k = 0; k < columns.size(); ++k) {
        double& sum = target[i * columns.size() + k];
        sum = n_.sum(sum, n_.factor(rows[first + i]) * n_.factor(columns[k]));
      }
    }
  }

  void weight_gradients(std::size_t p) {
    const std::size_t gates = n_.gates();
    const numbers one = {1};
    for (std::size_t b = 0; b < n_.batch(); ++b) {
      for (std::size_t t = 0; t < n_.lengths[b]; ++t) {
        const step_memory& s = steps_[p][t * n_.batch() + b];
        for (std::size_t g = 0; g < gates; ++g) {
          outer(s.d_input, g * n_.hidden, n_.hidden, s.x, d_[p].matrices[g]);
          outer(s.d_state, g * n_.hidden, n_.hidden, s.h, d_[p].matrices[gates + g]);
          outer(s.d_input, g * n_.hidden, n_.hidden, one, d_[p].biases[g]);
          outer(s.d_state, g * n_.hidden, n_.hidden, one, d_[p].biases[gates + g]);
        }
        if (n_.projection > 0) outer(s.d_h, 0, n_.projection, s.made, d_[p].matrices[8]);
      }
    }
    for (numbers& m : d_[p].matrices) {
      for (double& v : m) v = n_.store(v);
    }
    for (numbers& m : d_[p].biases) {
      for (double& v : m) v = n_.store(v);
    }
  }

  const recurrent_network& n_;
  const std::vector<layer_weights>& w_;
  std::vector<layer_weights> d_;
  std::vector<std::vector<step_memory>> steps_;
};

}  // namespace simulated
