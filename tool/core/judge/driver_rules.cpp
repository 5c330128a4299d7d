// SPDX-License-Identifier: BSD-3-Clause
#include "rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static std::string stub_fix(const driver_facts& driver) {
  const std::string directory = directory_of(driver.path);
  if (driver.chosen_by.compare(0, 15, "LD_LIBRARY_PATH") == 0) {
    return "take " + directory + " off LD_LIBRARY_PATH";
  }
  if (driver.chosen_by.find("PATH of ") != std::string::npos) {
    return "link without a run path to " + directory + ": stubs are for the linker only";
  }
  return "take " + directory + " out of /etc/ld.so.conf.d, then: ldconfig";
}

static std::string driver_summary(const driver_facts& driver) {
  if (driver.stub) return "the loader takes the toolkit's stub for the NVIDIA driver";
  if (!driver.kernel_module.known()) return "there is no NVIDIA driver on this machine";
  return "the NVIDIA kernel module is loaded, and the driver's library is not to be found";
}

static std::string driver_fix(const driver_facts& driver) {
  if (driver.stub) return stub_fix(driver);
  const std::string container = "in a container, give it a GPU: docker run --gpus all";
  if (!driver.kernel_module.known()) return "run it on a machine with a GPU; " + container;
  return container + "; elsewhere, add the directory of libcuda.so.1 to LD_LIBRARY_PATH";
}

// libcuda.so.1 comes with the driver; without it every CUDA call fails (CUDA Runtime API,
// cudaErrorInsufficientDriver).  The stub in the toolkit serves the linker only.
void rule_driver_missing(const judged& j, std::vector<finding>& findings) {
  const driver_facts& driver = j.seen.driver;
  if (driver.present != answer::no && !driver.stub) return;
  if (j.at_configure && !(j.how.level_required && j.how.required == level::ran)) return;
  finding f;
  f.name = "driver-missing";
  f.weight = j.how.gpu_optional ? severity::note : severity::error;
  f.summary = driver_summary(driver);
  f.expected = {"needed", "libcuda.so.1", "of the NVIDIA driver"};
  if (driver.stub) {
    f.found = {"found", "a stub", driver.path + "   chosen by " + driver.chosen_by};
  } else {
    f.found = {"found", "nothing", "nowhere where the loader looks"};
  }
  if (driver.kernel_module.known()) {
    f.more.push_back(
        {"kernel module", to_driver_string(driver.kernel_module), "/proc/driver/nvidia/version"});
  }
  f.because = "Every CUDA call would fail: cuDNN computes on a GPU only.";
  f.fix = driver_fix(driver);
  findings.push_back(f);
}

void rule_driver_too_old(const judged&, std::vector<finding>&) {}

void rule_driver_mismatch(const judged&, std::vector<finding>&) {}

void rule_compat_driver(const judged&, std::vector<finding>&) {}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
