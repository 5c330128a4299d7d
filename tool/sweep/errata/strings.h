// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "../../core/model/string.h"

namespace cudnn_checked::sweep {

inline std::string std_text(const string& text) { return {text.data(), text.size()}; }

inline string core_text(const std::string& text) { return string(text.data(), text.size()); }

}  // namespace cudnn_checked::sweep
