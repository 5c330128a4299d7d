// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../core/system/system_interface.h"
#include "message.h"
#include "request.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

/// The message where the search has taken no cuDNN: why each place did not serve, and what to type.
///
/// `place.I`, from 0 on, is "LABEL<tab>PREFIX" of a place that was searched, or `told.I` a fact
/// about one that was not; `libraries.I` and `headers.I` are its directories, `header.I`,
/// `version.I` and `library.I` what was found there. `pattern`, `shim`, `names` and `wheel_folder`
/// are how the platform calls files.
message explain_search(const request& asked, const system_interface& os);

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
