#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""cudnn-checked sweep --against: two reports, and what is no report."""

import copy
import json
import unittest

from of_product import call
from support import REPOSITORY, ScratchTest, relative_output, simulated_sdk
from support.schema import check_json

REPORT = json.loads((REPOSITORY / "tests/laboratory/sweep_report.json").read_text(encoding="utf-8"))


class AgainstTest(ScratchTest):
    def write(self, name, report):
        path = self.scratch / name
        path.write_text(report if isinstance(report, str) else json.dumps(report), encoding="utf-8")
        return path

    def sweep(self, *arguments, **environment):
        status, out, err = call("sweep", *arguments, home=self.scratch, **environment)
        return status, relative_output(out, scratch=self.scratch), relative_output(err, scratch=self.scratch)

    def newly_wrong(self):
        """The report with engine 4 wrong, where it was right."""
        report = copy.deepcopy(REPORT)
        report["problems"][1]["plans"][0][1] = "wrong"
        report["problems"][1]["plans"][0][3] = 1.4
        return report


class Reports(AgainstTest):
    HEADER = ("              then   now\n"
              "  cuDNN:      9.19.0   9.19.0\n"
              "  driver:     CUDA 13.0   CUDA 13.0\n"
              "  GPU:        NVIDIA H200 (sm_90)   NVIDIA H200 (sm_90)\n"
              "  problems:   4   4\n")

    def test_no_difference(self):
        then = self.write("then.json", REPORT)
        status, out, err = self.sweep(then, "--against", then)
        self.assertEqual((status, err), (0, ""))
        self.assertEqual(out.splitlines()[0],
                         "comparison of <scratch>/then.json (then) with <scratch>/then.json (now), at 3 problems")
        self.assertEqual(out.splitlines()[-1],
                         "cudnn-checked: ok: no engine got worse at the 3 problems of both sweeps")

    def test_an_engine_is_newly_wrong(self):
        then, now = self.write("then.json", REPORT), self.write("now.json", self.newly_wrong())
        status, out, err = self.sweep(now, "--against", then)
        self.assertEqual((status, err), (1, ""))
        self.assertIn(self.HEADER + "  wrong now, and was not: 1\n"
                      "    fwd   engine 4   fp16 nchw   first   2 right -> 1 wrong of 2   "
                      "1x4x5x1 * 16x4x3x3, padding 1, stride 2: wrong, relative error 1.4\n", out)
        self.assertTrue(out.endswith("cudnn-checked: refused: 1 engine got worse at the 3 problems of both sweeps\n"))
        self.assertEqual(self.sweep(then, "--against", now)[0], 0)

    def test_json(self):
        then, now = self.write("then.json", REPORT), self.write("now.json", self.newly_wrong())
        status, out, _ = self.sweep(now, "--against", then, "--json")
        tree = json.loads(out)
        check_json(tree, "sweep_comparison")
        self.assertEqual((status, tree["verdict"], tree["compared"], tree["report"]), (1, "refused", 3, None))
        self.assertEqual([(row["change"], row["engine"]) for row in tree["engines"]], [("newly-wrong", 4)])

    def test_nothing_in_common(self):
        other = copy.deepcopy(REPORT)
        for problem in other["problems"]:
            problem["problem"] = problem["problem"].replace(" 1x", " 3x").replace(" 2x", " 3x")
        status, out, _ = self.sweep(self.write("now.json", other), "--against", self.write("then.json", REPORT))
        self.assertEqual(status, 3)
        self.assertTrue(out.endswith("cudnn-checked: unknown: the two sweeps have no problem in common\n"), out)

    def test_a_report_alone_is_printed_again(self):
        status, out, _ = self.sweep(self.write("now.json", REPORT), "--json")
        self.assertEqual(status, 1)
        again = json.loads(out)
        for key in ("request", "machine", "counts", "problems"):
            self.assertEqual(again[key], REPORT[key], key)


    def test_a_report_of_before_a_sweep_had_several_gpus(self):
        earlier = copy.deepcopy(REPORT)
        earlier["request"]["device"] = 3
        del earlier["request"]["devices"], earlier["gpus"]
        status, out, _ = self.sweep(self.write("now.json", earlier), "--json")
        self.assertEqual((status, json.loads(out)["request"]["devices"]), (1, [3]))


