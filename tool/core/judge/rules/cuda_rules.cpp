// SPDX-License-Identifier: BSD-3-Clause
//
// The CUDA that cuDNN was built for, and the program's.
#include "../../model/format.h"
#include "rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// 0 where the releases are for several CUDA majors, or one of them does not say.
static int only_cuda_major(const vector<release>& releases) {
  int major = releases.empty() ? 0 : releases.front().cuda_major;
  for (const release& r : releases) major = r.cuda_major == major ? major : 0;
  return major;
}

// The first file that is for that CUDA major alone: shims of one release are often the same.
static const cudnn_set::member& telling_member(const cudnn_set& set, int major) {
  for (const cudnn_set::member& m : set.members) {
    if (m.member_of_set && only_cuda_major(m.identity.releases) == major) return m;
  }
  return set.members.front();
}

/// `own` is cuDNN's CUDA major, which the toolkit has not.
static string cuda_major_fix(const rule_input& input, int own) {
  const int wanted = input.stamped.toolkit.major;
  const string environment = fix_by_environment(input);
  if (!environment.empty() && only_cuda_major(input.without_ld_path.common) == wanted) {
    return environment;
  }
  const cudnn_kind kind = input.set.jit_only ? cudnn_kind::jit_only : cudnn_kind::full;
  string fix = format(
      "install cuDNN for CUDA %d: %s", wanted,
      install_cudnn(input.observed.cudnn_major, wanted, kind, install_where::with_headers).c_str());
  if (input.at_configure) fix += format("; or set CUDAToolkit_ROOT to CUDA %d", own);
  return fix;
}

// NVIDIA cuDNN documentation, "Support Matrix": each build of cuDNN is for one CUDA major.  It
// opens that major's cuBLASLt and NVRTC, whatever the program brings ("Cannot load symbol
// cublasLtGetVersion").  The minor number is free (CUDA Compatibility, "Minor Version
// Compatibility"), and cuDNN's own runtime, linked into it statically, says nothing.
void rule_cuda_major(const rule_input& input, vector<finding>& findings) {
  const int major = only_cuda_major(input.set.common);
  const version& toolkit = input.stamped.toolkit;
  if (!input.observed.linked || major == 0 || !toolkit.known() || toolkit.major == major) return;
  const cudnn_set::member& told = telling_member(input.set, major);
  finding f(finding_id::cuda_major);
  f.summary =
      format("this cuDNN is for CUDA %d, and %s %s", major,
             input.at_configure ? "the CUDA headers are of" : "this program was built with CUDA",
             to_cuda_string(toolkit).c_str());
  f.expected = {input.at_configure ? "headers" : "built with", "CUDA " + to_cuda_string(toolkit),
                input.at_configure ? "CUDART_VERSION" : "stamp of " + input.stamped.program};
  f.found = {"cuDNN", describe(told.identity.releases), where_of(*told.file)};
  for (const int cudart : input.observed.cudart_majors) {
    f.more.push_back(
        {"runtime", format("CUDA %d", cudart), format("libcudart.so.%d of this program", cudart)});
  }
  f.because = why<finding_id::cuda_major>();
  f.fix = cuda_major_fix(input, major);
  findings.push_back(f);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
