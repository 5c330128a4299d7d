# SPDX-License-Identifier: BSD-3-Clause
"""The simulated CUDA runtime launches what the real nvcc compiled, where a GPU and its driver could."""

import subprocess
import unittest

from support import ScratchTest
from support.environment import REPOSITORY, compiler
from support.known_compilers import nvcc
from support.simulated_sdk import simulated_sdk

KERNEL = REPOSITORY / "tool" / "probe" / "kernel"
MAIN = r"""
#include <cuda_runtime.h>
#include <cstdio>
#include "kernel.h"
int main() {
  float host[3 * 9] = {0, 0, 0, 0, 2, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 3};
  float* all = nullptr;
  if (cudaMalloc(&all, sizeof host) != cudaSuccess) return 1;
  cudaMemcpy(all, host, sizeof host, cudaMemcpyHostToDevice);
  const cudnn_checked_kernel_problem problem = {all, all + 9, all + 18, 1, 1, 1, 3, 3};
  const auto status = static_cast<cudaError_t>(cudnn_checked_kernel_launch(&problem));
  cudaMemcpy(host, all, sizeof host, cudaMemcpyDeviceToHost);
  // The last tap of the filter meets the one pixel at the upper left.
  std::printf("%s %g %g\n", cudaGetErrorName(status), double(host[18]), double(host[26]));
  cudaFree(all);
}
"""
RIGHT = "cudaSuccess 6 2\n"
NO_IMAGE = "cudaErrorNoKernelImageForDevice 0 0\n"
PTX_TOO_NEW = "cudaErrorUnsupportedPtxVersion 0 0\n"


class Kernels(ScratchTest):
    def program(self, sdk, *code):
        """Compiled for `code`, each "sm_75" or "compute_86", and linked with the simulated libcudart."""
        source, kernel = self.write("main.cpp", MAIN), self.scratch / "kernel.o"
        options = [f"-gencode=arch=compute_{c.split('_')[1]},code={c}" for c in code]
        self.command(nvcc(), "-ccbin", compiler("CXX"), *options, "-c", KERNEL / "kernel.cu", "-o", kernel)
        self.command(compiler("CXX"), source, kernel, f"-I{KERNEL}", f"-I{sdk.include}", "-o",
                     self.scratch / "program", f"-L{sdk.library_directory}", "-lcudart",
                     f"-Wl,-rpath,{sdk.library_directory}")
        return self.scratch / "program"

    def command(self, *command):
        subprocess.run([str(c) for c in command], check=True)

    def on(self, gpu, sdk, **environment):
        done = subprocess.run([self.scratch / "program"], capture_output=True, text=True, check=False,
                              env={**sdk.environment, "SIMULATED_GPUS": gpu, **environment})
        return done.stdout + done.stderr

    def test_what_runs_where(self):
        sdk = simulated_sdk(gpus="sm_75;sm_86")
        self.program(sdk, "sm_75", "compute_86")
        for gpu, expected in [("sm_70", NO_IMAGE), ("sm_75", RIGHT), ("sm_80", NO_IMAGE),
                              ("sm_86", RIGHT), ("sm_90", RIGHT)]:
            with self.subTest(gpu=gpu):
                self.assertEqual(self.on(gpu, sdk), expected)
        for fault, expected in [("wrong:kernel", "cudaSuccess 9 3\n"),
                                ("wrong-element:kernel", "cudaSuccess 6 3\n"),
                                ("unwritten:kernel", "cudaSuccess 0 0\n"),
                                ("fail:cudaLaunchKernel:719", "cudaErrorLaunchFailure 0 0\n")]:
            with self.subTest(fault=fault):
                self.assertEqual(self.on("sm_75", sdk, SIMULATED_FAULT=fault), expected)

    def test_ptx_of_a_toolkit_that_the_driver_does_not_know(self):
        sdk = simulated_sdk(cuda="12.9", driver="575.57.08", gpus="sm_75;sm_86")
        self.program(sdk, "sm_75", "compute_75")
        self.assertEqual(self.on("sm_75", sdk), RIGHT)
        self.assertEqual(self.on("sm_80", sdk), PTX_TOO_NEW)


if __name__ == "__main__":
    unittest.main()
