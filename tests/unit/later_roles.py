#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""With one sub-library more in the tables, which is named wherever another one of its major is, what reads them compiles.

usage: later_roles.py COMPILER
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tool"
MODEL = "core/model"
KNOWN, LATER = "engines_tensor_ir", "engines_of_2030"
READERS = ("core/model/library_role.cpp", "core/linux/linux_dependencies.cpp", "core/windows/windows_dependencies.cpp",
           "repair/linux/wheel_layout.cpp")


def with_later(text):
    """A row more for each that begins with the known one; in a list the new one stands beside it."""
    rows = re.sub(rf"(?m)^(\w+\()({KNOWN})(,.*\n)", rf"\1\2\3\1{LATER}\3", text)
    return re.sub(rf"(?m)^(NEEDED\(\(.*\b{KNOWN})\b", rf"\1, {LATER}", rows)


class LaterRoles(unittest.TestCase):
    def test_what_reads_the_tables_compiles(self):
        with tempfile.TemporaryDirectory() as folder:
            tool = pathlib.Path(folder) / "tool"
            for room in ("core", "facts", "repair"):
                shutil.copytree(TOOL / room, tool / room)
            changed = []
            for table in sorted((tool / MODEL).glob("*.def")):
                text = table.read_text(encoding="utf-8")
                table.write_text(with_later(text), encoding="utf-8")
                if with_later(text) != text:
                    changed.append(table.name)
            self.assertEqual(changed, ["library_roles.def", "needed_on_linux.def"])
            for source in READERS:
                subprocess.run([sys.argv[1], "-std=c++17", "-fsyntax-only", "-w", tool / source], check=True)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
