// SPDX-License-Identifier: BSD-3-Clause
#include "tell.h"

#include "convolutions.h"
#include "gpu_processes.h"
#include "operations.h"
#include "platform.h"
#include "questions.h"

namespace cudnn_checked::probe {

bool has_operations() { return operations_are_brought; }

/// Computes the first share in this process, so that it has the libraries that cuDNN maps.  Several
/// processes on each GPU compute fused operations, because cuDNN compiles most of their problems.
static void compute_on(const std::vector<gpu>& chosen, const work& asked, gpu_processes& others,
                       const teller& tell) {
  const int shares = asked.operations.empty() ? 1 : gpu_processes::most_shares();
  std::vector<share> here;
  for (const gpu& device : chosen) {
    for (int number = 0; number < shares; ++number) {
      const share one = {device.index, device.major, device.minor, number, shares};
      if (here.empty() || !others.start(one)) here.push_back(one);
    }
  }
  const bool alone = shares == 1;
  problem_store problems;
  std::vector<share> left;
  for (const share& one : here) {
    if (run_on_gpu(one, asked, problems, tell, alone) || alone) continue;
    tell.forget();
    left.push_back(one);
  }
  // This process has no step of its own while it waits for the others.
  tell.step("");
  const std::vector<share> of_others = others.finish();
  left.insert(left.end(), of_others.begin(), of_others.end());
  // The others have ended, and the GPU memory that they used is free.
  int part = others.next_part();
  for (const share& one : left) {
    if (!run_on_gpu(one, asked, problems, teller(tell.file(), part++), true)) break;
  }
}

static void compute(const order& given, gpu_processes& others, const teller& tell) {
  tell.step("cudaGetDeviceCount");
  const std::vector<gpu> gpus = ask_for_gpus(tell);
  if (!given.compute || gpus.empty()) return;
  std::vector<gpu> chosen;
  std::string missing;
  if (!choose_gpus(gpus, given, chosen, missing)) {
    tell.tell(facts::line_writer("no-such-gpu").add("name", missing));
    return;
  }
  compute_on(chosen, given.asked, others, tell);
}

void tell_end(const teller& tell) {
  for (const std::string& path : mapped_libraries()) {
    tell.tell(facts::line_writer("mapped").add("path", path));
  }
  tell.tell(facts::line_writer("end"));
}

void tell_all(const order& given, const teller& tell) {
#ifdef CUDNN_CHECKED_PROBE_KERNEL
  prepare_kernel(tell);
#endif
  if (given.call) {
    tell.step("cudnnGetVersion");
    // Before cuDNN is asked for its versions: that starts CUDA (seen on a machine with two GPUs).
    gpu_processes others(given.compute ? given.asked : work(), tell);
    ask_versions(tell);
    std::vector<std::string> asked;
    tell.step("the version checks");
    ask_version_checks(tell, asked);
    compute(given, others, tell);
    tell.step("the version checks");
    ask_version_checks(tell, asked);
  }
  tell_end(tell);
}

}  // namespace cudnn_checked::probe
