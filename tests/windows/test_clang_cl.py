# SPDX-License-Identifier: BSD-3-Clause
"""clang-cl and lld-link with the headers and the C runtime of Microsoft: find_package with NVIDIA's DLLs, and guarded programs,
under wine.

CUDNN_CHECKED_MSVC names the folder (clang-cl.cmake); clang-cl, lld-link, llvm-lib, llvm-rc and llvm-mt 19 or newer are on PATH.
"""

import os
import re
import shutil
import subprocess
import unittest

import wine
from dll_places import linked, unpacked, windows_path
from support.consumer import cmake_program
from support.environment import REPOSITORY
from support.output import errors, status_lines
from support.scratch import ScratchTest

# What no project's flags may change: warnings as errors, and the checks that make calls of the C runtime errors.
FLAGS = "-DCMAKE_CXX_FLAGS=/W4 /WX /sdl /EHsc /permissive- /winsysroot {} -fuse-ld=lld"
PROJECT = f"""
cmake_minimum_required(VERSION 3.22)
project(app LANGUAGES CXX)
list(APPEND CMAKE_MODULE_PATH "{REPOSITORY}/cmake")
find_package(CuDNNChecked REQUIRED)
foreach(runtime "" DLL)
  add_executable(app${{runtime}} main.cpp)
  set_target_properties(app${{runtime}} PROPERTIES MSVC_RUNTIME_LIBRARY MultiThreaded${{runtime}})
  target_compile_definitions(app${{runtime}} PRIVATE UNICODE _UNICODE)
  target_link_libraries(app${{runtime}} PRIVATE CuDNNChecked::cudnn CuDNNChecked::cudart)
  cudnn_checked_guard(app${{runtime}} GPU OPTIONAL)
endforeach()
"""
MAIN = """
#include <cuda_runtime_api.h>
#include <cudnn.h>
#include <cstdio>
#include <string>
struct first { first() { std::puts("an initialiser"); } } one;
int main() { std::puts(("cuDNN " + std::to_string(cudnnGetVersion())).c_str()); return 3; }
"""


class ClangCl(ScratchTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        reason = wine.why_no_tools() or next(
            (f"there is no {name}" for name in ("clang-cl", "lld-link", "llvm-lib", "llvm-rc", "llvm-mt") if not shutil.which(name)), "")
        if not os.environ.get("CUDNN_CHECKED_MSVC"):
            reason = "CUDNN_CHECKED_MSVC does not name the folder of Microsoft's headers and libraries"
        if reason:
            raise unittest.SkipTest(reason)
        cls.windows = wine.Windows()
        cls.addClassCleanup(cls.windows.wait)

    def cmake(self, *arguments):
        return subprocess.run([cmake_program(), *map(str, arguments)], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env={**self.windows.environment(), "CUDNN_CHECKED_MSVC": os.environ["CUDNN_CHECKED_MSVC"]})

    def configure(self, source, *arguments):
        return self.cmake("-S", source, "-B", self.scratch / "build", "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                          f"-DCMAKE_TOOLCHAIN_FILE={wine.HERE}/clang-cl.cmake", *arguments)

    def build(self, *arguments):
        done = self.cmake("--build", self.scratch / "build", "-j2", *arguments)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertNotIn("warning", done.stdout)

    def start(self, program, *folders):
        return tuple(self.windows.start([program], cwd=self.scratch, path=";".join(map(windows_path, folders))))

    def test_a_program_with_either_runtime(self):
        folders = [unpacked(name) for name in ("9.28.0.42", "9.10.2.21", "cuda-12.9")]
        if not all(folder.is_dir() for folder in folders):
            self.skipTest(f"the wheels in {folders[0].parent} are not there")
        newer, older, cuda = (folder / "nvidia" for folder in folders)
        for folder, wheel in ((newer, "cudnn"), (cuda, "cuda_runtime"), (cuda, "cuda_nvcc")):
            shutil.copytree(folder / wheel, self.scratch / "site/nvidia" / wheel, copy_function=linked)
        # Stand-ins for what cuDNN opens when it computes.
        for name in ("cublas/bin/cublasLt64_12.dll", "cublas/bin/cublas64_12.dll", "cuda_nvrtc/bin/nvrtc64_120_0.dll"):
            (self.scratch / "site/nvidia" / name).parent.mkdir(parents=True, exist_ok=True)
            wine.run(wine.CC, "-shared", "-nostdlib", "-s", "-o", self.scratch / "site/nvidia" / name, wine.HERE / "fake.c")
        self.write("app/CMakeLists.txt", PROJECT)
        self.write("app/main.cpp", MAIN)
        done = self.configure(self.scratch / "app", FLAGS.format(os.environ["CUDNN_CHECKED_MSVC"]),
                              f"-DCuDNNChecked_ROOT={self.scratch}/site")
        self.assertEqual(done.returncode, 0, "".join(errors(done.stdout)))
        self.assertRegex("\n".join(status_lines(done.stdout)),
                         r"\AcuDNN 9\.28\.0 · CUDA 12\.9 · loaded, no convolution was run: no NVIDIA driver here\Z")
        self.build()
        cudnn, *cuda = (self.scratch / "site/nvidia" / name / "bin" for name in ("cudnn", "cuda_runtime", "cublas", "cuda_nvrtc"))
        mixed = self.scratch / "mixed"
        shutil.copytree(cudnn, mixed, copy_function=linked)
        (mixed / "cudnn_ops64_9.dll").unlink()
        linked(older / "cudnn/bin/cudnn_ops64_9.dll", mixed / "cudnn_ops64_9.dll")
        for name in ("app.exe", "appDLL.exe"):
            with self.subTest(name):
                program = self.scratch / "build" / name
                self.assertEqual(self.start(program, cudnn, *cuda), (3, "an initialiser\ncuDNN 92800\n".replace("\n", "\r\n"), ""))
                status, output, said = self.start(program, mixed, *cuda)
                self.assertEqual((status, output, re.findall(r"\[([a-z-]+)\]", said)), (78, "", ["mixed-sublibraries"]))


if __name__ == "__main__":
    unittest.main()
