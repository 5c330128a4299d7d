// SPDX-License-Identifier: BSD-3-Clause
#include "tools.h"

#include <unistd.h>

#include <cerrno>

#include "../core/model/paths.h"

namespace cudnn_checked::repairs {

static bool is_denied(const string& place) {
  return ::access(place.c_str(), W_OK) != 0 &&
         (errno == EACCES || errno == EROFS || errno == EPERM);
}

string unwritable_place(const fix_line& line) {
  for (const repair& step : line.steps) {
    string place;
    if (step.what == repair_kind::wheels) place = step.where.site;
    if (step.what == repair_kind::removal || step.what == repair_kind::link) {
      place = directory_part(step.name);
    }
    if (step.what == repair_kind::cache) place = "/etc";
    if (!place.empty() && is_denied(place)) return place;
  }
  return {};
}

/// "libcudnn9-cuda-13" of "/var/lib/dpkg/info/libcudnn9-cuda-13.list".
static string name_of_list(const string& record) {
  const string name = base_name(record);
  return name.substr(0, name.find_first_of(":.") == string::npos ? name.size() : name.rfind('.'));
}

// apt keeps what it can install in /var/lib/apt/lists (apt-get(8), "FILES"); an image that has
// removed the lists has the sources, of NVIDIA's repository "cuda-<system>.list".
static bool is_known(const system_interface& os, const string& package) {
  vector<string> sources;
  (void)os.list("/etc/apt/sources.list.d", "cuda", sources);
  if (!sources.empty()) return true;
  vector<string> lists;
  (void)os.list("/var/lib/apt/lists", "", lists);
  const string wanted = "\nPackage: " + package + "\n";
  for (const string& name : lists) {
    string text;
    const bool packages = name.size() > 9 && name.substr(name.size() - 9) == "_Packages";
    if (!packages || !os.read_text("/var/lib/apt/lists/" + name, text)) continue;
    if (("\n" + text).find(wanted) != string::npos) return true;
  }
  return false;
}

string unknown_to_apt(const system_interface& os, const fix_line& line) {
  for (const repair& step : line.steps) {
    const bool again =
        step.what == repair_kind::package && step.name.find("/dpkg/") != string::npos;
    if (!again && step.what != repair_kind::debian) continue;
    const string name = again ? name_of_list(step.name) : step.name;
    if (!is_known(os, name)) return again ? name + "=" + step.value : name;
  }
  return {};
}

}  // namespace cudnn_checked::repairs
