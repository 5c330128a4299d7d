# SPDX-License-Identifier: BSD-3-Clause
"""docs/findings.md has one entry for each finding that the code can raise, and no other."""

import re
import unittest

from support import REPOSITORY

SOURCES = [path for folder, endings in (("tool", (".cpp", ".h", ".inc")), ("cmake", (".cmake",)))
           for path in sorted((REPOSITORY / folder).rglob("*")) if path.suffix in endings]
NAME = "[a-z]+(?:-[a-z]+)+"
# How a finding gets its name: in C++, in a CMake message, in the variable that becomes its NAME, and in a
# line that CMake writes itself.
WAYS = (rf'\bname = (?:[^;]*\? )?"({NAME})"', rf'\bname = [^;]*: "({NAME})";',
        rf'_finding\([^;"]*"({NAME})"', rf"\bNAME ({NAME})\b", rf"\bset\(name ({NAME})\)",
        rf"\[({NAME})\]")


def raised():
    """{name: a file that raises it}"""
    found = {}
    for path in SOURCES:
        # A comment raises nothing.
        text = re.sub(r"(?m)//.*$|^\s*#(?!include).*$", "", path.read_text(encoding="utf-8"))
        for way in WAYS:
            for name in re.findall(way, text):
                found.setdefault(name, str(path.relative_to(REPOSITORY)))
    return found


def entries():
    headings = re.findall(r"(?m)^## (.*)$", (REPOSITORY / "docs" / "findings.md").read_text(encoding="utf-8"))
    return [name for heading in headings for name in re.findall(rf"`({NAME})`", heading)]


class Findings(unittest.TestCase):
    def test_all_ways_are_seen(self):
        for name in ("sublibrary-missing", "dependency-missing", "cudnn-older", "arch-jit-only",
                     "headers-missing", "probe-timeout", "library-corrupt"):
            self.assertIn(name, raised())

    def test_every_finding_has_one_entry(self):
        self.assertEqual(sorted(entries()), sorted(raised()))


if __name__ == "__main__":
    unittest.main()
