# SPDX-License-Identifier: BSD-3-Clause
"""Every GPU computes: the probe at configure time and as a command, and the sweep.  Right on one GPU and on several."""
import json
import os
import re
import subprocess
import unittest

import of_gpu  # noqa: F401 -- before gpu_machine
import gpu_machine
import sweeps
from gpu_machine import Build, debian_package, keep, needs_gpu, python_wheel
from sweeps import scratch


def gpus():
    """(UUID, architecture) of each GPU that programs see."""
    text = subprocess.run(["nvidia-smi", "--query-gpu=uuid,compute_cap", "--format=csv,noheader"],
                          check=True, capture_output=True, text=True).stdout
    return [tuple(line.split(", ")) for line in text.splitlines()]


@needs_gpu
class EachGpu(unittest.TestCase):
    def setUp(self):
        self.install = python_wheel() or debian_package() or self.skipTest("no cuDNN")
        self.gpus = gpus()

    def called(self, *arguments, **environment):
        done = gpu_machine.run([sweeps.program(), *arguments], **environment)
        keep(f"each-gpu-{self._testMethodName}.txt", done.stdout + done.stderr)
        return done

    def assert_each(self, report):
        """All GPUs computed the same kinds, and what they computed is right."""
        by_device = {}
        for run in report["convolutions"]:
            by_device.setdefault(run["device"], []).append((run["api"], run["type"], run["layout"], run["shape"]))
            self.assertEqual(run["status"], "ok", run)
        self.assertEqual(sorted(by_device), list(range(len(self.gpus))))
        self.assertEqual(len({tuple(runs) for runs in by_device.values()}), 1)
        self.assertEqual({device["uuid"] for device in report["devices"]}, {uuid for uuid, _ in self.gpus})

    def test_probe(self):
        done = self.called("probe", "--json", self.install.libraries)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assert_each(json.loads(done.stdout))

    def test_probe_of_one(self):
        """The last one alone: the variable renumbers, the UUID stays."""
        uuid = self.gpus[-1][0]
        done = self.called("probe", "--json", self.install.libraries, CUDA_VISIBLE_DEVICES=uuid)
        report = json.loads(done.stdout)
        self.assertEqual([device["uuid"] for device in report["devices"]], [uuid])
        self.assertEqual({run["device"] for run in report["convolutions"]}, {0})

    def test_at_configure(self):
        folder = scratch(self)
        build = Build(os.path.join(folder, "all"), self.install.root, CuDNNChecked_DEVICES="all",
                      CuDNNChecked_SWEEP="15")
        keep("each-gpu-configure.txt", build.output)
        self.assertEqual(build.status, 0, build.output)
        self.assert_each(build.report)
        alike = [number for number, (_, kind) in enumerate(self.gpus) if kind == self.gpus[0][1]]
        self.assertEqual([gpu["device"] for gpu in build.report["sweep"]["gpus"]], alike)
        default = Build(os.path.join(folder, "default"), self.install.root)
        self.assertEqual(len({run["device"] for run in default.report["convolutions"]}),
                         len({kind for _, kind in self.gpus}))

    def test_sweep(self):
        left = sweeps.Left()
        self.addCleanup(left.cleanup)
        done = self.called("sweep", "--json", "--seconds", "20", "--device", "all", self.install.libraries,
                           **left.environment())
        report = json.loads(done.stdout)
        if len({kind for _, kind in self.gpus}) > 1:
            self.assertIn("a sweep is of GPUs of one kind", report["why_not"])
            return
        self.assertEqual([gpu["uuid"] for gpu in report["gpus"]], [uuid for uuid, _ in self.gpus])
        self.assertEqual([(gpu["why_not"], gpu["wrong_alone"]) for gpu in report["gpus"]], [("", 0)] * len(self.gpus))
        begun = [gpu["problems"] for gpu in report["gpus"]]
        self.assertNotIn(0, begun)
        self.assertEqual(sum(begun), report["counts"]["problems"])
        # Engines that are wrong are those of cuDNN, not of a card.
        self.assertEqual({finding["name"] for finding in report["findings"]} - {"wrong-engine"}, set())
        self.assertEqual(left.behind(), sweeps.NOTHING)
        text = self.called("sweep", "--seconds", "5", "--device", "all", self.install.libraries).stdout
        listed = re.search(r"(?m)^  GPUs: +(.*)$", text)
        self.assertEqual(listed.group(1) if listed else "0", ", ".join(map(str, range(len(self.gpus)))))


if __name__ == "__main__":
    unittest.main()
