// SPDX-License-Identifier: BSD-3-Clause
//
// From an operation graph to a plan that can be executed, with cuDNN's graph API (cudnnBackend*).
// In this order:
//
//   describe_tensor, make_graph
//   ask_heuristics             configurations, best first
//   describe_engine            which engine a configuration takes, with what arithmetic
//   make_plan, read_workspace
//   make_variant_pack          where the tensors are
//   cudnnBackendExecute(handle, plan.get(), pack.get())
//
// Functions return false where a call failed, with the call in `told`.  A descriptor must outlive
// those that were made with it.
#pragma once

#include <cstdint>

#include "descriptor.h"
#include "tensor.h"

namespace cudnn_checked::compute {

/// The alignment of the tensors that a plan is built for, in bytes: cudaMalloc gives 256,
/// frameworks guarantee 16 for a part of a tensor.
constexpr std::int64_t declared_alignment = 16;

cudnnDataType_t data_type_of(element type);

/// Everything that each tensor has; finish_tensor, after what else is to be said of it.
bool describe_tensor(descriptor& made, std::int64_t id, const tensor& shape, cudnnDataType_t type,
                     failure& told);
bool finish_tensor(descriptor& described, failure& told);

/// Finalises it: how the kernel of a convolution moves.
bool describe_convolution(descriptor& made, const window& moves, failure& told);

bool make_graph(cudnnHandle_t handle, const cudnnBackendDescriptor_t* steps, std::int64_t count,
                descriptor& graph, failure& told);

/// Finalises `heuristics`; `count` becomes the number of configurations that it has to offer.
bool ask_heuristics(const descriptor& graph, cudnnBackendHeurMode_t mode, descriptor& heuristics,
                    std::int64_t& count, failure& told);

/// A descriptor that ask_heuristics' answer can be written into.
bool make_room(descriptor& configuration, failure& told);

/// Fills `count` descriptors made by make_room with the first configurations, best first; `count`
/// becomes the number of those that there are.
bool read_offers(const descriptor& heuristics, cudnnBackendDescriptor_t* configurations,
                 std::int64_t& count, failure& told);

/// What an engine says of itself.
struct engine_facts {
  std::int64_t index = -1;  ///< CUDNN_ATTR_ENGINE_GLOBAL_INDEX
  convolution_math math = convolution_math::unknown;
  bool deterministic = true;
};

/// `engine` becomes the engine of the configuration.
bool describe_engine(const descriptor& configuration, element type, descriptor& engine,
                     engine_facts& facts, failure& told);

bool make_plan(cudnnHandle_t handle, const descriptor& configuration, descriptor& plan,
               failure& told);

/// The workspace in bytes.
bool read_workspace(const descriptor& plan, std::int64_t& bytes, failure& told);

/// `places` are on the GPU, those of numbers that are given by value in host memory; no workspace
/// is a null pointer.
bool make_variant_pack(const std::int64_t* ids, void* const* places, std::int64_t count,
                       void* workspace, descriptor& pack, failure& told);

}  // namespace cudnn_checked::compute
