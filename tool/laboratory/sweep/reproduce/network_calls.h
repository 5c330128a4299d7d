// SPDX-License-Identifier: BSD-3-Clause
//
// A part of network_program.cpp: calls of cuDNN.

static const std::size_t element_bytes = data_type == CUDNN_DATA_FLOAT ? 4 : 2;
static const int gates = cell == CUDNN_LSTM ? 4 : cell == CUDNN_GRU ? 3 : 1;
static const int state_size = projection > 0 ? projection : hidden;
static const int pseudo_layers = layers * directions;

static int inputs_of(int pseudo) { return pseudo < directions ? inputs : directions * state_size; }

/// In the program the parameters lie behind each other: of each layer in a direction the matrices
/// of the input, of the state, both biases of each gate, and the projection.
static std::size_t parameters_of(int pseudo) {
  const auto columns = static_cast<std::size_t>(inputs_of(pseudo) + state_size + 2);
  return static_cast<std::size_t>(gates * hidden) * columns +
         static_cast<std::size_t>(projection * hidden);
}

struct network_arrays {
  void *x, *hx, *cx, *w, *y, *hy, *cy, *dy, *dhy, *dcy, *dx, *dhx, *dcx, *dw, *workspace, *reserve;
};

/// The network as cuDNN has it.
class network_calls {
 public:
  network_calls() {
    check(cudnnCreate(&handle_), "cudnnCreate");
    check(cudnnCreateDropoutDescriptor(&dropout_), "cudnnCreateDropoutDescriptor");
    check(cudnnSetDropoutDescriptor(dropout_, handle_, 0, nullptr, 0, 0),
          "cudnnSetDropoutDescriptor");
    check(cudnnCreateRNNDescriptor(&rnn_), "cudnnCreateRNNDescriptor");
    check(cudnnSetRNNDescriptor_v8(
              rnn_, algorithm, cell, CUDNN_RNN_DOUBLE_BIAS,
              directions == 2 ? CUDNN_BIDIRECTIONAL : CUDNN_UNIDIRECTIONAL, CUDNN_LINEAR_INPUT,
              data_type, CUDNN_DATA_FLOAT, math, inputs, hidden, state_size, layers, dropout_,
              packed ? CUDNN_RNN_PADDED_IO_DISABLED : CUDNN_RNN_PADDED_IO_ENABLED),
          "cudnnSetRNNDescriptor_v8");
    if (algorithm == CUDNN_RNN_ALGO_PERSIST_DYNAMIC) {
      check(cudnnBuildRNNDynamic(handle_, rnn_, batch), "cudnnBuildRNNDynamic");
    }
    make_steps(inputs, x_);
    make_steps(directions * state_size, y_);
    make_state(state_size, h_);
    make_state(hidden, c_);
    check(cudnnGetRNNWeightSpaceSize(handle_, rnn_, &weight_bytes_), "cudnnGetRNNWeightSpaceSize");
    check(cudnnGetRNNTempSpaceSizes(handle_, rnn_, mode(), x_, &workspace_bytes_, &reserve_bytes_),
          "cudnnGetRNNTempSpaceSizes");
    check(cudaMalloc(&lengths_, sizeof lengths), "cudaMalloc");
    check(cudaMemcpy(lengths_, lengths, sizeof lengths, cudaMemcpyHostToDevice), "cudaMemcpy");
  }

  std::size_t weight_bytes() const { return weight_bytes_; }
  std::size_t workspace_bytes() const { return workspace_bytes_; }
  std::size_t reserve_bytes() const { return reserve_bytes_; }

  /// Where cuDNN has each parameter, in elements.
  std::vector<std::size_t> places_of_weights() const {
    void* space = nullptr;
    check(cudaMalloc(&space, weight_bytes_), "cudaMalloc");
    std::vector<std::size_t> made;
    for (int pseudo = 0; pseudo < pseudo_layers; ++pseudo) {
      for (int id = 0; id < 2 * gates; ++id) {
        add_places(pseudo, id, space, false, hidden * (id < gates ? inputs_of(pseudo) : state_size),
                   made);
      }
      for (int id = 0; id < 2 * gates; ++id) add_places(pseudo, id, space, true, hidden, made);
      if (projection > 0) {
        add_places(pseudo, 2 * gates, space, false, projection * hidden, made);
      }
    }
    return made;
  }

