// SPDX-License-Identifier: BSD-3-Clause
#include "environment_records.h"

#include <algorithm>
#include <map>
#include <set>

#include "../../core/judge/advice/advice.h"
#include "../../core/library/library_file.h"
#include "../../core/model/library_name.h"
#include "../../core/model/paths.h"
#include "../../core/observe/package_records.h"
#include "../../core/system/platform.h"
#include "../../repair/passing_memory.h"

namespace cudnn_checked::cli {

static constexpr std::string_view info_ending = ".dist-info";

bool is_library_name(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return false;
  const arena_string ending = lower_case(name.substr(dot));
  if (ending == ".dll" || ending == ".pyd") return true;
  const std::size_t at = name.rfind(".so");
  if (at == std::string_view::npos || at == 0) return false;
  const std::string_view rest = name.substr(at + 3);
  return rest.empty() || (rest[0] == '.' && rest.find_first_not_of(".0123456789") == rest.npos);
}

static std::string_view base_of(std::string_view path) {
  return path.substr(path.rfind('/') + 1);  // npos + 1 is 0
}

static bool is_cudnn_header(std::string_view path) {
  const std::string_view name = base_of(path);
  return name.substr(0, 5) == "cudnn" && ends_with(name, ".h") &&
         path.find("nvidia/cudnn") != std::string_view::npos;
}

static void add_file(const recorded_file& file, const arena_string& site, package_files& package) {
  const std::string_view top = file.path.substr(0, file.path.find('/'));
  if (package.tops.find(top) == package.tops.end()) package.tops.emplace(top);
  const bool header = is_cudnn_header(file.path);
  if (!header && !is_library_name(base_of(file.path))) return;
  const std::string absolute = recorded_path(site, file.path);
  if (header) {
    package.headers.push_back(absolute);
  } else {
    package.libraries.push_back({absolute, file.size});
  }
}

static package_files read_package(const system_interface& os, const arena_string& site,
                                  const std::string& info) {
  package_files result;
  result.info = info;
  result.package = package_of_info(site, info);
  // One that this user may not read is there.
  result.has_record = !os.real_path(result.package.record).empty();
  const repairs::passing_memory until_here;
  arena_string record;
  if (os.read_text(result.package.record, record)) record = plain_slashes(record);
  recorded_file file;
  for (std::size_t at = 0; next_file(record, at, file);) add_file(file, site, result);
  return result;
}

recorded_packages read_records(const system_interface& os, const arena_string& site) {
  recorded_packages all;
  const arena_vector<arena_string> names = sorted_names_in(os, site);
  for (const arena_string& name : sorted_names_in(os, join_path(site, "nvidia"), "~")) {
    const arena_string path = join_path(site, "nvidia/" + name);
    if (name.find("udnn") != arena_string::npos) all.leftovers.push_back(path);
  }
  std::set<std::string, std::less<>> tops;
  for (const arena_string& name : names) {
    const bool info = ends_with(name, info_ending);
    if (name[0] == '~') {
      if (name.find("udnn") != arena_string::npos) all.leftovers.push_back(join_path(site, name));
    } else if (info) {
      all.packages.push_back(read_package(os, site, name));
      tops.insert(all.packages.back().tops.begin(), all.packages.back().tops.end());
    }
  }
  for (const arena_string& name : names) {
    if (name[0] != '~' && !ends_with(name, info_ending) && tops.find(name) == tops.end()) {
      all.unrecorded.push_back(name);
    }
  }
  return all;
}

static bool is_absent(const system_interface& os, const std::string& path) {
  return open_file(os, path).result() == open_result::missing;
}

static bool is_of_cudnn(const recorded_library& library) {
  const std::string_view name = base_of(library.path);
  return is_cudnn_name(arena_string(name)) && !is_renamed(name);
}

static bool has_length(const system_interface& os, const recorded_library& library) {
  const open_file file(os, library.path);
  return file.result() == open_result::opened && library.size >= 0 &&
         file.source().size() == static_cast<unsigned long long>(library.size);
}

static std::vector<recorded_library> cudnn_of(const package_files& package) {
  std::vector<recorded_library> files;
  std::copy_if(package.libraries.begin(), package.libraries.end(), std::back_inserter(files),
               is_of_cudnn);
  return files;
}

static void compare_two(const system_interface& os, const package_files& one,
                        const package_files& other, environment& place) {
  shared_files shared{one.package, other.package, {}};
  int lengths_of_one = 0;
  int lengths_of_other = 0;
  std::map<std::string, recorded_library> by_path;
  for (const recorded_library& library : cudnn_of(one)) by_path[library.path] = library;
  for (const recorded_library& library : cudnn_of(other)) {
    const auto same = by_path.find(library.path);
    if (same == by_path.end()) continue;
    shared.paths.push_back(library.path);
    lengths_of_one += has_length(os, same->second) ? 1 : 0;
    lengths_of_other += has_length(os, library) ? 1 : 0;
  }
  if (shared.paths.empty()) return;
  if (lengths_of_other > lengths_of_one) std::swap(shared.first, shared.second);
  place.shared.push_back(shared);
}

// A package of cuDNN without a record, or without its files, is known by its name alone.
static bool is_package_of_cudnn(const package_files& package) {
  return is_cudnn_wheel(package.package.name);
}

void compare_records(const system_interface& os, const std::vector<package_files>& packages,
                     environment& place) {
  std::vector<const package_files*> bringing;
  for (const package_files& package : packages) {
    const std::vector<recorded_library> files = cudnn_of(package);
    if (files.empty() && !(is_package_of_cudnn(package) && !package.has_record)) continue;
    recorded_package recorded;
    recorded.package = package.package;
    recorded.listed = static_cast<int>(files.size());
    recorded.has_record = package.has_record;
    for (const recorded_library& file : files) {
      if (is_absent(os, file.path)) recorded.absent.push_back(file.path);
    }
    for (const std::string& header : package.headers) {
      if (is_absent(os, header)) recorded.absent_headers.push_back(header);
    }
    place.cudnn_packages.push_back(recorded);
    for (const package_files* other : bringing) compare_two(os, *other, package, place);
    bringing.push_back(&package);
  }
}

}  // namespace cudnn_checked::cli
