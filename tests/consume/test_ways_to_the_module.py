# SPDX-License-Identifier: BSD-3-Clause
"""Every way to get at the package leads to the same find module: cuDNN's version is what counts."""

import shutil
import unittest

from support import REPOSITORY, bare_cuda, bare_cudnn, cmake_program, cmake_version, errors
from support.consumer import path_of_builders
from support.scratch import ScratchTest

PROJECT = """
cmake_minimum_required(VERSION 3.22)
project(app LANGUAGES NONE)
set(CuDNNChecked_REQUIRE LOCATED)
{door}
find_package(CuDNNChecked ${{REQUEST}} REQUIRED)
if(NOT CuDNNChecked_VERSION STREQUAL "9.14.0" OR NOT TARGET CuDNNChecked::cudnn
   OR NOT COMMAND cudnn_checked_guard)
  message(FATAL_ERROR "this was no cuDNN 9.14.0: ${{CuDNNChecked_VERSION}}")
endif()
message(STATUS "found by ${{CuDNNChecked_CONFIG}}")
"""


class Doors(ScratchTest):
    def setUp(self):
        super().setUp()
        bare_cuda(bare_cudnn(self.scratch / "sdk"))

    def install(self, prefix):
        """Installs this project the way that a packager does."""
        builder = self.consumer("builder")
        for command in [["-S", REPOSITORY, "-B", builder.build_directory, "-G", builder.generator,
                         "-DCUDNN_CHECKED_BUILD_TESTING=OFF"],
                        ["--install", builder.build_directory, "--prefix", prefix]]:
            done = builder.run(cmake_program(), *command,
                               environment={"PATH": path_of_builders()})
            self.assertEqual(done.status, 0, done.output)

    def copy_sources(self, directory):
        for name in ["cmake", "templates", "tool"]:
            shutil.copytree(REPOSITORY / name, directory / name)

    def assert_door(self, door, *arguments):
        """Configures with a request that fits and, in fresh build trees, with ones that do not."""
        app = self.consumer(cmake_lists=PROJECT.format(door=door))
        for request in ["9.1...<10", "9.14.0;EXACT", "9", "99", "9.13;EXACT", "9.15...<10"]:
            with self.subTest(request=request):
                shutil.rmtree(app.build_directory, ignore_errors=True)
                sdk = self.scratch / "sdk"
                done = app.configure(f"-DREQUEST={request}", f"-DCuDNNChecked_ROOT={sdk}",
                                     f"-DCUDAToolkit_ROOT={sdk}", *arguments)
                if request in ["9.1...<10", "9.14.0;EXACT", "9"]:
                    self.assertEqual(done.status, 0, done.output)
                    if request != "9.1...<10":
                        continue
                    # Configuring again, and asking for something else then, is no different.
                    done = app.configure()
                    self.assertEqual(done.status, 0, done.output)
                    done = app.configure("-DREQUEST=99")
                    self.assertNotEqual(done.status, 0, done.output)
                else:
                    self.assertNotEqual(done.status, 0, done.output)
                    self.assertIn("[cudnn-not-found]", "".join(errors(done.output)), done.output)

    def test_module_path(self):
        self.assert_door('list(APPEND CMAKE_MODULE_PATH "${CUDNN_CHECKED_SOURCE}/cmake")')

    def test_source_tree(self):
        self.assert_door("", f"-DCuDNNChecked_DIR={REPOSITORY}/cmake")

    def test_installed(self):
        self.install(self.scratch / "prefix")
        self.assert_door("", f"-DCMAKE_PREFIX_PATH={self.scratch}/prefix")

    def test_installed_and_moved(self):
        self.install(self.scratch / "before")
        (self.scratch / "before").rename(self.scratch / "after")
        self.assert_door("", f"-DCMAKE_PREFIX_PATH={self.scratch}/after")

    def test_vendored_folder(self):
        self.copy_sources(self.scratch / "app" / "third_party" / "cudnn_checked")
        self.assert_door("list(APPEND CMAKE_MODULE_PATH "
                         '"${CMAKE_SOURCE_DIR}/third_party/cudnn_checked/cmake")')

    def test_add_subdirectory(self):
        self.assert_door('add_subdirectory("${CUDNN_CHECKED_SOURCE}" cudnn_checked)')

    def test_fetch_content(self):
        self.assert_door("""
include(FetchContent)
FetchContent_Declare(CuDNNChecked SOURCE_DIR "${CUDNN_CHECKED_SOURCE}")
FetchContent_MakeAvailable(CuDNNChecked)""")

    @unittest.skipIf(cmake_version() < (3, 24), "OVERRIDE_FIND_PACKAGE needs CMake 3.24")
    def test_fetch_content_in_place_of_find_package(self):
        self.assert_door("""
include(FetchContent)
FetchContent_Declare(CuDNNChecked SOURCE_DIR "${CUDNN_CHECKED_SOURCE}" OVERRIDE_FIND_PACKAGE)""")

    def test_as_a_subproject_it_builds_nothing(self):
        app = self.consumer(cmake_lists="""
cmake_minimum_required(VERSION 3.22)
project(app LANGUAGES NONE)
get_cmake_property(before CACHE_VARIABLES)
add_subdirectory("${CUDNN_CHECKED_SOURCE}" cudnn_checked)
get_property(targets DIRECTORY "${CUDNN_CHECKED_SOURCE}" PROPERTY BUILDSYSTEM_TARGETS)
get_property(tests DIRECTORY "${CUDNN_CHECKED_SOURCE}" PROPERTY TESTS)
get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
message(STATUS "targets <${targets}> tests <${tests}> languages <${languages}>")
""")
        done = app.configure()
        self.assertIn("targets <> tests <> languages <NONE>", done.output)
