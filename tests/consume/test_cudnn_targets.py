# SPDX-License-Identifier: BSD-3-Clause
"""CuDNNChecked_PROVIDE_CUDNN_TARGETS: the names of NVIDIA's own CMake files."""

from support import bare_cuda, bare_cudnn, errors, relative_output
from support.scratch import ScratchTest

PROJECT = """
cmake_minimum_required(VERSION 3.22)
project(app LANGUAGES NONE)
list(APPEND CMAKE_MODULE_PATH "${CUDNN_CHECKED_SOURCE}/cmake")
set(CuDNNChecked_REQUIRE LOCATED)
if(OTHER_FIRST)
  add_library(CUDNN::cudnn SHARED IMPORTED)
  set_target_properties(CUDNN::cudnn PROPERTIES IMPORTED_LOCATION "${OTHER_FIRST}")
endif()
find_package(CuDNNChecked REQUIRED)
# The same request again, and another one.
find_package(CuDNNChecked REQUIRED)
find_package(CuDNNChecked 9 REQUIRED COMPONENTS graph)
if(LATER)
  set(CuDNNChecked_PROVIDE_CUDNN_TARGETS ON)
  find_package(CuDNNChecked REQUIRED)
endif()
foreach(name IN ITEMS cudnn cudnn_all cudnn_graph)
  set(real "")
  if(TARGET CUDNN::${name})
    get_target_property(real CUDNN::${name} ALIASED_TARGET)
  endif()
  message("${name} is <${real}>")
endforeach()
add_subdirectory(below)
"""

# What cudnn-frontend's cmake/cuDNN.cmake does first: it searches only where these are absent.
BELOW = """
if(TARGET CUDNN::cudnn AND TARGET CUDNN::cudnn_all)
  message("cudnn-frontend searches nothing")
endif()
add_library(frontend INTERFACE)
target_link_libraries(frontend INTERFACE CUDNN::cudnn_all)
"""


class Names(ScratchTest):
    def setUp(self):
        super().setUp()
        sdk = bare_cuda(bare_cudnn(self.scratch / "sdk"))
        (sdk / "lib" / "libcudnn_graph.so.9").write_text("")
        self.app = self.consumer(cmake_lists=PROJECT, **{"below/CMakeLists.txt": BELOW})

    def configure(self, *arguments):
        sdk = self.scratch / "sdk"
        return self.app.configure(f"-DCuDNNChecked_ROOT={sdk}", f"-DCUDAToolkit_ROOT={sdk}",
                                  *arguments)

    def test_provided(self):
        # Again, from what is remembered.
        for arguments in [["-DCuDNNChecked_PROVIDE_CUDNN_TARGETS=ON"], []]:
            done = self.configure(*arguments)
            self.assertEqual(done.status, 0, done.output)
            for name in ["cudnn", "cudnn_all", "cudnn_graph"]:
                self.assertIn(f"{name} is <CuDNNChecked::{name}>\n", done.output)
            self.assertIn("cudnn-frontend searches nothing\n", done.output)

    def test_not_by_default(self):
        done = self.configure()
        self.assertIn("cudnn is <>\n", done.output)
        self.assertNotIn("cudnn-frontend searches nothing\n", done.output)
        with self.subTest("asked for later"):
            done = self.configure("-DLATER=ON")
            self.assertIn("cudnn is <CuDNNChecked::cudnn>\n", done.output)
        with self.subTest("another module's target does not matter then"):
            done = self.configure("-DOTHER_FIRST=/opt/cudnn/lib/libcudnn.so.9", "-DLATER=OFF")
            self.assertEqual(done.status, 0, done.output)

    def test_another_module_was_first(self):
        done = self.configure("-DCuDNNChecked_PROVIDE_CUDNN_TARGETS=ON", "-DOTHER_FIRST=/opt/cudnn/lib/libcudnn.so.9")
        self.assertNotEqual(done.status, 0, done.output)
        self.assertEqual(relative_output(errors(done.output)[0], scratch=self.scratch), """\
cudnn_checked: refused: CUDNN::cudnn exists already: another module has found a cuDNN
  there is:   /opt/cudnn/lib/libcudnn.so.9   CUDNN::cudnn
  asked for:  <scratch>/sdk/lib/libcudnn.so.9   CuDNNChecked_PROVIDE_CUDNN_TARGETS
  What links one name would use another cuDNN than what links the other.
  fix: call find_package(CuDNNChecked) before that module
   or: cmake -D CuDNNChecked_PROVIDE_CUDNN_TARGETS=OFF <scratch>/app-build
  [bad-input]
""")

    def test_another_module_was_first_with_the_same_file(self):
        """P3: /usr/local/cuda/lib64 is often a link."""
        (self.scratch / "sdk" / "lib64").symlink_to("lib")
        done = self.configure("-DCuDNNChecked_PROVIDE_CUDNN_TARGETS=ON",
                              f"-DOTHER_FIRST={self.scratch}/sdk/lib64/libcudnn.so.9")
        self.assertEqual(done.status, 0, done.output)
        self.assertIn("cudnn_graph is <CuDNNChecked::cudnn_graph>\n", done.output)
