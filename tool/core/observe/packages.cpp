// SPDX-License-Identifier: BSD-3-Clause
//
// Which package a file of cuDNN came with, by the records that installers leave:
//   wheels   <site-packages>/*.dist-info/RECORD and METADATA (Python Packaging User Guide,
//   "Recording
//            installed projects")
//   conda    <prefix>/conda-meta/*.json
//   dpkg     /var/lib/dpkg/info/*.list and /var/lib/dpkg/status (deb-package database,
//   dpkg-query(1))
// rpm keeps a database that only its own library reads; its files stay unknown here.
#include <algorithm>
#include <cstdlib>
#include <utility>

#include "../elf/elf_file.h"
#include "../json/json.h"
#include "../model/library_name.h"
#include "../model/paths.h"
#include "observe.h"
#include "site_packages.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// The libraries of cuDNN that one package says are its own.
struct package_listing {
  struct entry {
    string path;
    long long size = -1;  ///< -1: the record does not say
  };
  package_record package;
  vector<entry> files;
};

// Site-packages and prefixes lie a few levels above their libraries.
static constexpr int package_most_levels = 8;

static bool ends_with(const string& text, std::string_view ending) {
  return text.size() >= ending.size() &&
         text.compare(text.size() - ending.size(), ending.size(), ending) == 0;
}

// The next line from `at` on, without its end; false behind the last.
static bool next_line(std::string_view text, std::size_t& at, std::string_view& line) {
  if (at >= text.size()) return false;
  const std::size_t end = std::min(text.find('\n', at), text.size());
  line = text.substr(at, end - at);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  at = end + 1;
  return true;
}

// The value of "Field: value" in the paragraph that begins at `at`.
static string field_of(std::string_view text, std::size_t at, std::string_view field) {
  std::string_view line;
  while (next_line(text, at, line) && !line.empty()) {
    if (starts_with(line, field)) return string(line.substr(field.size()));
  }
  return {};
}

static long long size_of_text(std::string_view digits) {
  if (digits.empty() || digits.size() > 18) return -1;
  long long size = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9') return -1;
    size = size * 10 + (c - '0');
  }
  return size;
}

// 13 of "nvidia-cudnn-cu13", "libcudnn9-cuda-13", "8.9.7.29-1+cuda12.2", "cuda12_0"; else 0.
static int cuda_major_of_package(std::string_view text) {
  constexpr int oldest_named = 8;  // what is less is no CUDA: "cu3"
  for (std::size_t at = text.find("cu"); at != std::string_view::npos; at = text.find("cu", at)) {
    at += 2;
    if (text.substr(at, 2) == "da") at += 2;
    if (text.substr(at, 1) == "-") ++at;
    int major = 0;
    for (std::size_t i = at; i < at + 2 && i < text.size(); ++i) {
      if (text[i] < '0' || text[i] > '9') break;
      major = major * 10 + (text[i] - '0');
    }
    if (major >= oldest_named) return major;
  }
  return 0;
}

static package_record make_package(package_manager manager, const string& name,
                                   const string& number, const string& record) {
  package_record package;
  package.manager = manager;
  package.name = name;
  package.number = number;
  package.record = record;
  // Others bring copies of cuDNN; their own release says nothing of it.
  if (name.find("cudnn") == string::npos) return package;
  // "9.14.0.64-1" of Debian and "8.9.7.29-1+cuda12.2" begin with cuDNN's own.
  package.cudnn = parse_version(number.substr(0, number.find_first_not_of("0123456789.")));
  package.cuda_major = cuda_major_of_package(name + " " + number);
  return package;
}

class package_search {
 public:
  explicit package_search(const system_interface& os) : os_(os) {}

  void look_above(const string& path);
  void look_at_dpkg();
  void describe(cudnn_file& file, vector<bool>& used) const;
  void find_absent(const vector<bool>& used, vector<absent_file>& absent) const;
  std::size_t count() const { return listings_.size(); }

