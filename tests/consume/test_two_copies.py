# SPDX-License-Identifier: BSD-3-Clause
"""Two copies of the package in one run of CMake, as two projects of a superbuild bring them: each is answered by its own."""

import shutil

from support import bare_cuda, bare_cudnn, status_lines, warnings
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
  _cudnn_checked_names(names place)
  _cudnn_checked_source(source core)
  message(STATUS "${copy}: ${names}, ${source}")
endforeach()
"""
FIELDS = "place prefix header version include library link sublibraries sublinks watched"


class TwoCopies(ScratchTest):
    def setUp(self):
        super().setUp()
        self.one, self.two = (self.scratch / "copies" / name for name in ("one", "two"))
        self.one.parent.mkdir()
        shutil.copytree(install_tree(self.scratch), self.one)
        shutil.rmtree(self.one / "bin", ignore_errors=True)
        shutil.copytree(self.one, self.two)
        (self.one / "bin").mkdir()
        shutil.copy(cudnn_checked_program(), self.one / "bin/cudnn-checked")
        # Of another release: a source and a record have changed.
        home = self.two / "share/CuDNNChecked"
        with open(home / "tool/configure/verbs.cpp", "a", encoding="utf-8") as source:
            source.write("\n")
        facts = home / "cmake/CuDNNChecked/every_configure/facts.cmake"
        text = facts.read_text(encoding="utf-8")
        facts.write_text(text.replace(FIELDS, f"{FIELDS} added"), encoding="utf-8")
        self.app = self.consumer(cmake_lists=PROJECT)
        self.app.shares_configure = False
        # There is no compiler: a copy without a program has none.
        self.app.environment = with_installers(self.scratch / "installers", "python3", "pip")

    def output(self, *arguments):
        done = self.app.configure(f"-DCOPIES={self.one.parent}", "-DCMAKE_CXX_COMPILER=", *arguments)
        self.assertEqual(done.status, 0, done.output)
        return done.output

    def test_records_and_directories(self):
        """Also where the answer is that of an earlier call."""
        prefix = bare_cuda(bare_cudnn(self.scratch / "sdk"))
        output = self.output(f"-DCuDNNChecked_ROOT={prefix}", f"-DCUDAToolkit_ROOT={prefix}")
        self.assertEqual(warnings(output), [])
        names = [f"place_{name}" for name in FIELDS.split()[1:]]
        told = [line for line in status_lines(output) if line.startswith(("one: ", "two: "))]
        self.assertEqual(told, [f"{copy.name}: {';'.join(names + more)}, {copy}/share/CuDNNChecked/tool/core/linux/core.cpp"
                                for copy, more in ((self.one, []), (self.two, ["place_added"]), (self.one, []))])

    def test_the_program_of_another_copy_is_not_asked(self):
        plain = "  no program says more: no C++ compiler for programs that this machine runs\n"
        fixes = ["pip" if " pip install " in text else "plain" if plain in text else text for text in warnings(self.output())]
        self.assertEqual(fixes, ["pip", "plain", "pip"])
