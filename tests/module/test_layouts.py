# SPDX-License-Identifier: BSD-3-Clause
"""How Debian, tarballs, toolkits and wheels lay an install out."""

import shutil
import subprocess
import sys

from support import bare_cuda, bare_cudnn
from support.locating import LocatingTest

TRIPLET = "-DCMAKE_LIBRARY_ARCHITECTURE=x86_64-linux-gnu"


class Layouts(LocatingTest):
    def test_lib64(self):
        prefix = bare_cudnn(self.scratch / "sdk", lib="lib64", unversioned=True)
        self.assert_located(self.locate(f"-DCuDNNChecked_ROOT={prefix}"), prefix, lib="lib64")

    def test_debian_multiarch(self):
        prefix = bare_cudnn(self.scratch / "usr", include="include/x86_64-linux-gnu",
                            lib="lib/x86_64-linux-gnu", header_name="cudnn_version_v9.h")
        result = self.locate(f"-DCuDNNChecked_ROOT={prefix}", TRIPLET)
        self.assert_located(result, prefix, lib="lib/x86_64-linux-gnu")

    def test_targets_of_a_toolkit(self):
        prefix = bare_cudnn(self.scratch / "toolkit", include="targets/x86_64-linux/include",
                            lib="targets/x86_64-linux/lib")
        result = self.locate(f"-DCuDNNChecked_ROOT={prefix}", "-DCMAKE_SYSTEM_PROCESSOR=x86_64")
        self.assert_located(result, prefix, lib="targets/x86_64-linux/lib")

    def test_names_that_are_patterns(self):
        for name in ["a[bc]d", "a*d", "a?d"]:
            with self.subTest(name=name):
                prefix = bare_cuda(bare_cudnn(self.scratch / name / "nvidia" / "cudnn"))
                (prefix / "lib" / "libcudnn_ops.so.9").write_text("")
                result = self.locate(f"-DCuDNNChecked_ROOT={self.scratch / name}", cuda=False,
                                     request="REQUIRED;COMPONENTS;ops")
                self.assert_located(result, prefix)
                self.assertEqual(result["cudart"], f"{prefix}/lib/libcudart.so.13")
                shutil.rmtree(self.app.build_directory)

    def test_only_a_full_version_in_the_name(self):
        prefix = bare_cudnn(self.scratch / "sdk", libraries=False)
        (prefix / "lib").mkdir()
        (prefix / "lib" / "libcudnn.so.9.14.0").write_text("")
        result = self.locate(f"-DCuDNNChecked_ROOT={prefix}")
        self.assertEqual(result["location"], f"{prefix}/lib/libcudnn.so.9.14.0")


class Wheels(LocatingTest):
    def environment_with_packages(self, *packages):
        """A Python environment into which bare wheels were put; returns its site-packages."""
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", self.scratch / "venv"],
                       check=True)
        site = next((self.scratch / "venv" / "lib").glob("python3*/site-packages"))
        for package in packages:
            bare_cudnn(site / "nvidia" / package)
        return site

    def test_the_active_environment(self):
        site = self.environment_with_packages("cudnn")
        result = self.locate(environment={"VIRTUAL_ENV": self.scratch / "venv"})
        self.assert_located(result, site / "nvidia" / "cudnn")

    def test_python_on_path(self):
        site = self.environment_with_packages("cudnn_jit")
        self.app.environment["PATH"] = f"{self.scratch}/venv/bin"
        self.assert_located(self.locate(), site / "nvidia" / "cudnn_jit")

    def test_the_full_package_before_the_jit_only_one(self):
        site = self.environment_with_packages("cudnn", "cudnn_jit")
        result = self.locate(environment={"VIRTUAL_ENV": self.scratch / "venv"})
        self.assert_located(result, site / "nvidia" / "cudnn")

    def test_an_environment_as_hint(self):
        site = self.environment_with_packages("cudnn")
        for hint in [self.scratch / "venv", site, site / "nvidia" / "cudnn"]:
            with self.subTest(hint=hint):
                result = self.locate(f"-DCuDNNChecked_ROOT={hint}")
                self.assert_located(result, site / "nvidia" / "cudnn")

    def test_python_is_started_once(self):
        site = self.environment_with_packages("cudnn")
        real = self.scratch / "venv" / "bin" / "python3"
        log = self.scratch / "log"
        wrapper = self.write("python", f"#!/bin/sh\necho run >> {log}\nexec {real} \"$@\"\n")
        wrapper.chmod(0o755)
        for _ in range(3):
            result = self.locate(f"-DPython3_EXECUTABLE={wrapper}")
            self.assert_located(result, site / "nvidia" / "cudnn")
        self.assertEqual(log.read_text(), "run\n")

    def test_the_message_lists_the_environment(self):
        self.environment_with_packages()
        text = self.locate(environment={"VIRTUAL_ENV": self.scratch / "venv"})
        version = f"python3.{sys.version_info.minor}"
        self.assertIn(f"<scratch>/venv/lib/{version}/site-packages/nvidia/cudnn   Python packages "
                      "of <scratch>/venv/bin/python: no such directory\n", text)


