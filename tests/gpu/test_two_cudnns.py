# SPDX-License-Identifier: BSD-3-Clause
"""Each cuDNN of the machine in turn: convolutions verified, the program computes; then the loader is sent
to the other one."""
import json
import os
import tempfile
import unittest

import gpu_machine
from gpu_machine import Build, debian_package, keep, needs_gpu, python_wheel


@needs_gpu
class EachCudnn(unittest.TestCase):
    def verify(self, install, name):
        if install is None:
            self.skipTest(f"this machine has no {name}")
        with tempfile.TemporaryDirectory() as folder:
            build = Build(os.path.join(folder, "build"), install.root)
            self.assertEqual(build.status, 0, build.output)
            report = build.report
            keep(f"report-{install.release}.json", json.dumps(report, indent=2))
            keep(f"line-{install.release}.txt", build.line + "\n")
            sm = "sm_" + gpu_machine.capability()
            self.assertEqual(report["level"], "ran")
            self.assertEqual(report["verdict"], "ok", report["findings"])
            self.assertEqual(report["triple"],
                             {"cudnn": install.release, "cuda": report["cuda"]["toolkit"],
                              "architectures": [sm]})
            kinds = {(c["api"], c["type"], c["layout"]) for c in report["convolutions"]}
            self.assertEqual(kinds, {("legacy", "fp32", "nchw")} | {
                ("graph", t, l) for t in ("fp32", "fp16") for l in ("nchw", "nhwc")})
            self.assertTrue(all(c["status"] == "ok" for c in report["convolutions"]))
            mapped = {f["role"] for f in report["cudnn"]["files"] if f["mapped"]}
            self.assertLessEqual({"shim", "graph", "engines_precompiled"}, mapped)

            program = build.compile()
            started = gpu_machine.run([program], CUDNN_CHECKED_REPORT=f"{folder}/start.json")
            self.assertEqual(started.returncode, 0, started.stdout + started.stderr)
            self.assertEqual(started.stderr, "")
            with open(f"{folder}/start.json", encoding="utf-8") as file:
                self.assertEqual(json.load(file)["verdict"], "ok")

    def test_debian_package(self):
        self.verify(debian_package(), "cuDNN from Debian's package")

    def test_python_wheel(self):
        self.verify(python_wheel(), "cuDNN from a wheel")


@needs_gpu
class TheLoaderSentElsewhere(unittest.TestCase):
    def setUp(self):
        self.debian, self.wheel = debian_package(), python_wheel()
        if self.debian is None or self.wheel is None:
            self.skipTest("this machine has not both a packaged cuDNN and a wheel's")
        if self.debian.release >= self.wheel.release:
            self.skipTest("the wheel is not the newer one")

    def test_built_on_the_newer_and_run_on_the_older_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            program = Build(os.path.join(folder, "build"), self.wheel.root).compile()
            started = gpu_machine.run(
                [program], LD_LIBRARY_PATH=gpu_machine.in_front(self.debian.libraries))
            keep("refused-older.txt", started.stderr)
            self.assertEqual(started.returncode, 78)
            newer, older = self.wheel.release, self.debian.release
            self.assertEqual(
                started.stderr,
                f"cudnn_checked: refused: this program was built with cuDNN {newer} and would run on "
                f"cuDNN {older}\n"
                f"  built with:   {newer:24}   stamp of minimal\n"
                f"  would load:   {older:24}   {self.debian.libraries}/libcudnn_graph.so.{older}"
                "   chosen by LD_LIBRARY_PATH[0]\n"
                f"  shim:         {older} for CUDA 12 or 13   {self.debian.libraries}/libcudnn.so.9"
                "   chosen by LD_LIBRARY_PATH[0]\n"
                f"  passed over:  {newer:24}   {self.wheel.libraries}/libcudnn.so.9"
                f"   chosen by RUNPATH of {program}\n"
                "  An older minor release of cuDNN may lack functions that the program calls.\n"
                f"  fix: {self.fix()}\n"
                "  [cudnn-older]\n"
                "  override: CUDNN_CHECKED=warn\n")

    def fix(self):
        """The machine's own LD_LIBRARY_PATH, which its driver may need, is kept."""
        if os.environ.get("LD_LIBRARY_PATH"):
            return f"export LD_LIBRARY_PATH={self.wheel.libraries}:$LD_LIBRARY_PATH"
        return f"unset LD_LIBRARY_PATH\n   or: export LD_LIBRARY_PATH={self.wheel.libraries}"

    def test_built_on_the_older_and_run_on_the_newer_starts(self):
        with tempfile.TemporaryDirectory() as folder:
            program = Build(os.path.join(folder, "build"), self.debian.root).compile()
            started = gpu_machine.run(
                [program], LD_LIBRARY_PATH=gpu_machine.in_front(self.wheel.libraries))
            self.assertEqual(started.returncode, 0, started.stdout + started.stderr)
            self.assertEqual(started.stderr, "")


if __name__ == "__main__":
    unittest.main()
