// SPDX-License-Identifier: BSD-3-Clause
#include "report_file.h"

#include "../core/system/replace_file.h"

namespace cudnn_checked::prove {

static bool replace(const arena_string& path, const arena_string& text, arena_string& error) {
  const arena_string why = replace_file(path, text);
  if (!why.empty()) error = "cannot write " + path + ": " + why;
  return why.empty();
}

bool write_report(const arena_string& path, const arena_string& report, const arena_string& proof,
                  arena_string& error) {
  return replace(path, report, error) && (proof.empty() || replace(path + ".proof", proof, error));
}

}  // namespace cudnn_checked::prove
