# SPDX-License-Identifier: BSD-3-Clause
"""What CMake knows of the compilers is given to the build trees of the tests, where it is true for them."""

from support import ScratchTest

ASKED = "The CXX compiler identification is"
PROJECT = """
cmake_minimum_required(VERSION 3.22)
project(app LANGUAGES CXX)
message(STATUS "compiler ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")
"""


class KnownCompilers(ScratchTest):
    def configured(self, name, *arguments, environment=None):
        done = self.consumer(name, cmake_lists=PROJECT).configure(*arguments, environment=environment)
        self.assertEqual(done.status, 0, done.output)
        return done.output

    def compiler_of(self, output):
        return next(line for line in output.splitlines() if line.startswith("-- compiler "))

    def test_the_same_as_if_they_were_asked(self):
        given = self.configured("given")
        self.assertNotIn(ASKED, given)
        asked = self.configured("asked", "-DCMAKE_CXX_FLAGS=-O1")
        self.assertIn(ASKED, asked)
        self.assertEqual(self.compiler_of(given), self.compiler_of(asked))

    def test_flags_of_the_environment(self):
        self.assertIn(ASKED, self.configured("app", environment={"CXXFLAGS": "-O1"}))