class NoReports(AgainstTest):
    def cases(self):
        damaged = copy.deepcopy(REPORT)
        damaged["problems"][2]["plans"][1][1] = "fine"
        impossible = copy.deepcopy(REPORT)
        impossible["problems"][0]["problem"] = "fwd fp16 nchw 1x3x2x2 * 1x3x5x5"
        columns = copy.deepcopy(REPORT)
        columns["plan_columns"] = columns["plan_columns"][1:]
        endless = copy.deepcopy(REPORT)
        endless["seconds"] = None
        backwards = copy.deepcopy(REPORT)
        backwards["problems"][0]["plans"][0][2] = -1
        beyond = json.dumps(REPORT).replace('"seconds": 60', '"seconds": 1e400')
        no_list = copy.deepcopy(REPORT) | {"gpus": 3}
        word = copy.deepcopy(REPORT)
        word["counts"]["right"] = "3"
        no_machine = {key: value for key, value in REPORT.items() if key != "machine"}
        return [
            ("", "an empty file"),
            ("{", "it ends in the middle"),
            ("[1]", "not a report of schema 1"),
            ('{"schema": 2, "program": "sweep"}', "not a report of schema 1"),
            ('{"schema": 1, "verdict": "ok"}', "not a report of cudnn-checked sweep --json"),
            (columns, "a report of a sweep of another schema"),
            (no_machine, "a damaged report of a sweep: machine"),
            (no_list, "a damaged report of a sweep: gpus"),
            (word, "a damaged report of a sweep: counts.right"),
            (damaged, "a damaged report of a sweep: problems[2]"),
            (endless, "a damaged report of a sweep: seconds"),
            (backwards, "a damaged report of a sweep: problems[0]"),
            (beyond, "a damaged report of a sweep: request.seconds"),
            (impossible, "a damaged report of a sweep: problems[0]"),
        ]

    def test_as_the_earlier_one_and_as_the_later_one(self):
        good = self.write("good.json", REPORT)
        for number, (content, words) in enumerate(self.cases()):
            bad = self.write("bad.json", content)
            with self.subTest(number):
                self.assertEqual(self.sweep(good, "--against", bad), (
                    2, "", f"cudnn-checked: error: sweep: --against <scratch>/bad.json: {words}\n"))
                self.assertEqual(self.sweep(bad), (
                    2, "", f"cudnn-checked: error: sweep: <scratch>/bad.json: {words}\n"))

    def test_no_file(self):
        self.assertEqual(self.sweep("--against", self.scratch / "absent.json"), (
            2, "", "cudnn-checked: error: sweep: --against <scratch>/absent.json: no such file\n"))
        self.assertEqual(self.sweep("--against"), (
            2, "", "cudnn-checked: error: sweep: --against needs a report, for example --against sweep.json\n"))

    def test_options_that_ask_for_a_computation(self):
        good = self.write("good.json", REPORT)
        for option, value in (("--seconds", "5"), ("--seed", "2"), ("--device", "0"), ("--types", "fp16")):
            self.assertEqual(self.sweep(good, option, value), (
                2, "", f"cudnn-checked: error: sweep: {option}: <scratch>/good.json is a report, so nothing is "
                       "computed\n"))


class Computed(AgainstTest):
    """On the simulated SDK: an engine that becomes wrong with an update."""

    def run_sweep(self, *arguments, fault=""):
        sdk = simulated_sdk(cudnn="9.19.0")
        return call("sweep", sdk.prefix, "--seconds", "2", "--workers", "2", "--operations", "fwd", "--types", "fp32",
                    *arguments, home=self.scratch, SIMULATED_GPUS="sm_90", LD_LIBRARY_PATH=sdk.driver_directory,
                    SIMULATED_FAULT=fault)

    def test_a_sweep_that_is_compared_at_once(self):
        status, out, err = self.run_sweep("--json")
        self.assertEqual((status, err), (0, ""))
        then = self.write("then.json", out)
        status, out, err = self.run_sweep("--against", then, fault="engine-wrong:4:fwd")
        self.assertEqual((status, err), (1, ""), out)
        self.assertRegex(out, r"(?m)^  wrong now, and was not: \d\n    fwd   engine 4 ")
        self.assertRegex(out, r"\ncudnn-checked: warning: .*\n\ncomparison of ")  # the report comes first
        self.assertRegex(out, r"\ncudnn-checked: refused: 1 engine got worse at the \d+ problems of both sweeps\n$")


if __name__ == "__main__":
    unittest.main()
