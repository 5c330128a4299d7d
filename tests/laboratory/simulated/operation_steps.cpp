// SPDX-License-Identifier: BSD-3-Clause
//
// What each operation of a graph computes, of packed numbers.
#include "operation_steps.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "../../simulated/cudnn/tensor_elements.h"

namespace simulated {

/// How far the elements of a packed tensor are apart, along the axes of `whole`; it may have fewer
/// elements there, each for several.
struct packed_steps {
  packed_steps(const tensor_view& of, const tensor_view& whole) {
    std::int64_t step = 1;
    for (int axis = 4; axis >= 0; --axis) {
      along[axis] = step;
      share[axis] = std::max<std::int64_t>(1, whole.extent[axis] / of.extent[axis]);
      step *= of.extent[axis];
    }
    inner = share[4] == 1 ? 1 : 0;
  }
  /// Of the first element of a row.
  std::int64_t at(const std::int64_t (&row)[4]) const {
    std::int64_t place = 0;
    for (int axis = 0; axis < 4; ++axis) place += row[axis] / share[axis] * along[axis];
    return place;
  }

  std::int64_t along[5];
  std::int64_t share[5];
  std::int64_t inner;  ///< along the last axis, in a row
};

/// Visits the rows of a tensor; `axes` as many of the outer axes as count.
template <typename Visit>
static void each_row(const tensor_view& t, Visit visit, int axes = 4) {
  std::int64_t row[4] = {};
  std::int64_t count = 1;
  for (int axis = 0; axis < axes; ++axis) count *= t.extent[axis];
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t rest = i;
    for (int axis = axes - 1; axis >= 0; --axis) {
      row[axis] = rest % t.extent[axis];
      rest /= t.extent[axis];
    }
    visit(row);
  }
}

/// A row of numbers, `step` apart.
struct row_of {
  const float* first;
  std::int64_t step;
  float operator[](std::int64_t i) const { return first[i * step]; }
};

static float gelu(float x) { return x * 0.5F * (1 + std::erf(x * std::sqrt(0.5F))); }

static void compute_row(int mode, row_of x, row_of b, row_of t, float* y, std::int64_t count) {
  const auto each_element = [&](auto element) {
    for (std::int64_t i = 0; i < count; ++i) y[i] = static_cast<float>(element(i));
  };
  switch (mode) {
    case CUDNN_POINTWISE_ADD:
      return each_element([&](std::int64_t i) { return x[i] + b[i]; });
    case CUDNN_POINTWISE_MUL:
      return each_element([&](std::int64_t i) { return x[i] * b[i]; });
    case CUDNN_POINTWISE_DIV:
      return each_element([&](std::int64_t i) { return x[i] / b[i]; });
    case CUDNN_POINTWISE_SUB:
      return each_element([&](std::int64_t i) { return x[i] - b[i]; });
    case CUDNN_POINTWISE_CMP_GT:
      return each_element([&](std::int64_t i) { return x[i] > b[i]; });
    case CUDNN_POINTWISE_CMP_GE:
      return each_element([&](std::int64_t i) { return x[i] >= b[i]; });
    case CUDNN_POINTWISE_CMP_LT:
      return each_element([&](std::int64_t i) { return x[i] < b[i]; });
    case CUDNN_POINTWISE_LOGICAL_AND:
      return each_element([&](std::int64_t i) { return x[i] != 0 && b[i] != 0; });
    case CUDNN_POINTWISE_BINARY_SELECT:
      return each_element([&](std::int64_t i) { return t[i] != 0 ? x[i] : b[i]; });
    case CUDNN_POINTWISE_EXP:
      return each_element([&](std::int64_t i) { return std::exp(x[i]); });
    case CUDNN_POINTWISE_LOG:
      return each_element([&](std::int64_t i) { return std::log(x[i]); });
    case CUDNN_POINTWISE_RELU_FWD:
      // NaN stays NaN.
      return each_element([&](std::int64_t i) { return x[i] < 0 ? 0 : x[i]; });
    case CUDNN_POINTWISE_GELU_FWD:
      return each_element([&](std::int64_t i) { return gelu(x[i]); });
    default:
      return each_element([&](std::int64_t i) { return x[i]; });
  }
}