class CudaRuntime(LocatingTest):
    def setUp(self):
        super().setUp()
        self.site = self.scratch / "site" / "nvidia"
        self.cudnn = bare_cudnn(self.site / "cudnn")

    def locate_wheel(self):
        return self.locate(f"-DCuDNNChecked_ROOT={self.cudnn}", cuda=False)

    def test_wheels_of_cuda_13(self):
        bare_cuda(self.site / "cu13", "13.0")
        result = self.locate_wheel()
        self.assert_located(result, self.cudnn)
        self.assertEqual(result["CUDA_VERSION"], "13.0")
        self.assertEqual(result["cudart"], f"{self.site}/cu13/lib/libcudart.so.13")
        self.assertEqual(result["INCLUDE_DIRS"],
                         f"{self.cudnn}/include;{self.site}/cu13/include")

    def test_wheels_of_cuda_12(self):
        bare_cuda(self.site / "cuda_runtime", "12.9", crt=False)
        (self.site / "cuda_nvcc" / "include" / "crt").mkdir(parents=True)
        (self.site / "cuda_nvcc" / "include" / "crt" / "host_defines.h").write_text("")
        result = self.locate_wheel()
        self.assertEqual(result["CUDA_VERSION"], "12.9")
        self.assertEqual(result["INCLUDE_DIRS"], ";".join(
            f"{self.site}/{name}/include" for name in ["cudnn", "cuda_runtime", "cuda_nvcc"]))

    def test_a_toolkit_comes_before_wheels(self):
        bare_cuda(self.site / "cu13", "13.0")
        result = self.locate(f"-DCuDNNChecked_ROOT={self.cudnn}")
        self.assertEqual(result["cudart"], f"{self.cuda}/lib/libcudart.so.13")

    def test_beside_cudnn_before_hints(self):
        prefix = bare_cuda(bare_cudnn(self.scratch / "conda"))
        hinted = {"CUDA_PATH": bare_cudnn(self.cuda, "9.15.0")}
        result = self.locate(f"-DCuDNNChecked_ROOT={prefix}", cuda=False, environment=hinted)
        self.assertEqual(result["cudart"], f"{prefix}/lib/libcudart.so.13")
        result = self.locate(f"-DCuDNNChecked_ROOT={prefix}", environment=hinted)
        self.assertEqual(result["cudart"], f"{self.cuda}/lib/libcudart.so.13")

    def test_no_crt(self):
        bare_cuda(self.site / "cu13", "13.0", crt=False)
        self.assertEqual(self.locate_wheel(), """\
cudnn_checked: refused: cuDNN 9.14.0 was found, but no CUDA runtime to compile with
  cuDNN:      9.14.0   <scratch>/site/nvidia/cudnn/include/cudnn_version.h
  looked in:  <scratch>/site/nvidia/cudnn   beside cuDNN: no cuda_runtime_api.h
              <scratch>/site/nvidia/cu13   Python packages: cuda_runtime_api.h without \
crt/host_defines.h (package nvidia-cuda-crt)
  cudnn.h includes cuda_runtime_api.h, and the probe links libcudart.
  fix: cmake -D CUDAToolkit_ROOT=DIRECTORY, the one with include/cuda_runtime_api.h
   or: python3 -m pip install nvidia-cuda-runtime nvidia-cuda-crt, and configure again
  [headers-missing]
""")

    def test_headers_without_the_library(self):
        bare_cuda(self.site / "cu13", "13.0", lib=None)
        self.assertIn("<scratch>/site/nvidia/cu13   Python packages: headers of CUDA 13.0 without "
                      "libcudart.so.13\n", self.locate_wheel())
