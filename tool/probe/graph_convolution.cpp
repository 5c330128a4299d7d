// SPDX-License-Identifier: BSD-3-Clause
#include "convolutions.h"

#include <cstdint>

#include "../convolution/graph.h"
#include "execution.h"
#include "offered_plan.h"
#include "run_twice.h"

namespace cudnn_checked::probe {

static compute::operation operation_of(const problem& what, int batch, tensor_layout order) {
  compute::operation made;
  made.type = what.number;
  made.x = what.x_tensor(batch, order);
  made.w = what.w_tensor(order);
  made.y = what.y_tensor(batch, order);
  for (std::int64_t& padding : made.moves.padding) padding = what.shape.padding();
  return made;
}

void run_graph_convolution(cudnnHandle_t handle, const problem& what, int batch,
                           tensor_layout order, run_facts& result) {
  result.shape = to_string(what.shape, batch);
  result.products = what.shape.products();
  // These live until a failure has been reported, because the report asks cuDNN for its message.
  compute::operation_graph operation;
  offered_plan offered;
  compute::descriptor pack;
  compute::failure told;
  if (!operation.make(handle, operation_of(what, batch, order), told)) {
    report(told, result);
    return;
  }
  if (!offered.choose(handle, operation.whole, what.number, result)) return;
  execution arrays(what, batch, order);
  if (!arrays.prepare(result) || !arrays.allocate_workspace(offered.workspace_bytes(), result)) {
    return;
  }
  const compute::places at = {arrays.x(), arrays.w(), arrays.y(), arrays.workspace()};
  if (!compute::make_variant_pack(at, pack, told)) {
    report(told, result);
    return;
  }
  const auto once = [&](run_facts& failed) {
    return succeeded(cudnnBackendExecute(handle, offered.plan().get(), pack.get()),
                     "cudnnBackendExecute", failed);
  };
  run_twice(arrays, once, result);
}

}  // namespace cudnn_checked::probe
