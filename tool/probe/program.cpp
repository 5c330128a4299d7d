// SPDX-License-Identifier: BSD-3-Clause
//
// cudnn_checked_probe: linked with the cuDNN in question by the find module, and started by the
// program that judges (tool/prove).  It asks cuDNN and CUDA, computes, and tells facts, a line
// each, before and after each step (facts/line.h): what crashes or hangs leaves the lines that it
// had.  It judges nothing, and nothing of core is in it.
//
//   cudnn_checked_probe [file=NUMBER] [call=no] [compute=no] [convolutions=legacy,graph/fp32/nchw]
//                       [operations=matmul,attention/forward] [devices=all|0,1|GPU-uuid]
//
// order.h says what the arguments mean.  With CUDNN_CHECKED_PROBE_KERNEL it is linked with
// kernel/kernel.cu, which the project's CUDA compiler compiled, and runs it on each GPU too.
//
// Exit status: 0, or 2 where an argument is not known.
//
// linux/probe.cpp and windows/probe.cpp, which CMake compiles, include this.
#include <cuda_runtime_api.h>
#include <cudnn.h>

#include <cstdio>

#include "../convolution/compare.cpp"
#include "../convolution/graph.cpp"
#include "../convolution/plan.cpp"
#include "../convolution/reference.cpp"
#include "../convolution/values.cpp"
#include "cudnn_answers.cpp"
#include "devices.cpp"
#include "execution.cpp"
#include "gpu_run.cpp"
#include "graph_convolution.cpp"
#ifdef CUDNN_CHECKED_PROBE_KERNEL
#include "kernel_convolution.cpp"
#endif
#include "legacy_convolution.cpp"
#include "offered_plan.cpp"
#include "order.cpp"
#include "platform.h"
#include "status.cpp"
#include "tell.cpp"
#include "teller.cpp"
#include "workload.cpp"

int main(int count, char** arguments) {
  using namespace cudnn_checked;
  probe::order given;
  std::string error;
  probe::show_no_dialogs();
  if (!probe::read_order(count - 1, arguments + 1, given, error)) {
    std::fprintf(stderr, "cudnn_checked_probe: error: %s\n", error.c_str());
    return 2;
  }
  const probe::teller tell(given.file);
  tell.tell(facts::line_writer("probe")
                .add_whole("format", facts::line_format)
                .add_whole("cudnn", CUDNN_VERSION)
                .add_whole("toolkit", CUDART_VERSION));
  probe::tell_all(given, tell);
  return 0;
}
