// SPDX-License-Identifier: BSD-3-Clause
//
// The GPUs that a release of cuDNN computes on.
#include "../../model/cudnn_major.h"
#include "../../model/format.h"
#include "cudnn_gpu.h"
#include "rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

struct lowest_gpu_row {
  version since;
  int cuda_major;
  int number;
  char before[7];
};

struct newest_gpu_row {
  version first;
  version last;
  int number;
};

#define RELEASE(major, minor, patch) \
  { major, minor, patch }
static constexpr lowest_gpu_row lowest_gpus[] = {
#define LOWEST_GPU(release, cuda, number, before) {RELEASE release, cuda, number, before},
#define NEWEST_GPU(first, last, number)
#include "cudnn_gpus.def"
#undef LOWEST_GPU
#undef NEWEST_GPU
};
static constexpr newest_gpu_row newest_gpus[] = {
#define LOWEST_GPU(release, cuda, number, before)
#define NEWEST_GPU(first, last, number) {RELEASE first, RELEASE last, number},
#include "cudnn_gpus.def"
#undef LOWEST_GPU
#undef NEWEST_GPU
};
#undef RELEASE

int lowest_gpu(version cudnn, int cuda_major) {
  for (const lowest_gpu_row& row : lowest_gpus) {
    const bool is_for = row.cuda_major == 0 || row.cuda_major == cuda_major;
    if (is_for && !(cudnn < row.since)) return row.number;
  }
  return 0;
}

int newest_gpu(version cudnn) {
  for (const newest_gpu_row& row : newest_gpus) {
    if (!(cudnn < row.first) && !(row.last < cudnn)) return row.number;
  }
  return 0;
}

/// The file that says which release computes.
static void tell_release(const rule_input& input, finding& f) {
  const cudnn_set::member* member = input.set.find(library_role::shim);
  for (const cudnn_major_row& row : cudnn_majors) {
    if (const cudnn_set::member* const m = input.set.find(row.computes)) member = m;
  }
  tell(f, "+cuDNN|%s|%s", input.set.effective, member == nullptr ? nullptr : member->file);
}

finding& add_below_cudnn(const rule_input& input, const gpu& device, int lowest,
                         arena_vector<finding>& findings) {
  finding& f = add_finding<finding_id::arch_below_cudnn>(findings);
  tell(f,
       "cuDNN %s does not compute on this GPU, %s\n"
       "=needed|sm_%d or newer|cuDNN Support Matrix",
       input.set.effective, device.capability, lowest);
  tell_gpu(f, ":GPU %d|%s|%s", device);
  tell_release(input, f);
  return f;
}

const char* last_release_for(const gpu& device) {
  const char* last = "";
  for (const lowest_gpu_row& row : lowest_gpus) {
    if (number_of(device.capability) < row.number && row.before[0] != '\0') last = row.before;
  }
  return last;
}

// cuDNN Developer Guide, "Hardware Forward Compatibility": since 9.0.0, in builds for CUDA 12 and
// newer, the runtime-compiled engines serve GPUs above cudnnGetMaxDeviceVersion(), so this refuses
// nobody.
static void add_above_cudnn(const rule_input& input, const gpu& device, int newest,
                            arena_vector<finding>& findings) {
  const bool forward = has_graph_library(input.set.effective.major);
  const bool asked = input.observed.answers.max_device != 0;
  finding& f = append_finding(findings, finding_id::arch_above_cudnn);
  tell(f,
       "this GPU, %s, is newer than cuDNN %s knows\n"
       "=known up to|sm_%d|cudnnGetMaxDeviceVersion()%s\n"
       ".%s%s\n"
       ">upgrade to a release of cuDNN that knows this GPU",
       device.capability, input.set.effective, newest, asked ? "" : " of it",
       forward
           ? "The driver compiles the PTX of its engines, which takes time, and operations that "
             "have no such engine fail with CUDNN_STATUS_NOT_SUPPORTED_ARCH_MISMATCH."
           : "Hardware forward compatibility came with cuDNN 9: an older release may fail.",
       forward ? " CUDNN_FORWARD_COMPAT_DISABLE=1 makes it an error in cuDNN itself." : "");
  tell_gpu(f, ":GPU %d|%s|%s", device);
  tell_release(input, f);
}

// A GPU that suits is enough; the others are worth a note, as in rule_architecture.
void rule_gpu_of_cudnn(const rule_input& input, arena_vector<finding>& findings) {
  if (!input.observed.linked || !input.set.effective.known()) return;
  const int lowest = lowest_gpu(input.set.effective, majority(input.set).cuda_major);
  const int asked = input.observed.answers.max_device;
  const int newest = asked != 0 ? asked / 10 : newest_gpu(input.set.effective);
  const std::size_t first = findings.size();
  bool any_suits = false;
  for (const gpu& device : input.observed.devices.gpus) {
    if (!device.capability.known()) continue;
    const int number = number_of(device.capability);
    if (number < lowest) {
      tell(add_below_cudnn(input, device, lowest, findings),
           ">build the program with cuDNN %s, the last release for this GPU\n"
           ">run it on a newer GPU",
           last_release_for(device));
    } else if (newest != 0 && number > newest) {
      add_above_cudnn(input, device, newest, findings);
    } else {
      any_suits = true;
    }
  }
  if (any_suits) make_notes(first, findings);
}
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
