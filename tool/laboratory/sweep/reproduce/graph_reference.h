// SPDX-License-Identifier: BSD-3-Clause
//
// A part of graph_program.cpp: computes the graph in float64, operation by operation.  An element
// that lengths leave out is NaN.

class reference {
 public:
  reference(const graph& what, const arrays& inputs) : graph_(what), values_(what.tensors.size()) {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const tensor& t = what.tensors[i];
      values_[i].resize(count_of(t));
      const auto given = inputs.find(t.name);
      for (std::size_t e = 0; e < values_[i].size(); ++e) {
        values_[i][e].value = given == inputs.end() ? static_cast<double>(t.value)
                                                    : given->second[place(t, e).in_memory(t)];
      }
    }
    for (const graph_step& step : what.steps) {
      compute(step);
      for (const int id : step.tensors) round(id);
    }
  }

  const std::vector<number>& of(std::size_t tensor_number) const { return values_[tensor_number]; }

 private:
  const tensor& shape(int id) const { return graph_.tensors[static_cast<std::size_t>(id) - 1]; }
  std::vector<number>& all(int id) { return values_[static_cast<std::size_t>(id) - 1]; }
  std::int64_t length(int id, std::int64_t batch, std::int64_t usual) {
    return id == 0 ? usual
                   : static_cast<std::int64_t>(all(id)[static_cast<std::size_t>(batch)].value);
  }

  void compute(const graph_step& step) {
    switch (step.what) {
      case step_kind::product:
        return multiply(step);
      case step_kind::pointwise:
        return apply(step);
      case step_kind::reduction:
        return reduce(step.mode, step.tensors[0], step.tensors[1]);
      case step_kind::reshape:
        return reshape(step.tensors[0], step.tensors[1]);
      case step_kind::convolution:
        return convolve(step);
      case step_kind::norm_forward:
        return normalise(step);
      case step_kind::norm_backward:
        return differentiate_norm(step);
    }
  }

  /// A kernel may round a tensor that the caller does not see to the tensor's type.
  void round(int id) {
    if (id == 0 || rounded_.count(id) != 0 || shape(id).what != nowhere) return;
    rounded_.insert(id);
    const number_type type = type_of(shape(id).type);
    if (type.roundoff <= fp32_rounding) return;
    for (number& one : all(id)) one = with_rounding(one, type.roundoff, type.smallest_step);
  }
  static number with_rounding(number one, double rounding, double smallest_step) {
    const double lost = rounding * one.value;
    one.spread += lost * lost;
    one.error += std::fmin(smallest_step, std::fabs(one.value));
    return one;
  }
  /// The errors of an operand in tensor cores.  They round fp32 to data_type or to TF32, whose
  /// numbers the inputs are.  They truncate other types: these errors are not independent.
  number_type loss_of(int id) const {
    const number_type type = type_of(shape(id).type);
    if (type.type != CUDNN_DATA_FLOAT) return {type.type, 0, 0, type.input_rounding};
    const number_type taken = type_of(data_type);
    return {data_type, taken.roundoff, taken.smallest_step, 0};
  }
  static number operand(const number& one, const number_type& loss) {
    number taken = with_rounding(one, loss.roundoff, loss.smallest_step);
    taken.error += loss.input_rounding * std::fabs(one.value);
    return taken;
  }

  void multiply(const graph_step& step) {
    const int a = step.tensors[0], b = step.tensors[1], c = step.tensors[2];
    const std::size_t last = shape(c).extent.size() - 1;
    const std::int64_t rows = shape(c).extent[last - 1], columns = shape(c).extent[last];
    const std::int64_t sums = shape(a).extent[last];
    const number_type loss_of_a = loss_of(a), loss_of_b = loss_of(b);
    for (std::size_t first = 0; first < all(c).size();) {
      const place at(shape(c), first);  // the first element of a row of c
      const std::int64_t counted[] = {length(step.tensors[3], at.at[0], rows),
                                      length(step.tensors[4], at.at[0], columns),
                                      length(step.tensors[5], at.at[0], sums)};
      std::vector<sum> row(static_cast<std::size_t>(columns));
      const std::size_t of_a = matrix(a, c, at) + static_cast<std::size_t>(at.at[last - 1] * sums);
      const std::size_t of_b = matrix(b, c, at);
      for (std::int64_t k = 0; k < counted[2] && at.at[last - 1] < counted[0]; ++k) {
        const number factor = operand(all(a)[of_a + static_cast<std::size_t>(k)], loss_of_a);
        for (std::int64_t j = 0; j < counted[1]; ++j) {
          row[static_cast<std::size_t>(j)].add(
              factor *
              operand(all(b)[of_b + static_cast<std::size_t>(k * columns + j)], loss_of_b));
        }
      }
      for (std::int64_t j = 0; j < columns; ++j, ++first) {
        const bool counts = at.at[last - 1] < counted[0] && j < counted[1];
        all(c)[first] = counts ? row[static_cast<std::size_t>(j)].finish() : number{NAN, 0, 0};
      }
    }
  }
  /// The first element of the matrix that belongs to the matrix of `larger` at that place.
  std::size_t matrix(int id, int larger, place at) const {
    const std::size_t last = shape(id).extent.size() - 1;
    at.at[last] = at.at[last - 1] = 0;
    return at.shared(shape(id), shape(larger));
  }

  void apply(const graph_step& step) {
    const int x = step.tensors[0], b = step.tensors[1], t = step.tensors[2], y = step.tensors[3];
    for (std::size_t e = 0; e < all(y).size(); ++e) {
      const place at(shape(y), e);
      const auto value = [&](int id) {
        return id == 0 ? number() : all(id)[at.shared(shape(id), shape(y))];
      };
      all(y)[e] = step.mode == CUDNN_POINTWISE_GEN_INDEX
                      ? number{static_cast<double>(at.at[step.number]), 0, 0}
                      : apply(step.mode, value(x), value(b), value(t));
    }
  }
  static number apply(int mode, const number& x, const number& b, const number& selected) {
    const auto truth = [](bool is_so) { return number{is_so ? 1.0 : 0.0, 0, 0}; };
    const double power = std::exp(x.value);
    switch (mode) {
      case CUDNN_POINTWISE_ADD:
        return x + b;
      case CUDNN_POINTWISE_SUB:
        return x - b;
      case CUDNN_POINTWISE_MUL:
        return x * b;
      case CUDNN_POINTWISE_DIV:
        return x / b;
      case CUDNN_POINTWISE_EXP:
        return function(x, power, power, fast_function * power);
      case CUDNN_POINTWISE_LOG:
        return function(x, std::log(x.value), 1 / x.value, fast_function);
      case CUDNN_POINTWISE_IDENTITY:
        return x;
      case CUDNN_POINTWISE_RELU_FWD:
        return {std::fmax(x.value, 0), x.error, x.spread};
      case CUDNN_POINTWISE_GELU_FWD:  // its largest slope is 1.13
        return function(x, x.value / 2 * std::erfc(-x.value / std::sqrt(2.0)), 1.13,
                        fast_function * std::fabs(x.value));
      case CUDNN_POINTWISE_CMP_LT:
        return truth(x.value < b.value);
      case CUDNN_POINTWISE_CMP_GE:
        return truth(x.value >= b.value);
      case CUDNN_POINTWISE_CMP_GT:
        return truth(x.value > b.value);
      case CUDNN_POINTWISE_LOGICAL_AND:
        return truth(x.value != 0 && b.value != 0);
      case CUDNN_POINTWISE_BINARY_SELECT:
        return selected.value != 0 ? x : b;
      default:
        end(2, "not tried: no reference for pointwise mode " + std::to_string(mode));
    }
  }

  void reduce(int mode, int x, int y) {
    if (mode == CUDNN_REDUCE_TENSOR_AMAX) return reduce_sizes(x, y);
    std::vector<sum> sums(all(y).size());
    if (mode == CUDNN_REDUCE_TENSOR_MAX) all(y).assign(sums.size(), {-INFINITY, 0, 0});
    for (std::size_t e = 0; e < all(x).size(); ++e) {
      const std::size_t to = place(shape(x), e).shared(shape(y), shape(x));
      sums[to].add(all(x)[e]);
      number& largest = all(y)[to];
      if (mode == CUDNN_REDUCE_TENSOR_MAX && all(x)[e].value > largest.value) largest = all(x)[e];
    }
    if (mode != CUDNN_REDUCE_TENSOR_ADD) return;
    for (std::size_t e = 0; e < sums.size(); ++e) all(y)[e] = sums[e].finish();
  }

  /// Computes the largest absolute values.  With its error another element may be the largest. NaN,
  /// an element that lengths leave out, does not count.
  void reduce_sizes(int x, int y) {
    std::vector<double> most(all(y).size());
    all(y).assign(most.size(), number());
    for (std::size_t e = 0; e < all(x).size(); ++e) {
      const std::size_t to = place(shape(x), e).shared(shape(y), shape(x));
      const double size = std::fabs(all(x)[e].value);
      all(y)[to].value = std::fmax(all(y)[to].value, size);
      most[to] = std::fmax(most[to], size + all(x)[e].bound());
    }
    for (std::size_t i = 0; i < most.size(); ++i) all(y)[i].error = most[i] - all(y)[i].value;
  }

  void reshape(int x, int y) {
    std::vector<number> memory(all(x).size());
    for (std::size_t e = 0; e < memory.size(); ++e) {
      memory[place(shape(x), e).in_memory(shape(x))] = all(x)[e];
    }
    for (std::size_t e = 0; e < memory.size(); ++e) {
      all(y)[e] = memory[place(shape(y), e).in_memory(shape(y))];
    }
  }

  void convolve(const graph_step& step) {
    const int x = step.tensors[0], w = step.tensors[1], y = step.tensors[2];
    const std::vector<std::int64_t>& image = shape(x).extent;
    const std::vector<std::int64_t>& kernel = shape(w).extent;
    const number_type loss_of_x = loss_of(x), loss_of_w = loss_of(w);
    for (std::size_t e = 0; e < all(y).size(); ++e) {
      const place at(shape(y), e);
      const auto first =
          static_cast<std::size_t>(at.at[1]) * all(w).size() / static_cast<std::size_t>(kernel[0]);
      sum made;
      for (std::size_t i = 0; i < all(w).size() / static_cast<std::size_t>(kernel[0]); ++i) {
        const place tap(shape(w), i);
        const std::int64_t row = at.at[2] + tap.at[2] - step.number;
        const std::int64_t column = at.at[3] + tap.at[3] - step.number;
        if (row < 0 || row >= image[2] || column < 0 || column >= image[3]) continue;
        const std::int64_t from =
            ((at.at[0] * image[1] + tap.at[1]) * image[2] + row) * image[3] + column;
        made.add(operand(all(x)[static_cast<std::size_t>(from)], loss_of_x) *
                 operand(all(w)[first + i], loss_of_w));
      }
      all(y)[e] =
          with_rounding(made.finish(), data_type == CUDNN_DATA_FLOAT ? tf32_rounding : 0, 0);
    }
  }

  // Norms: x[row][column].
  static number mean(const std::vector<number>& row) {
    sum made;
    for (const number& one : row) made.add(one);
    return made.finish() / number{made.count, 0, 0};
  }
  std::vector<number> row_of(int id, std::size_t row, std::size_t columns) {
    const auto first = all(id).begin() + static_cast<std::ptrdiff_t>(row * columns);
    return {first, first + static_cast<std::ptrdiff_t>(columns)};
  }
  static std::vector<number> multiplied(const std::vector<number>& a,
                                        const std::vector<number>& b) {
    std::vector<number> made;
    for (std::size_t i = 0; i < a.size(); ++i) made.push_back(a[i] * b[i]);
    return made;
  }

  void normalise(const graph_step& step) {
    const int scale = step.tensors[1], bias = step.tensors[2], y = step.tensors[4];
    const int means = step.tensors[5], inverses = step.tensors[6];
    const std::size_t columns = all(scale).size();
    for (std::size_t row = 0; row < all(y).size() / columns; ++row) {
      const std::vector<number> x = row_of(step.tensors[0], row, columns);
      const number middle = step.mode == CUDNN_LAYER_NORM ? mean(x) : number();
      const number squares = mean(multiplied(x, x)) - middle * middle + all(step.tensors[3])[0];
      const double root = 1 / std::sqrt(squares.value);
      const number inverse =
          function(squares, root, root / squares.value / 2, 2 * fp32_rounding * root);
      for (std::size_t i = 0; i < columns; ++i) {
        all(y)[row * columns + i] =
            (x[i] - middle) * inverse * all(scale)[i] + (bias == 0 ? number() : all(bias)[i]);
      }
      if (means != 0) all(means)[row] = middle;
      all(inverses)[row] = inverse;
    }
  }

  void differentiate_norm(const graph_step& step) {
    const int scale = step.tensors[2], means = step.tensors[3], inverses = step.tensors[4];
    const int d_scale = step.tensors[5], d_bias = step.tensors[6], d_x = step.tensors[7];
    const std::size_t columns = all(scale).size();
    std::vector<sum> scales(columns), biases(columns);
    for (std::size_t row = 0; row < all(d_x).size() / columns; ++row) {
      std::vector<number> x = row_of(step.tensors[0], row, columns);
      const std::vector<number> dy = row_of(step.tensors[1], row, columns);
      const number inverse = all(inverses)[row];
      for (number& one : x) one = (one - (means == 0 ? number() : all(means)[row])) * inverse;
      const std::vector<number> g = multiplied(dy, all(scale));
      const number middle = step.mode == CUDNN_LAYER_NORM ? mean(g) : number();
      const number product = mean(multiplied(g, x));
      for (std::size_t i = 0; i < columns; ++i) {
        all(d_x)[row * columns + i] = inverse * (g[i] - middle - x[i] * product);
        scales[i].add(dy[i] * x[i]);
        biases[i].add(dy[i]);
      }
    }
    for (std::size_t i = 0; i < columns; ++i) {
      all(d_scale)[i] = scales[i].finish();
      if (d_bias != 0) all(d_bias)[i] = biases[i].finish();
    }
  }

  const graph& graph_;
  std::vector<std::vector<number>> values_;
  std::set<int> rounded_;
};

/// Adds the inputs that are outputs of another graph, rounded to their type.
static void add_outputs(const graph& what, arrays& inputs) {
  const reference made(what, inputs);
  for (std::size_t i = 0; i < what.tensors.size(); ++i) {
    const tensor& t = what.tensors[i];
    if (t.what != caller || inputs.count(t.name) != 0) continue;
    std::vector<double>& values = inputs[t.name];
    values.resize(count_of(t));
    for (std::size_t e = 0; e < values.size(); ++e) {
      const double value = made.of(i)[e].value;
      // Nothing reads an element that lengths leave out.
      values[place(t, e).in_memory(t)] = std::isfinite(value) ? rounded(t.type, value) : 0;
    }
  }
}
