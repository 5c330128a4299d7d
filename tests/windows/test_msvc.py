# SPDX-License-Identifier: BSD-3-Clause
"""What is decided by the compiler's command line, and the stamp's object in the dialect of MSVC (tool/guard/windows/stamp_object.h), as clang understands it.

It includes no header of a C or C++ library, which only MSVC has: the rest of the guard is not compiled here.  lld-link, which
is told to leave out what nothing uses, keeps the section, and the call comes before the program's own initialisers.
"""

import pathlib
import shutil
import subprocess
import tempfile
import unittest

import wine
from support.consumer import cmake_program
from support.environment import REPOSITORY

FLAGS = ["--target=x86_64-pc-windows-msvc", "-fms-extensions", "-fms-compatibility", "-fms-compatibility-version=19.30", "-std=c++17",
         "-O1", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror", "-fno-exceptions"]
STAMP = """\
#include "stamp_object.h"
CUDNN_CHECKED_DEFINE_STAMP(cudnn_checked_stamp_app, "the stamp\\n")
CUDNN_CHECKED_AT_STARTUP(cudnn_checked_stamp_app)
"""
KERNEL = "LIBRARY KERNEL32.dll\nEXPORTS\nGetStdHandle\nWriteFile\nExitProcess\n"


OPTIONS = """\
include("@REPOSITORY@/cmake/CuDNNChecked/target/guard_object.cmake")
set(options /MT)
_cudnn_checked_guard_object_options(own options)
message(STATUS "${own}|${options}")
"""


class CommandLine(unittest.TestCase):
    """Of the guard's objects: MSVC is set for Microsoft's command line, whatever the compiler's id is."""

    def options(self, **variables):
        with tempfile.TemporaryDirectory(prefix="cudnn_checked_msvc_") as folder:
            script = pathlib.Path(folder) / "options.cmake"
            script.write_text(OPTIONS.replace("@REPOSITORY@", str(REPOSITORY)))
            named = [f"-DCMAKE_CXX_COMPILER_{name}={value}" for name, value in variables.items() if name != "MSVC"]
            named += [f"-DMSVC={variables['MSVC']}"] if "MSVC" in variables else []
            done = subprocess.run([cmake_program(), *named, "-P", script], text=True, stdout=subprocess.PIPE, check=True)
        own, target = done.stdout.removeprefix("-- ").strip().split("|")
        return own.split(";"), target

    def test_cl_gets_none(self):
        """It answers an option that overrides one of the project's by D9025; the source switches its warnings off."""
        self.assertEqual(self.options(ID="MSVC", VERSION="19.44", MSVC=1), ([""], "/MT"))
        source = (REPOSITORY / "tool/core/for_programs.cpp").read_text(encoding="utf-8")
        self.assertLess(source.index("#pragma warning(push, 0)"), source.index("#include"))

    def test_clang_cl_gets_none_of_gnu(self):
        self.assertEqual(self.options(ID="Clang", VERSION="19.1", MSVC=1, FRONTEND_VARIANT="MSVC"), (["-w"], "/MT"))

    def test_clang_for_windows_gets_those_of_clang(self):
        own, target = self.options(ID="Clang", VERSION="19.1", FRONTEND_VARIANT="GNU")
        self.assertLessEqual({"-w", "-Oz", "-fno-exceptions"}, set(own))
        self.assertEqual(target, "/MT;-fno-sanitize=vptr")


class Msvc(unittest.TestCase):
    def test_section_and_initialiser(self):
        reason = wine.why_no_tools() or next((f"there is no {name}" for name in ("clang++", "lld-link") if not shutil.which(name)), "")
        if reason:
            self.skipTest(reason)
        folder = pathlib.Path(tempfile.mkdtemp(prefix="cudnn_checked_msvc_"))
        self.addCleanup(shutil.rmtree, folder)
        for name, text in (("stamp.cpp", STAMP), ("kernel.def", KERNEL), ("cstddef", "#include <stddef.h>\n")):
            (folder / name).write_text(text)
        for source in (folder / "stamp.cpp", wine.HERE / "msvc_start.cpp"):
            wine.run("clang++", *FLAGS, f"-I{folder}", f"-I{REPOSITORY}/tool/guard/windows", "-c", source,
                     "-o", folder / f"{source.stem}.o")
        wine.run("env", f"TMPDIR={folder}", wine.DLLTOOL, "-d", folder / "kernel.def", "-l", folder / "kernel.lib")
        wine.run("lld-link", "/entry:start", "/subsystem:console", "/nodefaultlib", "/opt:ref", "/opt:icf",
                 f"/out:{folder}/app.exe", *(folder / name for name in ("stamp.o", "msvc_start.o", "kernel.lib")))
        headers = subprocess.run([wine.OBJDUMP, "-h", folder / "app.exe"], stdout=subprocess.PIPE, text=True, check=True).stdout
        self.assertIn(" .cudnnck ", headers)
        windows = wine.Windows()
        self.addCleanup(windows.wait)
        self.assertEqual(windows.start([folder / "app.exe"], cwd=folder), (0, "the stamp\nan initialiser\nmain\n", ""))


if __name__ == "__main__":
    unittest.main()
