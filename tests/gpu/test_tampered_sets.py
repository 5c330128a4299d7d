# SPDX-License-Identifier: BSD-3-Clause
"""A cuDNN whose engines or heuristic are missing or of another release computes wrong numbers without a
word.  The probe must say so."""
import os
import tempfile
import unittest

import tampered_sets
from gpu_machine import debian_package, needs_gpu, python_wheel


@needs_gpu
class TamperedSets(unittest.TestCase):
    def setUp(self):
        if debian_package() is None or python_wheel() is None:
            self.skipTest("this machine has not both a packaged cuDNN and a wheel's")

    def configure(self, name):
        with tempfile.TemporaryDirectory() as folder:
            tampered = tampered_sets.make(name, os.path.join(folder, "cudnn"))
            return tampered_sets.configure(tampered, os.path.join(folder, "build"))

    def test_the_whole_set_is_verified(self):
        build = self.configure("whole")
        self.assertEqual(build.status, 0, build.output)
        self.assertEqual(build.report["level"], "ran")

    def check_wrong_numbers(self, name):
        build = self.configure(name)
        self.assertNotEqual(build.status, 0)
        self.assertIn("wrong-numbers", build.findings())
        self.assertIn("cuDNN computes wrong numbers: ", build.output)
        wrong = {(c["api"], c["type"], c["layout"]) for c in build.report["convolutions"]
                 if c["status"] == "wrong-numbers"}
        self.assertIn(("graph", "fp16", "nchw"), wrong)

    def test_heuristic_missing(self):
        self.check_wrong_numbers("heuristic missing")

    def test_heuristic_of_another_release(self):
        self.check_wrong_numbers("heuristic of another release")


if __name__ == "__main__":
    unittest.main()
