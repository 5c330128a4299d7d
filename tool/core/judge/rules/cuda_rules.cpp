// SPDX-License-Identifier: BSD-3-Clause
//
// The CUDA that cuDNN was built for, and the program's.
#include "../../model/dependency_names.h"
#include "../../model/format.h"
#include "rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// 0 where the releases are for several CUDA majors, or one of them does not say.
static int only_cuda_major(const arena_vector<release>& releases) {
  int major = releases.empty() ? 0 : releases.front().cuda_major;
  for (const release& r : releases) major = r.cuda_major == major ? major : 0;
  return major;
}

const cudnn_set::member& telling_member(const cudnn_set& set, int major) {
  for (const cudnn_set::member& m : set.members) {
    if (m.member_of_set && only_cuda_major(m.identity.releases) == major) return m;
  }
  return set.members.front();
}

int cuda_major_of_set(const rule_input& input) {
  if (!input.set.common.empty()) return only_cuda_major(input.set.common);
  const release most = majority(input.set);
  if (input.set.coherent() || !only_the_shim_is_older(input, most)) return 0;
  const cudnn_set::member& told = telling_member(input.set, most.cuda_major);
  return only_cuda_major(told.identity.releases) == most.cuda_major ? most.cuda_major : 0;
}

/// `own` is cuDNN's CUDA major, which the toolkit has not.
static fix_lines cuda_major_fix(const rule_input& input, int own) {
  const int wanted = input.stamped.toolkit.major;
  const fix_lines environment = fix_by_environment(input);
  if (!environment.empty() && only_cuda_major(input.without_ld_path.common) == wanted) {
    return environment;
  }
  const cudnn_kind kind = input.set.jit_only ? cudnn_kind::jit_only : cudnn_kind::full;
  fix_lines fix = fix_of_package(input, telling_member(input.set, own).file->path, kind);
  if (fix.empty())
    fix = install_cudnn(input.observed.cudnn_major, wanted, kind, install_where::with_headers,
                        input.observed.ld_library_path);
  if (input.at_configure()) {
    fix.push_back(advice(format("set CUDAToolkit_ROOT to the toolkit of a CUDA %d", own)));
  }
  return fix;
}

// NVIDIA cuDNN documentation, "Support Matrix": each build of cuDNN is for one CUDA major.  It
// opens that major's cuBLASLt and NVRTC, whatever the program brings ("Cannot load symbol
// cublasLtGetVersion").  The minor number is free (CUDA Compatibility, "Minor Version
// Compatibility"), and cuDNN's own runtime, linked into it statically, says nothing.
void rule_cuda_major(const rule_input& input, arena_vector<finding>& findings) {
  const int major = cuda_major_of_set(input);
  version toolkit = input.stamped.toolkit;
  if (!input.observed.linked || major == 0 || !toolkit.known() || toolkit.major == major) return;
  const cudnn_set::member& told = telling_member(input.set, major);
  finding& f = add_finding<finding_id::cuda_major>(findings);
  if (input.at_configure()) {
    tell(f,
         "this cuDNN is for CUDA %d, and the CUDA headers are of %s\n"
         "=headers|CUDA %s|CUDART_VERSION",
         major, as_cuda(toolkit), as_cuda(toolkit));
  } else {
    tell(f,
         "this cuDNN is for CUDA %d, and this program was built with CUDA %s\n"
         "=built with|CUDA %s|stamp of %s",
         major, as_cuda(toolkit), as_cuda(toolkit), input.stamped.program);
  }
  tell(f, ":cuDNN|%s|%s", told.identity.releases, *told.file);
  f.fix = cuda_major_fix(input, major);
  for (const int cudart : input.observed.cudart_majors) {
    tell(f, "+runtime|CUDA %d|%s of this program", cudart, name_of_runtime(cudart));
  }
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
