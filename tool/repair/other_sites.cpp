// SPDX-License-Identifier: BSD-3-Clause
#include "other_sites.h"

#include <algorithm>

#include "../core/judge/advice/wheel_commands.h"
#include "../core/model/format.h"
#include "../core/model/paths.h"
#include "python_metadata.h"
#include "wheel_contents.h"

namespace cudnn_checked::repairs {

namespace {

struct other_sites {
  vector<string> folders;
  string changed_by;  ///< a file that changes sys.path by code, so what comes first is not known
};

}  // namespace

// Python documentation, "site": a line is a folder, or code where it starts with "import".
static void read_path_files(const system_interface& os, const string& site, other_sites& found) {
  vector<string> names;
  (void)os.list(site, "", names);
  for (const std::string name : names) {
    string text;
    const string file = join_path(site, name);
    const bool is_path_file = name.size() > 4 && name.substr(name.size() - 4) == ".pth";
    if (!is_path_file || !os.read_text(file, text)) continue;
    for (const string& whole : split_path_list(text, "\n")) {
      const std::string line = trimmed(whole);
      if (line.empty() || line[0] == '#') continue;
      if (line.rfind("import", 0) != 0) {
        found.folders.push_back(line[0] == '/' ? string(line) : join_path(site, line));
      } else if (line.find("sys.path") != std::string::npos ||
                 line.find("addsitedir") != std::string::npos) {
        found.changed_by = file;
      }
    }
  }
}

/// "/usr/bin" of "home = /usr/bin" in pyvenv.cfg.
static string home_of(const string& settings) {
  for (const string& line : split_path_list(settings, "\n")) {
    if (starts_with(line, "home")) return trimmed(line.substr(4), " \t\r=");
  }
  return {};
}

static void add_shared_sites(const system_interface& os, const string& prefix,
                             const string& version, other_sites& found) {
  string home;
  if (os.variable("HOME", home)) {
    found.folders.push_back(home + "/.local/lib/" + version + "/site-packages");
  }
  if (prefix.empty()) return;
  for (const string& folder :
       {version + "/site-packages", version + "/dist-packages", string("python3/dist-packages")}) {
    found.folders.push_back(prefix + "/lib/" + folder);
    found.folders.push_back(prefix + "/local/lib/" + folder);
  }
}

static bool has_packages_of_nvidia(const system_interface& os, const string& folder) {
  vector<string> names;
  (void)os.list(folder, "nvidia_", names);
  return std::any_of(names.begin(), names.end(),
                     [](const string& name) { return name.find(".dist-info") != string::npos; });
}

string condition_of_other_sites(const system_interface& os, const repair& step) {
  const python_environment& e = step.where;
  // uv looks into the environment itself, and pip --target at nothing that is installed.
  if (e.installer != wheel_installer::pip && e.installer != wheel_installer::user) return {};
  other_sites found;
  read_path_files(os, e.site, found);
  if (!found.changed_by.empty()) {
    return format("where %s does not change what pip finds", found.changed_by);
  }
  string settings;
  const bool is_virtual = os.read_text(join_path(e.prefix, "pyvenv.cfg"), settings);
  const bool shares = settings.find("include-system-site-packages = true") != string::npos;
  const string version = base_name(directory_part(e.site));
  if (shares || (!is_virtual && e.installer == wheel_installer::pip)) {
    add_shared_sites(os, shares ? directory_part(home_of(settings)) : string(), version, found);
  }
  // By force pip replaces what it finds first, and nothing outside of a virtual environment.
  const vector<string>& ordered = step.order.requirements;
  const bool replaces_own =
      step.order.again &&
      (is_virtual || std::all_of(ordered.begin(), ordered.end(), [&e](const string& requirement) {
         return find_wheel(e, name_of_order(requirement)) != nullptr;
       }));
  if (replaces_own) return {};
  for (const string& folder : found.folders) {
    if (os.real_path(folder) == os.real_path(e.site) || !has_packages_of_nvidia(os, folder))
      continue;
    return format("where pip does not count the packages of NVIDIA in %s", folder);
  }
  return {};
}

}  // namespace cudnn_checked::repairs
