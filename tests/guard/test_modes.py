# SPDX-License-Identifier: BSD-3-Clause
"""CuDNNChecked_GUARD: which programs of a build are guarded, and what their guard does."""

import unittest

from guarded_program import NO_DRIVER, GuardedProgram
from support import cmake_version, relative_output, stamps
from support.command_line import cudnn_checked_program

USE = "#include <cudnn.h>\nunsigned long use() { return cudnnGetVersion(); }\n"
CALLS = """
#include <cstdio>
unsigned long use();
int main() { std::printf("main runs on %lu\\n", use()); }
"""


@unittest.skipIf(cmake_version() < (3, 24), "CMake before 3.24 has no CMAKE_PROJECT_TOP_LEVEL_INCLUDES")
class All(GuardedProgram):
    """A project without a word of this package, and with definitions that no guard compiles with."""

    project = """
cmake_minimum_required(VERSION 3.22)
set(CMAKE_PROJECT_TOP_LEVEL_INCLUDES "${CUDNN_CHECKED_SOURCE}/cmake/CuDNNCheckedProvider.cmake")
set(CuDNNChecked_GUARD ALL)
project(app LANGUAGES C CXX)
find_package(CUDNN REQUIRED)
add_executable(app main.cpp)
target_link_libraries(app PRIVATE CUDNN::cudnn)
add_library(static STATIC use.cpp)
target_link_libraries(static PRIVATE $<$<BOOL:ON>:CuDNN::CuDNN>)
add_executable(through_static calls.cpp)
target_link_libraries(through_static PRIVATE static)
add_library(shared SHARED use.cpp)
target_include_directories(shared PRIVATE ${CuDNNChecked_INCLUDE_DIRS})
target_link_libraries(shared PRIVATE ${CUDNN_LIBRARY})
add_library(between INTERFACE)
target_link_libraries(between INTERFACE shared)
add_executable(through_shared calls.cpp)
target_link_libraries(through_shared PRIVATE between)
add_executable(plain plain.c)
target_link_libraries(plain PRIVATE m "$<$<BOOL:ON>:-lm>")
add_executable(late main.cpp)
cmake_language(DEFER CALL target_link_libraries late PRIVATE CUDNN::cudnn)
add_subdirectory(below)
add_compile_definitions(string=broken $<$<BOOL:ON>:vector=broken> "$<IF:$<BOOL:ON>,json,finding>=broken")
include_directories(BEFORE shadow)
"""
    sources = {"use.cpp": USE, "calls.cpp": CALLS, "plain.c": "int main(void) { return 0; }\n",
               "shadow/version": "0.1.0\n",
               "below/CMakeLists.txt": "set(CMAKE_CXX_FLAGS \"${CMAKE_CXX_FLAGS} -fsanitize=undefined\")\n"
                                       "add_executable(below ../main.cpp)\n"
                                       "target_link_libraries(below PRIVATE nvidia::cudnn)\n"}
    programs = ["app", "through_static", "through_shared", "late", "below/below"]

    def test_each_program_that_links_cudnn_has_a_stamp(self):
        for name in self.programs:
            with self.subTest(program=name):
                self.assertEqual([stamp["program"] for stamp in stamps(self.app.path(name))],
                                 [name.split("/")[-1]])
        self.assertEqual(stamps(self.app.path("plain")), [])

    def test_they_start_on_a_sound_set_and_refuse_a_mix(self):
        mixed = self.own_set()
        mixed.take_from(self.other_sdk(cudnn="9.1.0"), "graph")
        for name in self.programs:
            with self.subTest(program=name):
                program = self.app.path(name)
                self.assert_runs(self.start(program=program))
                self.assert_runs(self.start(program=program, driver=False))
                status, output = self.start(mixed.library_directory, program=program)
                self.assertEqual(status, 78, output)
                self.assertIn("\n  [mixed-sublibraries]", output)


class WarnAndOff(GuardedProgram):
    """A distributor's build; and guards that are deferred, with an escape that is the user's."""

    project = """
cmake_minimum_required(VERSION 3.22)
project(app LANGUAGES C CXX)
list(APPEND CMAKE_MODULE_PATH "${CUDNN_CHECKED_SOURCE}/cmake")
find_package(CuDNNChecked REQUIRED)
foreach(name IN ITEMS app silent deferred)
  add_executable(${name} main.cpp)
  target_link_libraries(${name} PRIVATE CuDNNChecked::cudnn)
endforeach()
set(CuDNNChecked_GUARD WARN)
cudnn_checked_guard(app GPU REQUIRED)
set(CuDNNChecked_GUARD off)
cudnn_checked_guard(silent GPU REQUIRED)
set(CuDNNChecked_GUARD DECLARED)
cmake_language(DEFER CALL cudnn_checked_guard deferred GPU OPTIONAL)
"""

    def test_warn(self):
        self.assert_runs(self.start())
        self.assertEqual(self.start(driver=False), (0, NO_DRIVER.format(verdict="warning") +
                                                    "  continues: CuDNNChecked_GUARD=WARN\nmain runs on 91400\n"))

    def test_verify(self):
        done = self.app.run(cudnn_checked_program(), "verify", self.app.path("app"))
        self.assertEqual(done.status, 1)
        self.assertEqual(relative_output(done.output).split("\n", 1)[1] + "|", NO_DRIVER.format(verdict="").split(
            "\n", 1)[1] + "  starts nevertheless: CuDNNChecked_GUARD=WARN\n|")

    def test_off(self):
        self.assert_runs(self.start(program=self.app.path("silent"), driver=False))

    def test_the_environment_decides(self):
        refusal = NO_DRIVER.format(verdict="refused") + "  override: CUDNN_CHECKED=warn\n"
        for name in ["app", "silent"]:
            with self.subTest(program=name):
                program = self.app.path(name)
                self.assertEqual(self.start(program=program, driver=False, CUDNN_CHECKED="enforce"), (78, refusal))
                self.assert_runs(self.start(program=program, driver=False, CUDNN_CHECKED="off"))

    def test_the_stamp_says_so(self):
        self.assertEqual([stamps(self.app.path(name))[0].get("guard") for name in ["app", "silent", "deferred"]],
                         ["warn", "off", None])

    def test_deferred(self):
        [stamp] = stamps(self.app.path("deferred"))
        self.assertEqual((stamp["program"], stamp["gpu"]), ("deferred", "optional"))
        self.assert_runs(self.start(program=self.app.path("deferred")))
