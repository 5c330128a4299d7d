// SPDX-License-Identifier: BSD-3-Clause
#include "error_texts.h"

namespace cudnn_checked::cli {

const std::vector<known_error>& known_errors() {
  using id = finding_id;
  constexpr auto error = error_kind::error;
  constexpr auto releases = error_kind::releases;
  constexpr auto consequence = error_kind::consequence;
  constexpr auto harmless = error_kind::harmless;
  constexpr auto silent = error_kind::silent;
  constexpr const char* doctor = "cudnn-checked doctor";
  constexpr const char* nvidia_smi = "nvidia-smi";
  static const std::vector<known_error> all = {
#include "error_texts.def"
  };
  return all;
}

}  // namespace cudnn_checked::cli
