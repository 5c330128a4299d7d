#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""With more rows in cuda_majors.def, what is told of the CUDA majors before it stays the same.

usage: later_cudas.py COMPILER

Compiles, for each platform, what names the folders and the libraries of CUDA's wheels, from a copy of the sources
that has them.
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tool"
TABLE = "core/model/cuda_majors.def"
LATER = (14, 15)

PROGRAM = """
#include <cstdio>
#include "core/judge/advice/wheel_commands.h"
#include "core/model/cuda_major.h"
#include "core/model/dependency_names.h"
#include "repair/wheel_contents.h"
using namespace cudnn_checked;

static void print(const char* what, const arena_vector<arena_string>& texts) {
  std::printf("%s", what);
  for (const arena_string text : texts) std::printf(" %s", text.c_str());
  std::printf("\\n");
}

int main() {
  std::printf("newest %d\\n", newest_cuda_major);
  for (const int major : {11, 12, 13, 15}) {
    const version cuda = version::of(major, 0, 0);
    print("nearby", folders_of_cuda_nearby("D", major));
    const arena_string folder = folder_of_toolkit_wheel("nvidia-cublas", major);
    print("folder", {folder.substr(0, folder.find("/", sizeof("/nvidia/") - 1))});
    for (const char* wheel : {"nvidia-cublas", "nvidia-cuda-nvrtc", "nvidia-cuda-runtime", "nvidia-cufft", "nvidia-curand"})
      print(wheel, repairs::libraries_of_toolkit(wheel, cuda));
  }
}
"""

LINUX = """newest 15
nearby D D/../../cublas/lib D/../../cuda_nvrtc/lib
folder /nvidia/cu11
nvidia-cublas libcublasLt.so.11 libcublas.so.11
nvidia-cuda-nvrtc libnvrtc.so.11.2 libnvrtc-builtins.so.11.0
nvidia-cuda-runtime libcudart.so.11.0
nvidia-cufft libcufft.so.10 libcufftw.so.10
nvidia-curand libcurand.so.10
nearby D D/../../cublas/lib D/../../cuda_nvrtc/lib
folder /nvidia/cu12
nvidia-cublas libcublasLt.so.12 libcublas.so.12
nvidia-cuda-nvrtc libnvrtc.so.12 libnvrtc-builtins.so.12.0
nvidia-cuda-runtime libcudart.so.12
nvidia-cufft libcufft.so.11 libcufftw.so.11
nvidia-curand libcurand.so.10
nearby D D/../../cu13/lib D/../../cublas/lib D/../../cuda_nvrtc/lib
folder /nvidia/cu13
nvidia-cublas libcublasLt.so.13 libcublas.so.13
nvidia-cuda-nvrtc libnvrtc.so.13 libnvrtc-builtins.so.13.0
nvidia-cuda-runtime libcudart.so.13
nvidia-cufft libcufft.so.12 libcufftw.so.12
nvidia-curand libcurand.so.10
nearby D D/../../cu15/lib D/../../cublas/lib D/../../cuda_nvrtc/lib
folder /nvidia/cu15
nvidia-cublas libcublasLt.so.15 libcublas.so.15
nvidia-cuda-nvrtc libnvrtc.so.15 libnvrtc-builtins.so.15.0
nvidia-cuda-runtime libcudart.so.15
nvidia-cufft libcufft.so.15 libcufftw.so.15
nvidia-curand libcurand.so.15
"""

OF_WHEELS_OF_12 = "D D/../../cublas/bin D/../../cuda_nvrtc/bin D/../../cuda_runtime/bin"
WINDOWS = f"""newest 15
nearby {OF_WHEELS_OF_12}
folder /nvidia/cu11
nvidia-cublas cublasLt64_11.dll cublas64_11.dll
nvidia-cuda-nvrtc nvrtc64_112_0.dll nvrtc-builtins64_110.dll
nvidia-cuda-runtime cudart64_110.dll
nvidia-cufft
nvidia-curand
nearby {OF_WHEELS_OF_12}
folder /nvidia/cu12
nvidia-cublas cublasLt64_12.dll cublas64_12.dll
nvidia-cuda-nvrtc nvrtc64_120_0.dll nvrtc-builtins64_120.dll
nvidia-cuda-runtime cudart64_12.dll
nvidia-cufft
nvidia-curand
nearby {OF_WHEELS_OF_12} D/../../cu13/bin/x86_64
folder /nvidia/cu13
nvidia-cublas cublasLt64_13.dll cublas64_13.dll
nvidia-cuda-nvrtc nvrtc64_130_0.dll nvrtc-builtins64_130.dll
nvidia-cuda-runtime cudart64_13.dll
nvidia-cufft
nvidia-curand
nearby {OF_WHEELS_OF_12} D/../../cu15/bin/x86_64
folder /nvidia/cu15
nvidia-cublas cublasLt64_15.dll cublas64_15.dll
nvidia-cuda-nvrtc nvrtc64_150_0.dll nvrtc-builtins64_150.dll
nvidia-cuda-runtime cudart64_15.dll
nvidia-cufft
nvidia-curand
"""


class LaterCudas(unittest.TestCase):
    maxDiff = None

    def printed(self, platform):
        with tempfile.TemporaryDirectory() as folder:
            tool = pathlib.Path(folder) / "tool"
            for room in ("core", "facts", "repair"):
                shutil.copytree(TOOL / room, tool / room)
            table = tool / TABLE
            table.write_text(table.read_text(encoding="utf-8") +
                             "".join(f'CUDA_MAJOR_ROW({major}, (600, 0, 0), "", "")\n' for major in LATER),
                             encoding="utf-8")
            sources = [*(tool / "core/model").glob("*.cpp"), *(tool / "core/judge/advice").glob("*.cpp"),
                       *(tool / "core" / platform / f"{platform}_{part}.cpp"
                         for part in ("dependencies", "spelling", "words", "outside_words")),
                       tool / "repair" / platform / "wheel_layout.cpp"]
            source = tool / "printed.cpp"
            source.write_text("".join(f'#include "{s.relative_to(tool)}"\n' for s in sorted(sources)) + PROGRAM,
                              encoding="utf-8")
            program = tool / "printed"
            # What these files call besides is not reached, and dropped.
            subprocess.run([sys.argv[1], "-std=c++17", "-O1", "-w", "-ffunction-sections", "-fdata-sections",
                            "-Wl,--gc-sections", source, "-o", program], check=True)
            return subprocess.run([program], capture_output=True, text=True, check=True).stdout

    def test_linux(self):
        self.assertEqual(self.printed("linux"), LINUX)

    def test_windows(self):
        self.assertEqual(self.printed("windows"), WINDOWS)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
