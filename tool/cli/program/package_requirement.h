// SPDX-License-Identifier: BSD-3-Clause
//
// The cuDNN that the package of a program requires.
#pragma once

#include "../../repair/python_metadata.h"

namespace cudnn_checked::cli {

/// The requirement of the package that has recorded the file, or else of a package that requires
/// that one.
cudnn_requirement find_requirement(const system_interface& os, const arena_string& file,
                                   package_release& owner);

/// The requirement, with the order by which its package has it installed: where that brings cuDNN.
cudnn_requirement with_extras(const system_interface& os, const arena_string& site,
                              const repairs::distribution& package, const cudnn_requirement& asked);

}  // namespace cudnn_checked::cli
