// SPDX-License-Identifier: BSD-3-Clause
#include "text.h"

#include "../../core/report/report.h"

namespace cudnn_checked::sweep {

std::string on_one_line(const std::string& text) { return std_text(one_line(core_text(text))); }

std::string counted(std::size_t count, const std::string& word) {
  return std::to_string(count) + " " + word + (count == 1 ? "" : "s");
}

std::string text_of_devices(const std::vector<int>& devices, const char* between) {
  std::string text;
  for (const int device : devices) text += (text.empty() ? "" : between) + std::to_string(device);
  return text;
}

}  // namespace cudnn_checked::sweep
