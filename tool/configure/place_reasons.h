// SPDX-License-Identifier: BSD-3-Clause
//
// Why a place that the find module has searched holds no cuDNN that it could take.
#pragma once

#include <string>
#include <vector>

#include "../core/namespace.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

/// How files are called on the platform that is built for; a pattern has "*" and "[0-9]".
struct install_names {
  std::vector<std::string> patterns;  ///< of the shim: "libcudnn.so", "libcudnn.so.[0-9]*"
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
  std::string unread;  ///< of a header whose release only a compiler could read: a sentence
};

enum class missing_half { none, headers, library, machine, both };

struct place_reason {
  missing_half missing = missing_half::none;
  std::string why;      ///< what is missing, in words
  std::string file;     ///< where half is missing: a file of the other half
  std::string package;  ///< where a wheel's record lists what is missing: the folder of that wheel
};

place_reason reason_of(const searched_place& place, const install_names& names);

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
