# SPDX-License-Identifier: BSD-3-Clause
"""The probe's kernel, built with the real nvcc as the project's CUDA sources are."""

import os
import re
import shlex
import unittest

from support import cmake_version
from support.known_compilers import compiler, nvcc
from support.proving import PROJECT, ProvingTest

# CMake names the toolkit of nvcc, which comes before CUDAToolkit_ROOT.
BEFORE = "set(CMAKE_CUDA_COMPILER_TOOLKIT_ROOT)\n"


class KernelTest(ProvingTest):
    """A project with the CUDA language, and the simulated SDK as its CUDA runtime."""

    def setUp(self):
        nvcc()
        super().setUp()
        self.app = self.consumer(cmake_lists=PROJECT.replace("CXX)", "CXX CUDA)"), cuda=True)
        self.app.write("before.cmake", BEFORE)

    def host(self, name, release):
        """A host compiler that calls itself GCC <release>."""
        path = self.write(name, f'#!/bin/sh\nexec {compiler("CXX")} -U__GNUC__ -D__GNUC__={release} "$@"\n')
        path.chmod(0o755)
        return path


class NotBuilt(KernelTest):
    def kernel_refusal(self, *arguments, **options):
        text = self.refused(*arguments, **options)
        self.fixes = re.findall(r"^ *(?:fix|or): (cmake [^\n]*)$", text, re.M)
        for path, word in [(str(nvcc()), "<nvcc>"), (compiler("CXX"), "<c++>"),
                           (os.path.dirname(os.path.dirname(nvcc())), "<toolkit>")]:
            text = text.replace(path, word)
        return re.sub(r"NVIDIA \d+\.\d+\.\d+", "NVIDIA <release>", text)

    def assert_fixed_by_each(self):
        for fix in self.fixes:
            with self.subTest(fix=fix):
                self.proved(*shlex.split(fix.split(", ")[0])[1:])

    def test_an_architecture_that_nvcc_does_not_know(self):
        self.assertEqual(self.kernel_refusal("-DCMAKE_CUDA_ARCHITECTURES=35;86-real;35-virtual"), """\
cudnn_checked: refused: the CUDA compiler does not know one of the architectures
  CUDA compiler:  NVIDIA <release>   <nvcc>
  host compiler:  <c++>   CMAKE_CUDA_HOST_COMPILER
  architectures:  35;86-real;35-virtual   CMAKE_CUDA_ARCHITECTURES
  flags:          (none)   CMAKE_CUDA_FLAGS
  all of it:      <scratch>/app-build/CuDNNChecked/build.log
  The CUDA sources of this project would not build either; cuDNN is not the cause.
  fix: cmake -D CMAKE_CUDA_ARCHITECTURES="86-real"
   or: cmake -D CuDNNChecked_KERNEL=OFF, which leaves the kernel out
  [kernel-not-compiled]
  | nvcc fatal   : Unsupported gpu architecture 'compute_35'
""")
        self.assert_fixed_by_each()

    def test_a_host_compiler_that_nvcc_does_not_support(self):
        host = self.host("g++-99", 99)
        text = self.kernel_refusal("-DCMAKE_CUDA_ARCHITECTURES=86-real",
                                   f"-DCMAKE_CUDA_FLAGS=-lineinfo -ccbin={host}")
        message, words = text.split("  | ", 1)
        self.assertEqual(message, """\
cudnn_checked: refused: the CUDA compiler does not support its host compiler
  CUDA compiler:  NVIDIA <release>   <nvcc>
  host compiler:  <scratch>/g++-99   CMAKE_CUDA_FLAGS
  architectures:  86-real   CMAKE_CUDA_ARCHITECTURES
  flags:          -lineinfo -ccbin=<scratch>/g++-99   CMAKE_CUDA_FLAGS
  all of it:      <scratch>/app-build/CuDNNChecked/build.log
  The CUDA sources of this project would not build either; cuDNN is not the cause.
  fix: cmake -D CMAKE_CUDA_FLAGS="-lineinfo -ccbin=<c++>"
   or: cmake -D CuDNNChecked_KERNEL=OFF, which leaves the kernel out
  [kernel-not-compiled]
""")
        self.assertRegex(words, r"crt/host_config\.h:\d+:\d+: error: #error -- unsupported GNU version! "
                                r"gcc versions later than \d+ are not supported! ")
        self.assert_fixed_by_each()

    @unittest.skipIf(cmake_version() < (3, 24), "CMake knows the word native since 3.24")
    @unittest.skipIf(cmake_version() >= (4, 0), "this CMake leaves the word to nvcc")
    def test_native_without_a_gpu(self):
        self.assertEqual(self.kernel_refusal("-DCMAKE_CUDA_ARCHITECTURES=native"), """\
cudnn_checked: refused: there is no GPU here for CMAKE_CUDA_ARCHITECTURES=native
  CUDA compiler:  NVIDIA <release>   <nvcc>
  host compiler:  <c++>   CMAKE_CUDA_HOST_COMPILER
  architectures:  native   CMAKE_CUDA_ARCHITECTURES
  flags:          (none)   CMAKE_CUDA_FLAGS
  The CUDA sources of this project would not build either; cuDNN is not the cause.
  fix: cmake -D CMAKE_CUDA_ARCHITECTURES=all-major
   or: cmake -D CuDNNChecked_KERNEL=OFF, which leaves the kernel out
  [kernel-not-compiled]
""")
        self.assert_fixed_by_each()

    def test_a_value_that_is_not_known(self):
        self.assertEqual(self.refused("-DCuDNNChecked_KERNEL=perhaps"), """\
cudnn_checked: refused: CuDNNChecked_KERNEL has a value that is not known
  value:     perhaps   CuDNNChecked_KERNEL
  possible:  ON, OFF
  fix: use one of the possible values
  [bad-input]
""")
