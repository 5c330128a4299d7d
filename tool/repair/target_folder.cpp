// SPDX-License-Identifier: BSD-3-Clause
#include "target_folder.h"

#include <algorithm>
#include <vector>

#include "../core/judge/advice/advice.h"
#include "../core/judge/advice/wheel_commands.h"
#include "../core/model/format.h"
#include "../core/model/library_name.h"
#include "../core/model/paths.h"
#include "python_metadata.h"
#include "wheel_contents.h"

namespace cudnn_checked::repairs {

using path_set = std::set<std::string>;

static void add_with_folders(const std::string& path, path_set& all) {
  for (std::size_t at = 0; at != std::string::npos;) {
    at = path.find('/', at + 1);
    all.insert(path.substr(0, at));
  }
}

path_set written_by(const repair& step) {
  path_set all;
  for (const string& requirement : step.order.requirements) {
    for (const wheel_file& file : contents_of_wheel(requirement).files) {
      add_with_folders(file.path, all);
    }
  }
  return all;
}

/// Whose files those are is known: packages have recorded them, or they are cuDNN's.
static void add_known(const system_interface& os, const python_environment& e, path_set& all) {
  for (const installed_wheel& wheel : e.wheels) {
    string record;
    (void)os.read_text(metadata_of(e, wheel) + "/RECORD", record);
    for (const recorded_file& file : files_of_record(record)) {
      add_with_folders(std::string(file.path), all);
    }
    if (is_cudnn_wheel(wheel.name)) add_with_folders(folder_of_cudnn(wheel.name) + 1, all);
  }
}

// What an older or interrupted installation leaves in cuDNN's folders is nobody's.
static bool is_left_over(const string& folder, const string& name) {
  if (name == "__pycache__") return true;
  const string within = folder + "/";
  if (!starts_with(within, "nvidia/cudnn/") && !starts_with(within, "nvidia/cudnn_jit/")) {
    return false;
  }
  const bool is_header = starts_with(name, "cudnn") && name.find(".h") != string::npos;
  return name == "__init__.py" || is_header || is_cudnn_name(name);
}

/// The first file below `folder` that is neither known nor left over, or the unknown folder that it
/// lies in; empty: there is none.
static string find_other(const system_interface& os, const string& site, const string& folder,
                         const path_set& known, int levels) {
  vector<string> names;
  const bool is_folder = os.list(join_path(site, folder), "", names) == open_result::opened;
  if (!is_folder && known.count(folder) == 0) return folder;
  std::sort(names.begin(), names.end());
  for (const string& name : names) {
    if (levels == 0 || is_left_over(folder, name)) continue;
    const string other = find_other(os, site, join_path(folder, name), known, levels - 1);
    if (!other.empty()) return known.count(folder) == 0 ? folder : other;
  }
  return {};
}

// pip --target removes all of the folder "nvidia", and brings the packages back whose names are
// known.
string condition_of_target(const system_interface& os, const repair& step) {
  const python_environment& e = step.where;
  if (e.installer != wheel_installer::target) return {};
  path_set known = written_by(step);
  add_known(os, e, known);
  known.insert("nvidia");
  const string other = find_other(os, e.site, "nvidia", known, 8);
  if (other.empty()) return {};
  return format("after a copy of %s/%s, which pip would remove", e.site, other);
}

}  // namespace cudnn_checked::repairs
