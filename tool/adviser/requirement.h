// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../core/model/version.h"
#include "request.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace adviser {

/// The newest major release of CUDA that there is a cuDNN for.
int newest_cuda();

/// The Python package of a cuDNN that find_package asks for (version, maximum, include, exact), as
/// "nvidia-cudnn-cu13==9.14.0.*": of the release `exact` instead, where that is not empty, and not
/// older than `floor`.  Empty where there is none for that CUDA.
string requirement_of_request(const request& asked, int cuda_major, const string& floor,
                              const string& exact);

/// Does that release answer find_package, `floor` and `exact`?
bool answers_request(const request& asked, const version& number, const string& floor,
                     const string& exact);

}  // namespace adviser
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
