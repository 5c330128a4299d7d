// SPDX-License-Identifier: BSD-3-Clause
//
// Words that several rooms write.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "../../core/model/string.h"

namespace cudnn_checked::sweep {

inline std::string std_text(const string& text) { return {text.data(), text.size()}; }

inline string core_text(const std::string& text) { return string(text.data(), text.size()); }

/// What is no visible character is printed as "\x0a": a name from a file may hold anything, escape
/// sequences of terminals too.
std::string on_one_line(const std::string& text);

/// "1 rule", "2 rules".
std::string counted(std::size_t count, const std::string& word);

/// "0,3".
std::string text_of_devices(const std::vector<int>& devices, const char* between);

}  // namespace cudnn_checked::sweep
