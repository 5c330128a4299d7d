// SPDX-License-Identifier: BSD-3-Clause
#include "../report_file.h"

#include "../../guard/windows/report_file.cpp"

namespace cudnn_checked::probe {

bool replace_text(const arena_string& path, const arena_string& text, arena_string& error) {
  const arena_string why = write_report_file(path, text);
  if (!why.empty()) error = "cannot write " + path + ": " + why;
  return why.empty();
}

}  // namespace cudnn_checked::probe
