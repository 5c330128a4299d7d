# SPDX-License-Identifier: BSD-3-Clause
"""The stamp's object in the dialect of MSVC (tool/guard/windows/stamp_object.h), as clang understands it.

It includes no header of a C or C++ library, which only MSVC has: the rest of the guard is not compiled here.  lld-link, which
is told to leave out what nothing uses, keeps the section, and the call comes before the program's own initialisers.
"""

import pathlib
import shutil
import subprocess
import tempfile
import unittest

import wine
from support.environment import REPOSITORY

FLAGS = ["--target=x86_64-pc-windows-msvc", "-fms-extensions", "-fms-compatibility", "-fms-compatibility-version=19.30", "-std=c++17",
         "-O1", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror", "-fno-exceptions"]
STAMP = """\
#include "stamp_object.h"
CUDNN_CHECKED_DEFINE_STAMP(cudnn_checked_stamp_app, "the stamp\\n")
CUDNN_CHECKED_AT_STARTUP(cudnn_checked_stamp_app)
"""
KERNEL = "LIBRARY KERNEL32.dll\nEXPORTS\nGetStdHandle\nWriteFile\nExitProcess\n"


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
