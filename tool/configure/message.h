// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../core/report/message.h"
#include "../core/system/system_interface.h"
#include "request.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

/// "label|value|where"; `where` may be absent, and may have a "|".
fact fact_of(const arena_string& text);

/// The message of a request about its own values: summary, path, character, fact, because, fix,
/// quoted.
message message_of(const request& asked, const system_interface& os);

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
