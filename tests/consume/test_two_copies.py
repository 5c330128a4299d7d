# SPDX-License-Identifier: BSD-3-Clause
"""Two copies of the package in one run of CMake: two of one release are fine, two releases are an error that names both."""

import re
import shutil
import subprocess
import unittest

from support import (REPOSITORY, bare_cuda, bare_cudnn, cmake_version, errors, relative_output, status_lines,
                     warnings)
from support.command_line import cudnn_checked_program
from support.environment import with_installers
from support.scratch import ScratchTest
from support.wheel import install_tree

PROJECT = """
cmake_minimum_required(VERSION 3.22)
project(app LANGUAGES NONE)
set(CuDNNChecked_REQUIRE LOCATED)
foreach(copy IN ITEMS one two one)
  set(CMAKE_MODULE_PATH "${COPIES}/${copy}/share/CuDNNChecked/cmake")
  find_package(CuDNNChecked 9.14)
  _cudnn_checked_source(source core)
  message(STATUS "${copy}: ${source}")
endforeach()
"""
REFUSED = """\
cudnn_checked: refused: two releases of CuDNNChecked are in one build
  first:   {}   <scratch>/copies/{}
  second:  {}   <scratch>/copies/{}
  They have functions and targets of the same names.
  fix: keep one of the two, for the whole build
  [bad-input]
"""
# They call find_package behind both, between them, or never.
ADDED = """
cmake_minimum_required(VERSION 3.22)
project(app LANGUAGES NONE)
set(CuDNNChecked_REQUIRE LOCATED)
add_subdirectory("${{COPIES}}/one" one)
{between}
add_subdirectory("${{COPIES}}/two" two)
"""


class TwoCopies(ScratchTest):
    def setUp(self):
        super().setUp()
        self.copies = self.scratch / "copies"
        self.copies.mkdir()
        self.prefix = bare_cuda(bare_cudnn(self.scratch / "sdk"))
        # There is no compiler: a copy without a program has none.
        self.environment = with_installers(self.scratch / "installers", "python3", "pip")

    def installed(self):
        one, two = (self.copies / name for name in ("one", "two"))
        shutil.copytree(install_tree(self.scratch), one)
        shutil.rmtree(one / "bin", ignore_errors=True)
        shutil.copytree(one, two)
        (one / "bin").mkdir()
        shutil.copy(cudnn_checked_program(), one / "bin/cudnn-checked")
        return two / "share/CuDNNChecked/tool/configure/verbs.cpp"

    def written(self):
        """Two of ./dev vendor; the file that has their release."""
        for name in ("one", "two"):
            done = subprocess.run([REPOSITORY / "dev", "vendor", self.copies / name], text=True, capture_output=True)
            self.assertEqual(done.returncode, 0, done.stderr)
        return self.copies / "two/cmake/FindCuDNNChecked.cmake"

    def configure(self, text, *arguments):
        app = self.consumer(cmake_lists=text)
        app.shares_configure = False
        app.environment = self.environment
        return app.configure(f"-DCOPIES={self.copies}", "-DCMAKE_CXX_COMPILER=", *arguments)

    def sound(self):
        return f"-DCuDNNChecked_ROOT={self.prefix}", f"-DCUDAToolkit_ROOT={self.prefix}"

    def assert_refused(self, done, first, second):
        self.assertNotEqual(done.status, 0, done.output)
        [text] = errors(done.output)
        releases = re.findall(r"(\d+\.\d+\.\d+, sources [0-9a-f]{8})   ", text)
        self.assertEqual(len(set(releases)), 2, text)
        self.assertEqual(relative_output(text, scratch=self.scratch), REFUSED.format(releases[0], first, releases[1], second))

    def test_two_of_one_release(self):
        """Each is answered by its own directories, also where the answer is that of an earlier call."""
        self.installed()
        done = self.configure(PROJECT, *self.sound())
        self.assertEqual((done.status, warnings(done.output)), (0, []), done.output)
        told = [line for line in status_lines(done.output) if line.startswith(("one: ", "two: "))]
        self.assertEqual(told, [f"{copy}: {self.copies}/{copy}/share/CuDNNChecked/tool/core/linux/core.cpp"
                                for copy in ("one", "two", "one")])

    def test_the_program_of_another_copy_is_not_asked(self):
        self.installed()
        done = self.configure(PROJECT)
        self.assertEqual(done.status, 0, done.output)
        plain = "  no program says more: no C++ compiler for programs that this machine runs\n"
        fixes = ["pip" if " pip install " in text else "plain" if plain in text else text for text in warnings(done.output)]
        self.assertEqual(fixes, ["pip", "plain", "pip"])

    def test_two_releases_that_are_installed(self):
        with open(self.installed(), "a", encoding="utf-8") as source:
            source.write("\n")
        self.assert_refused(self.configure(PROJECT, *self.sound()), "one/share/CuDNNChecked", "two/share/CuDNNChecked")

    def test_copies_in_the_trees_of_two_projects(self):
        changed = self.written()
        find = "find_package(CuDNNChecked REQUIRED)"
        for between in (find, ""):
            done = self.configure(ADDED.format(between=between) + find, *self.sound())
            self.assertEqual((done.status, warnings(done.output)), (0, []), done.output)
        text = changed.read_text(encoding="utf-8")
        changed.write_text(re.sub(r"sources [0-9a-f]{8}", "sources 01234567", text), encoding="utf-8")
        for between in (find, ""):
            self.assert_refused(self.configure(ADDED.format(between=between), *self.sound()), "one", "two")

    def test_the_tree_and_its_copy(self):
        """./dev vendor writes what the tree says of itself."""
        self.written()
        tree = f'find_package(CuDNNChecked REQUIRED PATHS "{REPOSITORY}/cmake" NO_DEFAULT_PATH)\n'
        text = ADDED.format(between="").split("add_subdirectory")[0] + tree
        done = self.configure(text + 'add_subdirectory("${COPIES}/one" one)\nfind_package(CuDNNChecked REQUIRED)\n', *self.sound())
        self.assertEqual((done.status, warnings(done.output)), (0, []), done.output)

    @unittest.skipIf(cmake_version() < (3, 24), "CMake before 3.24 has no CMAKE_PROJECT_TOP_LEVEL_INCLUDES")
    def test_a_provider_and_a_copy_of_the_project(self):
        changed = self.written()
        text = ADDED.format(between="find_package(CUDNN REQUIRED)").replace('add_subdirectory("${COPIES}/one" one)\n', "")
        text += "find_package(CuDNNChecked REQUIRED)\n"
        provider = f"-DCMAKE_PROJECT_TOP_LEVEL_INCLUDES={self.copies}/one/cmake/CuDNNCheckedProvider.cmake"
        done = self.configure(text, provider, *self.sound())
        self.assertEqual((done.status, warnings(done.output)), (0, []), done.output)
        source = changed.read_text(encoding="utf-8")
        changed.write_text(re.sub(r"sources [0-9a-f]{8}", "sources 01234567", source), encoding="utf-8")
        self.assert_refused(self.configure(text, provider, *self.sound()), "one", "two")
        both = f"{provider};{self.copies}/two/cmake/CuDNNCheckedProvider.cmake"
        self.assert_refused(self.configure("cmake_minimum_required(VERSION 3.22)\nproject(app LANGUAGES NONE)\n", both), "one", "two")
