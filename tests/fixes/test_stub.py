# SPDX-License-Identifier: BSD-3-Clause
"""The toolkit's stub of libcuda before the driver: every command that is asked of a package says it, where a driver is
there, and only tells it where none is."""

import shutil

from breaking import CUDA, CUDNN, active, all_of
from broken_programs import LIBRARY, framework
from harness import Fault, FixesTest
from support import simulated_sdk
from test_fixes_of_machine import stub

MODULE = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.65.06  Sun Jul 27 07:14:20 UTC 2025\n"
CHECKS = (LIBRARY, "cudnn-checked verify --python framework", "cudnn-checked doctor",
          "env cudnn-checked run --python framework -- ../venv/bin/python -c pass")


def cuda(world):
    """The loader's cache has the libraries of CUDA."""
    world.own_etc()
    world.add_to_loader_cache("cuda", world.site / "nvidia/cu13/lib")


def driver(world):
    """The loader's cache has a driver's library, and the kernel its module."""
    made = simulated_sdk(cudnn=None, cuda=None, driver="580.65.06", gpus="sm_86").driver_directory
    folder = world.root / "driver"
    shutil.copytree(made, folder, symlinks=True)
    world.add_to_loader_cache("driver", folder)
    (world.root / "proc/nvidia").mkdir(parents=True)
    (world.root / "proc/nvidia/version").write_text(MODULE)
    world.covers["/proc/driver"] = world.root / "proc"


def stub_alone(world):
    world.environment["LD_LIBRARY_PATH"] = ""
    stub(world)
    world.environment["LD_LIBRARY_PATH"] = world.environment["LD_LIBRARY_PATH"].rstrip(":")


class Stub(FixesTest):
    wheels = (CUDNN, *CUDA)
    faults = (Fault("the stub hides the driver", "driver-missing", all_of(framework(), active, cuda, driver, stub_alone),
                    CHECKS, "unset LD_LIBRARY_PATH"),)

    def test_nothing_hidden(self):
        """Then it is a note, of those that print notes."""
        world = self.make_world()
        all_of(framework(), active, cuda, stub_alone)(world)
        for check in CHECKS:
            status, output = world.sh(check)
            self.assertEqual(status, 0, output)
            noted = "--python" not in check  # run prints none, and that import brings no cuDNN into memory
            self.assertEqual("note: the loader finds the toolkit's stub instead of the NVIDIA driver" in output, noted,
                             output)
            self.assertEqual(output.count("fix: unset LD_LIBRARY_PATH\n"), int(noted), output)


if __name__ == "__main__":
    import unittest

    unittest.main()
