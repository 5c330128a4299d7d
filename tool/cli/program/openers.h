// SPDX-License-Identifier: BSD-3-Clause
//
// Packages that open cuDNN themselves, in an order of their own (openers.def).
#pragma once

#include "../../core/loader/loader.h"
#include "../../core/model/unstamped_program.h"

namespace cudnn_checked::cli {

struct opened_cudnn {
  answer found = answer::unknown;
  string path;     ///< of the file that it opens; where it finds none, the name that it asks for
  string told_by;  ///< what leads there: "CUDA_HOME, as transformer_engine/common/__init__.py does"
};

/// Does a package open cuDNN itself for that library?
bool is_opener(const package_release& package, const string& library);

/// What it opens for the program of that loader, of a package that is_opener().
opened_cudnn open_as_package(loader& search, const package_release& package);

}  // namespace cudnn_checked::cli
