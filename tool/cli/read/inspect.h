// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../../core/elf/elf_file.h"
#include "../../core/json/json.h"
#include "../../core/model/observation.h"

namespace cudnn_checked::cli {

/// Adds what is known of a library of cuDNN to `tree`.
void describe_library(const cudnn_file& file, const elf_file& contents, json& tree);

}  // namespace cudnn_checked::cli
