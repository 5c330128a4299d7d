// SPDX-License-Identifier: BSD-3-Clause
//
// The RECORDs of cuDNN's own wheels, as a guard reads them before it refuses.  A line of RECORD is
// path,hash,length (Python Packaging User Guide, "Recording installed projects").
// package_records.cpp has every kind of package, and is for whoever may take time.
#include <cstdlib>

#include "../library/library_file.h"
#include "../model/library_name.h"
#include "../model/paths.h"
#include "../system/platform.h"
#include "observe.h"
#include "package_records.h"
#include "site_packages.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static constexpr int wheel_most_levels = 5;

// Looks only at the folder that the file lies in.
static void find_absent_of_record(const system_interface& os, const arena_string& site,
                                  const arena_string& folder, const arena_string& record,
                                  const package_record& package,
                                  arena_vector<absent_file>& absent) {
  for (std::size_t i = absent.size(); i-- > 0;) {
    if (absent[i].package.record == package.record) return;
  }
  const arena_string start = "\n" + folder + "/";
  for (std::size_t at = record.find(start); at != arena_string::npos;
       at = record.find(start, at + 1)) {
    const arena_string listed = record.substr(at + 1, record.find_first_of(",\n", at + 1) - at - 1);
    const arena_string path = join_path(site, listed);
    if (!is_cudnn_path(listed) || major_of_name(base_name(listed)) == 0) continue;
    if (open_file(os, path).result() == open_result::missing) absent.push_back({path, package});
  }
}

package_record package_of_info(const arena_string& site, const arena_string& info) {
  const installed_wheel wheel = wheel_of_info(info);
  package_record package;
  package.manager = package_manager::wheel;
  package.name = wheel.name;
  package.number = wheel.number;
  package.record = join_path(site, info + "/RECORD");
  // Others bring copies of cuDNN; their own release says nothing of it.
  if (wheel.name.find("cudnn") == arena_string::npos) return package;
  package.cudnn = parse_version(wheel.number);
  const std::size_t cuda = wheel.name.rfind("-cu");
  if (cuda != arena_string::npos) {
    package.cuda_major =
        static_cast<int>(std::strtoull(wheel.name.c_str() + cuda + 3, nullptr, 10));
  }
  return package;
}

void compare_size(long long recorded, unsigned long long size, package_record& package) {
  if (recorded < 0) return;
  package.size = static_cast<unsigned long long>(recorded);
  package.same_size = package.size == size ? answer::yes : answer::no;
}

// `info` is the folder's name, `listed` the file as RECORD names it, relative to the folder above.
static void read_wheel_record(const system_interface& os, const arena_string& site,
                              const arena_string& info, const arena_string& listed,
                              cudnn_file& file, arena_vector<absent_file>& absent) {
  package_record package = package_of_info(site, info);
  arena_string text;
  if (package.name.find("cudnn") == arena_string::npos || !os.read_text(package.record, text))
    return;
  text = "\n" + plain_slashes(text);
  const arena_string wanted = "\n" + listed + ",";
  const std::size_t line = text.find(wanted);
  if (line == arena_string::npos) return;
  const std::size_t hash = line + wanted.size();
  const std::size_t comma = text.find(',', hash);
  if (comma < text.find('\n', hash)) {
    const auto size = std::strtoull(text.c_str() + comma + 1, nullptr, 10);
    compare_size(size == 0 ? -1 : static_cast<long long>(size), file.size, package);
  }
  if (file.package.same_size == answer::yes) return;
  file.package = package;
  find_absent_of_record(os, site, directory_part(listed), text, package, absent);
}

static void keep_absent_of_owners(observation& observed) {
  arena_vector<absent_file> kept;
  for (const absent_file& file : observed.absent_files) {
    const bool owns = any_of(observed.files, [&](const cudnn_file& other) {
      return other.package.record == file.package.record;
    });
    if (owns) kept.push_back(file);
  }
  observed.absent_files = std::move(kept);
}

void observe_wheel_records(const system_interface& os, observation& observed) {
  observed.absent_files.clear();
  for (cudnn_file& file : observed.files.in_place()) {
    arena_string site = os.real_path(directory_part(file.path));
    arena_string listed = base_name(file.path);
    for (int level = 0; level < wheel_most_levels && site.size() > 1; ++level) {
      listed = base_name(site) + "/" + listed;
      site = directory_part(site);
      for (const arena_string& name : names_in(os, site, of_nvidia)) {
        read_wheel_record(os, site, name, listed, file, observed.absent_files);
      }
    }
  }
  keep_absent_of_owners(observed);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
