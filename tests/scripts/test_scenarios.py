# SPDX-License-Identifier: BSD-3-Clause
"""docs/scenarios.md names a test for every scenario, and every test that it names exists."""

import ast
import re
import unittest

from support import REPOSITORY

DOCUMENT = REPOSITORY / "docs" / "scenarios.md"
ROWS = ([f"Q{n}" for n in range(1, 11)] + [f"L{n}" for n in range(1, 29)] +
        [f"S{n}" for n in range(1, 67)] + [f"X{n}" for n in range(1, 31)] + [f"N{n}" for n in range(1, 27)])
# A sweep of attention.
WAITING = {"S56"}


def rows():
    """{"Q1": (what the row says, the names of its tests)}"""
    found = {}
    for line in DOCUMENT.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split(" | ")]
        if re.fullmatch(r"[QLSXN]\d+", cells[0]):
            if cells[0] in found:
                raise AssertionError(f"{cells[0]} stands twice")
            found[cells[0]] = (line, re.findall(r"`([^`]+::[^`]+)`", cells[-1]))
    return found


def python_tests(path):
    """Names of the tests of a file, those that a class inherits from another of it included."""
    classes = [node for node in ast.parse(path.read_text(encoding="utf-8")).body
               if isinstance(node, ast.ClassDef)]
    return {f"{c.name}.{f.name}" for c in classes for f in c.body
            if isinstance(f, ast.FunctionDef) and f.name.startswith("test")}


def exists(name):
    file, test = name.split("::", 1)
    path = REPOSITORY / "tests" / file
    if not path.is_file():
        return False
    if path.parent.name in ("fixes", "incidents"):
        return f'("{test}"' in path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        return test in python_tests(path)
    return f'TEST_CASE("{test}")' in re.sub(r'"\s*\n\s*"', "", path.read_text(encoding="utf-8"))


class Scenarios(unittest.TestCase):
    def test_every_row_is_there_in_its_order(self):
        self.assertEqual(list(rows()), ROWS)

    def test_every_row_has_a_test_or_waits(self):
        without = {row for row, (_, tests) in rows().items() if not tests}
        self.assertEqual(without, WAITING)
        for row in WAITING:
            self.assertIn("waits", rows()[row][0])

    def test_every_test_exists(self):
        missing = [f"{row}: {name}" for row, (_, tests) in rows().items() for name in tests
                   if not exists(name)]
        self.assertEqual(missing, [])
