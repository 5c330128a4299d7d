// SPDX-License-Identifier: BSD-3-Clause
//
// The RECORDs of cuDNN's own wheels, as a guard reads them before it refuses.  A line of RECORD is
// path,hash,length (Python Packaging User Guide, "Recording installed projects").  packages.cpp has
// every kind of package, and is for whoever may take time.
#include <cstdlib>

#include "../elf/elf_file.h"
#include "../model/paths.h"
#include "observe.h"
#include "site_packages.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static constexpr int wheel_most_levels = 5;

// Of the folder only that the file lies in.
static void find_absent_of_record(const system_interface& os, const string& site,
                                  const string& folder, const string& record,
                                  const package_record& package, vector<absent_file>& absent) {
  for (std::size_t i = absent.size(); i-- > 0;) {
    if (absent[i].package.record == package.record) return;
  }
  const string start = "\n" + folder + "/libcudnn";
  for (std::size_t at = record.find(start); at != string::npos; at = record.find(start, at + 1)) {
    const string listed = record.substr(at + 1, record.find_first_of(",\n", at + 1) - at - 1);
    const string path = join_path(site, listed);
    if (listed.find(".so.") == string::npos) continue;
    if (open_file(os, path).result() == open_result::missing) absent.push_back({path, package});
  }
}

// `info` is the folder's name, `listed` the file as RECORD names it, relative to the folder above.
static void read_wheel_record(const system_interface& os, const string& site, const string& info,
                              const string& listed, cudnn_file& file, vector<absent_file>& absent) {
  const installed_wheel wheel = wheel_of_info(info);
  package_record package;
  package.record = join_path(site, info + "/RECORD");
  string text;
  if (wheel.name.find("cudnn") == string::npos || !os.read_text(package.record, text)) return;
  text = "\n" + text;
  const string wanted = "\n" + listed + ",";
  const std::size_t line = text.find(wanted);
  if (line == string::npos) return;
  const std::size_t hash = line + wanted.size();
  const std::size_t comma = text.find(',', hash);
  package.manager = package_manager::wheel;
  package.name = wheel.name;
  package.number = wheel.number;
  package.cudnn = parse_version(package.number);
  const std::size_t cuda = package.name.rfind("-cu");
  if (cuda != string::npos) {
    package.cuda_major =
        static_cast<int>(std::strtoull(package.name.c_str() + cuda + 3, nullptr, 10));
  }
  if (comma < text.find('\n', hash)) {
    package.size = std::strtoull(text.c_str() + comma + 1, nullptr, 10);
  }
  if (package.size != 0) {
    package.same_size = package.size == file.size ? answer::yes : answer::no;
  }
  if (file.package.same_size == answer::yes) return;
  file.package = package;
  find_absent_of_record(os, site, directory_part(listed), text, package, absent);
}

static void keep_absent_of_owners(observation& observed) {
  vector<absent_file> kept;
  for (const absent_file& file : observed.absent_files) {
    bool owns = false;
    for (const cudnn_file& other : observed.files) {
      owns = owns || other.package.record == file.package.record;
    }
    if (owns) kept.push_back(file);
  }
  observed.absent_files = std::move(kept);
}

void observe_wheel_records(const system_interface& os, observation& observed) {
  observed.absent_files.clear();
  for (cudnn_file& file : observed.files) {
    string site = os.real_path(directory_part(file.path));
    string listed = base_name(file.path);
    for (int level = 0; level < wheel_most_levels && site.size() > 1; ++level) {
      listed = base_name(site) + "/" + listed;
      site = directory_part(site);
      vector<string> names;
      (void)os.list(site, of_nvidia, names);
      for (const string& name : names)
        read_wheel_record(os, site, name, listed, file, observed.absent_files);
    }
  }
  keep_absent_of_owners(observed);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