 private:
  vector<string> names(const string& directory, const string& prefix, const char* ending) const;
  bool is_new(const string& record);
  void add(package_listing& listing, const string& path, long long size) const;
  void read_wheel(const string& site, const string& name);
  void read_conda(const string& prefix, const string& name);

  const system_interface& os_;
  vector<string> looked_above_;  ///< folders
  vector<string> records_;       ///< real paths of those that were read
  vector<package_listing> listings_;
};

vector<string> package_search::names(const string& directory, const string& prefix,
                                     const char* ending) const {
  vector<string> all;
  vector<string> found;
  if (os_.list(directory, prefix.c_str(), all) != open_result::opened) return found;
  for (string& name : all) {
    if (ends_with(name, ending)) found.push_back(std::move(name));
  }
  std::sort(found.begin(), found.end());
  return found;
}

bool package_search::is_new(const string& record) {
  const string real = os_.real_path(record);
  if (real.empty()) return false;
  if (std::find(records_.begin(), records_.end(), real) != records_.end()) return false;
  records_.push_back(real);
  return true;
}

void package_search::add(package_listing& listing, const string& path, long long size) const {
  // Archives and links for the linker are missing from many an image, and nothing loads them.
  if (is_cudnn_path(path) && base_name(path).find(".so.") != string::npos)
    listing.files.push_back({path, size});
}

void package_search::read_wheel(const string& site, const string& name) {
  const string info = join_path(site, name);
  string record;
  string metadata;
  if (!is_new(info + "/RECORD") || !os_.read_text(info + "/RECORD", record) ||
      !os_.read_text(info + "/METADATA", metadata)) {
    return;
  }
  package_listing listing;
  listing.package =
      make_package(package_manager::wheel, normalized_name(field_of(metadata, 0, "Name: ")),
                   field_of(metadata, 0, "Version: "), info + "/RECORD");
  std::size_t at = 0;
  std::string_view line;
  while (next_line(record, at, line)) {  // path,hash,size
    const std::size_t last = line.rfind(',');
    if (last == std::string_view::npos || line.find("libcudnn") == std::string_view::npos) continue;
    const string path(line.substr(0, line.find(',')));
    add(listing, recorded_path(site, path), size_of_text(line.substr(last + 1)));
  }
  if (!listing.files.empty()) listings_.push_back(std::move(listing));
}

void package_search::read_conda(const string& prefix, const string& name) {
  const string record = prefix + "/conda-meta/" + name;
  string text;
  string error;
  json tree;
  if (!is_new(record) || !os_.read_text(record, text) || !parse_json(text, tree, error)) return;
  package_listing listing;
  listing.package =
      make_package(package_manager::conda, tree["name"].text(), tree["version"].text(), record);
  int& major = listing.package.cuda_major;
  if (major == 0) major = cuda_major_of_package(tree["build"].text());
  for (const json& item : tree["depends"].elements()) {  // "cuda-version >=13,<14.0a0"
    const string& need = item.text();
    if (major == 0 && starts_with(need, "cuda-version >=")) {
      major = static_cast<int>(std::strtol(need.c_str() + 15, nullptr, 10));
    }
  }
  for (const json& item : tree["paths_data"]["paths"].elements()) {
    const string path = join_path(prefix, item["_path"].text());
    add(listing, path, size_of_text(item["size_in_bytes"].text()));
  }
  if (listing.files.empty()) {
    for (const json& item : tree["files"].elements()) {
      add(listing, join_path(prefix, item.text()), -1);
    }
  }
  if (!listing.files.empty()) listings_.push_back(std::move(listing));
}

