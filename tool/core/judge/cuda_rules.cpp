// SPDX-License-Identifier: BSD-3-Clause
//
// The CUDA that cuDNN was built for, and the program's.
#include "../model/format.h"
#include "rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// 0 where the releases are for several CUDA majors, or one of them does not say.
static int only_cuda_major(const std::vector<release>& releases) {
  int major = releases.empty() ? 0 : releases.front().cuda_major;
  for (const release& r : releases) major = r.cuda_major == major ? major : 0;
  return major;
}

// The first file that is for that CUDA major alone: shims of one release are often the same.
static const cudnn_set::member& telling_member(const cudnn_set& set, int major) {
  for (const cudnn_set::member& m : set.members) {
    if (m.member_of_set && only_cuda_major(m.who.releases) == major) return m;
  }
  return set.members.front();
}

/// `own` is cuDNN's CUDA major, which the toolkit has not.
static std::string cuda_major_fix(const judged& j, int own) {
  const int wanted = j.stamped.toolkit.major;
  const std::string environment = fix_by_environment(j);
  if (!environment.empty() && only_cuda_major(j.without_ld_path.common) == wanted) {
    return environment;
  }
  const char* kind = j.set.jit_only ? "jit-" : "";
  std::string fix = format(
      "install cuDNN for CUDA %d: pip install nvidia-cudnn-%scu%d, or apt-get install "
      "cudnn%d-%scuda-%d",
      wanted, kind, wanted, j.seen.cudnn_major, kind, wanted);
  if (j.at_configure) fix += format("; or set CUDAToolkit_ROOT to CUDA %d", own);
  return fix;
}

// NVIDIA cuDNN documentation, "Support Matrix": each build of cuDNN is for one CUDA major.  It
// opens that major's cuBLASLt and NVRTC, whatever the program brings ("Cannot load symbol
// cublasLtGetVersion").  The minor number is free (CUDA Compatibility, "Minor Version
// Compatibility"), and cuDNN's own runtime, linked into it statically, says nothing.
void rule_cuda_major(const judged& j, std::vector<finding>& findings) {
  const int major = only_cuda_major(j.set.common);
  const version& toolkit = j.stamped.toolkit;
  if (!j.seen.linked || major == 0 || !toolkit.known() || toolkit.major == major) return;
  const cudnn_set::member& told = telling_member(j.set, major);
  finding f;
  f.name = "cuda-major";
  f.summary =
      format("this cuDNN is for CUDA %d, and %s %s", major,
             j.at_configure ? "the CUDA headers are of" : "this program was built with CUDA",
             to_cuda_string(toolkit).c_str());
  f.expected = {j.at_configure ? "headers" : "built with", "CUDA " + to_cuda_string(toolkit),
                j.at_configure ? "CUDART_VERSION" : "stamp of " + j.stamped.program};
  f.found = {"cuDNN", describe(told.who.releases), where_of(*told.file)};
  for (const int cudart : j.seen.cudart_majors) {
    f.more.push_back(
        {"runtime", format("CUDA %d", cudart), format("libcudart.so.%d of this program", cudart)});
  }
  f.because = "It would bring a second CUDA into the process: its own cuBLAS, NVRTC and runtime.";
  f.fix = cuda_major_fix(j, major);
  findings.push_back(f);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
