// SPDX-License-Identifier: BSD-3-Clause
#include "licenses.h"

#include "../core/model/paths.h"
#include "../core/model/python_environment.h"
#include "../core/observe/package_records.h"
#include "../repair/python_metadata.h"

namespace cudnn_checked::bundles {

// A larger file is no text that somebody reads.
static constexpr unsigned long long most_license_bytes = 16U << 20;

static constexpr char license_names[] = "LICENSE|License|license|LICENCE|COPYING|NOTICE";

static void add_named(const system_interface& os, const arena_string& directory,
                      const char* prefixes, const arena_string& folder,
                      arena_vector<license_file>& found) {
  for (const arena_string& name : sorted_names_in(os, directory, prefixes)) {
    const arena_string path = join_path(directory, name);
    byte_source* file = nullptr;
    if (os.open(path, &file) != open_result::opened) continue;
    const unsigned long long size = file->size();
    delete file;
    if (size <= most_license_bytes) found.push_back({path, size, folder});
  }
}

static arena_vector<license_file> of_wheel(const system_interface& os, const arena_string& info) {
  const arena_string folder = wheel_of_info(base_name(info)).name;
  arena_vector<license_file> found;
  add_named(os, info + "/licenses", "", folder, found);
  add_named(os, info, license_names, folder, found);
  return found;
}

// The folder of metadata of the package that has recorded the file.
static arena_string info_of(const system_interface& os, const arena_string& file) {
  const arena_string site = repairs::site_of(os, file);
  if (site.empty()) return {};
  for (const std::string& info : repairs::infos_of(os, site, "")) {
    arena_string record;
    const arena_string directory = join_path(site, info);
    if (!os.read_text(directory + "/RECORD", record)) continue;
    recorded_file one;
    for (std::size_t at = 0; next_file(record, at, one);) {
      if (os.real_path(recorded_path(site, one.path)) == file) return directory;
    }
  }
  return {};
}

static arena_vector<license_file> licenses_of(const system_interface& os,
                                              const package_record& package,
                                              const arena_string& file) {
  arena_vector<license_file> found;
  if (package.manager == package_manager::wheel)
    return of_wheel(os, directory_part(package.record));
  if (package.manager == package_manager::dpkg) {
    add_named(os, "/usr/share/doc/" + package.name, "copyright", package.name, found);
    return found;
  }
  const arena_string info = info_of(os, file);
  if (!info.empty()) return of_wheel(os, info);
  const arena_string above = directory_part(directory_part(file));
  // A license in a prefix that many packages share belongs to none of them.
  if (package.manager == package_manager::none) {
    add_named(os, above, license_names, base_name(above), found);
  }
  return found;
}

static package_record package_of(const observation& observed, const arena_string& file) {
  for (const cudnn_file& one : observed.files) {
    if (one.real_path == file) return one.package;
  }
  return {};
}

static bool is_taken(const license_file& one, const arena_vector<license_file>& all) {
  return any_of(all, [&](const license_file& other) {
    return other.folder == one.folder && base_name(other.source) == base_name(one.source);
  });
}

void find_licenses(const system_interface& os, const observation& observed, bundle& chosen) {
  arena_vector<arena_string> looked_at;
  for (const bundled_file& file : chosen.files) {
    const package_record package = package_of(observed, file.source);
    // The files of a package have one license, and so have those of a directory without a record.
    const arena_string owner =
        package.record.empty() ? directory_part(file.source) : package.record;
    if (!add_once(owner, looked_at)) continue;
    const arena_vector<license_file> found = licenses_of(os, package, file.source);
    if (found.empty()) chosen.unlicensed.push_back(file.name);
    for (license_file one : found) {
      const arena_string folder = one.folder;
      for (int number = 2; is_taken(one, chosen.licenses); ++number) {
        one.folder = folder + "-" + to_string(number);
      }
      chosen.licenses.push_back(one);
    }
  }
}

}  // namespace cudnn_checked::bundles
