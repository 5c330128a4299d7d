// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../core/system/system_interface.h"
#include "request.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace adviser {

/// The command that installs the package again to which the file belongs, which need not be there
/// any more, in the same release: a Python package, those of conda, or one of Debian.  `part` is
/// "headers" or "libraries" where Debian's other package lacks.  Empty where no package is
/// recorded.
fix_lines install_again(const request& asked, const system_interface& os, const string& file,
                        const string& part);

/// The same, or what installs a cuDNN that find_package asks for.
fix_lines again_or_new(const request& asked, const system_interface& os, const string& file);

}  // namespace adviser
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
