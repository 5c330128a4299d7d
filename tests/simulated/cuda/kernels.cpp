// SPDX-License-Identifier: BSD-3-Clause
//
// What the host code that nvcc generates calls: fatbinaries are registered as they are in a
// program, and a kernel is launched if the simulated GPU and driver could run what is in its
// fatbinary.  The kernel of the probe is computed on the CPU; no other is known.
#include <cstring>
#include <map>
#include <vector>

#include "../../../tool/probe/kernel/kernel.h"
#include "../fatbinary.h"
#include "cudart.h"

using namespace simulated;

namespace {

struct dim3 {
  unsigned x, y, z;
};

struct registered_kernel {
  const container_head* code;
  const char* name;
};

std::map<const void*, registered_kernel>& kernels() {
  static std::map<const void*, registered_kernel> all;
  return all;
}

enum class fit { none, ptx_too_new, runs };

/// The CUDA release that brought a version of PTX (PTX ISA, "Release Notes").
int cuda_of_ptx(int major, int minor) {
  constexpr int of_ptx_8[] = {12000, 12010, 12020, 12030, 12040, 12050, 12070, 12080, 12090};
  if (major == 8 && minor < 9) return of_ptx_8[minor];
  return (major + 4) * 1000 + minor * 10;
}

// CUDA C++ Programming Guide, "Binary Compatibility", "PTX Compatibility"; embedded chips apart.
bool suits(const entry_head& entry, int gpu) {
  const int target = static_cast<int>(entry.architecture);
  const bool specific = (entry.flags & flags_of('a') & ~flags_of('\0')) != 0;
  const bool family = (entry.flags & flags_of('f') & ~flags_of('\0')) != 0;
  if (specific) return target == gpu;
  const bool any_major = entry.kind == 1 && !family;
  return target <= gpu && (any_major || target / 10 == gpu / 10);
}

fit fit_of(const container_head& container, int gpu, int driver_cuda) {
  fit best = fit::none;
  const char* at = reinterpret_cast<const char*>(&container) + container.head_size;
  const char* const end = at + container.size;
  while (at < end) {
    entry_head entry;
    std::memcpy(&entry, at, sizeof entry);
    at += entry.head_size + entry.size;
    if (!suits(entry, gpu)) continue;
    if (entry.kind == 2) return fit::runs;
    if (entry.kind != 1) continue;
    const bool known = cuda_of_ptx(entry.major, entry.minor) <= driver_cuda;
    if (known) best = fit::runs;
    if (!known && best == fit::none) best = fit::ptx_too_new;
  }
  return best;
}

int status_on_current_gpu(const container_head& container) {
  int device = 0, major = 0, minor = 0, version = 0;
  driver().current(&device);
  driver().attribute(&major, cudaDevAttrComputeCapabilityMajor, device);
  driver().attribute(&minor, cudaDevAttrComputeCapabilityMinor, device);
  driver().version(&version);
  switch (fit_of(container, major * 10 + minor, version)) {
    case fit::none:
      return cudaErrorNoKernelImageForDevice;
    case fit::ptx_too_new:
      return cudaErrorUnsupportedPtxVersion;
    default:
      return cudaSuccess;
  }
}

float sum_of(const cudnn_checked_kernel_problem& p, int image, int filter, int row, int column) {
  float sum = 0;
  for (int c = 0; c < p.channels; ++c) {
    const float* const x = p.x + (image * p.channels + c) * p.size * p.size;
    const float* const w = p.w + (filter * p.channels + c) * p.kernel * p.kernel;
    for (int r = 0; r < p.kernel; ++r) {
      const int h = row + r - p.kernel / 2;
      if (h < 0 || h >= p.size) continue;
      for (int s = 0; s < p.kernel; ++s) {
        const int v = column + s - p.kernel / 2;
        if (v >= 0 && v < p.size) sum += x[h * p.size + v] * w[r * p.kernel + s];
      }
    }
  }
  return sum;
}

int compute(const cudnn_checked_kernel_problem& p) {
  const auto bytes = [](int elements) {
    return static_cast<std::size_t>(elements) * sizeof(float);
  };
  const int picture = p.size * p.size;
  if (!is_device_memory(p.x, bytes(p.batch * p.channels * picture)) ||
      !is_device_memory(p.w, bytes(p.filters * p.channels * p.kernel * p.kernel)) ||
      !is_device_memory(p.y, bytes(p.batch * p.filters * picture))) {
    return cudaErrorIllegalAddress;
  }
  if (is_faulty("unwritten", "kernel")) return cudaSuccess;
  float* y = p.y;
  for (int image = 0; image < p.batch; ++image) {
    for (int filter = 0; filter < p.filters; ++filter) {
      for (int element = 0; element < picture; ++element) {
        *y++ = sum_of(p, image, filter, element / p.size, element % p.size);
      }
    }
  }
  if (is_faulty("wrong-element", "kernel")) y[-1] += 1;
  if (is_faulty("wrong", "kernel")) {
    while (y > p.y) *--y *= 1.5F;
  }
  return cudaSuccess;
}

int launch(const registered_kernel& kernel, void** arguments) {
  const int status = status_on_current_gpu(*kernel.code);
  if (status != cudaSuccess) return status;
  if (std::strcmp(kernel.name, "cudnn_checked_kernel") != 0) return cudaErrorLaunchFailure;
  return compute(*static_cast<const cudnn_checked_kernel_problem*>(arguments[0]));
}

}  // namespace

SIMULATED_EXPORT void** __cudaRegisterFatBinary(void* wrapped) {
  return reinterpret_cast<void**>(wrapped);
}

SIMULATED_EXPORT void __cudaRegisterFatBinaryEnd(void**) {}
SIMULATED_EXPORT void __cudaUnregisterFatBinary(void**) {}
SIMULATED_EXPORT char __cudaInitModule(void**) { return 1; }

SIMULATED_EXPORT void __cudaRegisterFunction(void** fatbinary, const char* function, char*,
                                             const char* name, int, void*, void*, void*, void*,
                                             int*) {
  const auto* const wrapped = reinterpret_cast<const wrapper*>(fatbinary);
  kernels()[function] = {static_cast<const container_head*>(wrapped->container), name};
}

SIMULATED_EXPORT cudaError_t cudaLaunchKernel(const void* function, dim3, dim3, void** arguments,
                                              size_t, cudaStream_t) {
  SIMULATED_CUDA(cudaLaunchKernel);
  const auto found = kernels().find(function);
  // cudaErrorInvalidDeviceFunction
  if (found == kernels().end()) return told(98);
  return told(launch(found->second, arguments));
}

// What <<<>>> is made of.
SIMULATED_EXPORT unsigned __cudaPushCallConfiguration(dim3, dim3, size_t, void*) { return 0; }

SIMULATED_EXPORT cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared,
                                                        void* stream) {
  *grid = *block = {1, 1, 1};
  *shared = 0;
  std::memset(stream, 0, sizeof(void*));
  return cudaSuccess;
}

SIMULATED_EXPORT cudaError_t __cudaGetKernel(const void** kernel, const void* function) {
  *kernel = function;
  return cudaSuccess;
}

SIMULATED_EXPORT cudaError_t __cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block,
                                                void** arguments, size_t shared,
                                                cudaStream_t stream) {
  return cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
}
