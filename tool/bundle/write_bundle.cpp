// SPDX-License-Identifier: BSD-3-Clause
#include <cstring>

#include "../core/model/paths.h"
#include "../repair/library_image.h"
#include "bundle.h"
#include "files.h"

namespace cudnn_checked::bundles {

static std::string fill(const bundle& chosen, const std::string& directory) {
  std::string wrong = make_directory(directory);
  for (const bundled_file& file : chosen.files) {
    const std::string target = directory + "/" + std::string(file.name);
    if (wrong.empty()) wrong = copy_file(file.source, target);
    const std::string link = directory + "/" + std::string(file.link);
    if (wrong.empty() && !file.link.empty()) wrong = make_link(file.name, link);
  }
  for (const license_file& file : chosen.licenses) {
    const std::string folder = directory + "/licenses/" + std::string(file.folder);
    if (wrong.empty()) wrong = make_directory(folder);
    if (wrong.empty()) {
      wrong = copy_file(file.source, folder + "/" + std::string(base_name(file.source)));
    }
  }
  return wrong;
}

// A copy that is cut short has another name.
std::string write_bundle(const bundle& chosen, const std::string& directory) {
  std::string target = directory;
  while (target.size() > 1 && target.back() == '/') target.pop_back();
  std::string wrong = remove_empty(target);
  if (!wrong.empty()) return wrong;
  const std::string partial = target + ".partial";
  remove_all(partial);
  wrong = fill(chosen, partial);
  if (wrong.empty()) wrong = rename_file(partial, target);
  if (!wrong.empty()) remove_all(partial);
  return wrong;
}

// In a response file blanks separate, and a backslash takes its meaning from the next character.
static std::string in_response_file(const std::string& path) {
  std::string text;
  for (const char c : path) {
    if (std::strchr("\\ \t\"'", c) != nullptr) text += '\\';
    text += c;
  }
  return text;
}

std::string write_link_files(const bundle& chosen, const std::string& bundle_directory,
                             const std::string& directory) {
  std::string wrong = make_directory(directory);
  std::string options = "-Wl,--disable-new-dtags\n-Wl,--push-state,--no-as-needed\n";
  for (const bundled_file& file : chosen.files) {
    if (!file.is_needed) continue;
    // Of two libraries with one SONAME a linker reads the first, so it must have the symbols.
    std::string path = bundle_directory + "/" + std::string(file.name);
    if (!file.link.empty()) {
      path = directory + "/" + std::string(file.name);
      repairs::assumed_library library;
      library.soname = file.name;
      library.linkable = true;
      if (wrong.empty()) wrong = write_file(path, library_image(library));
    }
    options += in_response_file(path) + "\n";
  }
  options += "-Wl,--pop-state\n";
  return wrong.empty() ? write_file(directory + "/link.rsp", options) : wrong;
}

}  // namespace cudnn_checked::bundles
