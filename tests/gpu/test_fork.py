# SPDX-License-Identifier: BSD-3-Clause
"""The guard never initialises CUDA: a process that forks after the check can use it in the child."""
import os
import tempfile
import unittest

import gpu_machine
from gpu_machine import Build, needs_gpu, python_wheel

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fork")


@needs_gpu
class Fork(unittest.TestCase):
    def test_the_child_can_use_cuda(self):
        install = python_wheel() or gpu_machine.debian_package()
        with tempfile.TemporaryDirectory() as folder:
            program = Build(os.path.join(folder, "build"), install.root, SOURCE).compile("fork")
            done = gpu_machine.run([program])
            self.assertEqual((done.stdout, done.stderr), ("in the child: success\n", ""))
            # What would happen otherwise.
            spoiled = gpu_machine.run([program, "use CUDA first"])
            self.assertNotEqual(spoiled.stdout, "in the child: success\n")


if __name__ == "__main__":
    unittest.main()
