# SPDX-License-Identifier: BSD-3-Clause
"""sweep on engines that fail: each is named with what it did and who offers it, none ends the sweep, the right
ones are never named, and nothing is left behind."""

import json
import os
import subprocess
import uuid

from support import ScratchTest
from support.command_line import cudnn_checked_program
from support.processes import processes
from support.schema import check_json
from support.simulated_sdk import simulated_sdk

NOT_FINISHED = 60  # seconds: a sweep that takes so long hangs


class SweepEngines(ScratchTest):
    def setUp(self):
        super().setUp()
        self.sdk = simulated_sdk(cudnn="9.19.0", gpus="sm_90")
        self.marker = f"CUDNN_CHECKED_TEST={uuid.uuid4()}"

    def sweep(self, seconds, fault, *options, directory=None):
        """Status and report of a sweep with these faults, which is whole whatever they do."""
        temporary = self.scratch / "temporary"
        temporary.mkdir(exist_ok=True)
        shared = set(os.listdir("/dev/shm"))
        name, value = self.marker.split("=")
        done = subprocess.run(
            [cudnn_checked_program(), "sweep", directory or self.sdk.prefix, "--json", "--workers", "2",
             "--seconds", str(seconds), *options],
            cwd=temporary, capture_output=True, text=True, timeout=NOT_FINISHED, check=False,
            env={"PATH": os.environ["PATH"], "TMPDIR": str(temporary), "HOME": str(self.scratch),
                 "SIMULATED_FAULT": fault, name: value, **self.sdk.environment})
        self.assertIn(done.returncode, (0, 1), done.stdout[:2000] + done.stderr)
        self.assertEqual(list(temporary.iterdir()), [])
        started = [number for number, words in processes("environ").items() if self.marker.encode() in words]
        self.assertEqual(started, [])
        # Another entry's Python has semaphores there meanwhile.
        self.assertEqual({name for name in set(os.listdir("/dev/shm")) - shared if not name.startswith("sem.mp-")}, set())
        report = json.loads(done.stdout)
        check_json(report, "sweep")
        self.assertFalse(report["interrupted"])
        self.assertEqual(report["why_not"], "")
        return done.returncode, report

    def assert_named(self, expected, *arguments, status=0, times=(0.5, 2, 6, 18), **options):
        """Sweeps until all of them are named, and nothing else; longer where the machine is busy.  What a shorter sweep
        computes, a longer one does too."""
        for seconds in times:
            ended, report = self.sweep(seconds, *arguments, **options)
            found = self.named(report)
            if (found, ended) == (expected, status):
                break
        self.assertEqual((found, ended), (expected, status))
        self.assertGreater(report["counts"]["right"], 0)
        return report

    def named(self, report):
        """{(operation, engine): (outcome, how likely a program meets it)}, the most likely of its rows."""
        found = {}
        for row in report["rows"]:
            found.setdefault((row["operation"], row["engine"]), (row["worst"], row["reach"]))
        return found

    def details(self, report, engine):
        return {row["example"]["detail"] for row in report["rows"] if row["engine"] == engine}

    def test_right_engines_are_not_named(self):
        report = self.assert_named({}, "", times=(2,))
        self.assertEqual(report["rows"], [])
        self.assertEqual(report["findings"], [])
        self.assertEqual(report["verdict"], "ok")
        # fwd 5 refuses every plan, and most indices have no engine.
        self.assertGreater(report["counts"]["unsupported"], report["counts"]["right"])

    def test_results(self):
        report = self.assert_named({
            ("fwd", 72): ("wrong", "by-index"), ("fwd", 80): ("unwritten", "by-index"),
            ("fwd", 79): ("outside", "offered"), ("fwd", 0): ("outside", "offered"),
            ("fwd", 38): ("outside", "offered"), ("fwd", 1): ("outside", "offered"),
            ("fwd", 4): ("changing", "offered"), ("fwd", 7): ("failed", "offered")},
            "engine-wrong:72,engine-unwritten:80,engine-outside:79,engine-before:0,engine-workspace:38,"
            "engine-input:1,engine-changing:4,engine-fail:7", "--operations", "fwd", "--types", "fp32")
        self.assertEqual(report["verdict"], "warning")
        details = {79: "written: up to 16 bytes behind y", 0: "written: up to 16 bytes in front of y",
                   38: "written: up to 16 bytes behind the workspace", 1: "written: x",
                   7: "cudnnBackendExecute: 5000 CUDNN_STATUS_EXECUTION_FAILED"}
        for engine, detail in details.items():
            self.assertEqual(self.details(report, engine), {detail})

    def test_what_an_engine_reads(self):
        report = self.assert_named(
            {("fwd", 72): ("wrong", "by-index"), ("fwd", 80): ("wrong", "by-index")},
            "engine-reads-workspace:72,engine-reads-beside:80", "--operations", "fwd", "--types", "fp16")
        self.assertEqual(self.details(report, 72),
                         {"right with a workspace of zeros: it reads what nobody wrote"})
        self.assertEqual(self.details(report, 80),
                         {"right with zeros around the tensors: it reads beside them"})

    def test_what_ordinary_calls_take(self):
        report = self.assert_named({("fwd", 70): ("wrong", "first")}, "engine-wrong:70:fwd:stride>1",
                                   "--operations", "fwd", "--types", "fp32", status=1)
        self.assertEqual(report["verdict"], "refused")
        for row in report["rows"]:
            self.assertIn(", stride ", row["example"]["problem"])

    def test_deaths(self):
        report = self.assert_named({
            ("fwd", 71): ("died", "offered"), ("fwd", 72): ("died", "by-index"),
            ("fwd", 80): ("died", "by-index")},
            "engine-die:71,engine-abort:72:finalize,engine-lost:80", "--operations", "fwd",
            "--types", "fp32,bf16")
        self.assertEqual(self.details(report, 71), {"ended by SIGSEGV"})
        self.assertEqual(self.details(report, 72), {"ended by SIGABRT"})
        for detail in self.details(report, 80):
            self.assertIn("716 cudaErrorMisalignedAddress", detail)

    def test_hangs(self):
        report = self.assert_named({
            ("fwd", 0): ("hung", "offered"), ("fwd", 71): ("hung", "offered")},
            "engine-hang:0,engine-hang:71:finalize", "--operations", "fwd", "--types", "fp32",
            "--plan-timeout", "0.2")
        self.assertEqual(self.details(report, 0), {"not finished after 0.2 s"})
        self.assertEqual(self.details(report, 71), {"not built after 2.4 s"})

    def test_gradients(self):
        report = self.assert_named({
            ("dgrad", 78): ("wrong", "offered"), ("wgrad", 70): ("unwritten", "offered"),
            ("wgrad", 69): ("unwritten", "by-index")},
            "engine-wrong:78:dgrad:nchw,engine-unwritten:70:wgrad:nchw,engine-unwritten:69:wgrad",
            "--operations", "dgrad,wgrad")
        # With one channel, one filter and one output a convolution has both layouts.
        rows = [row for row in report["rows"] if "1x1x5x5 * 1x1x5x5" not in row["example"]["problem"]]
        self.assertEqual({row["layout"] for row in rows if row["engine"] != 69}, {"nchw"})

    def test_knobs(self):
        report = self.assert_named({("fwd", 79): ("wrong", "offered")}, "engine-wrong:79:k24=12",
                                   "--operations", "fwd", "--types", "fp16")
        for row in report["rows"]:
            self.assertEqual(row["knobs_matter"], "yes")
            self.assertEqual(row["example"]["plan"], "eng79_k17=1_k24=12")

    def test_a_heuristic_that_fails_ends_nothing_else(self):
        report = self.assert_named({("fwd", -1): ("failed", "first")}, "fail-heuristic:B", "--operations", "fwd",
                                   "--types", "fp16")
        offers = " ".join(plan[4] for one in report["problems"] for plan in one["plans"])
        self.assertIn("A1", offers)
        self.assertIn("FALLBACK", offers)
        self.assertNotIn("B1", offers)
        details = {plan[-1] for one in report["problems"] for plan in one["plans"] if plan[1] == "failed"}
        self.assertEqual(details, {"cudnnBackendFinalize(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR): 4000 "
                                   "CUDNN_STATUS_INTERNAL_ERROR, mode B"})

    def test_a_set_without_its_heuristic(self):
        copy = self.sdk.copy(self.scratch / "sdk")
        for file in copy.library_directory.glob("libcudnn_heuristic*"):
            file.unlink()
        report = self.assert_named({("fwd", 7): ("wrong", "first")}, "", "--operations", "fwd",
                                   "--types", "fp16", status=1, directory=copy.prefix)
        self.assertEqual({row["layout"] for row in report["rows"]}, {"nchw"})
