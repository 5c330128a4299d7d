// SPDX-License-Identifier: BSD-3-Clause
//
// libnvidia-ml.so.1.  It shows every GPU of the machine, whatever CUDA_VISIBLE_DEVICES says.
#include <nvml.h>

#include <cstdint>
#include <vector>

#include "../common/fault.h"
#include "gpus.h"

using namespace simulated;

static int users = 0;

// A handle is the number of the GPU, counted from one.
static nvmlReturn_t find_gpu(nvmlDevice_t device, gpu& found) {
  if (users == 0) return NVML_ERROR_UNINITIALIZED;
  const std::vector<gpu> gpus = all_gpus();
  const auto number = reinterpret_cast<std::uintptr_t>(device);
  if (number == 0 || number > gpus.size()) return NVML_ERROR_INVALID_ARGUMENT;
  found = gpus[number - 1];
  return NVML_SUCCESS;
}

static nvmlReturn_t give_text(const std::string& text, char* target, unsigned length) {
  return copy_text(text, target, length) ? NVML_SUCCESS : NVML_ERROR_INSUFFICIENT_SIZE;
}

SIMULATED_EXPORT nvmlReturn_t nvmlInit_v2() {
  SIMULATED_ENTER(nvmlReturn_t, nvmlInit_v2);
  ++users;
  return NVML_SUCCESS;
}

SIMULATED_EXPORT nvmlReturn_t nvmlShutdown() {
  SIMULATED_ENTER(nvmlReturn_t, nvmlShutdown);
  if (users == 0) return NVML_ERROR_UNINITIALIZED;
  --users;
  return NVML_SUCCESS;
}

SIMULATED_EXPORT nvmlReturn_t nvmlDeviceGetCount_v2(unsigned* count) {
  SIMULATED_ENTER(nvmlReturn_t, nvmlDeviceGetCount_v2);
  if (users == 0) return NVML_ERROR_UNINITIALIZED;
  if (count == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
  *count = static_cast<unsigned>(all_gpus().size());
  return NVML_SUCCESS;
}

SIMULATED_EXPORT nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned index, nvmlDevice_t* device) {
  SIMULATED_ENTER(nvmlReturn_t, nvmlDeviceGetHandleByIndex_v2);
  const auto handle = reinterpret_cast<nvmlDevice_t>(static_cast<std::uintptr_t>(index) + 1);
  gpu found;
  const nvmlReturn_t status = find_gpu(handle, found);
  if (status == NVML_SUCCESS) *device = handle;
  return status;
}

SIMULATED_EXPORT nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t device, char* uuid, unsigned length) {
  SIMULATED_ENTER(nvmlReturn_t, nvmlDeviceGetUUID);
  gpu found;
  const nvmlReturn_t status = find_gpu(device, found);
  return status == NVML_SUCCESS ? give_text(found.uuid_text(), uuid, length) : status;
}

SIMULATED_EXPORT nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t device, char* name, unsigned length) {
  SIMULATED_ENTER(nvmlReturn_t, nvmlDeviceGetName);
  gpu found;
  const nvmlReturn_t status = find_gpu(device, found);
  return status == NVML_SUCCESS ? give_text(found.name, name, length) : status;
}

SIMULATED_EXPORT nvmlReturn_t nvmlDeviceGetCudaComputeCapability(nvmlDevice_t device, int* major,
                                                                 int* minor) {
  SIMULATED_ENTER(nvmlReturn_t, nvmlDeviceGetCudaComputeCapability);
  gpu found;
  const nvmlReturn_t status = find_gpu(device, found);
  if (status != NVML_SUCCESS) return status;
  *major = found.major;
  *minor = found.minor;
  return NVML_SUCCESS;
}

SIMULATED_EXPORT nvmlReturn_t nvmlSystemGetDriverVersion(char* version, unsigned length) {
  SIMULATED_ENTER(nvmlReturn_t, nvmlSystemGetDriverVersion);
  if (users == 0) return NVML_ERROR_UNINITIALIZED;
  return give_text(SIMULATED_DRIVER_VERSION, version, length);
}

SIMULATED_EXPORT const char* nvmlErrorString(nvmlReturn_t result) {
  static const struct {
    nvmlReturn_t result;
    const char* text;
  } texts[] = {{NVML_SUCCESS, "Success"},
               {NVML_ERROR_UNINITIALIZED, "Uninitialized"},
               {NVML_ERROR_INVALID_ARGUMENT, "Invalid Argument"},
               {NVML_ERROR_NOT_FOUND, "Not Found"},
               {NVML_ERROR_INSUFFICIENT_SIZE, "Insufficient Size"},
               {NVML_ERROR_DRIVER_NOT_LOADED, "Driver Not Loaded"},
               {NVML_ERROR_LIB_RM_VERSION_MISMATCH, "Driver/library version mismatch"}};
  for (const auto& known : texts) {
    if (known.result == result) return known.text;
  }
  return "Unknown Error";
}
