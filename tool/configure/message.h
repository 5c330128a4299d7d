// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../core/report/message.h"
#include "request.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

/// "label|value|where"; `where` may be absent, and may have a "|".
fact fact_of(const arena_string& text);

/// The message of a request: name, verdict, summary, fact, because, fix, quoted.
message message_of(const request& asked);

/// The lines that the request gives for a key; an empty value is none.
fix_lines given_fixes(const request& asked, const char* key);

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
