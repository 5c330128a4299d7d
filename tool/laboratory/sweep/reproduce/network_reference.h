// SPDX-License-Identifier: BSD-3-Clause
//
// A part of network_program.cpp: how numbers are stored, the inputs, and the reference.  No formula
// of a gradient stands here: each operation notes its slopes, and what comes in behind it is
// followed back (automatic differentiation).

static void encode(double value, unsigned char* to) {
  const auto single = static_cast<float>(value);
  std::uint32_t bits = 0;
  std::memcpy(&bits, &single, sizeof bits);
  if (data_type == CUDNN_DATA_FLOAT) {
    std::memcpy(to, &bits, sizeof bits);
    return;
  }
  // What is given has few digits: both types of 16 bits hold it exactly, or what is left of it.
  std::uint32_t half = bits >> 16;
  if (data_type == CUDNN_DATA_HALF) {
    const std::uint32_t exponent = (bits >> 23 & 255) - 112;
    half = bits << 1 == 0 ? 0 : (bits >> 16 & 0x8000) | exponent << 10 | (bits >> 13 & 1023);
  }
  const auto stored = static_cast<std::uint16_t>(half);
  std::memcpy(to, &stored, sizeof stored);
}

static double decode(const unsigned char* from) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, from, element_bytes);
  if (data_type == CUDNN_DATA_HALF) {
    const int exponent = static_cast<int>(bits >> 10 & 31);
    const int digits = static_cast<int>(bits & 1023);
    const double size = exponent == 31  ? (digits == 0 ? INFINITY : NAN)
                        : exponent == 0 ? std::ldexp(digits, -24)
                                        : std::ldexp(1024 + digits, exponent - 25);
    return (bits & 0x8000) != 0 ? -size : size;
  }
  if (data_type == CUDNN_DATA_BFLOAT16) bits <<= 16;
  float single = 0;
  std::memcpy(&single, &bits, sizeof single);
  return static_cast<double>(single);
}

static double as_stored(double value) {
  unsigned char bytes[4];
  encode(value, bytes);
  return decode(bytes);
}

/// What a network is given, and what comes out: y, hy and cy are first the gradients dy, dhy and
/// dcy. The gradients of x, hx, cx and w come out under their names.
struct network_values {
  std::vector<double> x, hx, cx, w, y, hy, cy;
};

static std::size_t count_of(int rows, int columns, int size) {
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns) *
         static_cast<std::size_t>(size);
}

/// Multiples of 1/64 from -1 to 63/64, times a power of two.
static std::vector<double> draw(std::size_t count, double factor) {
  static std::uint32_t state = 1;  // x' = 1664525 x + 1013904223 modulo 2^32
  std::vector<double> values(count);
  for (double& value : values) {
    state = state * 1664525U + 1013904223U;
    value = factor * (static_cast<int>(state >> 25) - 64) / 64.0;
  }
  return values;
}

static network_values draw_values() {
  network_values made;
  made.x = draw(count_of(steps, batch, inputs), times);
  for (double& value : made.x) value = as_stored(value + plus);
  made.hx = draw(count_of(pseudo_layers, batch, state_size), 1);
  if (cell == CUDNN_LSTM) made.cx = draw(count_of(pseudo_layers, batch, hidden), 1);
  std::size_t parameters = 0;
  for (int pseudo = 0; pseudo < pseudo_layers; ++pseudo) parameters += parameters_of(pseudo);
  // About 1 / sqrt(hidden), as frameworks draw them.
  made.w = draw(parameters, std::exp2(-std::round(std::log2(hidden) / 2)));
  made.y = draw(count_of(steps, batch, directions * state_size), 1);
  made.hy = draw(made.hx.size(), 1);
  made.cy = draw(made.cx.size(), 1);
  return made;
}

/// A number and what it is made of.
struct number {
  double value = 0, gradient = 0;
  int from[2] = {0, 0};
  double slope[2] = {0, 0};
};
static std::vector<number> numbers(1);

static int note(double value, int a = 0, double slope_a = 0, int b = 0, double slope_b = 0) {
  numbers.push_back({value, 0, {a, b}, {slope_a, slope_b}});
  return static_cast<int>(numbers.size()) - 1;
}
static double value_of(int a) { return numbers[static_cast<std::size_t>(a)].value; }

static int sum_of(int a, int b) { return note(value_of(a) + value_of(b), a, 1, b, 1); }
static int product_of(int a, int b) {
  return note(value_of(a) * value_of(b), a, value_of(b), b, value_of(a));
}
static int tangent_of(int a) {
  const double value = std::tanh(value_of(a));
  return note(value, a, 1 - value * value);
}
static int logistic_of(int a) {
  const double value = 1 / (1 + std::exp(-value_of(a)));
  return note(value, a, value * (1 - value));
}
static int rest_of(int a) { return note(1 - value_of(a), a, -1); }
static int activated(int a) {
  if (cell == CUDNN_RNN_TANH) return tangent_of(a);
  return note(std::fmax(value_of(a), 0), a, value_of(a) > 0 ? 1 : 0);
}

using row = std::vector<int>;

static row noted(const std::vector<double>& values) {
  row made;
  for (const double value : values) made.push_back(note(value));
  return made;
}

