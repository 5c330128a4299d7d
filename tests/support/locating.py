# SPDX-License-Identifier: BSD-3-Clause
"""Tests of what is found, which end at the level LOCATED: nothing is compiled, nothing is run."""

from support.bare_install import bare_cuda
from support.output import errors, relative_output
from support.scratch import ScratchTest

# A project without languages configures in a tenth of a second.
PROJECT = """
cmake_minimum_required(VERSION 3.22)
project(app LANGUAGES NONE)
list(APPEND CMAKE_MODULE_PATH "${CUDNN_CHECKED_SOURCE}/cmake")
if(NOT CuDNNChecked_REQUIRE)
  set(CuDNNChecked_REQUIRE LOCATED)
endif()
find_package(CuDNNChecked ${REQUEST})
foreach(name IN ITEMS FOUND VERSION LEVEL CUDA_VERSION INCLUDE_DIRS)
  string(APPEND text "${name}=${CuDNNChecked_${name}}\\n")
endforeach()
if(CuDNNChecked_FOUND)
  get_target_property(location CuDNNChecked::cudnn IMPORTED_LOCATION)
  get_target_property(cudart CuDNNChecked::cudart IMPORTED_LOCATION)
  string(APPEND text "location=${location}\\ncudart=${cudart}\\n")
endif()
file(WRITE "${CMAKE_BINARY_DIR}/result.txt" "${text}")
"""


class LocatingTest(ScratchTest):
    """Has a project that asks for cuDNN, and a CUDA runtime to compile it with."""

    def setUp(self):
        super().setUp()
        self.app = self.consumer(cmake_lists=PROJECT)
        self.cuda = bare_cuda(self.scratch / "cuda")

    def locate(self, *arguments, request="REQUIRED", cuda=True, environment=None):
        """Configures; returns the results by name, paths as strings, or the errors' text."""
        arguments = [f"-DREQUEST={request}", *arguments]
        if cuda:
            arguments.append(f"-DCUDAToolkit_ROOT={self.cuda}")
        done = self.app.configure(*arguments, environment=environment)
        self.output = done.output
        if done.status != 0:
            return self.relative("".join(errors(done.output)))
        lines = self.app.path("result.txt").read_text(errors="replace").splitlines()
        return dict(line.split("=", 1) for line in lines)

    def relative(self, text):
        return relative_output(text, scratch=self.scratch)

    def assert_located(self, result, prefix, lib="lib", version="9.14.0"):
        self.assertIsInstance(result, dict, result)
        self.assertEqual(result["FOUND"], "TRUE", self.output)
        major = version.split(".")[0]
        self.assertEqual(result["location"], f"{prefix}/{lib}/libcudnn.so.{major}")
        self.assertEqual(result["VERSION"], version)
