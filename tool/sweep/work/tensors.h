// SPDX-License-Identifier: BSD-3-Clause
//
// A problem in the words of the room that computes.
#pragma once

#include "../../convolution/operation.h"
#include "../model/problem.h"

namespace cudnn_checked::sweep {

compute::operation operation_of(const problem& p);

/// The tensors of an operation by their roles: two that are read, in the order that
/// compute::reference takes them, and the one that is written.
struct tensor_roles {
  const compute::tensor* first;
  const compute::tensor* second;
  const compute::tensor* result;
};
tensor_roles roles_of(const compute::operation& what);

}  // namespace cudnn_checked::sweep
