# SPDX-License-Identifier: BSD-3-Clause
"""examples/minimal on a real cuDNN, without a GPU: proved up to LOADED; started where it must not."""

import json
import re
import unittest

from real_cudnn import RealCudnnTest, has_gpu

DRIVER_MISSING = """\
cudnn_checked: refused: there is no NVIDIA driver on this machine
  needed:  libcuda.so.1   of the NVIDIA driver
  found:   nothing   in the directories that the loader searches
  Every CUDA call would fail: cuDNN computes on a GPU only.
  fix: run it on a machine with a GPU
   or: in a container, give it a GPU: docker run --gpus all
  [driver-missing]
  override: CUDNN_CHECKED=warn
"""

OLDER = """\
cudnn_checked: refused: this program was built with cuDNN 9.14.0 and would run on cuDNN 9.13.0
  built with:   9.14.0   stamp of minimal
  would load:   9.13.0   <older>/lib/libcudnn_graph.so.9   chosen by LD_LIBRARY_PATH[0]
  shim:         9.13.0 for CUDA 12 or 13   <older>/lib/libcudnn.so.9   chosen by LD_LIBRARY_PATH[0]
  passed over:  9.14.0   <cudnn>/lib/libcudnn.so.9   chosen by RUNPATH of <scratch>/minimal-build/minimal
  An older minor release of cuDNN may lack functions that the program calls.
  fix: unset LD_LIBRARY_PATH
   or: export LD_LIBRARY_PATH=<cudnn>/lib
  [cudnn-older]
  override: CUDNN_CHECKED=warn
"""

MIXED = """\
cudnn_checked: refused: the files of cuDNN are of more than one release
  graph:                     9.14.0 for CUDA 13   <scratch>/mixed/libcudnn_graph.so.9\
   chosen by LD_LIBRARY_PATH[0]
  engines_runtime_compiled:  9.13.0 for CUDA 13   <scratch>/mixed/libcudnn_engines_runtime_compiled.so.9\
   chosen by LD_LIBRARY_PATH[0]
  passed over:               9.14.0 for CUDA 13   <cudnn>/lib/libcudnn_engines_runtime_compiled.so.9\
   chosen by RUNPATH of <cudnn>/lib/libcudnn_graph.so.9
  cuDNN does not compare all of its libraries: such a set has silently computed wrong numbers.
  fix: unset LD_LIBRARY_PATH
   or: export LD_LIBRARY_PATH=<cudnn>/lib
  [mixed-sublibraries]
  override: CUDNN_CHECKED=warn
"""


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

    def assert_refused(self, expected, **environment):
        done = self.minimal.run(self.program, environment=environment)
        self.assertEqual(self.relative(done.output), expected)
        self.assertEqual(done.status, 78)
        # Nothing was computed and nothing written: main() never began.
        self.assertEqual(list(self.scratch.rglob("*.bmp")), [])

    def test_what_the_loader_finds_decides(self):
        runtime = "libcudnn_engines_runtime_compiled.so.9"
        if not has_gpu():
            with self.subTest("without a driver"):
                self.assert_refused(DRIVER_MISSING)
        with self.subTest("an older cuDNN"):
            self.assert_refused(OLDER, LD_LIBRARY_PATH=self.older / "lib")
        with self.subTest("a half-finished upgrade"):
            folder = self.set_of("mixed", engines_runtime_compiled=self.older / "lib" / runtime)
            self.assert_refused(MIXED, LD_LIBRARY_PATH=folder)
        with self.subTest("the same release in another folder is no finding"):
            folder = self.set_of("whole")
            done = self.minimal.run(self.program, environment={"LD_LIBRARY_PATH": folder})
            for name in ("mixed-sublibraries", "cudnn-older", "sublibrary-missing", "not-of-release"):
                self.assertNotIn(name, done.output)
