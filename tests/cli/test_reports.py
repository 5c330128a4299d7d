# SPDX-License-Identifier: BSD-3-Clause
"""diff and fleet: what reports of several machines have in common, and what not."""

import json
import os
import re
import resource
import unittest

from checked_program import CheckedProgram, call
from support import ScratchTest


def report(verdict="ok", cudnn="9.14.0", driver="580.65.06", gpus=("sm_90",) * 8, findings=()):
    """A report of schema 1, as verify writes it, with what the two commands read."""
    return {
        "schema": 1, "package": "0.1.0", "program": "app", "verdict": verdict, "level": "ran",
        "triple": {"cudnn": cudnn, "cuda": "13.0", "architectures": ["sm_90"]},
        "cudnn": {"library": {"version": cudnn},
                  "files": [{"name": f"libcudnn_{role}.so.9", "role": role, "path": f"/opt/{role}",
                             "version": cudnn, "chosen_by": "ld.so.cache"}
                            for role in ["shim", "graph"]]},
        "cuda": {"toolkit": "13.0", "runtime": "", "driver": "", "kernel_module": driver},
        "devices": [{"index": index, "uuid": f"GPU-{os.urandom(4).hex()}", "name": "NVIDIA H100",
                     "architecture": gpu} for index, gpu in enumerate(gpus)],
        "convolutions": [{"api": api, "type": "fp32", "status": "ok", "relative_error": 1e-7,
                          "milliseconds": 0.5} for api in ["legacy", "graph"]],
        "findings": [{"name": name, "severity": severity, "summary": f"{name} is found"}
                     for name, severity in findings], "escape": None}


OLD = {"verdict": "refused", "driver": "470.57.02",
       "findings": [("driver-too-old", "error"), ("arch-jit-only", "note")]}


class ReportsTest(ScratchTest):
    def put(self, name, **what):
        path = self.scratch / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(report(**what)))
        return name

    def called(self, *arguments):
        return call(*arguments, home=self.scratch)


class Diff(ReportsTest):
    def test_none(self):
        self.assertEqual(self.called("diff", self.put("a.json"), self.put("b.json")),
                         (0, "cudnn-checked: ok: no difference\n", ""))

    def test_some(self):
        self.put("there.json")
        self.put("here.json", cudnn="9.13.1", gpus=["sm_90"] * 7 + ["sm_86"], **OLD)
        self.assertEqual(self.called("diff", "there.json", "here.json"), (1, """\
                               there.json   here.json
  verdict:                     ok           refused
  triple cudnn:                9.14.0       9.13.1
  cudnn library version:       9.14.0       9.13.1
  cudnn files shim version:    9.14.0       9.13.1
  cudnn files graph version:   9.14.0       9.13.1
  cuda kernel_module:          580.65.06    470.57.02
  devices 7 architecture:      sm_90        sm_86
  findings driver-too-old:     -            driver-too-old is found
  findings arch-jit-only:      -            arch-jit-only is found
""", ""))
        status, out, _ = self.called("diff", "--json", "here.json", "there.json")
        tree = json.loads(out)
        self.assertEqual((status, tree["a"], tree["b"], len(tree["differences"])),
                         (1, "here.json", "there.json", 9))
        self.assertEqual(tree["differences"][0], {"key": "verdict", "a": "refused", "b": "ok"})

    def test_two_findings_of_one_name(self):
        self.put("a.json", findings=[("arch-not-built", "error")])
        self.put("b.json", findings=[("arch-not-built", "error")] * 2)
        self.assertEqual(self.called("diff", "a.json", "b.json")[:2], (1, """\
                                 a.json   b.json
  findings arch-not-built (2):   -        arch-not-built is found
"""))

    def test_what_is_no_report(self):
        self.put("a.json")
        (self.scratch / "text").write_text("text")
        (self.scratch / "list.json").write_text("[]")
        (self.scratch / "schema.json").write_text('{"schema": 2}')
        os.mkfifo(self.scratch / "fifo")
        for name, words in [("absent", "no such file"), ("text", "not JSON: not a JSON value at byte 0"),
                            ("list.json", "not a report of schema 1"), ("fifo", "not a file"),
                            ("schema.json", "not a report of schema 1"), (".", "not a file")]:
            self.assertEqual(self.called("diff", "a.json", name), (
                2, "", f"cudnn-checked: error: diff: {name}: {words}\n"))
        for arguments in [[], ["a.json"]]:
            self.assertEqual(self.called("diff", *arguments), (
                2, "", "cudnn-checked: error: diff: which two reports? cudnn-checked diff A.json B.json\n"))


