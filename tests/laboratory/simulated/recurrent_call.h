// SPDX-License-Identifier: BSD-3-Clause
//
// Descriptors of recurrent networks, and the arrays of a call.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "../../simulated/cudnn/services.h"
#include "../../simulated/cudnn/tensor_elements.h"
#include "recurrent_network.h"

struct cudnnRNNStruct {
  simulated::recurrent_network what;
  cudnnDataType_t type = CUDNN_DATA_FLOAT;
  cudnnRNNAlgo_t algorithm = CUDNN_RNN_ALGO_STANDARD;
  cudnnMathType_t math = CUDNN_DEFAULT_MATH;
  bool padded = false;
  int built_for = 0;  ///< PERSIST_DYNAMIC: a batch
};

struct cudnnRNNDataStruct {
  cudnnDataType_t type;
  cudnnRNNDataLayout_t layout;
  std::size_t steps, size;
  std::vector<std::size_t> lengths;
};

namespace simulated {

inline const services& services_of_graph() { return *cudnn_simulated_services(); }

inline std::string name_of(const cudnnRNNStruct& rnn, const char* way) {
  static constexpr const char* cells[] = {"rnn", "rnn", "lstm", "gru"};
  const char* const type = rnn.type == CUDNN_DATA_FLOAT  ? "fp32"
                           : rnn.type == CUDNN_DATA_HALF ? "fp16"
                                                         : "bf16";
  return std::string(cells[static_cast<int>(rnn.what.kind)]) + "/" + way + "/" + type;
}

inline tensor_view view_of(cudnnDataType_t type) {
  tensor_view view;
  view.type = type;
  return view;
}

/// Where the matrices and biases of all layers are: matrices, then biases.
struct weight_places {
  struct place {
    std::size_t first, rows, columns;
  };
  std::vector<std::vector<place>> matrices, biases;
  std::size_t count = 0;

  explicit weight_places(const recurrent_network& what) {
    const auto add = [&](std::size_t rows, std::size_t columns, std::vector<place>& target) {
      target.push_back({count, rows, columns});
      count += rows * columns;
    };
    for (std::size_t layer = 0; layer < what.layers * what.directions; ++layer) {
      matrices.emplace_back();
      for (std::size_t i = 0; i < 2 * what.gates(); ++i) {
        add(what.hidden, i < what.gates() ? what.width(layer / what.directions) : what.state(),
            matrices.back());
      }
      if (what.projection > 0) add(what.projection, what.hidden, matrices.back());
    }
    for (std::size_t layer = 0; layer < what.layers * what.directions; ++layer) {
      biases.emplace_back();
      for (std::size_t i = 0; i < 2 * what.gates(); ++i) add(what.hidden, 1, biases.back());
    }
  }

  template <typename visitor>
  void each(std::vector<layer_weights>& all, const visitor& visit) const {
    all.resize(matrices.size());
    for (std::size_t layer = 0; layer < matrices.size(); ++layer) {
      all[layer].matrices.resize(matrices[layer].size());
      all[layer].biases.resize(biases[layer].size());
      for (std::size_t i = 0; i < matrices[layer].size(); ++i) {
        visit(matrices[layer][i], all[layer].matrices[i]);
      }
      for (std::size_t i = 0; i < biases[layer].size(); ++i) {
        visit(biases[layer][i], all[layer].biases[i]);
      }
    }
  }
};

/// The numbers of a call, by steps x batch where they are steps.
class call {
 public:
  call(const cudnnRNNStruct& rnn, const cudnnRNNDataStruct& data)
      : rnn_(rnn), what_(rnn.what), data_(data) {
    what_.lengths = data.lengths;
  }

  const recurrent_network& what() const { return what_; }
  std::size_t steps(std::size_t size) const { return data_.steps * what_.batch() * size; }
  std::size_t states(std::size_t size) const {
    return what_.layers * what_.directions * what_.batch() * size;
  }
  std::size_t outputs() const { return what_.state() * what_.directions; }
  std::size_t cells() const { return what_.kind == cell::lstm ? states(what_.hidden) : 0; }

  numbers read(const void* from, std::size_t count) const {
    numbers values(count, 0);
    if (from == nullptr) return values;
    for (std::size_t i = 0; i < count; ++i) {
      values[i] = static_cast<double>(load(view_of(rnn_.type), from, static_cast<std::int64_t>(i)));
    }
    return values;
  }
  void write(const numbers& values, void* to) const {
    if (to == nullptr) return;
    for (std::size_t i = 0; i < values.size(); ++i) {
      store(view_of(rnn_.type), to, static_cast<std::int64_t>(i), static_cast<float>(values[i]));
    }
  }

  numbers read_steps(const void* from, std::size_t size) const {
    numbers values(steps(size), 0);
    each_step(size, [&](std::size_t place, std::size_t at) {
      values[place] =
          static_cast<double>(load(view_of(rnn_.type), from, static_cast<std::int64_t>(at)));
    });
    return values;
  }
  void write_steps(const numbers& values, std::size_t size, void* to) const {
    each_step(size, [&](std::size_t place, std::size_t at) {
      store(view_of(rnn_.type), to, static_cast<std::int64_t>(at),
            static_cast<float>(values[place]));
    });
  }

  std::vector<layer_weights> read_weights(const void* from) const {
    std::vector<layer_weights> all;
    weight_places(what_).each(all, [&](const weight_places::place& p, numbers& target) {
      target.clear();
      for (std::size_t i = 0; i < p.rows * p.columns; ++i) {
        target.push_back(static_cast<double>(
            load(view_of(rnn_.type), from, static_cast<std::int64_t>(p.first + i))));
      }
    });
    return all;
  }
  /// As the weight space has them.
  numbers in_place(std::vector<layer_weights> all) const {
    const weight_places places(what_);
    numbers made(places.count);
    places.each(all, [&](const weight_places::place& p, numbers& values) {
      for (std::size_t i = 0; i < values.size(); ++i) made[p.first + i] = values[i];
    });
    return made;
  }

 private:
  /// Beyond the length of a sequence there is padding, or nothing.
  template <typename visitor>
  void each_step(std::size_t size, const visitor& visit) const {
    std::size_t at = 0;
    for (std::size_t step = 0; step < data_.steps; ++step) {
      for (std::size_t b = 0; b < what_.batch(); ++b) {
        const bool is_there = step < data_.lengths[b];
        if (!is_there && data_.layout == CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_PACKED) continue;
        for (std::size_t i = 0; i < size; ++i, ++at) {
          visit((step * what_.batch() + b) * size + i, at);
        }
      }
    }
  }

  const cudnnRNNStruct& rnn_;
  recurrent_network what_;
  const cudnnRNNDataStruct& data_;
};

}  // namespace simulated
