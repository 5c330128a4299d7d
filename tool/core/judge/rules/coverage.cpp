// SPDX-License-Identifier: BSD-3-Clause
#include "coverage.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// Compute capabilities of Tegra and Jetson chips (NVIDIA, "CUDA GPU Compute Capability", Jetson).
static bool is_embedded(const architecture& a) {
  static constexpr int embedded[][2] = {{5, 3}, {6, 2}, {7, 2}, {8, 7}, {10, 1}, {11, 0}};
  for (const auto& e : embedded) {
    if (a.major == e[0] && a.minor == e[1]) return true;
  }
  return false;
}

static bool same_capability(const architecture& a, const architecture& b) {
  return a.major == b.major && a.minor == b.minor;
}

// Thor was sm_101 until CUDA 12.9 and is sm_110 since 13.0 (CUDA 13.0 Toolkit Release Notes); no
// document says whether code for one number runs under the other.  Nor does any say whether sm_88,
// which nvcc knows since 13.0, is an embedded chip.
static bool is_doubtful(const architecture& target, const architecture& device) {
  const auto is = [](const architecture& a, int major, int minor) {
    return a.major == major && a.minor == minor;
  };
  if (is(target, 10, 1) && is(device, 11, 0)) return true;
  if (is(target, 11, 0) && is(device, 10, 1)) return true;
  return target.major == 8 && device.major == 8 && (is(target, 8, 8) || is(device, 8, 8)) &&
         target.minor <= device.minor && !is_embedded(target);
}

bool cubin_runs_on(const architecture& target, const architecture& device) {
  if (same_capability(target, device)) return true;
  if (is_doubtful(target, device)) return false;
  if (target.suffix == 'a' || target.major != device.major) return false;
  if (is_embedded(target) || is_embedded(device)) return false;
  return target.minor <= device.minor;
}

bool ptx_runs_on(const architecture& target, const architecture& device) {
  if (same_capability(target, device)) return true;
  if (target.suffix == 'a') return false;
  if (target.suffix == 'f') return cubin_runs_on(target, device);
  return target.major < device.major ||
         (target.major == device.major && target.minor <= device.minor);
}

coverage coverage_of(const code_container& container, const architecture& device) {
  coverage best = coverage::none;
  for (const device_code& code : container.codes) {
    if (code.form == device_code::kind::cubin && cubin_runs_on(code.target, device)) {
      return coverage::cubin;
    }
    if (code.form == device_code::kind::ptx && ptx_runs_on(code.target, device)) {
      best = coverage::ptx_only;
    } else if (best == coverage::none && is_doubtful(code.target, device)) {
      best = coverage::unknown;
    }
  }
  return best;
}

coverage coverage_of(const arena_vector<code_container>& containers, const architecture& device) {
  coverage worst = coverage::cubin;
  for (const code_container& container : containers) {
    const coverage c = coverage_of(container, device);
    if (static_cast<int>(c) < static_cast<int>(worst)) worst = c;
  }
  return worst;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
