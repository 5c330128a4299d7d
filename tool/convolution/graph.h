// SPDX-License-Identifier: BSD-3-Clause
//
// One convolution, or one of its gradients, with cuDNN's graph API (cudnnBackend*): the operation
// graph, the plans that heuristics offer, and what a plan is executed with.  In this order:
//
//   operation_graph::make      tensors, convolution, operation, graph
//   ask_heuristics             configurations, best first; or engines.h, by index
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

/// What a plan is told of the addresses of the tensors, in bytes: cudaMalloc's is 256, frameworks
/// guarantee 16 for a part of a tensor.
constexpr std::int64_t declared_alignment = 16;

struct operation_graph {
  descriptor x;
  descriptor w;
  descriptor y;
  descriptor moves;
  descriptor step;
  descriptor whole;

  bool make(cudnnHandle_t handle, const operation& what, failure& told);
};

/// Finalises `heuristics`; `count` becomes the number of configurations that it has to offer.
bool ask_heuristics(const operation_graph& graph, cudnnBackendHeurMode_t mode,
                    descriptor& heuristics, std::int64_t& count, failure& told);

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

/// Where the tensors of an operation are on the GPU; no workspace is a null pointer.
struct places {
  void* x = nullptr;
  void* w = nullptr;
  void* y = nullptr;
  void* workspace = nullptr;
};

bool make_variant_pack(const places& at, descriptor& pack, failure& told);

}  // namespace cudnn_checked::compute
