// SPDX-License-Identifier: BSD-3-Clause
//
// A machine in memory: files, links, directories, mapped objects, environment, driver and GPUs.
#pragma once

#include <chrono>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "core/model/paths.h"
#include "core/system/system_interface.h"

namespace test {

using namespace cudnn_checked;

class memory_source final : public byte_source {
 public:
  explicit memory_source(std::string bytes, int* times_read = nullptr)
      : bytes_(std::move(bytes)), times_read_(times_read) {}
  unsigned long long size() const override { return bytes_.size(); }
  bool read(unsigned long long offset, void* target, std::size_t count) const override {
    if (times_read_ != nullptr) ++*times_read_;
    if (offset > bytes_.size() || count > bytes_.size() - offset) return false;
    std::memcpy(target, bytes_.data() + offset, count);
    return true;
  }

 private:
  std::string bytes_;
  int* times_read_;
};

class fake_system final : public system_interface {
 public:
  std::map<std::string, std::string> files;  ///< path -> contents
  std::map<std::string, std::string> links;  ///< path -> target, absolute or beside the link
  std::set<std::string> pipes;               ///< FIFOs and devices
  std::set<std::string> denied;              ///< files and directories with no permission
  std::map<std::string, std::string> variables;
  std::map<std::string, std::string> cache;  ///< ld.so.cache
  std::vector<std::string> defaults = {"/lib/x86_64-linux-gnu", "/usr/lib"};
  std::vector<std::string> hwcaps;
  std::string platform = "x86_64";  ///< empty: the CPU is not known
  int list_milliseconds = 0;        ///< how long it takes to list a directory
  std::vector<mapped_object> mapped;
  std::string program = "/opt/app/bin/app";
  std::string directory = "/srv/user";
  bool is_secure = false;  ///< AT_SECURE
  int driver_version = 0;
  bool has_nvml = false;
  std::vector<gpu> gpus;
  mutable std::map<std::string, int> times_opened;
  mutable std::map<std::string, int> times_read;
  mutable std::map<std::string, int> times_listed;
  mutable std::map<std::string, int> times_resolved;
  mutable int times_driver_asked = 0;
  mutable int times_nvml_asked = 0;

  bool variable(const char* name, arena_string& value) const override {
    const auto found = variables.find(name);
    if (is_secure || found == variables.end()) return false;
    value = found->second;
    return true;
  }

  bool secure() const override { return is_secure; }

  open_result open(arena_string path, byte_source** source) const override {
    const std::string real = resolve(path);
    ++times_opened[real];
    if (real == circle) return open_result::link_loop;
    if (denied.count(real) != 0) return open_result::denied;
    const auto found = files.find(real);
    if (found == files.end()) {
      if (pipes.count(real) != 0) return open_result::fifo;
      return is_directory(real) ? open_result::directory : open_result::missing;
    }
    *source = new memory_source(found->second, &times_read[real]);
    return open_result::opened;
  }

  bool read_text(arena_string path, arena_string& text) const override {
    const auto found = files.find(resolve(path));
    if (found == files.end() || denied.count(found->first) != 0) return false;
    text = found->second;
    return true;
  }

  open_result list(arena_string path, const char* prefixes,
                   arena_vector<arena_string>& names) const override {
    const std::string real = resolve(path);
    ++times_listed[real];
    if (real == circle) return open_result::link_loop;
    std::this_thread::sleep_for(std::chrono::milliseconds(list_milliseconds));
    if (denied.count(real) != 0) return open_result::denied;
    if (!is_directory(real)) return open_result::missing;
    std::set<std::string> found;
    for (const std::string& entry : all_paths()) {
      if (entry.compare(0, real.size() + 1, real + "/") != 0) continue;
      const std::string rest = entry.substr(real.size() + 1);
      found.insert(rest.substr(0, rest.find('/')));
    }
    for (const std::string& name : found) {
      if (starts_with_one(name, prefixes)) names.push_back(name);
    }
    return open_result::opened;
  }

  arena_string real_path(arena_string path) const override {
    const std::string real = resolve(path);
    ++times_resolved[path];
    const bool exists = files.count(real) != 0 || pipes.count(real) != 0 || is_directory(real);
    return exists ? real : std::string();
  }

  arena_string link_target(arena_string path) const override {
    const auto found = links.find(path);
    return found == links.end() ? std::string() : found->second;
  }

  bool may_be_written(arena_string path) const override {
    return (pipes.count(path) != 0 || is_directory(path)) && denied.count(path) == 0;
  }

  arena_string program_path() const override { return program; }
  arena_string working_directory() const override { return directory; }
  arena_vector<mapped_object> mapped_objects() const override { return mapped; }
  arena_string loader_cache(arena_string soname) const override {
    const auto found = cache.find(soname);
    return found == cache.end() ? std::string() : found->second;
  }
  arena_vector<arena_string> default_directories() const override { return defaults; }
  arena_vector<arena_string> hwcap_directories() const override { return hwcaps; }
  arena_string loader_platform(int) const override { return platform; }
  int cuda_driver_version() const override {
    ++times_driver_asked;
    return driver_version;
  }
  bool nvml_gpus(arena_vector<gpu>& found) const override {
    ++times_nvml_asked;
    if (has_nvml) found = gpus;
    return has_nvml;
  }

 private:
  static constexpr const char* circle = "a circle of links";

  std::set<std::string> all_paths() const {
    std::set<std::string> paths(pipes);
    for (const auto& file : files) paths.insert(file.first);
    for (const auto& link : links) paths.insert(link.first);
    return paths;
  }

  bool is_directory(const std::string& real) const {
    for (const std::string& path : all_paths()) {
      if (path.compare(0, real.size() + 1, real + "/") == 0) return true;
    }
    return false;
  }

  // Component by component, as the kernel does.
  std::string resolve(const std::string& path, int depth = 0) const {
    std::string done;
    std::string rest = path[0] == '/' ? path : directory + "/" + path;
    while (!rest.empty()) {
      const std::size_t end = rest.find('/', 1);
      const std::string part = rest.substr(0, end);
      rest = end == std::string::npos ? std::string() : rest.substr(end);
      if (part == "/" || part == "/.") continue;
      if (part == "/..") {
        done.erase(done.empty() ? 0 : done.rfind('/'));
        continue;
      }
      const auto link = links.find(done + part);
      if (link == links.end()) {
        done += part;
        continue;
      }
      if (depth > 8) return circle;
      const std::string& target = link->second;
      done = resolve(target[0] == '/' ? target : done + "/" + target, depth + 1);
      if (done == circle) return circle;
    }
    return done;
  }
};

}  // namespace test
