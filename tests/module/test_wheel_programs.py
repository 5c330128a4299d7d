# SPDX-License-Identifier: BSD-3-Clause
"""Programs on a cuDNN from wheels need the NVRTC and cuBLAS to which its run path does not lead."""

import shutil
import subprocess

from support import bare_wheel, compiler
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

    sdk_options = {"cudnn": "9.14.0", "layout": "wheel"}

    def library(self, folder, name, run_path=""):
        path = self.sdk.prefix / "nvidia" / folder / "lib" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        options = [f"-Wl,-rpath,{run_path}"] if run_path else []
        subprocess.run([compiler("C"), "-shared", "-xc", "/dev/null", "-o", path, f"-Wl,-soname,{name}",
                        *options], check=True)

    def needed(self):
        """What the program needs of CUDA; it is started without any variable."""
        self.app.write("after.cmake", PROGRAM)
        done = self.app.configure("-DREQUEST=REQUIRED", f"-DCuDNNChecked_ROOT={self.sdk.prefix}",
                                  f"-DCMAKE_READELF={shutil.which('readelf')}",
                                  environment=self.sdk.environment)
        self.assertEqual(done.status, 0, done.output)
        self.assertEqual(self.app.build().status, 0)
        program = self.app.path("app")
        subprocess.run([program], check=True, env={})
        lines = subprocess.run(["readelf", "-d", program], check=True, text=True,
                               stdout=subprocess.PIPE).stdout
        return sorted(line.split("[")[1].rstrip("]") for line in lines.splitlines()
                      if "NEEDED" in line and ("nvrtc" in line or "cublas" in line))

    def test_needed_where_the_run_path_does_not_lead(self):
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
