# SPDX-License-Identifier: BSD-3-Clause
"""A program that brings its cuDNN computes with that one, where LD_LIBRARY_PATH leads to another."""
import os
import subprocess
import tempfile
import unittest

import gpu_machine
from gpu_machine import Build, keep, needs_gpu, python_wheel

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bundle")


@needs_gpu
class Bundle(unittest.TestCase):
    def test_the_convolution(self):
        installs = [install for install in (python_wheel(), gpu_machine.debian_package()) if install]
        if not installs:
            self.skipTest("neither a wheel nor Debian's package of cuDNN is here")
        for install in installs:
            with self.subTest(install=install.name), tempfile.TemporaryDirectory() as folder:
                self.compute(install, [other for other in installs if other is not install], folder)

    def compute(self, install, others, folder):
        build = Build(os.path.join(folder, "build"), install.root, SOURCE)
        build.compile("bundle")
        there = os.path.join(os.path.realpath(folder), "there")
        subprocess.run(["cmake", "--install", build.folder, "--prefix", there], check=True, stdout=subprocess.DEVNULL)
        for directory in ["", *[other.libraries for other in others]]:
            done = gpu_machine.run([os.path.join(there, "bin", "bundle")],
                                   LD_LIBRARY_PATH=gpu_machine.in_front(directory) or None)
            keep(f"bundle-{install.name.split()[0]}.txt", build.line + "\n" + done.stdout + done.stderr)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertIn("cudnn computed 192 numbers, 0 of them wrong\n", done.stdout.lower())
            mapped = {os.path.dirname(line) for line in done.stderr.splitlines() if line.startswith("/")}
            self.assertEqual(mapped, {os.path.join(there, "bin", "cudnn")}, done.stderr)


if __name__ == "__main__":
    unittest.main()
