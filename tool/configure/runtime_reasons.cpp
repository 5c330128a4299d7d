// SPDX-License-Identifier: BSD-3-Clause
#include "runtime_reasons.h"

#include "../core/judge/advice/advice.h"
#include "../core/model/cuda_major.h"
#include "../core/observe/header_version.h"
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

/// Wheels that have a folder each keep crt/ in that of the compiler.
static bool has_crt(const system_interface& os, const std::string& directory,
                    const std::string& prefix) {
  const std::string header = "/crt/host_defines.h";
  return is_readable(os, directory + header) ||
         is_readable(os, std::string(directory_part(prefix)) + "/cuda_nvcc/include" + header);
}

static runtime_headers headers_of(const system_interface& os, const searched_place& place) {
  runtime_headers found;
  found.why = "no cuda_runtime_api.h";
  for (const std::string& directory : place.headers) {
    const std::string file = directory + "/cuda_runtime_api.h";
    const std::string kind = odd_kind(os, file);
    const std::string unusable =
        kind.empty() ? why_unusable(os, file) : "cuda_runtime_api.h is " + kind;
    if (!unusable.empty()) found.why = unusable;
    if (!unusable.empty() || !is_readable(os, file)) continue;
    const arena_string text = text_of(os, arena_string(file));
    const version number = read_cuda_version(text, "CUDART_VERSION");
    found.major = number.major;
    found.minor = number.minor;
    found.why.clear();
    if (!number.known()) {
      found.why = "cuda_runtime_api.h defines no CUDART_VERSION";
    } else if (has(text, "crt/host_defines.h") && !has_crt(os, directory, place.prefix)) {
      const arena_string package =
          wheel_for_cuda(has_cuda_folder(found.major) ? crt_wheel : nvcc_wheel, found.major);
      found.why = "cuda_runtime_api.h without crt/host_defines.h (package ";
      found.why += std::string(package) + ")";
    }
    break;
  }
  return found;
}

std::string why_no_runtime(const system_interface& os, const searched_place& place,
                           const install_names& names, const std::string& wanted) {
  const runtime_headers headers = headers_of(os, place);
  if (!headers.why.empty()) return headers.why;
  const std::string major = std::to_string(headers.major);
  const std::string version = major + "." + std::to_string(headers.minor);
  std::string why = "headers of CUDA " + version + " without " + name_for_major(names.shim, major);
  for (const std::string& directory : place.libraries) {
    for (const std::string& pattern : names.patterns) {
      for (const std::string& file : files_like(os, directory, name_for_major(pattern, major))) {
        const std::string kind = odd_kind(os, file);
        const std::string unusable = kind.empty() ? why_unusable(os, file) : file + " is " + kind;
        why = unusable.empty() ? for_other_machine(os, file, names.machine) : unusable;
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