static void compute_index(const node& step, std::vector<float>& y) {
  float* out = y.data();
  const tensor_view& view = step.outputs[0].view;
  each_row(view, [&](const std::int64_t(&row)[4]) {
    for (std::int64_t i = 0; i < view.extent[4]; ++i) {
      *out++ = static_cast<float>(step.axis == 4 ? i : row[step.axis]);
    }
  });
}

static void compute_pointwise(const node& step, const step_inputs& in, std::vector<float>& y) {
  if (step.mode == CUDNN_POINTWISE_GEN_INDEX) return compute_index(step, y);
  const tensor_view& whole = step.outputs[0].view;
  // What a mode does not have is x again, which it does not look at.
  const auto of = [&](std::size_t i) { return step.inputs[i].is_there ? i : 0; };
  const packed_steps steps[3] = {{step.inputs[0].view, whole},
                                 {step.inputs[of(1)].view, whole},
                                 {step.inputs[of(2)].view, whole}};
  float* out = y.data();
  each_row(whole, [&](const std::int64_t(&row)[4]) {
    const auto input = [&](std::size_t i) {
      return row_of{in[of(i)]->data() + steps[i].at(row), steps[i].inner};
    };
    compute_row(step.mode, input(0), input(1), input(2), out, whole.extent[4]);
    out += whole.extent[4];
  });
}

static void compute_reduction(const node& step, const std::vector<float>& x,
                              std::vector<float>& y) {
  const bool largest = step.mode != CUDNN_REDUCE_TENSOR_ADD;
  const bool absolute = step.mode == CUDNN_REDUCE_TENSOR_AMAX;
  std::fill(y.begin(), y.end(),
            largest && !absolute ? -std::numeric_limits<float>::infinity() : 0.0F);
  const tensor_view& whole = step.inputs[0].view;
  const packed_steps into(step.outputs[0].view, whole);
  const float* from = x.data();
  each_row(whole, [&](const std::int64_t(&row)[4]) {
    float* const target = y.data() + into.at(row);
    for (std::int64_t i = 0; i < whole.extent[4]; ++i, ++from) {
      float& sum = target[i * into.inner];
      const float number = absolute ? std::fabs(*from) : *from;
      sum = largest ? std::max(sum, number) : sum + number;
    }
  });
}

/// The lengths of one product.
struct product_size {
  std::int64_t rows, columns, sums;
};

/// The innermost loop is along a row of b and c, which the compiler turns into vectors.
static void multiply(const float* a, const float* b, float* c, const product_size& counted,
                     const tensor_view& a_view, const tensor_view& c_view) {
  for (std::int64_t m = 0; m < counted.rows; ++m) {
    float* const row = c + m * c_view.extent[4];
    std::fill(row, row + counted.columns, 0.0F);
    for (std::int64_t k = 0; k < counted.sums; ++k) {
      const float factor = a[m * a_view.extent[4] + k];
      const float* const from = b + k * c_view.extent[4];
      for (std::int64_t n = 0; n < counted.columns; ++n) row[n] += factor * from[n];
    }
  }
}

static void compute_product(const node& step, const step_inputs& in, std::vector<float>& c) {
  const tensor_view& a_view = step.inputs[0].view;
  const tensor_view& c_view = step.outputs[0].view;
  const packed_steps a_steps(a_view, c_view);
  const packed_steps b_steps(step.inputs[1].view, c_view);
  const packed_steps c_steps(c_view, c_view);
  std::fill(c.begin(), c.end(), step.padding);
  each_row(
      c_view,
      [&](const std::int64_t(&row)[4]) {
        const auto length = [&](std::size_t input, std::int64_t extent) {
          if (!step.inputs[input].is_there) return extent;
          const auto told = (*in[input])[static_cast<std::size_t>(row[0])];
          return std::min(extent, static_cast<std::int64_t>(told));
        };
        const product_size counted = {length(2, c_view.extent[3]), length(3, c_view.extent[4]),
                                      length(4, a_view.extent[4])};
        multiply(in[0]->data() + a_steps.at(row), in[1]->data() + b_steps.at(row),
                 c.data() + c_steps.at(row), counted, a_view, c_view);
      },
      3);
}