// Every folder above a file may be a site-packages or a conda prefix.  Of the packages in it, those
// of cuDNN are read, and the one that the file's folder is named after: torch/lib, faiss.libs.
void package_search::look_above(const string& path) {
  string below = directory_part(path);
  if (std::find(looked_above_.begin(), looked_above_.end(), below) != looked_above_.end()) return;
  looked_above_.push_back(below);
  for (int level = 0; level < package_most_levels; ++level) {
    const string directory = directory_part(below);
    if (directory.empty() || directory == below) return;
    string folder = base_name(below);
    if (ends_with(folder, ".libs")) folder.shorten(folder.size() - 5);
    for (const string& name : names(directory, of_nvidia + ("|" + folder) + "-", ".dist-info")) {
      const string package = wheel_of_info(name).name;
      const bool of_cudnn = package.find("cudnn") != string::npos;
      if (of_cudnn || package == normalized_name(folder)) read_wheel(directory, name);
    }
    for (const char* prefix : {"cudnn", "libcudnn"}) {
      for (const string& name : names(directory + "/conda-meta", prefix, ".json")) {
        read_conda(directory, name);
      }
    }
    below = directory;
  }
}

void package_search::look_at_dpkg() {
  static constexpr const char* database = "/var/lib/dpkg/";
  const string info = string(database) + "info";
  string status;
  for (const string& name : names(info, "libcudnn", ".list")) {
    string text;
    const string record = info + "/" + name;
    if (!is_new(record) || !os_.read_text(record, text)) continue;
    if (status.empty()) os_.read_text(string(database) + "status", status);
    const string package = name.substr(0, std::min(name.find(':'), name.size() - 5));
    const string paragraph = "Package: " + package + "\n";
    std::size_t at = starts_with(status, paragraph) ? 0 : status.find("\n" + paragraph);
    if (at == string::npos) continue;
    if (at != 0) ++at;
    package_listing listing;
    listing.package =
        make_package(package_manager::dpkg, package, field_of(status, at, "Version: "), record);
    at = 0;
    std::string_view line;
    while (next_line(text, at, line)) add(listing, string(line), -1);
    if (!listing.files.empty()) listings_.push_back(std::move(listing));
  }
}

// The length decides which of several packages a file came with; else the first.  The others may be
// records that were left behind (pip install --target): what they list need not be there.
void package_search::describe(cudnn_file& file, vector<bool>& used) const {
  vector<package_record> claims;
  vector<std::size_t> owners;
  for (std::size_t i = 0; i < listings_.size(); ++i) {
    for (const package_listing::entry& entry : listings_[i].files) {
      const string name = base_name(entry.path);
      if (name != base_name(file.real_path) && name != base_name(file.path)) continue;
      if (os_.real_path(entry.path) != file.real_path) continue;
      package_record claim = listings_[i].package;
      if (entry.size >= 0) {
        claim.size = static_cast<unsigned long long>(entry.size);
        claim.same_size = claim.size == file.size ? answer::yes : answer::no;
      }
      claims.push_back(std::move(claim));
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
  used[owners[best]] = true;
  file.package = claims[best];
  claims.erase(claims.begin() + static_cast<std::ptrdiff_t>(best));
  file.other_claims = std::move(claims);
}

void package_search::find_absent(const vector<bool>& used, vector<absent_file>& absent) const {
  for (std::size_t i = 0; i < listings_.size(); ++i) {
    for (const package_listing::entry& entry : listings_[i].files) {
      if (!used[i]) break;
      const open_file file(os_, entry.path);
      if (file.result() == open_result::missing)
        absent.push_back({entry.path, listings_[i].package});
    }
  }
}

// "/site-packages/torch/lib/../../nvidia/lib/file" does not lie below torch.
static string without_parents(const system_interface& os, const string& path) {
  if (path.find("/../") == string::npos) return path;
  return join_path(os.real_path(directory_part(path)), base_name(path));
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
  vector<bool> used(search.count());
  for (cudnn_file& file : observed.files) {
    file.package = package_record();
    file.other_claims.clear();
    if (!file.real_path.empty()) search.describe(file, used);
  }
  search.find_absent(used, observed.absent_files);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
