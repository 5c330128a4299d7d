// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>

#include "call.h"
#include "dropout.h"

namespace cudnn_checked::probe {

namespace {

/// The arrays are in the order of dropout.cpp.
class dropout_caller : public legacy_caller {
 public:
  explicit dropout_caller(const compute::dropout_layer& what) : what_(what) {}

  bool prepare(legacy_call& c) override {
    return succeeded(cudnnCreateDropoutDescriptor(dropout_.receive()),
                     "cudnnCreateDropoutDescriptor", c.result) &&
           succeeded(cudnnDropoutGetStatesSize(c.handle, &state_bytes_),
                     "cudnnDropoutGetStatesSize", c.result) &&
           succeeded(cudnnDropoutGetReserveSpaceSize(c.x.get(), &reserve_bytes_),
                     "cudnnDropoutGetReserveSpaceSize", c.result) &&
           succeeded(cudaMalloc(states_.receive(), state_bytes_), "cudaMalloc", c.result) &&
           succeeded(cudaMalloc(reserve_.receive(), reserve_bytes_), "cudaMalloc", c.result);
  }

  /// From the first state of the seed each time.
  bool execute(legacy_call& c) override {
    constexpr unsigned long long seed = 1;
    return succeeded(cudnnSetDropoutDescriptor(dropout_.get(), c.handle,
                                               static_cast<float>(what_.probability()),
                                               states_.get(), state_bytes_, seed),
                     "cudnnSetDropoutDescriptor", c.result) &&
           succeeded(cudnnDropoutForward(c.handle, dropout_.get(), c.x.get(), c.at(0), c.y.get(),
                                         c.at(2), reserve_.get(), reserve_bytes_),
                     "cudnnDropoutForward", c.result) &&
           succeeded(cudnnDropoutBackward(c.handle, dropout_.get(), c.y.get(), c.at(1), c.x.get(),
                                          c.at(3), reserve_.get(), reserve_bytes_),
                     "cudnnDropoutBackward", c.result);
  }

  bool compare(legacy_call& c, problem_memory& memory) override {
    if (kept_.empty() && !find_kept(c, memory)) return false;
    return memory.compare(2, compute::kept_of(what_, c.problem.arrays[0], kept_), c.result) &&
           memory.compare(3, compute::kept_of(what_, c.problem.arrays[1], kept_), c.result);
  }

 private:
  /// Of the first execution; the second must drop the same.
  bool find_kept(legacy_call& c, const problem_memory& memory) {
    std::vector<unsigned char> y;
    if (!memory.download(2, y, c.result)) return false;
    const std::size_t width = y.size() / c.problem.arrays[2].count;
    std::size_t dropped = 0;
    for (std::size_t i = 0; i < y.size(); i += width) {
      bool is_zero = true;
      // Either zero: the sign of x may stay.
      for (std::size_t byte = 0; byte < width; ++byte) {
        const unsigned sign = byte + 1 == width ? 0x7fU : 0xffU;
        is_zero = is_zero && (y[i + byte] & sign) == 0;
      }
      kept_.push_back(!is_zero);
      dropped += is_zero ? 1 : 0;
    }
    const compute::bounded expected = compute::dropped_in_all(what_, kept_.size());
    const double away = std::fabs(static_cast<double>(dropped) - expected.value[0]);
    c.result.output = "dropped elements";
    c.result.element_error = away / expected.bound[0];
    c.result.relative_error = away / static_cast<double>(kept_.size());
    return true;
  }

  compute::dropout_layer what_;
  compute::owner<cudnnDropoutDescriptor_t, cudnnDestroyDropoutDescriptor> dropout_;
  device_memory states_;
  device_memory reserve_;
  std::size_t state_bytes_ = 0;
  std::size_t reserve_bytes_ = 0;
  std::vector<bool> kept_;
};

}  // namespace

std::unique_ptr<legacy_caller> caller_of(const compute::dropout_layer& what) {
  return std::make_unique<dropout_caller>(what);
}

}  // namespace cudnn_checked::probe
