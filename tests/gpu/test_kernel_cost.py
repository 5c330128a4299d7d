# SPDX-License-Identifier: BSD-3-Clause
"""What the kernel adds to a first configure run.  It has the machine for itself: two times are compared."""
import os
import pathlib
import sys
import tempfile
import unittest

import gpu_machine
from gpu_machine import keep, needs_gpu, python_wheel

sys.path.insert(0, os.path.join(gpu_machine.REPOSITORY, "tests", "bench"))


@needs_gpu
class KernelCost(unittest.TestCase):
    def test_what_it_costs_in_a_first_configure_run(self):
        import bench
        install = python_wheel() or gpu_machine.debian_package()
        with tempfile.TemporaryDirectory() as folder:
            row, checked = bench.kernel_row(pathlib.Path(gpu_machine.REPOSITORY), pathlib.Path(folder) / "build",
                                            gpu_machine.capability(), [f"-DCuDNNChecked_ROOT={install.root}"])
        what, measured, against, bar, kept = row
        text = f"| {what} | {measured} | {against} | {bar} | {'kept' if kept else 'MISSED'} |"
        print(text)
        keep("kernel-cost.txt", text + "\n")
        self.assertIn("kernel verified", checked.output)
        self.assertTrue(kept, text)


if __name__ == "__main__":
    unittest.main()
