// SPDX-License-Identifier: BSD-3-Clause
//
// Which engines are offered, and running one.
#include <cstring>

#include "../cuda/driver_functions.h"
#include "descriptor.h"

using namespace simulated;

// Engine numbers, their order and engine 7 are as seen on a GPU of compute capability 9.0 with 9.14
// and 9.19.  Without heuristic or precompiled engines, engine 7 comes first for fp16 NCHW, and it
// reads x and w as NHWC: wrong numbers, and no word.  Here it does so on every GPU.
std::vector<offer> simulated::offers_for(const convolution& what) {
  const bool half = what.x.type == CUDNN_DATA_HALF;
  const offer compiled{4, false, true, false, 256};
  offer compiled_nhwc{7, false, true, false, 0};
  if (cudnn_simulated_services()->has_precompiled() &&
      cudnn_simulated_services()->has_heuristic()) {
    const offer plain{70, true, false, false, 0};
    const offer tensor_core{38, true, true, false, 4096};
    if (half) return {tensor_core, compiled, compiled_nhwc};
    return {plain, tensor_core, compiled, compiled_nhwc};
  }
  compiled_nhwc.other_layout = !what.x.is_nhwc();
  if (half && compiled_nhwc.other_layout) return {compiled_nhwc, compiled};
  return {compiled, compiled_nhwc};
}

static void* pointer_of(const descriptor& pack, std::int64_t uid) {
  const auto uids = pack.values<std::int64_t>(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS);
  const auto pointers = pack.values<void*>(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS);
  for (std::size_t i = 0; i < uids.size() && i < pointers.size(); ++i) {
    if (uids[i] == uid) return pointers[i];
  }
  return nullptr;
}

static int execute(const descriptor& plan, const descriptor& pack) {
  arguments where;
  where.x = pointer_of(pack, plan.uids[0]);
  where.w = pointer_of(pack, plan.uids[1]);
  where.y = pointer_of(pack, plan.uids[2]);
  if (where.x == nullptr) return failed(2000, "nullptr == vars.getXData()");
  if (where.w == nullptr) return failed(2000, "nullptr == vars.getWData()");
  if (where.y == nullptr) return failed(2000, "nullptr == vars.getYData()");
  const offer& chosen = plan.offers[0];
  if (chosen.workspace > 0) {
    void* const workspace = pack.value<void*>(CUDNN_ATTR_VARIANT_PACK_WORKSPACE, nullptr);
    const auto bytes = static_cast<std::size_t>(chosen.workspace);
    if (workspace == nullptr) return failed(2002, "workspace is null");
    if (!is_device_memory(workspace, bytes)) return failed(5000, "workspace is not device memory");
    std::memset(workspace, 0, bytes);
  }
  where.other_layout = chosen.other_layout;
  const int status =
      cudnn_simulated_services()->compute("graph", chosen.precompiled, plan.what, where);
  return status == 0 ? 0 : failed(status, "a pointer is not device memory");
}

SIMULATED_EXPORT cudnnStatus_t cudnnBackendExecute(cudnnHandle_t handle,
                                                   cudnnBackendDescriptor_t plan,
                                                   cudnnBackendDescriptor_t pack) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnBackendExecute);
  const auto* const what = static_cast<const descriptor*>(plan);
  const auto* const where = static_cast<const descriptor*>(pack);
  if (handle == nullptr || what == nullptr || where == nullptr) {
    return status_of_release(failed(2002, "nullptr == descriptor"));
  }
  if (what->type != CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR || !what->finalized ||
      where->type != CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR) {
    return status_of_release(failed(2000, "plan or variant pack"));
  }
  return status_of_release(execute(*what, *where));
}
