// SPDX-License-Identifier: BSD-3-Clause
//
// One convolution, or one of its gradients, as an operation graph of cuDNN; see plan.h.
#pragma once

#include "plan.h"

namespace cudnn_checked::compute {

struct operation_graph {
  descriptor x;
  descriptor w;
  descriptor y;
  descriptor moves;
  descriptor step;
  descriptor whole;

  bool make(cudnnHandle_t handle, const operation& what, failure& told);
};

/// Where the tensors of an operation are on the GPU; no workspace is a null pointer.
struct places {
  void* x = nullptr;
  void* w = nullptr;
  void* y = nullptr;
  void* workspace = nullptr;
};

bool make_variant_pack(const places& at, descriptor& pack, failure& told);

}  // namespace cudnn_checked::compute
