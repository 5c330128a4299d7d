// SPDX-License-Identifier: BSD-3-Clause
#include "make_bundle.h"

#include <cstdio>

#include "../bundle/bundle.h"
#include "../core/report/report.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

int make_bundle(const request& asked, const system_interface& os) {
  const bool cuda = asked["cuda"] == "yes";
  const bundles::bundle chosen = bundles::choose_bundle(
      os, asked["library"], asked.all("component"),
      cuda ? bundles::cuda_libraries::copied : bundles::cuda_libraries::left);
  arena_string text = findings_message(chosen.findings, "cudnn_checked: refused", severity::error);
  if (chosen.findings.empty()) {
    const std::string directory = asked["into"];
    std::string wrong = bundles::write_bundle(os, chosen, directory);
    if (wrong.empty()) wrong = bundles::write_link_files(chosen, directory, asked["link"]);
    if (wrong.empty()) {
      std::fputs(bundles::text_of(chosen, directory).c_str(), stdout);
      return 0;
    }
    text = "cudnn_checked: error: the bundle cannot be written: " + one_line(wrong) + "\n";
  }
  std::fputs(text.c_str(), stderr);
  return 1;
}

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
