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

// libcuda.so.1 comes with the driver; without it every CUDA call fails (CUDA Runtime API,
// cudaErrorInsufficientDriver).  The stub in the toolkit serves the linker only.
void rule_driver_missing(const judged& j, std::vector<finding>& findings) {
  const driver_facts& driver = j.seen.driver;
  if (driver.present != answer::no && !driver.stub) return;
  if (j.at_configure && !(j.how.level_required && j.how.required == level::ran)) return;
  finding f;
  f.name = "driver-missing";
  f.weight = j.how.gpu_optional ? severity::note : severity::error;
  f.summary = driver.stub ? "the loader takes the toolkit's stub for the NVIDIA driver"
                          : "there is no NVIDIA driver on this machine";
  f.expected = {"needed", "libcuda.so.1", "of the NVIDIA driver"};
  f.found = {"found", driver.stub ? "a stub" : "nothing",
             driver.stub ? driver.path + "   chosen by " + driver.chosen_by
                         : "nowhere where the loader looks"};
  f.because = "Every CUDA call would fail: cuDNN computes on a GPU only.";
  f.fix = driver.stub ? stub_fix(driver)
                      : "run it on a machine with a GPU; in a container, give it one: "
                        "docker run --gpus all";
  findings.push_back(f);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
