// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cudnn.h>

namespace simulated {

const char* status_name(cudnnStatus_t status);

}  // namespace simulated