class Fleet(ReportsTest):
    def test_equal_machines(self):
        names = [self.put(f"r/node{number}.json") for number in range(3)]
        text = """\
  machines   verdict   cuDNN    CUDA   driver      GPUs                    findings   which
  3          ok        9.14.0   13.0   580.65.06   8 x sm_90 NVIDIA H100   -          node0, node1, node2

3 reports in 1 group
"""
        for arguments in [names, ["r"]]:
            self.assertEqual(self.called("fleet", *arguments), (0, text, ""))

    def test_the_odd_ones(self):
        for number in range(12):
            self.put(f"r/node{number:02}.json")
        self.put("r/old.json", **OLD)
        self.put("r/mixed.json", verdict="unknown", driver="", gpus=["sm_90", "sm_90", "sm_86"])
        self.put("r/cpu.json", verdict="warning", gpus=())
        (self.scratch / "r/broken.json").write_text("{")
        (self.scratch / "r/notes.txt").write_text("no report")
        status, out, err = self.called("fleet", "r")
        rows = [re.split(" {3,}", line.strip()) for line in out.splitlines()]
        self.assertEqual((status, err, rows), (1, "", [
            ["machines", "verdict", "cuDNN", "CUDA", "driver", "GPUs", "findings", "which"],
            ["12", "ok", "9.14.0", "13.0", "580.65.06", "8 x sm_90 NVIDIA H100", "-",
             "node00, node01, node02, node03, node04, node05, node06, node07 and 4 more"],
            ["1", "unreadable", "-", "-", "-", "-", "not JSON: a key is missing at byte 1", "broken"],
            ["1", "warning", "9.14.0", "13.0", "580.65.06", "-", "-", "cpu"],
            ["1", "unknown", "9.14.0", "13.0", "-", "2 x sm_90 NVIDIA H100, sm_86 NVIDIA H100", "-",
             "mixed"],
            ["1", "refused", "9.14.0", "13.0", "470.57.02", "8 x sm_90 NVIDIA H100",
             "driver-too-old", "old"],
            [""],
            ["16 reports in 5 groups, 1 refused, 1 unreadable, 1 unknown, 1 warning"]]))
        tree = json.loads(self.called("fleet", "--json", "r")[1])
        self.assertEqual((tree["count"], [group["count"] for group in tree["groups"]]),
                         (16, [12, 1, 1, 1, 1]))
        self.assertEqual(tree["groups"][4], {
            "count": 1, "verdict": "refused", "cudnn": "9.14.0", "cuda": "13.0",
            "driver": "470.57.02", "gpus": "8 x sm_90 NVIDIA H100", "findings": "driver-too-old",
            "reports": ["r/old.json"]})

    def test_the_status(self):
        self.put("ok.json")
        self.put("unknown.json", verdict="unknown")
        self.put("refused.json", verdict="refused")
        for names, status in [(["ok.json"], 0), (["ok.json", "unknown.json"], 3),
                              (["unknown.json", "absent"], 2), (["absent", "refused.json"], 1)]:
            self.assertEqual(self.called("fleet", *names)[0], status)

    def test_no_report(self):
        (self.scratch / "empty").mkdir()
        self.assertEqual(self.called("fleet", "empty"), (
            2, "", "cudnn-checked: error: fleet: there is no *.json in empty\n"))
        self.assertEqual(self.called("fleet"), (
            2, "", "cudnn-checked: error: fleet: which reports? cudnn-checked fleet REPORT|DIR...\n"))
        doctor = self.called("doctor", "--json")[1]
        (self.scratch / "doctor.json").write_text(doctor)
        self.assertIn("  not a report of a program or a probe   doctor\n",
                      self.called("fleet", "doctor.json")[1])

    def test_ten_thousand(self):
        first = self.scratch / self.put("r/node0.json")
        for number in range(1, 10000):
            os.link(first, self.scratch / f"r/node{number}.json")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        status, out, _ = self.called("fleet", "r")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.assertEqual((status, out.splitlines()[-1]), (0, "10000 reports in 1 group"))
        self.assertLess(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 2)
        self.assertLess(after.ru_maxrss, 100_000, "KiB: the memory of a report is given back")


class RealReports(CheckedProgram):
    def test_of_verify(self):
        paths = []
        older = self.other_sdk(cudnn="9.13.1", cuda="13.0").library_directory
        for name, libraries in [("a", []), ("b", [older])]:
            path = self.scratch / f"{name}.json"
            path.write_text(self.checked("verify", "--json", self.app_path, libraries=libraries)[1])
            paths.append(path)
        status, out, _ = self.checked("diff", *paths)
        self.assertEqual(status, 1)
        self.assertRegex(out, r"(?m)^  triple cudnn: +9\.14\.0 +9\.13\.1$")
        status, out, _ = self.checked("fleet", *paths)
        self.assertEqual((status, out.splitlines()[-1]), (1, "2 reports in 2 groups, 1 refused"))
        self.assertRegex(out, r"(?m)^  1 +refused +9\.13\.1 .* cudnn-older +b$")


if __name__ == "__main__":
    unittest.main()
