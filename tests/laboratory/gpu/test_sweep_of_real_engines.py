# SPDX-License-Identifier: BSD-3-Clause
"""`cudnn-checked sweep` on real cuDNNs: known wrong engines are found, and nothing is left behind.

It has the GPU for itself: it counts plans a second, and what is left in its memory."""
import json
import os
import unittest

import of_gpu  # noqa: F401 -- before gpu_machine
import sweeps
from gpu_machine import copy_of_set, debian_package, keep, make_jit_only, needs_gpu, python_wheel
from sweeps import KNOWN, NOTHING, OnBoth, scratch, whole_sweep


@needs_gpu
class Sweeps(OnBoth):
    """One command of 60 seconds finds what is known to be wrong, and nothing that A offers."""

    def check(self, install):
        report, _, status, left = whole_sweep(install)
        counts = report.tree["counts"]
        for operation, engines in KNOWN.get(install.release, {}).items():
            with self.subTest(operation=operation):
                self.assertLessEqual(engines, report.engines(operation))
        with self.subTest("nothing that A offers"):
            self.assertEqual(report.wrong_plans_of_a(), [])
        with self.subTest("the errata file was verified"):
            written = report.tree["errata"]
            self.assertEqual((written["error"], written["right_blocked_of_a"], written["left"]), ("", 0, 0))
            self.assertEqual((written["verification"]["verified"], written["verification"]["left"]), (True, 0))
        with self.subTest("plans a second"):
            self.assertGreaterEqual(counts["per_second"], 400)
        with self.subTest("all kinds of problems"):
            begun = {tuple(p["problem"].split()[:3]) for p in report.tree["problems"]}
            self.assertEqual(len(begun), 18)
        if left is not None:
            with self.subTest("left behind"):
                self.assertEqual(left, NOTHING)
            with self.subTest("status"):
                self.assertEqual(status, 0)  # warnings: nothing that A offers first

    def test_wheel(self):
        install = python_wheel() or self.skipTest("no wheel of cuDNN")
        self.check(install)

    def test_debian(self):
        install = debian_package() or self.skipTest("no package of cuDNN")
        self.check(install)

    def test_lost_context(self):
        install = debian_package()
        if install is None or install.release != "9.14.0":
            self.skipTest("only 9.14.0 is known to lose its context")
        report, _, _, left = whole_sweep(install)
        died = {row["engine"] for row in report.tree["rows"] if row["plans"]["died"] > 0}
        self.assertIn(71, died)
        if left is not None:
            self.assertEqual(left, NOTHING)


@needs_gpu
class JitOnly(OnBoth):
    """A set with nothing but the run-time compiled engines: A offers wrong ones first."""

    def test_wrong_engines_come_first(self):
        install = python_wheel() or self.skipTest("no wheel of cuDNN")
        own = make_jit_only(copy_of_set(install, os.path.join(scratch(self), "own")))
        status, report, error, left = sweeps.sweep(
            own.libraries, "--seconds", "25", "--operations", "fwd", timeout=120, alone=True)
        keep("sweep-jit-only.json", json.dumps(report.tree))
        keep("sweep-jit-only.txt", f"status {status}\n{sweeps.table(report)}\n{error}")
        print("\n" + sweeps.table(report), flush=True)
        first = [row["engine"] for row in report.tree["rows"] if row["reach"] == "first"]
        self.assertEqual(first, [row["engine"] for row in report.tree["rows"]][:len(first)])
        self.assertEqual(set(first), {4, 7})
        self.assertEqual((status, report.tree["verdict"]), (1, "refused"))
        self.assertEqual(left, NOTHING)


if __name__ == "__main__":
    unittest.main()
