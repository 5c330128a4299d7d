// SPDX-License-Identifier: BSD-3-Clause
//
// The places that the find module has searched, as a request has them.
#pragma once

#include <string>
#include <vector>

#include "../core/model/arena_string.h"
#include "request.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

/// How files are called on the platform that is built for; a pattern has "*" and "[0-9]".
struct install_names {
  std::vector<std::string> patterns;  ///< of a library: "libcudnn.so", "libcudnn.so.[0-9]*"
  std::string shim;                   ///< that of a major release, which is "@"
  std::string words;                  ///< without a number
  std::string wheel_folder;           ///< of the libraries in NVIDIA's wheel
  std::string machine;                ///< that is built for: "x86_64"; empty: not known
};

/// A place, and what the search has found there.
struct searched_place {
  std::string prefix;
  std::vector<std::string> libraries;  ///< directories
  std::vector<std::string> headers;
  std::string header;   ///< cudnn_version.h; empty where none was taken
  std::string version;  ///< of the header
  std::string library;
};

struct asked_place {
  arena_string told;   ///< a fact about a place that was not searched; otherwise empty
  arena_string label;  ///< what names the place
  searched_place place;
};

install_names names_of_request(const request& asked);

std::vector<asked_place> places_of_request(const request& asked);

/// "PATTERN" for a major release, which is "@" there.
std::string name_for_major(std::string pattern, const std::string& major);

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
