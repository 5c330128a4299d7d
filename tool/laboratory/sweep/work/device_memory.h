// SPDX-License-Identifier: BSD-3-Clause
//
// The memory of the GPU that a worker computes in: one allocation, made once and used for all
// plans.
//
//     guard | input | guard | ... | input | guard | output | guard | ... | output | guard |
//     workspace | guard
//
// Each output is there twice, for two executions of a plan; and so are sums that an operation works
// with.  All that is not an input holds
// compute::poison_byte, guards as well: an engine that reads beside a tensor computes with NaN.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "../../../convolution/owner.h"
#include "numbers.h"

namespace cudnn_checked::sweep {

/// A call of CUDA that failed; after most of them the context can only be given back.
struct cuda_failure {
  cudaError_t status = cudaSuccess;
  const char* call = "";
};

/// True on success; otherwise writes `told`.
inline bool did(cudaError_t status, const char* call, cuda_failure& told) {
  if (status != cudaSuccess) told = {status, call};
  return status == cudaSuccess;
}

/// "cudaMemcpy: 716 cudaErrorMisalignedAddress, misaligned address"
inline std::string to_text(const cuda_failure& told) {
  return std::string(told.call) + ": " + std::to_string(static_cast<int>(told.status)) + " " +
         cudaGetErrorName(told.status) + ", " + cudaGetErrorString(told.status);
}

/// The bytes that what is no tensor is filled with.
struct surroundings {
  unsigned char workspace = 0xff;
  unsigned char guards = 0xff;
};

class device_memory {
 public:
  /// At least so many bytes lie on both sides of each tensor and of the workspace.
  static constexpr std::size_t guard = 4096;
  /// The workspace's address is a multiple of it, and those of tensors are, if wanted.
  static constexpr std::size_t best_alignment = 256;

  explicit device_memory(std::uint64_t most_bytes) : most_(most_bytes) {}

  /// Lays out the arrays of a problem.  `alignment` is best_alignment, or declared_alignment:
  /// then the addresses are multiples of 16 and of no higher power of two.  `numbers` must live
  /// until the next one.  False: no memory (`told`).
  bool place(const problem_numbers& numbers, std::size_t alignment, cuda_failure& told);

  /// The largest workspace that fits beside what is placed.
  std::uint64_t most_workspace() const;

  /// Makes room for a workspace, and fills it and the guards; all outputs are poisoned.  Unless
  /// that is done with poison, damage() is not to be asked, and restore() is to be called before
  /// the next plan.
  bool prepare(std::uint64_t workspace, const surroundings& around, cuda_failure& told);
  bool fill_workspace(const surroundings& around, cuda_failure& told);

  /// Where the arrays are, in their order, with the outputs of execution 0 or 1.
  std::vector<void*> places(int execution) const;
  void* workspace() const { return base() + workspace_.at; }

  /// Copies all but the workspace back, when the GPU has computed.
  bool fetch(cuda_failure& told);
  const unsigned char* array(std::size_t number, int execution) const {
    return seen_.data() + at_[execution][number];
  }
  /// What was written although it is no output: "x", "up to 4 bytes behind y"; empty: nothing.
  std::string damage() const;
  /// All but the workspace as it was placed: after damage.
  bool restore(cuda_failure& told);

 private:
  struct extent {
    std::size_t at = 0;
    std::size_t bytes = 0;
    const problem_array* what = nullptr;
    std::size_t end() const { return at + bytes; }
  };

  /// Behind what is placed: the inputs, or all others.
  void place_each(const problem_numbers& numbers, bool inputs, std::size_t shift,
                  std::vector<std::size_t>& at);
  bool fill_guards(unsigned char value, cuda_failure& told);

  bool grow(std::size_t bytes, cuda_failure& told);
  bool fill(std::size_t at, std::size_t bytes, unsigned char value, cuda_failure& told);
  std::string damage_between(std::size_t begin, std::size_t end, const std::string& after,
                             const std::string& before) const;
  unsigned char* base() const { return static_cast<unsigned char*>(memory_.get()); }

  std::uint64_t most_;
  std::size_t bytes_ = 0;
  compute::owner<void*, cudaFree> memory_;
  std::vector<extent> placed_;      ///< in the order of memory: inputs, then what is there twice
  std::size_t first_output_ = 0;    ///< in `placed_`
  std::vector<std::size_t> at_[2];  ///< where each array is, by its number, in both executions
  extent workspace_;
  std::vector<unsigned char> whole_;  ///< all in front of the workspace, as it must stay
  std::vector<unsigned char> seen_;   ///< the same as it is, and the guard behind the workspace
};

}  // namespace cudnn_checked::sweep
