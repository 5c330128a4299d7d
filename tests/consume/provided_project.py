# SPDX-License-Identifier: BSD-3-Clause
"""Projects that know nothing of CuDNNChecked, with CuDNNCheckedProvider.cmake, a cuDNN that is wanted and another one."""

import unittest

from support import REPOSITORY, bare_cuda, bare_cudnn, cmake_version, relative_output
from support.scratch import ScratchTest

PROVIDER = REPOSITORY / "cmake" / "CuDNNCheckedProvider.cmake"
HEAD = """
cmake_minimum_required(VERSION 3.22)
project(app LANGUAGES {languages})
list(APPEND CMAKE_MODULE_PATH ${{CMAKE_SOURCE_DIR}})
set(CuDNNChecked_REQUIRE LOCATED)
file(WRITE ${{CMAKE_BINARY_DIR}}/printed.txt "")
macro(print text)
  file(APPEND ${{CMAKE_BINARY_DIR}}/printed.txt "${{text}}\\n")
endmacro()
"""
TOOLKIT = {"FindCUDAToolkit.cmake": "set(CUDAToolkit_FOUND TRUE)\nset(CUDAToolkit_VERSION 13.0)\n"}
FIND_FILES = """
find_package(CUDAToolkit REQUIRED)
find_path(CUDNN_INCLUDE_DIR cudnn.h HINTS ${DECOY}/include)
find_library(CUDNN_LIBRARY cudnn HINTS ${DECOY}/lib)
print("${CUDNN_INCLUDE_DIR} ${CUDNN_LIBRARY} ${CUDAToolkit_VERSION}")
"""
LINKED = """
add_executable(app main.c)
target_include_directories(app PRIVATE ${CUDNN_INCLUDE_DIR})
target_link_libraries(app PRIVATE ${CUDNN_LIBRARY})
"""
LOCATED = ("cuDNN 9.14.0 · CUDA 13.0, located only; nothing was run: CuDNNChecked_REQUIRE=LOCATED "
           "[not-verified]")


@unittest.skipIf(cmake_version() < (3, 24), "CMake before 3.24 has no CMAKE_PROJECT_TOP_LEVEL_INCLUDES")
class ProviderTest(ScratchTest):
    """The wanted cuDNN has the files of a wheel, without libcudnn.so; the decoy is an install with it."""

    def setUp(self):
        super().setUp()
        self.wanted = bare_cuda(bare_cudnn(self.scratch / "wanted"))
        self.decoy = bare_cudnn(self.scratch / "decoy", "9.1.0", unversioned=True)
        for sub in ("graph", "ops"):
            (self.wanted / "lib" / f"libcudnn_{sub}.so.9").write_text("")
            (self.decoy / "lib" / f"libcudnn_{sub}.so").write_text("")

    def project(self, text, languages="NONE", **files):
        return self.consumer(cmake_lists=HEAD.format(languages=languages) + text, **{**TOOLKIT, **files})

    def configure(self, app, *arguments, includes=(PROVIDER,), root=True):
        if includes:
            arguments = ["-DCMAKE_PROJECT_TOP_LEVEL_INCLUDES=" + ";".join(map(str, includes)), *arguments]
        if root:
            arguments = [f"-DCuDNNChecked_ROOT={self.wanted}", f"-DCUDAToolkit_ROOT={self.wanted}", *arguments]
        return app.configure(f"-DDECOY={self.decoy}", *arguments)

    def relative(self, text):
        return relative_output(text, scratch=self.scratch, provider=PROVIDER.parent / "CuDNNChecked/provider")

    def printed(self, app, done):
        self.assertEqual(done.status, 0, done.output)
        return self.relative(app.path("printed.txt").read_text()).splitlines()
