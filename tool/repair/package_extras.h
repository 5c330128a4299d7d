// SPDX-License-Identifier: BSD-3-Clause
//
// Extras by which a package has NVIDIA's libraries installed: "onnxruntime-gpu[cuda,cudnn]",
// "tensorflow[and-cuda]", "jax-cuda12-plugin[with-cuda]".
#pragma once

#include "../core/model/repair.h"
#include "../core/system/system_interface.h"
#include "python_metadata.h"

namespace cudnn_checked::repairs {

/// The order of those extras that bring nothing but packages of NVIDIA's, not all of which the
/// environment has as they are asked for.  Empty where there are none, and of a package of which no
/// extra, or extras for several CUDAs, ask for cuDNN.
wheel_order order_by_extras(const system_interface& os, const arena_string& site,
                            const distribution& package);

/// The same of all packages of the environment that have such extras.
arena_vector<wheel_order> orders_by_extras(const system_interface& os, const arena_string& site);

}  // namespace cudnn_checked::repairs