/// A matrix, whose first number is given, times a vector.
static row times_vector(int matrix, int rows, const row& vector) {
  row made;
  for (int i = 0; i < rows; ++i) {
    int sum = note(0);
    for (const int one : vector) sum = sum_of(sum, product_of(matrix++, one));
    made.push_back(sum);
  }
  return made;
}

/// The weights of a layer in a direction.
struct layer_weights {
  int input, state, input_bias, state_bias, projection;

  layer_weights(int first, int pseudo)
      : input(first),
        state(input + gates * hidden * inputs_of(pseudo)),
        input_bias(state + gates * hidden * state_size),
        state_bias(input_bias + gates * hidden),
        projection(state_bias + gates * hidden) {}
};

/// One step of one sequence: h and c become the next ones.
static void take_step(const layer_weights& w, const row& x, row& h, row& c) {
  const row of_input = times_vector(w.input, gates * hidden, x);
  const row of_state = times_vector(w.state, gates * hidden, h);
  const auto input = [&](int gate, int i) {
    const int at = gate * hidden + i;
    return sum_of(of_input[static_cast<std::size_t>(at)], w.input_bias + at);
  };
  const auto state = [&](int gate, int i) {
    const int at = gate * hidden + i;
    return sum_of(of_state[static_cast<std::size_t>(at)], w.state_bias + at);
  };
  const auto gate = [&](int number_of_gate, int i) {
    return sum_of(input(number_of_gate, i), state(number_of_gate, i));
  };
  row next;
  for (int i = 0; i < hidden; ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (cell == CUDNN_LSTM) {  // input, forget, new, output
      const int kept = product_of(logistic_of(gate(1, i)), c[at]);
      c[at] = sum_of(kept, product_of(logistic_of(gate(0, i)), tangent_of(gate(2, i))));
      next.push_back(product_of(logistic_of(gate(3, i)), tangent_of(c[at])));
    } else if (cell == CUDNN_GRU) {  // reset, update, new
      const int reset = product_of(logistic_of(gate(0, i)), state(2, i));
      const int update = logistic_of(gate(1, i));
      const int fresh = tangent_of(sum_of(input(2, i), reset));
      next.push_back(sum_of(product_of(rest_of(update), fresh), product_of(update, h[at])));
    } else {
      next.push_back(activated(gate(0, i)));
    }
  }
  h = projection > 0 ? times_vector(w.projection, projection, next) : next;
}

static row part_of(const row& all, int number_of_part, int size) {
  const auto begin = all.begin() + static_cast<std::ptrdiff_t>(number_of_part) * size;
  return {begin, begin + size};
}

/// Follows gradients from the last number to the first.
static void follow_back() {
  for (std::size_t i = numbers.size() - 1; i > 0; --i) {
    for (int k = 0; k < 2; ++k) {
      numbers[static_cast<std::size_t>(numbers[i].from[k])].gradient +=
          numbers[i].slope[k] * numbers[i].gradient;
    }
  }
}

static std::vector<double> gradients_of(const row& of) {
  std::vector<double> made;
  for (const int one : of) made.push_back(numbers[static_cast<std::size_t>(one)].gradient);
  return made;
}
static std::vector<double> values_of(const row& of) {
  std::vector<double> made;
  for (const int one : of) made.push_back(value_of(one));
  return made;
}

static network_values reference_of(const network_values& given) {
  const row x = noted(given.x), hx = noted(given.hx), cx = noted(given.cx), w = noted(given.w);
  const int outputs = directions * state_size;
  row below = x, hy = hx, cy = cx;
  int first = w.front();
  for (int layer = 0; layer < layers; ++layer) {
    const int width = inputs_of(layer * directions);
    row above(count_of(steps, batch, outputs), note(0));
    for (int direction = 0; direction < directions; ++direction) {
      const int pseudo = layer * directions + direction;
      const layer_weights of(first, pseudo);
      first += static_cast<int>(parameters_of(pseudo));
      for (int b = 0; b < batch; ++b) {
        row h = part_of(hx, pseudo * batch + b, state_size);
        row c = cx.empty() ? row() : part_of(cx, pseudo * batch + b, hidden);
        for (int turn = 0; turn < lengths[b]; ++turn) {
          const int place = (direction == 0 ? turn : lengths[b] - 1 - turn) * batch + b;
          take_step(of, part_of(below, place, width), h, c);
          for (int i = 0; i < state_size; ++i) {
            above[static_cast<std::size_t>(place * outputs + direction * state_size + i)] =
                h[static_cast<std::size_t>(i)];
          }
        }
        const auto at = static_cast<std::size_t>(pseudo * batch + b);
        for (std::size_t i = 0; i < h.size(); ++i) hy[at * h.size() + i] = h[i];
        for (std::size_t i = 0; i < c.size(); ++i) cy[at * c.size() + i] = c[i];
      }
    }
    below = above;
  }
  const auto give = [](const row& to, const std::vector<double>& gradient) {
    for (std::size_t i = 0; i < to.size(); ++i) {
      numbers[static_cast<std::size_t>(to[i])].gradient += gradient[i];
    }
  };
  give(below, given.y);
  give(hy, given.hy);
  give(cy, given.cy);
  if (gradients) follow_back();
  return {gradients_of(x),  gradients_of(hx), gradients_of(cx), gradients_of(w),
          values_of(below), values_of(hy),    values_of(cy)};
}
