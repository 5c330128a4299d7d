// SPDX-License-Identifier: BSD-3-Clause
//
// Running a plan.
#include <cstring>

#include "../cuda/driver_functions.h"
#include "descriptor.h"
#include "engine_faults.h"

using namespace simulated;

static void* pointer_of(const descriptor& pack, std::int64_t uid) {
  const auto uids = pack.values<std::int64_t>(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS);
  const auto pointers = pack.values<void*>(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS);
  for (std::size_t i = 0; i < uids.size() && i < pointers.size(); ++i) {
    if (uids[i] == uid) return pointers[i];
  }
  return nullptr;
}

/// To more than plans are told, 16.
static bool is_aligned(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer) % 32 == 0;
}

static int execute(const descriptor& plan, const descriptor& pack) {
  if (plan.several != nullptr) {
    return compute(plan.several, [&](std::int64_t uid) { return pointer_of(pack, uid); });
  }
  arguments where;
  where.x = pointer_of(pack, plan.uids[0]);
  where.w = pointer_of(pack, plan.uids[1]);
  where.y = pointer_of(pack, plan.uids[2]);
  if (where.x == nullptr) return failed(2000, "nullptr == vars.getXData()");
  if (where.w == nullptr) return failed(2000, "nullptr == vars.getWData()");
  if (where.y == nullptr) return failed(2000, "nullptr == vars.getYData()");
  const offer& chosen = plan.offers[0];
  void* workspace = nullptr;
  bool dirty = false;
  if (chosen.workspace() > 0) {
    workspace = pack.value<void*>(CUDNN_ATTR_VARIANT_PACK_WORKSPACE, nullptr);
    const auto bytes = static_cast<std::size_t>(chosen.workspace());
    if (workspace == nullptr) return failed(2002, "workspace is null");
    if (!is_device_memory(workspace, bytes)) return failed(5000, "workspace is not device memory");
    dirty = *static_cast<const unsigned char*>(workspace) != 0;
    std::memset(workspace, 0, bytes);
  }
  where.other_layout = chosen.other_layout;
  const bool unaligned = !is_aligned(where.x) || !is_aligned(where.w) || !is_aligned(where.y);
  int status = disturb(plan.what, chosen, moment::execute, unaligned);
  if (status != 0) return status;
  status = compute_with_faults(plan.what, chosen, where, workspace, dirty, unaligned);
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
