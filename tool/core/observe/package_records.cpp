// SPDX-License-Identifier: BSD-3-Clause
#include "package_records.h"

#include <algorithm>
#include <cstdlib>

#include "../json/json.h"
#include "../model/library_name.h"
#include "../model/library_spelling.h"
#include "../model/paths.h"
#include "../model/python_environment.h"
#include "../system/platform.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

bool next_line(const arena_string& text, std::size_t& at, arena_string& line) {
  if (at >= text.size()) return false;
  line = text.substr(at, text.find('\n', at) - at);
  at += line.size() + 1;
  if (line[line.size() - 1] == '\r') line.pop_back();
  return true;
}

// In wheels for Windows a path may have backslashes.
arena_string text_of_record(const system_interface& os, const arena_string& path) {
  return plain_slashes(text_of(os, path));
}

// A path that has a comma is in quotes (RFC 4180).
bool next_file(const arena_string& record, std::size_t& at, recorded_file& file) {
  arena_string line;
  do {
    if (!next_line(record, at, line)) return false;
  } while (line.empty());
  const std::size_t quote = line[0] == '"' ? 1 : 0;
  const std::size_t end = line.find(quote == 0 ? ',' : '"', quote);
  file.path = line.substr(quote, end - quote);
  line = line.substr(file.path.size() + 2 * quote + 1);
  file.hash = line.substr(0, line.find(','));
  const arena_string digits = line.substr(file.hash.size() + 1);
  const bool known =
      !digits.empty() && digits.find_first_not_of("0123456789") == arena_string::npos;
  file.size = known ? std::strtoll(digits.c_str(), nullptr, 10) : -1;
  return true;
}

bool next_file_with(std::string_view word, const arena_string& record, std::size_t& at,
                    recorded_file& file) {
  const std::string_view text = record;
  const std::size_t found = text.find(word, at);
  if (found == std::string_view::npos) return false;
  at = text.rfind('\n', found) + 1;
  return next_file(record, at, file);
}

arena_string field_of(const arena_string& text, const char* field) {
  arena_string line;
  for (std::size_t at = 0; next_line(text, at, line) && !line.empty();) {
    if (starts_with(line, field)) return line.substr(arena_string(field).size());
  }
  return {};
}

int cuda_major_of_package(std::string_view text) {
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

arena_string name_of_dpkg_list(const arena_string& record) {
  const arena_string name = base_name(record);
  return name.substr(0, std::min(name.find(':'), name.rfind(".list")));
}

arena_string number_of_dpkg(const system_interface& os, const arena_string& database,
                            const arena_string& package) {
  const arena_string status = text_of(os, join_path(database, "status"));
  const arena_string first = "Package: " + package + "\n";
  const std::size_t at = starts_with(status, first) ? 0 : status.find("\n" + first);
  if (at == arena_string::npos) return {};
  return field_of(status.substr(at == 0 ? 0 : at + 1), "Version: ");
}

package_record package_of_conda(const arena_string& file) {
  package_record package;
  const arena_string stem = file.substr(0, file.rfind('-'));
  const std::size_t dash = stem.rfind('-');
  if (file.rfind(".json") == arena_string::npos || dash == arena_string::npos) return package;
  package.manager = package_manager::conda;
  package.name = stem.substr(0, dash);
  package.number = stem.substr(dash + 1);
  return package;
}

static void set_package(package_manager manager, const arena_string& name,
                        const arena_string& number, package_record& package) {
  package.manager = manager;
  package.installer = installer_of(package);
  package.name = name;
  package.number = number;
  // Other packages have copies of cuDNN; their own release says nothing about it.
  if (name.find("cudnn") == arena_string::npos) return;
  // "9.14.0.64-1" of Debian and "8.9.7.29-1+cuda12.2" begin with cuDNN's own.
  package.cudnn = parse_version(number.substr(0, number.find_first_not_of("0123456789.")));
  package.cuda_major = cuda_major_of_package(name + " " + number);
}

static void add_file(const arena_string& path, const arena_string& hash, long long size,
                     package_listing& listing) {
  if (is_cudnn_path(path)) listing.files.push_back({path, hash, size});
}

static void read_wheel(const arena_string& folder, const arena_string& text,
                       package_listing& listing) {
  const arena_string key = "sha256=";
  const arena_string site = directory_part(folder);
  const installed_wheel wheel = wheel_of_info(base_name(folder));
  set_package(package_manager::wheel, wheel.name, wheel.number, listing.package);
  recorded_file file;
  for (std::size_t at = 0; next_file_with(cudnn_name_prefix(), text, at, file);) {
    if (file.path.find(cudnn_name_prefix()) == arena_string::npos) continue;
    const arena_string hash =
        starts_with(file.hash, key) ? file.hash.substr(key.size()) : arena_string();
    add_file(recorded_path(site, file.path), hash, file.size, listing);
  }
}

static long long size_of(const json& item) {
  const arena_string& digits = item["size_in_bytes"].text();
  return digits.empty() ? -1 : std::strtoll(digits.c_str(), nullptr, 10);
}

static bool read_conda(const arena_string& prefix, const arena_string& text,
                       package_listing& listing) {
  arena_string error;
  json tree;
  if (!parse_json(text, tree, error)) return false;
  set_package(package_manager::conda, tree["name"].text(), tree["version"].text(), listing.package);
  int& major = listing.package.cuda_major;
  if (major == 0) major = cuda_major_of_package(tree["build"].text());
  for (const json& item : tree["depends"].elements()) {  // "cuda-version >=13,<14.0a0"
    const arena_string& need = item.text();
    if (major == 0 && starts_with(need, "cuda-version >=")) {
      major = static_cast<int>(std::strtol(need.c_str() + 15, nullptr, 10));
    }
  }
  for (const json& item : tree["paths_data"]["paths"].elements()) {
    const arena_string& changed = item["sha256_in_prefix"].text();
    add_file(join_path(prefix, item["_path"].text()),
             changed.empty() ? item["sha256"].text() : changed, size_of(item), listing);
  }
  if (!listing.files.empty()) return true;
  for (const json& item : tree["files"].elements()) {
    add_file(join_path(prefix, item.text()), {}, -1, listing);
  }
  return true;
}

static void read_dpkg(const system_interface& os, const arena_string& database,
                      const arena_string& text, package_listing& listing) {
  const arena_string name = name_of_dpkg_list(listing.package.record);
  set_package(package_manager::dpkg, name, number_of_dpkg(os, database, name), listing.package);
  arena_string line;
  for (std::size_t at = 0; next_line(text, at, line);) add_file(line, {}, -1, listing);
}

bool read_listing(const system_interface& os, const arena_string& record,
                  package_listing& listing) {
  arena_string text;
  if (!os.read_text(record, text)) return false;
  const arena_string folder = directory_part(record);
  listing.package.record = record;
  if (base_name(record) == "RECORD") {
    read_wheel(folder, plain_slashes(text), listing);
  } else if (base_name(folder) == "conda-meta") {
    return read_conda(directory_part(folder), text, listing);
  } else {
    read_dpkg(os, directory_part(folder), text, listing);
  }
  return true;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
