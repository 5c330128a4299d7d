# SPDX-License-Identifier: BSD-3-Clause
"""examples/minimal on a real cuDNN, without a GPU: proved up to LOADED; started where it must not."""

import json
import re
import unittest

from real_cudnn import RealCudnnTest, has_gpu
from support.output import assert_refusal

UNSET = "unset LD_LIBRARY_PATH"


class Configured(RealCudnnTest):
    @unittest.skipIf(has_gpu(), "this machine has a GPU, where more is proved")
    def test_loaded_without_a_gpu(self):
        done = self.configure()
        self.assertEqual(done.status, 0, done.output)
        self.assertIn("-- cuDNN 9.14.0 · CUDA 13.0 · loaded, no convolution was run: "
                      "no NVIDIA driver here\n", done.output)

    def test_report_lists_the_real_files(self):
        done = self.configure("-DCuDNNChecked_REQUIRE=LOADED")
        self.assertEqual(done.status, 0, done.output)
        path = re.search(r"what was proved, and how: (.*)", done.output).group(1)
        with open(path, encoding="utf-8") as file:
            report = json.load(file)
        self.assertEqual(report["level"], "loaded")
        self.assertEqual(report["cudnn"]["header"],
                         {"version": "9.14.0", "path": f"{self.cudnn}/include/cudnn_version.h"})
        self.assertEqual(report["cudnn"]["library"]["version"], "9.14.0")
        # What a JIT-only set lacks may lie elsewhere on this machine, and is then listed too.
        files = {f["role"]: f for f in report["cudnn"]["files"]}
        for role, name, mapped in (
                ("shim", "libcudnn.so.9", True), ("graph", "libcudnn_graph.so.9", True),
                ("engines_runtime_compiled", "libcudnn_engines_runtime_compiled.so.9", False)):
            self.assertEqual(files[role]["path"], f"{self.cudnn}/lib/{name}")
            self.assertEqual(files[role]["mapped"], mapped)
            self.assertRegex(files[role]["version"], r"^9\.14\.0 for CUDA (12 or )?13$")


class Started(RealCudnnTest):
    """One program, built once, because building it takes most of the time."""

    def setUp(self):
        super().setUp()
        self.program = self.built()

    def assert_refused(self, *expected, **environment):
        done = self.minimal.run(self.program, environment=environment)
        assert_refusal(self, self.relative(done.output), *expected)
        self.assertEqual(done.status, 78)
        # Nothing was computed and nothing written: main() never began.
        self.assertEqual(list(self.scratch.rglob("*.bmp")), [])

    def test_what_the_loader_finds_decides(self):
        runtime = "libcudnn_engines_runtime_compiled.so.9"
        if not has_gpu():
            with self.subTest("without a driver"):
                self.assert_refused("there is no NVIDIA driver on this machine", "driver-missing",
                                    "run it on a machine with a GPU")
        with self.subTest("an older cuDNN"):
            self.assert_refused(
                "this program was built with cuDNN 9.14.0 and would run on cuDNN 9.13.0", "cudnn-older", UNSET,
                "would load:   9.13.0   <older>/lib/libcudnn_graph.so.9   chosen by LD_LIBRARY_PATH[0]\n",
                "passed over:  9.14.0   <cudnn>/lib/libcudnn.so.9   chosen by RUNPATH of <scratch>/minimal-build/minimal\n",
                LD_LIBRARY_PATH=self.older / "lib")
        with self.subTest("a half-finished upgrade"):
            folder = self.set_of("mixed", engines_runtime_compiled=self.older / "lib" / runtime)
            self.assert_refused(
                "the files of cuDNN are of more than one release", "mixed-sublibraries", UNSET,
                "graph:                     9.14.0 for CUDA 13   <scratch>/mixed/libcudnn_graph.so.9   ",
                f"engines_runtime_compiled:  9.13.0 for CUDA 13   <scratch>/mixed/{runtime}   ",
                f"passed over:               9.14.0 for CUDA 13   <cudnn>/lib/{runtime}   ", LD_LIBRARY_PATH=folder)
        with self.subTest("the same release in another folder is no finding"):
            folder = self.set_of("whole")
            done = self.minimal.run(self.program, environment={"LD_LIBRARY_PATH": folder})
            for name in ("mixed-sublibraries", "cudnn-older", "sublibrary-missing", "not-of-release"):
                self.assertNotIn(name, done.output)