/// The same memory, seen with other extents and strides.
static void compute_reshape(const node& step, const std::vector<float>& x, std::vector<float>& y) {
  const tensor_view& from = step.inputs[0].view;
  const tensor_view& to = step.outputs[0].view;
  std::vector<float> memory(std::max(from.bytes() / from.width(), to.bytes() / to.width()));
  const float* in = x.data();
  each(from, [&](std::int64_t at) { memory[static_cast<std::size_t>(at)] = *in++; });
  float* out = y.data();
  each(to, [&](std::int64_t at) { *out++ = memory[static_cast<std::size_t>(at)]; });
}

static void compute_norm(const node& step, const step_inputs& in, step_outputs& out) {
  const bool layer = step.mode == CUDNN_LAYER_NORM;
  const std::vector<float>& scale = *in[1];
  const std::size_t columns = scale.size();
  const auto count = static_cast<float>(columns);
  for (std::size_t first = 0, row = 0; first < in[0]->size(); first += columns, ++row) {
    const float* const x = in[0]->data() + first;
    float mean = 0;
    for (std::size_t i = 0; layer && i < columns; ++i) mean += x[i] / count;
    float squares = 0;
    for (std::size_t i = 0; i < columns; ++i) squares += (x[i] - mean) * (x[i] - mean);
    const float inverse = 1 / std::sqrt(squares / count + (*in[2])[0]);
    for (std::size_t i = 0; i < columns; ++i) {
      const float bias = step.inputs[3].is_there ? (*in[3])[i] : 0;
      out[0][first + i] = (x[i] - mean) * inverse * scale[i] + bias;
    }
    if (step.outputs[1].is_there) out[1][row] = inverse;
    if (step.outputs[2].is_there) out[2][row] = mean;
  }
}

static void compute_norm_gradients(const node& step, const step_inputs& in, step_outputs& out) {
  const bool layer = step.mode == CUDNN_LAYER_NORM;
  const std::vector<float>& scale = *in[2];
  const std::size_t columns = scale.size();
  const auto count = static_cast<float>(columns);
  std::vector<float> normal(columns);
  for (std::size_t first = 0, row = 0; first < in[0]->size(); first += columns, ++row) {
    const float* const dy = in[1]->data() + first;
    const float inverse = (*in[3])[row];
    float sum = 0;
    float products = 0;
    for (std::size_t i = 0; i < columns; ++i) {
      const float mean = step.inputs[4].is_there ? (*in[4])[row] : 0;
      normal[i] = ((*in[0])[first + i] - mean) * inverse;
      if (layer) sum += dy[i] * scale[i];
      products += dy[i] * scale[i] * normal[i];
      if (step.outputs[1].is_there) out[1][i] += dy[i] * normal[i];
      if (step.outputs[2].is_there) out[2][i] += dy[i];
    }
    for (std::size_t i = 0; i < columns; ++i) {
      out[0][first + i] = inverse * (dy[i] * scale[i] - sum / count - normal[i] * products / count);
    }
  }
}

static void compute_convolution(const node& step, const step_inputs& in, std::vector<float>& y) {
  const auto in_nchw = [](const tensor_view& view) {
    return packed(CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, view.extent);
  };
  convolution what = step.convolved;
  what.x = in_nchw(what.x);
  what.w = in_nchw(what.w);
  what.y = in_nchw(what.y);
  std::vector<float> x = *in[0];
  std::vector<float> w = *in[1];
  convolve(what, {x.data(), w.data(), y.data()});
}

void compute(const node& step, const step_inputs& in, step_outputs& out) {
  switch (step.what) {
    case CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR:
      return compute_pointwise(step, in, out[0]);
    case CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR:
      return compute_product(step, in, out[0]);
    case CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR:
      return compute_reduction(step, *in[0], out[0]);
    case CUDNN_BACKEND_OPERATION_RESHAPE_DESCRIPTOR:
      return compute_reshape(step, *in[0], out[0]);
    case CUDNN_BACKEND_OPERATION_NORM_FORWARD_DESCRIPTOR:
      return compute_norm(step, in, out);
    case CUDNN_BACKEND_OPERATION_NORM_BACKWARD_DESCRIPTOR:
      return compute_norm_gradients(step, in, out);
    default:
      return compute_convolution(step, in, out[0]);
  }
}

}  // namespace simulated
