// SPDX-License-Identifier: BSD-3-Clause
//
// The GPUs that a release of cuDNN computes on.
#include "../../model/format.h"
#include "cudnn_gpu.h"
#include "rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// cuDNN Support Matrix: 9.11.0 dropped everything before 7.5, 8.8.0 everything before 5.0; 8.0 to
// 8.7 name 3.5 for CUDA 11 and 3.0 for CUDA 10.2.  What 7.x needed was found nowhere.
int lowest_gpu(const version& cudnn, int cuda_major) {
  if (!(cudnn < version{9, 11, 0})) return 75;
  if (!(cudnn < version{8, 8, 0})) return 50;
  if (cudnn < version{8, 0, 0}) return 0;
  return cuda_major == 11 ? 35 : 30;
}

// What cudnnGetMaxDeviceVersion() answered where it was asked of a release: 8.8.0, 8.9.6, 8.9.7,
// 9.0.0, 9.1.0, 9.5.1; 9.10.2; 9.14.0, 9.19.0, 9.21.1, 9.22.0, 9.24.1, 9.27.0, 9.28.0.  Where its
// neighbours differ the answer is not known.
int newest_gpu(const version& cudnn) {
  const auto within = [&cudnn](const version& first, const version& last) {
    return !(cudnn < first) && !(last < cudnn);
  };
  if (within({8, 8, 0}, {9, 5, 1})) return 90;
  if (within({9, 10, 2}, {9, 10, 2})) return 120;
  if (within({9, 14, 0}, {9, 28, 99})) return 121;
  return 0;
}

/// The file that says which release computes.
static void tell_release(const rule_input& input, finding& f) {
  const cudnn_set::member* member = nullptr;
  for (const library_role::known role :
       {library_role::graph, library_role::ops_infer, library_role::shim}) {
    if (member == nullptr) member = input.set.find(role);
  }
  tell(f, "+cuDNN|%s|%s", input.set.effective, member == nullptr ? nullptr : member->file);
}

finding& add_below_cudnn(const rule_input& input, const gpu& device, int lowest,
                         vector<finding>& findings) {
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
  return number_of(device.capability) < 50 ? "8.7" : "9.10.2";
}

// cuDNN Developer Guide, "Hardware Forward Compatibility": since 9.0.0, in builds for CUDA 12 and
// newer, the runtime-compiled engines serve GPUs above cudnnGetMaxDeviceVersion(), so this refuses
// nobody.
static void add_above_cudnn(const rule_input& input, const gpu& device, int newest,
                            vector<finding>& findings) {
  const bool forward = input.set.effective.major >= 9;
  const bool asked = input.observed.answers.max_device != 0;
  finding& f = append_finding(findings, finding_id::arch_above_cudnn, "");
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
void rule_gpu_of_cudnn(const rule_input& input, vector<finding>& findings) {
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
