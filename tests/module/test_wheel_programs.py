# SPDX-License-Identifier: BSD-3-Clause
"""Programs on a cuDNN from wheels need the NVRTC and cuBLAS to which its run path does not lead."""

import shutil
import subprocess

from support import bare_wheel, compiler, simulated_sdk
from support.environment import with_installers
from support.proving import ProvingTest

PROGRAM = """
file(WRITE "${CMAKE_BINARY_DIR}/app.cpp" "int main() { return 0; }\\n")
add_executable(app "${CMAKE_BINARY_DIR}/app.cpp")
target_link_libraries(app PRIVATE CuDNNChecked::cudnn)
# As Ubuntu's compilers do.
target_link_options(app PRIVATE "LINKER:--as-needed")
"""


class Programs(ProvingTest):
    """The run path of the simulated wheels leads to cublas/lib and cuda_nvrtc/lib, as in 9.14."""

    sdk_options = {"cudnn": "9.14.0", "layout": "wheel", "sublibraries": "jit", "cuda": "12.9",
                   "cudnn_cudart": "12.9", "build_ids": "catalogue", "driver": None}

    def library(self, folder, name, run_path=""):
        path = self.sdk.prefix / "nvidia" / folder / "lib" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        options = [f"-Wl,-rpath,{run_path}"] if run_path else []
        subprocess.run([compiler("C"), "-shared", "-xc", "/dev/null", "-o", path, f"-Wl,-soname,{name}",
                        *options], check=True)

    def needed(self, *arguments):
        """What the program needs of CUDA; it is started without any variable."""
        self.app.write("after.cmake", PROGRAM)
        done = self.app.configure("-DREQUEST=REQUIRED", f"-DCuDNNChecked_ROOT={self.sdk.prefix}", *arguments,
                                  environment=self.sdk.environment)
        self.assertEqual(done.status, 0, done.output)
        self.output = done.output
        self.assertEqual(self.app.build().status, 0)
        program = self.app.path("app")
        subprocess.run([program], check=True, env={})
        lines = subprocess.run(["readelf", "-d", program], check=True, text=True,
                               stdout=subprocess.PIPE).stdout
        return sorted(line.split("[")[1].rstrip("]") for line in lines.splitlines()
                      if "NEEDED" in line and ("nvrtc" in line or "cublas" in line))

    def test_needed_where_the_run_path_does_not_lead(self):
        self.sdk = simulated_sdk(cudnn="9.14.0", layout="wheel").copy(self.scratch / "full")
        bare_wheel(self.sdk.prefix, "nvidia-cudnn-cu13", "9.14.0.64")
        self.assertEqual(self.needed(), [])  # there are none
        self.library("cu13", "libnvrtc.so.13", "$ORIGIN")
        self.library("cu13", "libnvrtc-builtins.so.13.1")
        self.library("cu13", "libcublasLt.so.13")
        self.assertEqual(self.needed(), ["libcublasLt.so.13", "libnvrtc.so.13"])
        # NVRTC 13.0 has no run path.
        self.library("cu13", "libnvrtc.so.13")
        self.assertEqual(self.needed(),
                         ["libcublasLt.so.13", "libnvrtc-builtins.so.13.1", "libnvrtc.so.13"])
        # cuDNN finds what lies where its run path leads.
        self.library("cublas", "libcublasLt.so.13")
        self.library("cuda_nvrtc", "libnvrtc.so.13")
        self.library("cu13", "libnvrtc.so.13", "$ORIGIN")
        self.assertEqual(self.needed(), [])

    def test_with_a_toolkit_all_of_cuda_is_the_toolkits(self):
        """As where the project compiles CUDA.  The wheels have a runtime too: were their directory on the
        run path, CMake would warn that no order of the directories is safe."""
        self.sdk = simulated_sdk(cudnn="9.14.0", layout="wheel").copy(self.scratch / "full")
        bare_wheel(self.sdk.prefix, "nvidia-cudnn-cu13", "9.14.0.64")
        self.library("cu13", "libnvrtc.so.13")
        self.library("cu13", "libnvrtc-builtins.so.13.0")
        toolkit = simulated_sdk(cudnn="9.14.0").copy(self.scratch / "toolkit").prefix
        for name in ["libnvrtc.so.13", "libnvrtc-builtins.so.13.0", "libnvrtc-builtins.so.13.0.88"]:
            self.library("cu13", name)
            shutil.copy2(self.sdk.prefix / "nvidia/cu13/lib" / name, toolkit / "lib" / name)
        (self.sdk.prefix / "nvidia/cu13/lib/libnvrtc-builtins.so.13.0.88").unlink()
        self.assertEqual(self.needed(f"-DCUDAToolkit_ROOT={toolkit}"),
                         ["libnvrtc-builtins.so.13.0", "libnvrtc.so.13"])
        path = subprocess.run(["readelf", "-d", self.app.path("app")], check=True, text=True,
                              stdout=subprocess.PIPE).stdout.split("RUNPATH")[1].split("[")[1].split("]")[0]
        self.assertEqual(self.relative(path), "<scratch>/full/nvidia/cudnn/lib:<scratch>/toolkit/lib")
        self.assertNotIn("Warning", self.output)

    def test_what_it_would_not_find_is_said(self):
        """Without a driver it is no warning: the program may run elsewhere."""
        bare_wheel(self.sdk.prefix, "nvidia-cudnn-jit-cu12", "9.14.0.64", installer="uv")
        having_uv = with_installers(self.scratch / "bin", "uv")
        for _ in ["probed", "remembered"]:
            done = self.app.configure("-DREQUEST=REQUIRED", f"-DCuDNNChecked_ROOT={self.sdk.prefix}",
                                      environment=having_uv)
            self.assertEqual(done.status, 0, done.output)
            text = self.relative(done.output).partition("-- cuDNN")[2].partition("-- Conf")[0]
            self.assertEqual(text, """\
 9.14.0 · CUDA 12.9 · loaded, no convolution was run: no NVIDIA driver here
   not found when cuDNN computes: libnvrtc.so.12 [dependency-missing]
   fix: uv pip install --target <scratch>/sdk 'nvidia-cuda-nvrtc-cu12==12.*'
""")
