# SPDX-License-Identifier: BSD-3-Clause
"""CuDNNChecked_SWEEP on a real GPU: whole cuDNNs have engines to warn of, a JIT-only set is refused."""
import os
import unittest

import of_gpu  # noqa: F401 -- before gpu_machine
import gpu_machine
import sweeps
from gpu_machine import Build, copy_of_set, debian_package, keep, make_jit_only, needs_gpu, python_wheel
from sweeps import KNOWN, scratch


@needs_gpu
class SweepAtConfigure(unittest.TestCase):
    def configured(self, install, **definitions):
        self.folder = scratch(self)
        build = Build(os.path.join(self.folder, "build"), install.root, CuDNNChecked_SWEEP="20", **definitions)
        keep(f"sweep-at-configure-{install.name}.txt".replace(" ", "-"), build.output)
        return build

    def wrong_engines(self, build):
        """What was found, as (operation, engine, offered)."""
        return {(row["operation"], row["engine"], row["reach"]) for row in build.report["sweep"]["rows"]}

    def whole(self, install):
        build = self.configured(install)
        self.assertEqual(build.status, 0, build.output)
        self.assertRegex(build.output, r"convolution verified \([^)]*\); \d+ plans of \d+ problems swept in ")
        found = self.wrong_engines(build)
        known = {(operation, engine) for operation, engines in KNOWN[install.release].items() for engine in engines}
        self.assertNotEqual(found, set())
        self.assertEqual({(operation, engine) for operation, engine, _ in found} - known, set())
        self.assertEqual({reach for _, _, reach in found} & {"first"}, set())
        offered = any(reach == "offered" for _, _, reach in found)
        self.assertEqual("[wrong-engine]" in build.output, offered)
        done = gpu_machine.run([build.compile()])
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        stamped = gpu_machine.run([sweeps.program(), "inspect", build.compile()])
        self.assertIn("\n  swept seconds:            20\n", stamped.stdout)

    def test_wheel(self):
        self.whole(python_wheel() or self.skipTest("no wheel of cuDNN"))

    def test_debian(self):
        self.whole(debian_package() or self.skipTest("no package of cuDNN"))

    def test_jit_only(self):
        """The proof passes with these convolutions, the sweep computes others as well."""
        install = python_wheel() or self.skipTest("no wheel of cuDNN")
        own = make_jit_only(copy_of_set(install, os.path.join(scratch(self), "own")))
        build = self.configured(own, CuDNNChecked_CONVOLUTIONS="graph/fp32/nhwc;graph/fp16/nhwc")
        self.assertNotEqual(build.status, 0, build.output)
        self.assertRegex(build.output, r"cudnn_checked: refused: engine [47] of cuDNN [\d.]+ computes wrong "
                                       r"forward convolutions on this GPU")
        self.assertIn("     fix: install the full cuDNN package: this one has no precompiled engines\n", build.output)
        kept = os.path.join(self.folder, "build/CuDNNChecked/all/sweep.json")
        program = gpu_machine.run([sweeps.program(), "sweep", kept, "--reproduce", "1"])
        self.assertEqual((program.returncode, program.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
