// SPDX-License-Identifier: BSD-3-Clause
#include "cuda_headers.h"

#include "../../core/model/paths.h"
#include "../machine/install_layout.h"
#include "../survey/survey_machine.h"

namespace cudnn_checked::cli {

arena_string cuda_headers_of(const system_interface& os, const arena_string& toolkit) {
  const arena_string headers = join_path(toolkit, "include");
  const bool has_runtime = !os.real_path(join_path(headers, "cuda_runtime_api.h")).empty();
  return has_runtime ? headers : arena_string();
}

arena_string find_cuda_headers(const system_interface& os, const arena_string& cudnn_headers,
                               int cuda_major) {
  const arena_string prefix = directory_part(cudnn_headers);
  arena_vector<arena_string> places = {prefix};
  // nvidia/cudnn of Python's packages: the runtime is a package of its own, since CUDA 13 in the
  // folder of all of CUDA.
  const arena_string packages = directory_part(prefix);
  if (cuda_major != 0) places.push_back(join_path(packages, "cu" + to_string(cuda_major)));
  places.push_back(join_path(packages, "cuda_runtime"));
  for (const candidate& place : toolkit_prefixes(os)) places.push_back(place.directory);
  for (const arena_string& place : places) {
    const arena_string headers = cuda_headers_of(os, place);
    if (headers.empty()) continue;
    const version number = version_of_toolkit(os, place);
    if (cuda_major == 0 || number.major == cuda_major) return headers;
  }
  return {};
}

}  // namespace cudnn_checked::cli
