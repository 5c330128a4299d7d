// SPDX-License-Identifier: BSD-3-Clause
//
// What the packages of an environment have recorded of themselves: the RECORD of each .dist-info
// (Python Packaging User Guide, "Recording installed projects").
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "../../core/model/survey.h"
#include "../../core/system/system_interface.h"

namespace cudnn_checked::cli {

/// A shared library as a record lists it.
struct recorded_library {
  std::string path;  ///< absolute
  long long size = -1;
};

/// One package, as its folder of metadata says.
struct package_files {
  std::string info;  ///< "torch-2.7.1.dist-info"
  package_record package;
  bool has_record = false;
  bool asks_for_cudnn = false;  ///< its metadata does, be it with an extra only
  std::vector<recorded_library> libraries;
  std::vector<std::string> headers;         ///< those of cuDNN
  std::set<std::string, std::less<>> tops;  ///< what of it lies in site-packages itself
};

/// The packages of a site-packages, and the names in it that no record lists.
struct recorded_packages {
  std::vector<package_files> packages;
  std::vector<std::string> unrecorded;
  std::vector<std::string> leftovers;  ///< "~vidia_cudnn_cu12-9.5.1.17.dist-info"
};

/// asks_for_cudnn is left out.
recorded_packages read_records(const system_interface& os, const arena_string& site);

/// Is it the name of a shared library: "libx.so", "libx.so.2", "x.cpython-311-x86_64-linux-gnu.so"?
bool is_library_name(std::string_view name);

/// Compares what cuDNN's packages have recorded with what is there: fills cudnn_packages and
/// shared.
void compare_records(const system_interface& os, const std::vector<package_files>& packages,
                     environment& place);

}  // namespace cudnn_checked::cli
