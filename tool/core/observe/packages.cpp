// SPDX-License-Identifier: BSD-3-Clause
//
// Which package a file of cuDNN came with, by the records that installers leave.
#include <utility>

#include "../library/library_file.h"
#include "../model/library_name.h"
#include "../model/paths.h"
#include "../model/platform_words.h"
#include "observe.h"
#include "package_records.h"
#include "site_packages.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// Site-packages and prefixes lie a few levels above their libraries.
static constexpr int package_most_levels = 8;

class package_search {
 public:
  explicit package_search(const system_interface& os) : os_(os) {}

  void look_above(const arena_string& path);
  void look_at_dpkg();
  void describe(cudnn_file& file, arena_vector<bool>& used) const;
  void find_absent(const arena_vector<bool>& used, arena_vector<absent_file>& absent) const;
  void find_listed(const arena_string& path, arena_vector<absent_file>& absent) const;
  std::size_t count() const { return listings_.size(); }

 private:
  arena_vector<arena_string> names(const arena_string& directory, const arena_string& prefix,
                                   const char* ending) const;
  bool is_new(const arena_string& record);
  void read(const arena_string& record);

  const system_interface& os_;
  arena_vector<arena_string> looked_above_;  ///< folders
  arena_vector<arena_string> records_;       ///< real paths of those that were read
  arena_vector<package_listing> listings_;
};

arena_vector<arena_string> package_search::names(const arena_string& directory,
                                                 const arena_string& prefix,
                                                 const char* ending) const {
  arena_vector<arena_string> found =
      filtered(names_in(os_, directory, prefix.c_str()),
               [&](const arena_string& name) { return ends_with(name, ending); });
  sort(found);
  return found;
}

bool package_search::is_new(const arena_string& record) {
  const arena_string real = os_.real_path(record);
  return !real.empty() && add_once(real, records_);
}

void package_search::read(const arena_string& record) {
  package_listing all;
  if (!is_new(record) || !read_listing(os_, record, all)) return;
  // dpkg keeps lists of what was removed, whose configuration is left.
  if (all.package.manager == package_manager::dpkg && all.package.number.empty()) return;
  package_listing listing{all.package, {}};
  // Archives and links for the linker are missing from many an image, and nothing loads them.
  for (const listed_file& file : all.files) {
    if (major_of_name(base_name(file.path)) != 0) listing.files.push_back(file);
  }
  if (!listing.files.empty()) listings_.push_back(listing);
}

// Every folder above a file may be a site-packages or a conda prefix.  Of the packages in it, those
// of cuDNN are read, and the one that the file's folder is named after: torch/lib, faiss.libs.
void package_search::look_above(const arena_string& path) {
  arena_string below = directory_part(path);
  if (!add_once(below, looked_above_)) return;
  for (int level = 0; level < package_most_levels; ++level) {
    const arena_string directory = directory_part(below);
    if (directory.empty() || directory == below) return;
    arena_string folder = base_name(below);
    if (ends_with(folder, ".libs")) folder.shorten(folder.size() - 5);
    for (const arena_string& name :
         names(directory, of_nvidia + ("|" + folder) + "-", ".dist-info")) {
      const arena_string package = wheel_of_info(name).name;
      const bool of_cudnn = package.find("cudnn") != arena_string::npos;
      const arena_string info = join_path(directory, name);
      const bool wanted = of_cudnn || package == normalized_name(folder);
      if (wanted && exists(os_, info + "/METADATA")) read(info + "/RECORD");
    }
    const arena_string conda = directory + "/conda-meta";
    for (const arena_string& name : names(conda, "cudnn|libcudnn", ".json")) {
      read(join_path(conda, name));
    }
    below = directory;
  }
}

void package_search::look_at_dpkg() {
  if (!has_debian_packages()) return;
  const arena_string info = "/var/lib/dpkg/info";
  for (const arena_string& name : names(info, "libcudnn", ".list")) read(join_path(info, name));
}

// The length decides which of several packages a file came with; else the first.  The others may be
// records that were left behind (pip install --target): what they list need not be there.
void package_search::describe(cudnn_file& file, arena_vector<bool>& used) const {
  arena_vector<package_record> claims;
  arena_vector<std::size_t> owners;
  const arena_string name_of_path = base_name(file.path);
  const arena_string name_of_file = base_name(file.real_path);
  for (std::size_t i = 0; i < listings_.size(); ++i) {
    for (const listed_file& entry : listings_[i].files) {
      const std::string_view path = entry.path;
      const std::string_view name = path.substr(path.rfind('/') + 1);  // npos + 1 is 0
      if (name != name_of_file && name != name_of_path) continue;
      if (os_.real_path(entry.path) != file.real_path) continue;
      package_record claim = listings_[i].package;
      compare_size(entry.size, file.size, claim);
      claims.push_back(claim);
      owners.push_back(i);
      break;
    }
  }
  if (claims.empty()) return;
  std::size_t best = 0;
  for (const answer wanted : {answer::unknown, answer::yes}) {
    for (std::size_t i = claims.size(); i-- > 0;) {
      if (claims[i].same_size == wanted) best = i;
    }
  }
  used.in_place()[owners[best]] = true;
  file.package = claims[best];
  claims.erase(claims.begin() + static_cast<std::ptrdiff_t>(best));
  file.other_claims = std::move(claims);
}

void package_search::find_absent(const arena_vector<bool>& used,
                                 arena_vector<absent_file>& absent) const {
  for (std::size_t i = 0; i < listings_.size(); ++i) {
    for (const listed_file& entry : listings_[i].files) {
      if (!used[i]) break;
      const open_file file(os_, entry.path);
      if (file.result() == open_result::missing)
        absent.push_back({entry.path, listings_[i].package});
    }
  }
}

void package_search::find_listed(const arena_string& path,
                                 arena_vector<absent_file>& absent) const {
  for (const package_listing& listing : listings_) {
    for (const listed_file& entry : listing.files) {
      if (entry.path == path) absent.push_back({path, listing.package});
    }
  }
}

// "/site-packages/torch/lib/../../nvidia/lib/file" does not lie below torch.
static arena_string without_parents(const system_interface& os, const arena_string& path) {
  if (path.find("/../") == arena_string::npos) return path;
  return join_path(os.real_path(directory_part(path)), base_name(path));
}

void observe_listed(const system_interface& os, const arena_string& path,
                    arena_vector<absent_file>& absent) {
  const arena_string plain = without_parents(os, path);
  if (open_file(os, plain).result() != open_result::missing) return;
  package_search search(os);
  search.look_above(plain);
  search.find_listed(plain, absent);
}

void observe_packages(const system_interface& os, observation& observed) {
  observed.absent_files.clear();
  package_search search(os);
  for (const cudnn_file& file : observed.files) {
    if (file.real_path.empty()) continue;
    search.look_above(file.real_path);
    if (file.path != file.real_path) search.look_above(without_parents(os, file.path));
  }
  search.look_at_dpkg();
  arena_vector<bool> used(search.count());
  for (cudnn_file& file : observed.files.in_place()) {
    file.package = package_record();
    file.other_claims.clear();
    if (!file.real_path.empty()) search.describe(file, used);
  }
  search.find_absent(used, observed.absent_files);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
