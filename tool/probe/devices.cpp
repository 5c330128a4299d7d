// SPDX-License-Identifier: BSD-3-Clause
#include <cuda_runtime_api.h>

#include "../convolution/gpu_uuid.h"
#include "questions.h"
#include "status.h"

namespace cudnn_checked::probe {

/// Describes a GPU.  Returns the status of the first call that fails.
static cudaError_t describe_gpu(int index, gpu& described, facts::line_writer& line) {
  cudaDeviceProp properties;
  cudaError_t status = cudaGetDeviceProperties(&properties, index);
  if (status != cudaSuccess) return status;
  described.uuid = compute::gpu_uuid(properties.uuid).text;
  line.add("uuid", described.uuid).add("name", properties.name);
  status = cudaDeviceGetAttribute(&described.major, cudaDevAttrComputeCapabilityMajor, index);
  if (status != cudaSuccess) return status;
  return cudaDeviceGetAttribute(&described.minor, cudaDevAttrComputeCapabilityMinor, index);
}

static void add_status(facts::line_writer& line, const char* call, cudaError_t status) {
  line.add("call", call)
      .add_whole("status", status)
      .add("status-name", name_of_error(status))
      .add("status-text", text_of_error(status));
}

static void tell_versions(const teller& tell) {
  int number = 0;
  if (cudaRuntimeGetVersion(&number) == cudaSuccess && number > 0) {
    tell.tell(facts::line_writer("runtime").add_whole("cuda", number));
  }
  number = 0;
  // The version is 0 without a driver.
  if (cudaDriverGetVersion(&number) == cudaSuccess && number > 0) {
    tell.tell(facts::line_writer("driver").add_whole("cuda", number));
  }
}

std::vector<gpu> ask_for_gpus(const teller& tell) {
  tell_versions(tell);
  int count = 0;
  cudaError_t status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess && status != cudaErrorNoDevice) {
    facts::line_writer line("no-gpus");
    add_status(line, "cudaGetDeviceCount", status);
    tell.tell(line);
    (void)cudaGetLastError();
    return {};
  }
  facts::line_writer line("gpus");
  line.add_whole("count", count);
  if (count == 0) add_status(line, "cudaGetDeviceCount", cudaErrorNoDevice);
  tell.tell(line);
  std::vector<gpu> gpus;
  for (int index = 0; index < count; ++index) {
    gpu described;
    described.index = index;
    facts::line_writer of_gpu("gpu");
    of_gpu.add_whole("index", index);
    status = describe_gpu(index, described, of_gpu);
    of_gpu.add_whole("major", described.major).add_whole("minor", described.minor);
    if (status != cudaSuccess) add_status(of_gpu, "cudaGetDeviceProperties", status);
    tell.tell(of_gpu);
    gpus.push_back(described);
  }
  (void)cudaGetLastError();
  return gpus;
}

}  // namespace cudnn_checked::probe
