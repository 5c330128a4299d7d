// SPDX-License-Identifier: BSD-3-Clause
//
// Says which cuDNN it runs on, and on which kind of machine.
#include <cudnn.h>
#include <cudnn_checked/stamp.h>
#include <sys/utsname.h>

#include <cstdio>

int main() {
  utsname machine = {};
  uname(&machine);
  std::printf("cross_aarch64: built with cuDNN %s, runs on %zu, on %s\n",
              CUDNN_CHECKED_CUDNN_VERSION_STRING, cudnnGetVersion(), machine.machine);
  return 0;
}
