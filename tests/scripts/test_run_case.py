# SPDX-License-Identifier: BSD-3-Clause
"""./dev test -k NAME: which cases a name means, and what is said where it means none."""

import contextlib
import io
import os
import pathlib
import sys
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import run_case  # noqa: E402

CASES = [run_case.Case(f"unit {text}", [text], pathlib.Path("a.cpp"), text)
         for text in ("PTX only", "PTX only, and more", "a missing file")]
CASES.append(run_case.Case("module/stamp Stamp.test_ran",
                           ["module/stamp", "Stamp", "test_ran", "Stamp.test_ran"],
                           pathlib.Path("module/test_stamp.py"), "module_test_stamp.Stamp.test_ran"))


def full_names(name):
    found, near = run_case.chosen(name, CASES)
    return [case.full for case in found], near


class RunCase(unittest.TestCase):
    def test_a_whole_name_means_that_case_alone(self):
        self.assertEqual(full_names("PTX only"), (["unit PTX only"], []))
        for name in ("module/stamp", "Stamp", "test_ran", "Stamp.test_ran", CASES[3].full):
            self.assertEqual(full_names(name), ([CASES[3].full], []), name)

    def test_a_part_means_every_case_that_has_it(self):
        self.assertEqual(full_names("ptx"), (["unit PTX only", "unit PTX only, and more"], []))

    def test_near_names(self):
        self.assertEqual(full_names("a mising fiel"), ([], ["a missing file"]))

    def test_every_case_of_the_sources_is_known(self):
        """As many doctest cases as there are, and this very case; nothing that ctest sets is there."""
        unit = list(run_case.unit_cases())
        lines = sum(path.read_text(encoding="utf-8").count("\nTEST_CASE(")
                    for path in (run_case.TESTS / "unit").glob("*.cpp"))
        self.assertEqual(len(unit), lines)
        with mock.patch.dict(os.environ):
            for name in [name for name in os.environ if name.startswith("CUDNN_CHECKED_")]:
                del os.environ[name]
            names = [case.full for case in run_case.python_cases()]
        self.assertIn("scripts/run_case RunCase.test_near_names", names)

    def test_no_such_case(self):
        with contextlib.redirect_stderr(io.StringIO()) as said:
            status = run_case.main(["test_near_nmaes"])
        self.assertEqual((status, said.getvalue().splitlines()[:2]), (2, [
            'dev: error: no test case has "test_near_nmaes" in its name', "  near: test_near_names"]))
