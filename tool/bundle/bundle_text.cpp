// SPDX-License-Identifier: BSD-3-Clause
#include "../core/model/one_line.h"
#include "bundle.h"

namespace cudnn_checked::bundles {

// "31 MB", as disks count.
static std::string size_of(const bundle& chosen) {
  constexpr unsigned long long megabyte = 1000000;
  unsigned long long bytes = 0;
  for (const bundled_file& file : chosen.files) bytes += file.size;
  return std::to_string((bytes + megabyte / 2) / megabyte) + " MB";
}

arena_string text_of(const bundle& chosen, const arena_string& directory) {
  std::string text = "cuDNN " + std::string(to_string(chosen.number));
  if (chosen.cuda_major != 0) text += " for CUDA " + std::to_string(chosen.cuda_major);
  text += " copied to " + std::string(one_line(directory)) + ": " +
          std::to_string(chosen.files.size()) + " libraries, " + size_of(chosen) + "\n";
  for (const left_file& file : chosen.left) {
    text += "  not copied:   " + std::string(file.name) + "   " +
            (file.path.empty() ? "not found here" : std::string(one_line(file.path))) + "\n";
  }
  if (!chosen.open_names.empty()) {
    text +=
        "  not in it:    " + joined(chosen.open_names, " ") + "\n" +
        "  cuDNN asks for these as well. If LD_LIBRARY_PATH or ld.so.cache lead to one, the run "
        "path cannot keep\n  it out; a guarded program refuses one that does not fit.\n";
  }
  if (!chosen.unlicensed.empty()) {
    text += "  no license:   none was found for " + joined(chosen.unlicensed, " ") + "\n";
  }
  return text;
}

}  // namespace cudnn_checked::bundles
