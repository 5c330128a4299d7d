# SPDX-License-Identifier: BSD-3-Clause
"""The engines of the simulated graph API: each is right, and each fault makes one wrong as it says."""

import signal
import subprocess
import unittest

from test_sets import interpreter_of

from support import ScratchTest
from support.environment import REPOSITORY, cache_directory, compiler, locked
from support.simulated_sdk import simulated_sdk

SOURCE = REPOSITORY / "tests" / "simulated" / "self_test_engines.cpp"
OPERATIONS = ("fwd", "dgrad", "wgrad")


class Engines(ScratchTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.sdk = simulated_sdk()
        cls.program = cls.sdk.prefix / "self_test_engines"
        with locked(cache_directory() / "self_test_engines"):
            if not cls.program.exists():
                subprocess.run(
                    [compiler("CXX"), "-std=c++17", "-O1", f"-I{cls.sdk.include}", SOURCE,
                     "-o", cls.program, f"-L{cls.sdk.library_directory}", "-lcudnn", "-lcudart",
                     f"-Wl,-rpath-link,{cls.sdk.library_directory}"], check=True)

    def run_engines(self, *words, fault="", folder=None, timeout=60):
        """The plans by name, "A1", "index 72", with what became of each, and the exit status."""
        path = f"{folder or self.sdk.library_directory}:{self.sdk.driver_directory}"
        # What ld.so.cache has of a real cuDNN must not complete a set.
        done = subprocess.run([interpreter_of(self.program), "--inhibit-cache", self.program, *words],
                              capture_output=True, text=True, check=False, timeout=timeout,
                              env={"LD_LIBRARY_PATH": path, "SIMULATED_FAULT": fault,
                                   "SIMULATED_GPUS": "sm_90"})
        return done.stdout.splitlines(), done.returncode

    def defects(self, *words, fault):
        """The lines of plans that are not right; those that never run are left out."""
        lines, status = self.run_engines(*words, fault=fault)
        self.assertEqual(status, 0, lines)
        return [line for line in lines if not line.endswith((" right", " 3000", " engines"))]

    def test_all_are_right(self):
        unordered = {"dgrad": " 25 ", "wgrad": " 3 "}
        for operation in OPERATIONS:
            for number in ("fp32", "fp16", "bf16"):
                for layout in ("nchw", "nhwc"):
                    for shape in ("plain", "groups", "dilation", "volume"):
                        words = (operation, number, layout, shape)
                        with self.subTest(words=words):
                            found = self.defects(*words, fault="")
                            said = unordered.get(operation, "none")
                            self.assertEqual([line for line in found if said not in line], [])
                            self.assertTrue(all(line.endswith(" changing") for line in found))

    def test_whole_output(self):
        lines, status = self.run_engines("dgrad", "fp32", "nchw", "plain")
        self.assertEqual(status, 0)
        self.assertEqual(lines, [
            "A1 60 right", "A2 62 right", "A3 25 k2=1 k3=0 changing", "A4 83 k17=1 k24=12 right",
            "B1 83 k17=1 k24=12 right", "B2 62 right", "B3 25 k2=1 k3=0 changing", "B4 60 right",
            "FALLBACK1 1 right", "FALLBACK2 0 right", "FALLBACK3 78 right",
            "85 engines", "index 0 right", "index 1 right", "index 25 changing", "index 60 right",
            "index 62 right", "index 77 right", "index 78 right", "index 83 right"])

    def test_places_that_refuse(self):
        lines, _ = self.run_engines("fwd", "fp32", "nchw", "plain")
        self.assertEqual([line for line in lines if line.endswith(" 3000")],
                         ["A7 5 plan 3000", "B8 5 plan 3000", "index 2 configuration 3000",
                          "index 5 plan 3000"])
        lines, _ = self.run_engines("fwd", "fp16", "nhwc", "volume")
        self.assertNotIn("index 70 right", lines)  # fp32
        self.assertNotIn("index 1 right", lines)  # images, NCHW

    def test_without_heuristic_the_numbers_are_others(self):
        folder = self.sdk.copy(self.scratch / "jit").library_directory
        for file in folder.glob("libcudnn_heuristic*"):
            file.unlink()
        for operation in OPERATIONS:
            with self.subTest(operation=operation):
                lines, status = self.run_engines(operation, "fp16", "nchw", "plain", folder=folder)
                self.assertEqual(status, 0)
                self.assertEqual(lines, [
                    "A1 7 k17=1 k24=0 wrong", "A2 4 k17=1 k24=0 right", "B1 7 k17=1 k24=0 wrong",
                    "B2 4 k17=1 k24=0 right", "FALLBACK1 4 right",
                    "FALLBACK2 7 wrong", "FALLBACK3 8 right",
                    "FALLBACK4 9 right", "11 engines", "index 0 right",
                    "index 4 right", "index 7 wrong", "index 8 right", "index 9 right"])
                lines, _ = self.run_engines(operation, "fp16", "nhwc", "plain", folder=folder)
                self.assertEqual([line for line in lines if "wrong" in line], [])

    def test_results(self):
        outcomes = {"wrong": "wrong", "unwritten": "unwritten", "outside": "outside",
                    "before": "outside", "input": "input", "changing": "changing",
                    "reads-beside": "wrong",
                    "fail": "execute 5000"}
        for kind, outcome in outcomes.items():
            with self.subTest(kind=kind):
                self.assertEqual(self.defects("fwd", "fp16", "nchw", "plain",
                                              fault=f"engine-{kind}:72:fwd"),
                                 [f"index 72 {outcome}"])
        self.assertEqual(self.defects("fwd", "fp16", "nchw", "plain", fault="engine-workspace:38"),
                         [f"{place} 38 outside-workspace" for place in ("A1", "B2")]
                         + ["index 38 outside-workspace"])
        self.assertEqual(self.defects("fwd", "fp16", "nchw", "plain", fault="engine-slow:72"), [])
        # What this program gives it begins with a zero.
        self.assertEqual(self.defects("fwd", "fp16", "nchw", "plain",
                                      fault="engine-reads-workspace:72"), [])

    def test_deaths(self):
        for kind, number in {"die": signal.SIGSEGV, "abort": signal.SIGABRT}.items():
            for moment in ("", ":finalize"):
                lines, status = self.run_engines("fwd", "fp32", "nchw", "plain",
                                                 fault=f"engine-{kind}:71{moment}")
                self.assertEqual(status, -number)
                self.assertEqual(lines[-1], "FALLBACK2 0 right")  # FALLBACK3 is engine 71
        with self.assertRaises(subprocess.TimeoutExpired):
            self.run_engines("fwd", "fp32", "nchw", "plain", fault="engine-hang:71", timeout=1)
        lines, status = self.run_engines("fwd", "fp32", "nchw", "plain", fault="engine-lost:71")
        self.assertEqual(status, 2)
        self.assertEqual(lines[-3:], ["FALLBACK3 71 synchronize 716", "81 engines",
                                      "cudaMalloc(&whole, size + 512): 716 cudaErrorMisalignedAddress"])

    def test_conditions(self):
        plain = ("fwd", "fp32", "nchw", "plain")
        for words, number in {
                "fwd:nchw:fp32:2d": 1, "nhwc": 0, "fp16": 0, "dgrad": 0, "3d": 0,
                "stride>1": 1, "stride>2": 0, "stride=2": 1, "stride<2": 0, "kernel=3": 1,
                "channels%8": 1, "channels%4": 0, "batch=2": 1, "filters=6": 1, "groups>1": 0,
                "image=7": 1, "output>9": 0, "padding=1": 1, "dilation>1": 0, "dimensions=2": 1,
                "k24=0": 1, "k24=1": 0, "unaligned": 0}.items():
            with self.subTest(words=words):
                self.assertEqual(len(self.defects(*plain, fault=f"engine-wrong:72:{words}")),
                                 number)
        lines, status = self.run_engines(*plain, fault="engine-wrong:72:strde>1")
        self.assertEqual((lines, status), ([], 97))

    def test_offers(self):
        plain = ("fwd", "fp32", "nchw", "plain")
        self.assertEqual(self.defects(*plain, fault="engine-wrong:72:A1"),
                         ["A1 72 wrong", "index 72 wrong"])
        self.assertEqual(self.defects(*plain, fault="engine-wrong:72:FALLBACK2:k24=9"),
                         ["FALLBACK2 72 k24=9 wrong"])
        self.assertEqual(self.defects(*plain, fault="engine-wrong:72:A1:stride>2"), [])
        lines, _ = self.run_engines(*plain, fault="engine-offer:72:B1:k24=3")
        self.assertIn("B1 72 k24=3 right", lines)
        self.assertEqual(self.defects(*plain, fault="engine-wrong:71,engine-unwritten:70:fwd"),
                         ["A1 70 unwritten", "B2 70 unwritten", "FALLBACK3 71 wrong",
                          "index 70 unwritten", "index 71 wrong"])


if __name__ == "__main__":
    unittest.main()
