// SPDX-License-Identifier: BSD-3-Clause
#include "mixed_headers.h"

#include "../../model/format.h"
#include "../../model/paths.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// NVIDIA's headers compare their own release with that of cudnn_version.h, and end the compilation
// (cudnn_ops.h: "#error Version mismatch in cuDNN OPS").
bool tell_mixed_headers(const arena_vector<cudnn_header>& headers, arena_string library,
                        finding& f) {
  version first;
  bool mixed = false;
  const cudnn_header* absent = nullptr;
  for (const cudnn_header& header : headers) {
    if (!header.there && absent == nullptr) absent = &header;
    if (!header.release.known()) continue;
    if (!first.known()) first = header.release;
    mixed = mixed || header.release != first;
    f.more.push_back({base_name(header.path), to_string(header.release), header.path});
  }
  if (absent != nullptr) {
    f.more.push_back({base_name(absent->path), "not there", "included by " + absent->included_by});
  }
  if (!mixed && absent == nullptr) return false;
  tell(f, mixed ? "the headers of cuDNN are of more than one release"
                : "a header of cuDNN includes another one that is not there");
  f.more.push_back({"library", library, ""});
  f.because = "No program compiles with them: an upgrade of cuDNN has replaced some of them only.";
  return true;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
