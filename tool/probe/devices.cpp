// SPDX-License-Identifier: BSD-3-Clause
#include "asked.h"

#include <cuda_runtime_api.h>

#include "../convolution/gpu_uuid.h"
#include "../core/observe/observe.h"
#include "status.h"

namespace cudnn_checked::probe {

static cudaError_t describe_gpu(int index, gpu& described) {
  described.index = index;
  cudaDeviceProp properties;
  cudaError_t status = cudaGetDeviceProperties(&properties, index);
  if (status != cudaSuccess) return status;
  described.name = properties.name;
  described.uuid = compute::gpu_uuid(properties.uuid).text;
  status =
      cudaDeviceGetAttribute(&described.capability.major, cudaDevAttrComputeCapabilityMajor, index);
  if (status != cudaSuccess) return status;
  return cudaDeviceGetAttribute(&described.capability.minor, cudaDevAttrComputeCapabilityMinor,
                                index);
}

static void observe_versions(observation& observed) {
  int number = 0;
  if (cudaRuntimeGetVersion(&number) == cudaSuccess && number > 0) {
    observed.runtime = decode_cuda_version(static_cast<unsigned long long>(number));
  }
  number = 0;
  // 0 where there is no driver.
  if (cudaDriverGetVersion(&number) == cudaSuccess && number > 0) {
    observed.driver.cuda = decode_cuda_version(static_cast<unsigned long long>(number));
  }
}

static arena_string hidden_by(const system_interface& os) {
  arena_string value;
  return os.variable("CUDA_VISIBLE_DEVICES", value) ? "CUDA_VISIBLE_DEVICES=" + value
                                                    : arena_string();
}

void observe_devices(const system_interface& os, observation& observed, arena_string& reason) {
  observe_versions(observed);
  int count = 0;
  cudaError_t status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess && status != cudaErrorNoDevice) {
    reason = describe(status, "cudaGetDeviceCount");
    (void)cudaGetLastError();
    // If the runtime cannot answer, it is still useful whether there is a GPU at all.
    observe_gpus_on_pci(os, observed);
    observed.devices.failed_call = "cudaGetDeviceCount";
    observed.devices.status = static_cast<int>(status);
    observed.devices.status_name = name_of_error(status);
    observed.devices.status_text = text_of_error(status);
    return;
  }
  gpu_facts told;
  told.source = gpu_source::cuda;
  told.visible = count > 0 ? answer::yes : answer::no;
  if (count == 0) {
    told.hidden_by = hidden_by(os);
    reason = describe(cudaErrorNoDevice, "cudaGetDeviceCount");
  }
  for (int index = 0; index < count; ++index) {
    gpu described;
    status = describe_gpu(index, described);
    if (status != cudaSuccess) reason = describe(status, "cudaGetDeviceProperties");
    told.gpus.push_back(described);
  }
  observed.devices = told;
  (void)cudaGetLastError();
}

}  // namespace cudnn_checked::probe