  void run(const network_arrays& a) const {
    const auto* const steps_of = static_cast<const std::int32_t*>(lengths_);
    check(cudnnRNNForward(handle_, rnn_, mode(), steps_of, x_, a.x, y_, a.y, h_, a.hx, a.hy, c_,
                          a.cx, a.cy, weight_bytes_, a.w, workspace_bytes_, a.workspace,
                          reserve_bytes_, a.reserve),
          "cudnnRNNForward", may_fail ? 1 : 2);
    if (!gradients) return;
    check(cudnnRNNBackwardData_v8(handle_, rnn_, steps_of, y_, a.y, a.dy, x_, a.dx, h_, a.hx, a.dhy,
                                  a.dhx, c_, a.cx, a.dcy, a.dcx, weight_bytes_, a.w,
                                  workspace_bytes_, a.workspace, reserve_bytes_, a.reserve),
          "cudnnRNNBackwardData_v8", may_fail ? 1 : 2);
    check(cudnnRNNBackwardWeights_v8(handle_, rnn_, CUDNN_WGRAD_MODE_ADD, steps_of, x_, a.x, h_,
                                     a.hx, y_, a.y, weight_bytes_, a.dw, workspace_bytes_,
                                     a.workspace, reserve_bytes_, a.reserve),
          "cudnnRNNBackwardWeights_v8", may_fail ? 1 : 2);
  }

 private:
  static cudnnForwardMode_t mode() {
    return gradients ? CUDNN_FWD_MODE_TRAINING : CUDNN_FWD_MODE_INFERENCE;
  }

  static void make_steps(int size, cudnnRNNDataDescriptor_t& made) {
    std::uint32_t zero = 0;
    check(cudnnCreateRNNDataDescriptor(&made), "cudnnCreateRNNDataDescriptor");
    check(cudnnSetRNNDataDescriptor(made, data_type,
                                    packed ? CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_PACKED
                                           : CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_UNPACKED,
                                    steps, batch, size, lengths, &zero),
          "cudnnSetRNNDataDescriptor");
  }

  static void make_state(int size, cudnnTensorDescriptor_t& made) {
    const int extents[] = {pseudo_layers, batch, size};
    const int strides[] = {batch * size, size, 1};
    check(cudnnCreateTensorDescriptor(&made), "cudnnCreateTensorDescriptor");
    check(cudnnSetTensorNdDescriptor(made, data_type, 3, extents, strides),
          "cudnnSetTensorNdDescriptor");
  }

  void add_places(int pseudo, int id, void* space, bool bias, int count,
                  std::vector<std::size_t>& made) const {
    cudnnTensorDescriptor_t of_matrix = nullptr, of_bias = nullptr;
    check(cudnnCreateTensorDescriptor(&of_matrix), "cudnnCreateTensorDescriptor");
    check(cudnnCreateTensorDescriptor(&of_bias), "cudnnCreateTensorDescriptor");
    void* found[2] = {nullptr, nullptr};
    check(cudnnGetRNNWeightParams(handle_, rnn_, pseudo, weight_bytes_, space, id, of_matrix,
                                  &found[0], of_bias, &found[1]),
          "cudnnGetRNNWeightParams");
    const auto bytes = static_cast<std::size_t>(static_cast<const char*>(found[bias ? 1 : 0]) -
                                                static_cast<const char*>(space));
    for (int i = 0; i < count; ++i) {
      made.push_back(bytes / element_bytes + static_cast<std::size_t>(i));
    }
  }

  cudnnHandle_t handle_ = nullptr;
  cudnnDropoutDescriptor_t dropout_ = nullptr;
  cudnnRNNDescriptor_t rnn_ = nullptr;
  cudnnRNNDataDescriptor_t x_ = nullptr, y_ = nullptr;
  cudnnTensorDescriptor_t h_ = nullptr, c_ = nullptr;
  std::size_t weight_bytes_ = 0, workspace_bytes_ = 0, reserve_bytes_ = 0;
  void* lengths_ = nullptr;
};
