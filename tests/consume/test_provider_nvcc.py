# SPDX-License-Identifier: BSD-3-Clause
"""CuDNNCheckedProvider.cmake: the header directories of CMake's old FindCUDA, whose toolkit may have a cudnn.h."""

import re

from provided_project import FIND_FILES, LOCATED, ProviderTest
from support import status_lines, warnings

FIND_CUDA = "find_package(CUDA REQUIRED)\n"
COMPILED = "cuda_include_directories(${OWN} ${OWN}/more)\ncuda_add_library(lib STATIC kernel.cu)\n"
UNCHANGED = ["<scratch>/own", "<scratch>/own/more", "<scratch>/toolkit/include"]


class FindCuda(ProviderTest):
    """With the module of CMake itself, and a toolkit that has what it looks for."""

    def setUp(self):
        super().setUp()
        self.write("toolkit/bin/nvcc", '#!/bin/sh\necho "Cuda compilation tools, release 13.0, V13.0.48"\n').chmod(0o755)
        for file in ("include/device_functions.h", "lib64/libcudart.so"):
            self.write(f"toolkit/{file}", "")
        self.header = self.scratch / "toolkit/include/cudnn.h"

    def compiled_with(self, text, *arguments, **files):
        """The directories of each kernel, before those of its target."""
        app = self.project(text, languages="C", **{"kernel.cu": "", **files})
        done = self.configure(app, f"-DOWN={self.scratch}/own", f"-DCUDA_TOOLKIT_ROOT_DIR={self.scratch}/toolkit",
                              "-DCUDA_USE_STATIC_CUDA_RUNTIME=OFF", "-Wno-dev", *arguments)
        self.assertEqual(done.status, 0, done.output)
        compiled = sorted(app.build_directory.rglob("*kernel.cu.o.cmake.pre-gen"))
        self.assertTrue(compiled, done.output)
        words = [re.search(r"set\(CUDA_NVCC_INCLUDE_DIRS \[==\[(.*?);\$<", path.read_text())[1] for path in compiled]
        return done, [self.relative(one).split(";") for one in words]

    def test_a_toolkit_with_headers_of_another_cudnn(self):
        """Wherever the project asks for cuDNN, and in whatever order."""
        self.header.write_text("")
        in_a_function = f"function(look)\n{FIND_FILES}endfunction()\nlook()\n"
        for text in (FIND_CUDA + FIND_FILES + COMPILED,
                     FIND_CUDA + "find_package(CUDNN REQUIRED)\n" + COMPILED,
                     "find_package(CUDNN REQUIRED)\n" + FIND_CUDA + COMPILED,
                     FIND_CUDA + in_a_function + COMPILED,
                     FIND_CUDA + "cuda_include_directories(${OWN})\n" + FIND_FILES + COMPILED,
                     FIND_CUDA + FIND_FILES + "cuda_include_directories(${OWN})\n"
                     "cuda_include_directories(${CUDNN_INCLUDE_DIR})\n" + COMPILED):
            with self.subTest(text):
                done, [directories] = self.compiled_with(text)
                self.assertEqual(list(dict.fromkeys(directories)), ["<scratch>/wanted/include", *UNCHANGED])
                self.assertEqual(warnings(done.output), [])
                self.assertEqual([line for line in status_lines(done.output) if "cuDNN" in line], [LOCATED])

    def test_in_a_subdirectory(self):
        self.header.write_text("")
        _, compiled = self.compiled_with(
            FIND_FILES + "add_subdirectory(sub)\n" + FIND_CUDA + COMPILED,
            **{"sub/CMakeLists.txt": FIND_CUDA + COMPILED.replace("(lib", "(sub"), "sub/kernel.cu": ""})
        self.assertEqual(compiled, [["<scratch>/wanted/include", *UNCHANGED]] * 2)

    def test_another_one_among_the_directories_of_the_project(self):
        _, [directories] = self.compiled_with(FIND_CUDA + FIND_FILES + "cuda_include_directories(${DECOY}/include)\n" + COMPILED)
        self.assertEqual(directories, ["<scratch>/wanted/include", "<scratch>/decoy/include", *UNCHANGED])

    def test_what_is_left_alone(self):
        """A toolkit without such a header, one with a link to that which was proved, and a project without cuDNN."""
        _, [directories] = self.compiled_with(FIND_CUDA + FIND_FILES + COMPILED)
        self.assertEqual(directories, UNCHANGED)
        self.header.symlink_to(self.wanted / "include/cudnn.h")
        _, [directories] = self.compiled_with(FIND_CUDA + FIND_FILES + COMPILED)
        self.assertEqual(directories, UNCHANGED)
        self.header.unlink()
        self.header.write_text("")
        _, [directories] = self.compiled_with(FIND_CUDA + COMPILED)
        self.assertEqual(directories, UNCHANGED)
        (self.wanted / "lib" / "libcudnn.so.9").unlink()
        _, [directories] = self.compiled_with(FIND_CUDA + "find_package(CUDNN)\n" + COMPILED, "-DCuDNNChecked_OPTIONAL=ON")
        self.assertEqual(directories, UNCHANGED)
