// SPDX-License-Identifier: BSD-3-Clause
#include "text.h"

#include <cstdio>

#include "../../../core/report/report.h"

namespace cudnn_checked::sweep {

std::string on_one_line(const std::string& text) { return std_text(one_line(core_text(text))); }

std::string counted(std::size_t count, const std::string& word) {
  return std::to_string(count) + " " + word + (count == 1 ? "" : "s");
}

std::string formatted(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

}  // namespace cudnn_checked::sweep
