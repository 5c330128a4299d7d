// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../../core/model/arena_string.h"
#include "../../core/system/system_interface.h"

namespace cudnn_checked::cli {

/// The directory of the CUDA headers for that cuDNN: beside its own, in the packages of its
/// environment, or of a toolkit, of the major release `cuda_major` (0: any).  Empty: there is none.
arena_string find_cuda_headers(const system_interface& os, const arena_string& cudnn_headers,
                               int cuda_major);

/// The directory of the headers of the toolkit with that prefix; empty: it has none.
arena_string cuda_headers_of(const system_interface& os, const arena_string& toolkit);

}  // namespace cudnn_checked::cli
