// SPDX-License-Identifier: BSD-3-Clause
//
// A machine on which one library lies in every place that the loader knows.
#pragma once

#include <string>
#include <vector>

#include "core/loader/loader.h"
#include "elf_builder.h"
#include "fake_system.h"

namespace loader_machine {

using namespace cudnn_checked;
using test::elf_builder;
using test::fake_system;

constexpr const char* name = "libcudnn_ops.so.9";
inline const std::vector<std::string> shim_asks = {"/venv/libcudnn.so.9"};

inline std::string library(const std::string& rpath = "", const std::string& runpath = "") {
  elf_builder b;
  b.soname = name;
  b.rpath = rpath;
  b.runpath = runpath;
  return b.build();
}

// A machine on which the name lies in every place that the loader knows.
inline fake_system full_machine() {
  fake_system os;
  os.files[os.program] = library();
  os.files["/venv/libcudnn.so.9"] = library("", "$ORIGIN");
  for (const char* directory : {"/rpath", "/first", "/second", "/venv", "/cached", "/usr/lib"}) {
    os.files[std::string(directory) + "/" + name] = library();
  }
  os.cache[name] = "/cached/libcudnn_ops.so.9";
  os.variables["LD_LIBRARY_PATH"] = "/first:/second";
  return os;
}

inline loader_hit find(const fake_system& os, const std::vector<std::string>& askers = shim_asks,
                       loader::view mode = loader::view::as_is) {
  return loader(os).find(name, askers, mode);
}

inline std::string why(const fake_system& os, const std::vector<std::string>& askers = shim_asks,
                       loader::view mode = loader::view::as_is) {
  return to_string(find(os, askers, mode).chosen_by);
}

/// "/first/libcudnn_ops.so.9 by LD_LIBRARY_PATH[0]".
inline std::string taken(const fake_system& os) {
  const loader_hit hit = find(os);
  if (!hit.taken()) return "nothing";
  return std::string(hit.path) + " by " + std::string(to_string(hit.chosen_by));
}

}  // namespace loader_machine
