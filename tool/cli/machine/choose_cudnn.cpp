// SPDX-License-Identifier: BSD-3-Clause
#include "choose_cudnn.h"

#include "../../core/loader/loader.h"
#include "../../core/model/cudnn_major.h"
#include "../../core/model/paths.h"
#include "../../core/observe/observe.h"
#include "../../core/system/platform.h"
#include "candidates.h"
#include "cudnn_below.h"
#include "cudnn_installs.h"
#include "python.h"

namespace cudnn_checked::cli {

arena_string absolute_directory(const system_interface& os, const std::string& directory) {
  arena_string absolute = absolute_path(os, directory);
  while (absolute.size() > 1 && absolute.back() == '/') absolute.pop_back();
  const bool plain = plain_directory(absolute) == absolute + "/";
  const arena_string real = plain ? arena_string() : os.real_path(absolute);
  return real.empty() ? absolute : real;
}

static cudnn_choice first_of(const system_interface& os, const arena_vector<candidate>& places) {
  survey all;
  add_installs(os, places, all);
  cudnn_choice chosen;
  for (const cudnn_install& install : all.installs) {
    if (!chosen.library.empty()) {
      chosen.others.push_back(install.library);
      continue;
    }
    chosen.library = install.library;
    chosen.header_path = install.header_path;
  }
  return chosen;
}

static cudnn_choice of_loader(const system_interface& os) {
  cudnn_choice chosen;
  for (int major = newest_cudnn; major >= oldest_cudnn; --major) {
    loader search(os);
    observation observed;
    observe_files(search, major, observed);
    for (const cudnn_file& file : observed.files) {
      if (file.role != library_role::shim || file.path.empty()) continue;
      cudnn_install install;
      install.directory = directory_part(file.path);
      read_headers(os, install);
      chosen.library = file.path;
      chosen.header_path = install.header_path;
      return chosen;
    }
  }
  return chosen;
}

cudnn_choice choose_cudnn(const system_interface& os, const std::string& directory) {
  cudnn_choice chosen;
  if (!directory.empty()) {
    const arena_string absolute = absolute_directory(os, directory);
    chosen = first_of(os, candidates_in(os, absolute));
    if (!chosen.library.empty()) return chosen;
    chosen.usage = os.real_path(absolute).empty();
    chosen.error = directory + (chosen.usage ? ": no such directory" : no_cudnn_in(os, absolute));
    return chosen;
  }
  chosen = of_loader(os);
  if (!chosen.library.empty()) return chosen;
  const python_packages python = find_python_packages(os);
  chosen.usage = !python.wrong.empty();
  chosen.error = python.wrong;
  if (chosen.usage) return chosen;
  chosen = first_of(os, cudnn_candidates(os, python));
  if (chosen.library.empty()) chosen.error = "no cuDNN was found here; name the directory of one";
  return chosen;
}

std::string note_of_choice(const cudnn_choice& choice) {
  if (choice.others.empty()) return {};
  std::string text = "there are " + std::to_string(choice.others.size() + 1) +
                     " cuDNNs; this is the one of " + std::string(directory_part(choice.library)) +
                     "; name the directory of another:";
  for (const arena_string& other : choice.others) text += " " + std::string(directory_part(other));
  return text;
}

}  // namespace cudnn_checked::cli
