// SPDX-License-Identifier: BSD-3-Clause
//
// Installs of cuDNN on a fake system: a wheel's and a Debian package's.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/loader/loader.h"
#include "core/observe/observe.h"
#include "elf_builder.h"
#include "fake_system.h"

namespace test {

using namespace cudnn_checked;

// Ids of the packages for CUDA 13.
inline const std::map<std::string, std::string> ids_of_9_19 = {
    {"shim", "7b1d6c3f711c8ec527069af720800c366c296ba5"},
    {"graph", "563e348c73f66b6c374ff082af576922b0397648"},
};

inline const std::vector<std::string> roles_9 = {
    "shim",     "graph", "ops", "cnn", "adv", "engines_precompiled", "engines_runtime_compiled",
    "heuristic"};

inline std::string soname_of(const std::string& role, int major) {
  return (role == "shim" ? "libcudnn" : "libcudnn_" + role) + ".so." + std::to_string(major);
}

inline std::string library(const std::string& role, const version& v,
                           const std::string& build_id = "") {
  elf_builder b;
  b.soname = soname_of(role, v.major);
  b.runpath = "$ORIGIN";
  b.build_id = build_id;
  if (role == "graph") {
    b.word_name = "cudnn_graph_version";
    b.word = static_cast<std::uint32_t>(v.major << 16 | v.minor << 8 | v.patch);
  }
  return b.build();
}

// The NEEDED entries of the real files (readelf -d: 8.5, 9.14, 9.19, 9.28).
inline std::vector<std::string> needed_by(const std::string& role) {
  if (role == "shim" || role == "graph" || role == "ext") return {};
  if (role == "cnn" || role == "adv") return {"libcudnn_ops.so.9", "libcudnn_graph.so.9"};
  return {"libcudnn_graph.so.9"};
}

// A wheel: only the names with the major number.
inline void add_wheel(fake_system& os, const std::string& directory, const char* release,
                      const std::vector<std::string>& roles = roles_9) {
  const version v = parse_version(release);
  for (const std::string& role : roles) {
    std::string id;
    if (v == parse_version("9.19.0") && ids_of_9_19.count(role) != 0) id = ids_of_9_19.at(role);
    os.files[directory + "/" + soname_of(role, v.major)] = library(role, v, id);
  }
}

// A Debian package: files with the whole number, links with the major number.
inline void add_package(fake_system& os, const std::string& directory, const char* release) {
  const version v = parse_version(release);
  for (const std::string& role : roles_9) {
    const std::string name = soname_of(role, v.major);
    const std::string file = name.substr(0, name.size() - 1) + release;
    os.files[directory + "/" + file] = library(role, v);
    os.links[directory + "/" + name] = file;
    os.cache[name] = directory + "/" + name;
    os.cache[file] = directory + "/" + file;
  }
}

inline void set_program(fake_system& os, const std::string& runpath,
                        const std::vector<std::string>& needed = {"libcudnn.so.9", "libc.so.6"}) {
  elf_builder b;
  b.runpath = runpath;
  b.needed = needed;
  os.files[os.program] = b.build();
}

/// A program that finds a wheel by its RUNPATH.
inline fake_system with_wheel(const std::string& directory, const char* release,
                              const std::vector<std::string>& roles = roles_9) {
  fake_system os;
  set_program(os, directory);
  add_wheel(os, directory, release, roles);
  return os;
}

inline observation observe(const fake_system& os, int major = 9) {
  observation observed;
  loader search(os);
  observe_files(search, major, observed);
  return observed;
}

inline const cudnn_file& file_of(const observation& observed, const std::string& role) {
  static const cudnn_file none;
  for (const cudnn_file& file : observed.files) {
    if (file.role == role) return file;
  }
  return none;
}

inline std::string chosen(const observation& observed, const std::string& role) {
  return to_string(file_of(observed, role).chosen_by);
}

}  // namespace test
