// SPDX-License-Identifier: BSD-3-Clause
#include "install_headers.h"

#include "../../core/model/paths.h"
#include "../../core/observe/header_version.h"
#include "../../core/observe/included_headers.h"
#include "candidates.h"

namespace cudnn_checked::cli {

void read_headers(const system_interface& os, cudnn_install& install) {
  for (const string& directory : header_directories(install.directory)) {
    const string path = join_path(directory, "cudnn_version.h");
    string text;
    if (!os.read_text(path, text)) continue;
    install.header_path = path;
    install.header = read_header_version(text);
    if (!os.real_path(join_path(directory, "cudnn.h")).empty()) {
      follow_headers(os, directory, install.headers);
    }
    return;
  }
}

}  // namespace cudnn_checked::cli
