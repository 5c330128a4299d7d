# SPDX-License-Identifier: BSD-3-Clause
"""Where cudnn-checked is installed with the find module, a refusal asks it, and compiles nothing; where it is of other
sources, or does not start, or is not for what is built, the command is compiled as without it."""

import pathlib
import shutil
import tempfile

from support import errors
from support.command_line import cudnn_checked_program
from support.environment import put_compiler, with_installers
from support.scratch import ScratchTest
from support.wheel import install_tree, make_wheel, pip

WITHOUT_LANGUAGES = """
cmake_minimum_required(VERSION 3.22)
project(app LANGUAGES NONE)
set(CuDNNChecked_REQUIRE LOCATED)
find_package(CuDNNChecked 9.14 REQUIRED)
"""
PROJECT = """
cmake_minimum_required(VERSION 3.22)
project(app LANGUAGES CXX)
find_package(CuDNNChecked 9.14 REQUIRED)
"""
CROSS = """
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_CROSSCOMPILING TRUE)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
"""


class InstalledProgram(ScratchTest):
    @classmethod
    def setUpClass(cls):
        cls.shared = pathlib.Path(tempfile.mkdtemp(prefix="cudnn-checked-installed-"))
        cls.addClassCleanup(shutil.rmtree, cls.shared, ignore_errors=True)
        cls.inside = cls.shared
        cls.installed = install_tree(cls.shared)

    def setUp(self):
        super().setUp()
        self.prefix = self.scratch / "a prefix"
        shutil.copytree(self.installed, self.prefix)
        (self.prefix / "bin").mkdir(exist_ok=True)
        self.program = self.prefix / "bin/cudnn-checked"
        shutil.copy(cudnn_checked_program(), self.program)
        self.app = self.consumer(cmake_lists=PROJECT)
        self.app.shares_configure = False
        # Advice names an installer that is here.
        self.app.environment = with_installers(self.scratch / "installers", "python3", "pip")

    def refused(self, *arguments, prefix=None):
        """The fixes of the refusal."""
        text = self.refusal(*arguments, prefix=prefix)
        self.assertTrue(text.endswith("  [cudnn-not-found]\n"), text)
        return [line for line in text.splitlines() if line.startswith(("  fix: ", "  try: ", "   or: "))]

    def refusal(self, *arguments, prefix=None):
        shutil.rmtree(self.app.build_directory, ignore_errors=True)
        done = self.app.configure(f"-DCMAKE_PREFIX_PATH={prefix or self.prefix}", *arguments)
        text = "".join(errors(done.output))
        self.assertTrue(text.startswith("cudnn_checked: refused: no cuDNN was found\n"), done.output)
        return text

    def is_compiled(self):
        return self.app.path("CuDNNChecked/cudnn_checked_configure").exists()

    def test_nothing_is_compiled(self):
        with self.subTest("in the prefix"):
            fixes = self.refused()
            self.assertRegex(fixes[0], r"  fix: .*pip install .*'nvidia-cudnn-cu\d\d>=9.14'")
            self.assertFalse(self.is_compiled())
        with self.subTest("a link to the prefix, and a moved one"):
            link = self.scratch / "link"
            link.symlink_to(self.prefix)
            self.assertEqual(self.refused(prefix=link), fixes)
            self.assertFalse(self.is_compiled())
        with self.subTest("in vcpkg's folder"):
            (self.prefix / "tools/cudnn-checked").mkdir(parents=True)
            self.program.rename(self.prefix / "tools/cudnn-checked/cudnn-checked")
            self.assertEqual(self.refused(), fixes)
            self.assertFalse(self.is_compiled())
        with self.subTest("without it the answer is the same"):
            shutil.rmtree(self.prefix / "tools")
            self.assertEqual(self.refused(), fixes)
            self.assertTrue(self.is_compiled())

    def test_of_other_sources(self):
        source = self.prefix / "share/CuDNNChecked/tool/configure/verbs.cpp"
        source.write_text(source.read_text() + "\n")
        self.assertIn("pip install", self.refused()[0])
        self.assertTrue(self.is_compiled())

    def test_does_not_start(self):
        for text in ("#!/bin/sh\necho 0.1.0\n", "no program\n"):
            with self.subTest(program=text):
                self.program.unlink()
                self.program.write_text(text)
                self.program.chmod(0o755)
                self.assertIn("pip install", self.refused()[0])
                self.assertTrue(self.is_compiled())

    def test_no_compiler_is_needed(self):
        """A project without a compiler, on a machine without one."""
        self.app.write("CMakeLists.txt", WITHOUT_LANGUAGES)
        self.assertIn("pip install", self.refused("-DCMAKE_CXX_COMPILER=")[0])
        self.program.unlink()
        self.assertEqual(self.refusal("-DCMAKE_CXX_COMPILER="), """\
cudnn_checked: refused: no cuDNN was found
  no program says more: no C++ compiler for programs that this machine runs
""")

    def test_of_the_wheel(self):
        wheel = make_wheel(self.installed, self.scratch / "wheels")
        target = self.scratch / "target"
        pip("install", "--quiet", "--no-index", "--target", target, wheel)
        self.assertTrue((target / "bin/cudnn-checked").exists())
        self.assertIn("pip install", self.refused(prefix=target / "cudnn_checked")[0])
        self.assertFalse(self.is_compiled())

    def test_a_build_for_another_processor(self):
        """The one that is installed judges files of the machine that it runs on."""
        self.app.write("CMakeLists.txt", WITHOUT_LANGUAGES)
        put_compiler(self.scratch / "installers/c++")
        toolchain = self.write("toolchain.cmake", CROSS)
        fixes = self.refused(f"-DCMAKE_TOOLCHAIN_FILE={toolchain}", f"-DCMAKE_PROJECT_INCLUDE={toolchain}")
        self.assertIn("manylinux2014_aarch64", fixes[0])
        self.assertTrue(self.is_compiled())
