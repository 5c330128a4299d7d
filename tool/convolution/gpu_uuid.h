// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdio>

namespace cudnn_checked::compute {

/// "GPU-8932f937-d72c-...", as nvidia-smi prints it.
struct gpu_uuid {
  char text[sizeof "GPU-8932f937-d72c-0000-0000-000000000000"] = "GPU-";

  explicit gpu_uuid(const cudaUUID_t& uuid) {
    char* end = text + 4;
    for (std::size_t i = 0; i < sizeof uuid.bytes; ++i) {
      if (i == 4 || i == 6 || i == 8 || i == 10) *end++ = '-';
      std::snprintf(end, 3, "%02x", static_cast<unsigned char>(uuid.bytes[i]));
      end += 2;
    }
  }
};

}  // namespace cudnn_checked::compute
