// SPDX-License-Identifier: BSD-3-Clause
#include "runtime_reasons.h"

#include <cstdlib>

#include "../core/judge/advice/advice.h"
#include "../core/model/cuda_major.h"
#include "file_kinds.h"
#include "place_reasons.h"
#include "text_patterns.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

namespace {

/// The headers of a place: their release, or what is wrong with them.
struct runtime_headers {
  std::string why;
  int major = 0;
  int minor = 0;
};

}  // namespace

/// The number behind "define CUDART_VERSION"; 0 without one.
static int cudart_version_of(const std::string& text) {
  const std::string macro = "define CUDART_VERSION";
  const std::size_t at = text.find(macro);
  return at == std::string::npos ? 0 : std::atoi(text.c_str() + at + macro.size());
}

/// Wheels that have a folder each keep crt/ in that of the compiler.
static bool has_crt(const std::string& directory, const std::string& prefix) {
  const std::string header = "/crt/host_defines.h";
  return is_readable(directory + header) ||
         is_readable(above(prefix) + "/cuda_nvcc/include" + header);
}

static runtime_headers headers_of(const searched_place& place) {
  runtime_headers found;
  found.why = "no cuda_runtime_api.h";
  for (const std::string& directory : place.headers) {
    const std::string file = directory + "/cuda_runtime_api.h";
    const std::string kind = odd_kind(file);
    const std::string unusable =
        kind.empty() ? why_unusable(file) : "cuda_runtime_api.h is " + kind;
    if (!unusable.empty()) found.why = unusable;
    if (!unusable.empty() || !is_readable(file)) continue;
    const std::string text = bytes_of(file, 0, 65536);
    const int number = cudart_version_of(text);
    found.major = number / 1000;
    found.minor = number % 1000 / 10;
    found.why.clear();
    if (number == 0) {
      found.why = "cuda_runtime_api.h defines no CUDART_VERSION";
    } else if (has(text, "crt/host_defines.h") && !has_crt(directory, place.prefix)) {
      const arena_string package =
          wheel_for_cuda(has_cuda_folder(found.major) ? crt_wheel : nvcc_wheel, found.major);
      found.why = "cuda_runtime_api.h without crt/host_defines.h (package ";
      found.why += std::string(package) + ")";
    }
    break;
  }
  return found;
}

std::string why_no_runtime(const searched_place& place, const install_names& names,
                           const std::string& wanted) {
  const runtime_headers headers = headers_of(place);
  if (!headers.why.empty()) return headers.why;
  const std::string major = std::to_string(headers.major);
  const std::string version = major + "." + std::to_string(headers.minor);
  std::string why = "headers of CUDA " + version + " without " + name_for_major(names.shim, major);
  for (const std::string& directory : place.libraries) {
    for (const std::string& pattern : names.patterns) {
      for (const std::string& file : files_like(directory, name_for_major(pattern, major))) {
        const std::string kind = odd_kind(file);
        const std::string unusable = kind.empty() ? why_unusable(file) : file + " is " + kind;
        why = unusable.empty() ? for_other_machine(file, names.machine) : unusable;
        if (!why.empty()) continue;
        if (wanted.empty() || wanted == major) return "";
        return "CUDA " + version + ", and this cuDNN is for CUDA " + wanted;
      }
    }
  }
  return why;
}

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
