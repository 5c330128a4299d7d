# SPDX-License-Identifier: BSD-3-Clause
"""Device code that does not fit the GPU: refused before main, and not a moment too often."""
import json
import os
import tempfile
import unittest

import gpu_machine
from gpu_machine import Build, keep, needs_gpu, python_wheel

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "architectures")


@needs_gpu
class Architectures(unittest.TestCase):
    def setUp(self):
        self.install = python_wheel() or gpu_machine.debian_package()
        if gpu_machine.capability() in ("75", "86"):
            self.skipTest("written for a GPU that is neither sm_75 nor sm_86")
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = os.path.join(scratch.name, "build")
        self.sm = "sm_" + gpu_machine.capability()

    def start(self, architectures, **environment):
        build = Build(self.folder, self.install.root, SOURCE, CMAKE_CUDA_ARCHITECTURES=architectures)
        # Of one GPU: of several each is told.
        return gpu_machine.run([build.compile()], CUDA_VISIBLE_DEVICES="0", **environment)

    def message(self, verdict, summary, compiled, because, fix, name, end=""):
        name_of_gpu = gpu_machine.gpu_name()
        width = max(len(compiled), len(self.sm))
        return (f"cudnn_checked: {verdict}: {summary}\n"
                f"  compiled for:  {compiled:{width}}   {self.folder}/minimal\n"
                f"  GPU 0:         {self.sm:{width}}   {name_of_gpu}\n"
                f"  {because}\n"
                f"  fix: compile it for this GPU as well: -DCMAKE_CUDA_ARCHITECTURES=\"{fix}\"\n"
                f"  [{name}]\n" + end)

    def test_cubins_for_other_gpus_only(self):
        started = self.start("75-real;86-real")
        keep("refused-arch.txt", started.stderr)
        self.assertEqual(started.stderr, self.message(
            "refused", f"this program was not compiled for this GPU, {self.sm}", "sm_75, sm_86",
            "Its first kernel would fail with error 209, no kernel image is available.",
            f"75;86;{gpu_machine.capability()}", "arch-not-built",
            "  override: CUDNN_CHECKED=warn\n"))
        self.assertEqual(started.returncode, 78)

    def test_the_refusal_was_right(self):
        started = self.start("75-real;86-real", CUDNN_CHECKED="off")
        self.assertEqual(started.stdout, "cudaErrorNoKernelImageForDevice, result 0\n")

    def test_ptx_starts_without_a_word_and_reports_it(self):
        report = self.folder + "-report.json"
        started = self.start("75-virtual", CUDNN_CHECKED_REPORT=report)
        self.assertEqual(started.stdout, "cudaSuccess, result 42\n")
        self.assertEqual(started.stderr, "")
        self.assertEqual(started.returncode, 0)
        with open(report, encoding="utf-8") as text:
            findings = json.load(text)["findings"]
        self.assertIn(("arch-jit-only", "note"), [(f["name"], f["severity"]) for f in findings])

    def test_machine_code_for_this_gpu_is_silent(self):
        started = self.start(f"75-real;{gpu_machine.capability()}-real")
        self.assertEqual(started.stderr, "")
        self.assertEqual(started.returncode, 0)


if __name__ == "__main__":
    unittest.main()
