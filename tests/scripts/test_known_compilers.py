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

    def test_each_system_has_its_own(self):
        cross = ["-DCMAKE_SYSTEM_NAME=Linux", "-DCMAKE_SYSTEM_PROCESSOR=x86_64"]
        project = PROJECT + 'message(STATUS "cross ${CMAKE_CROSSCOMPILING}")\n'
        for name, arguments, expected in (("cross", cross, "TRUE"), ("here", [], "FALSE"), ("again", cross, "TRUE")):
            with self.subTest(name):
                done = self.consumer(name, cmake_lists=project).configure(*arguments)
                self.assertIn(f"-- cross {expected}\n", done.output)
                self.assertNotIn(ASKED, done.output)

    def test_the_same_for_each_generator(self):
        app = self.consumer("make", cmake_lists=PROJECT)
        app.generator = "Unix Makefiles"
        given = app.configure()
        self.assertEqual(given.status, 0, given.output)
        self.assertNotIn(ASKED, given.output)
        app.build_directory = self.scratch / "asked"
        asked = app.configure("-DCMAKE_CXX_FLAGS=-O1")
        self.assertIn(ASKED, asked.output)
        self.assertEqual(self.compiler_of(given.output), self.compiler_of(asked.output))

    def test_flags_of_the_environment(self):
        self.assertIn(ASKED, self.configured("app", environment={"CXXFLAGS": "-O1"}))
