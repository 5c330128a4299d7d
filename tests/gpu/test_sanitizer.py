# SPDX-License-Identifier: BSD-3-Clause
"""Nothing leaks and nothing is read or written out of bounds: the probe and examples/minimal under
NVIDIA's compute-sanitizer."""
import os
import shutil
import tempfile
import unittest

import gpu_machine
from gpu_machine import Build, keep, needs_gpu, python_wheel


@needs_gpu
class Sanitizer(unittest.TestCase):
    def setUp(self):
        if shutil.which("compute-sanitizer") is None:
            self.skipTest("compute-sanitizer is not installed")
        self.install = python_wheel() or gpu_machine.debian_package()

    def check(self, name, command):
        checked = gpu_machine.run(
            ["compute-sanitizer", "--tool=memcheck", "--leak-check=full", "--error-exitcode=99"]
            + command)
        keep(f"sanitizer-{name}.txt", checked.stdout[-4000:] + checked.stderr[-4000:])
        self.assertIn("ERROR SUMMARY: 0 errors", checked.stdout, checked.stdout + checked.stderr)
        self.assertIn("LEAK SUMMARY: 0 bytes leaked in 0 allocations", checked.stdout)
        self.assertEqual(checked.returncode, 0)

    def test_probe_and_program(self):
        with tempfile.TemporaryDirectory() as folder:
            build = Build(os.path.join(folder, "build"), self.install.root)
            program = build.compile()
            self.check("probe", [gpu_machine.probe_of(build)])
            self.check("minimal", [program])


if __name__ == "__main__":
    unittest.main()
