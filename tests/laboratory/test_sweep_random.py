# SPDX-License-Identifier: BSD-3-Clause
"""cudnn-checked sweep --random on the simulated SDK: a failure is found, made smaller, listed and repeated; nothing that
no other engine refutes is accused."""

import json
import re
import shlex
import unittest

from of_product import call
from support.schema import check_json
from test_sweep_command import SweepTest

SMALLEST = re.compile(r"\Afwd fp32 n(chw|hwc) 1x1x1x1(x1)? \* 1x1x1x1(x1)?, stride (1x)*2(x1)*\Z")
SMALLEST_CALL = re.compile(r"\Aconv-backward/data fp(32|16) 1x1x1x1 n(chw|hwc), 1 of 1x1, stride [23]\Z")
STRIDE = "engine-wrong:70:fwd:stride>1"
CONVOLUTIONS = ("--operations", "fwd", "--types", "fp32", "--workers", "2")


class Random(SweepTest):
    def report(self, *arguments, fault="", status=0):
        done, out, err = self.swept("--random", "--json", "--plan-timeout", "60", *arguments, SIMULATED_FAULT=fault)
        self.assertEqual((done, err), (status, ""), out[:2000])
        report = json.loads(out)
        check_json(report, "sweep")
        self.assertIs(report["request"]["random"], True)
        return report

    def found(self, fault, *arguments, status, is_it=lambda report: report["rows"]):
        """A report in which something failed; a longer one where the machine is busy."""
        for seconds in (4, 10, 24):
            done, out, _ = self.swept("--random", "--json", "--plan-timeout", "60", *arguments, "--seconds", seconds,
                                      SIMULATED_FAULT=fault)
            report = json.loads(out)
            if is_it(report):
                break
        self.assertEqual(done, status, out[:2000])
        return report

    def test_a_class_that_no_list_names_is_found_and_made_smaller(self):
        listed = self.scratch / "found.txt"
        listed.write_text("# seen before\nfwd fp32 nchw 1x1x1x1 * 1x1x1x1\n", encoding="utf-8")
        def examples_of(report):
            return [row["example"]["problem"] for row in report["rows"]]

        # The fault is of any stride; all else is as small as it can be.
        def is_small(report):
            return report["rows"] and all(SMALLEST.match(one) for one in examples_of(report))

        before = listed.read_text(encoding="utf-8")
        report = self.found(STRIDE, *CONVOLUTIONS, "--list", listed, status=1, is_it=is_small)
        self.assertTrue(is_small(report), examples_of(report))
        self.assertTrue(listed.read_text(encoding="utf-8").startswith(before))
        examples = examples_of(report)
        for row in report["rows"]:
            self.assertEqual((row["engine"], row["proof"]), (70, "by-other-engines"))
        lines = listed.read_text(encoding="utf-8").splitlines()
        self.assertLessEqual(set(examples), set(lines[2:]))
        # What is told repeats it, and so does the list.
        status, out, _ = self.swept("--list", listed, SIMULATED_FAULT=STRIDE)
        self.assertEqual(status, 1)
        self.assertIn(f"problems:   {len(lines) - 1} of the {len(lines) - 1} of fwd in fp32, seed 1\n", out)
        status, out, _ = self.swept("--list", listed)
        self.assertEqual(status, 0, out)

    def test_a_fault_of_each_class_that_is_drawn_is_found(self):
        """Groups with dilation; FP8, of which there is no other right engine here."""
        fault = "engine-wrong:70:fwd:groups>1:dilation>1"
        report = self.found(fault, *CONVOLUTIONS, status=1)
        for row in report["rows"]:
            self.assertRegex(row["example"]["problem"], r", dilation .*, groups \d+\Z")
        report = self.found("wrong:matmul/e4m3", "--operations", "matmul", "--types", "e4m3", status=3)
        self.assertEqual({row["type"] for row in report["rows"]}, {"e4m3"})

    def test_an_algorithm_of_the_legacy_api_that_fails(self):
        """It is accused because the others are right; the line that is told repeats it."""
        fault = "strided:conv-backward/data/algorithm-0"

        def is_small(report):
            return report["rows"] and all(SMALLEST_CALL.match(row["example"]["problem"]) for row in report["rows"])

        listed = self.scratch / "found.txt"
        report = self.found(fault, "--operations", "conv-backward", "--types", "fp32,fp16", "--workers", "2", "--list", listed,
                            status=0, is_it=is_small)
        self.assertTrue(is_small(report), report["rows"])
        for row in report["rows"]:
            self.assertEqual([row[key] for key in ("operation", "engine", "name", "severity", "proof", "offered_by")],
                             ["conv-backward/data", 0, "0", "warning", "by-other-engines", "programs"])
        examples = [row["example"]["problem"] for row in report["rows"]]
        self.assertLessEqual(set(listed.read_text(encoding="utf-8").splitlines()), set(examples))
        told = report["findings"][0]
        self.assertEqual(told["summary"],
                         "algorithm 0 of cuDNN 9.19.0 computes wrong data gradients by the legacy API on this GPU, sm_90")
        fixes = [fix["text"] if isinstance(fix, dict) else fix for fix in told["fixes"]]
        repeated = shlex.split(fixes[0])
        self.assertEqual(repeated[3:], ["--problem", examples[0]])
        self.assertEqual(fixes[1:], [f"report it to NVIDIA, with what this prints: {fixes[0]}"])
        for wrong in (fault, ""):
            status, out, err = self.swept("--json", *repeated[3:], SIMULATED_FAULT=wrong)
            self.assertEqual((status, err), (0, ""))
            self.assertEqual([plan[:2] for plan in json.loads(out)["problems"][0]["plans"]],
                             [["eng0", "wrong" if wrong else "right"], ["eng1", "right"]])
        status, out, err = self.swept(*repeated[3:], "--reproduce", "1", SIMULATED_FAULT=fault)
        self.assertEqual((status, out), (2, ""))
        self.assertEqual(err, "cudnn-checked: error: sweep: --reproduce 1: there is no program for conv-backward/data; "
                              f"--problem '{examples[0]}' computes it again\n")

    def test_a_call_that_no_other_refutes_is_unknown(self):
        report = self.found("wrong:tensor/add/fp16", "--operations", "tensor/add,tensor/op", "--types", "fp16", status=3)
        self.assertEqual({(row["operation"], row["name"], row["worst"], row["severity"]) for row in report["rows"]},
                         {("tensor/add", "call", "wrong", "unknown")})

    def test_the_calls_of_the_list(self):
        report = self.report_of_list("tensor/add,softmax/backward")
        self.assertEqual([one["problem"] for one in report["problems"]][:3],
                         ["tensor/add fp16 3x10x13x15 nchw, plus 1x10x1x1",
                          "softmax/backward fp16 12x1000x1x1 nchw, accurate, by image",
                          "tensor/add fp16 3x16x13x15 nhwc, plus 1x16x1x1"])
        self.assertEqual({(plan[0], plan[1], plan[4]) for one in report["problems"] for plan in one["plans"]},
                         {("eng0", "right", "A1"), ("eng0", "right", "A2"), ("eng1", "right", "A1"), ("eng1", "right", "A2"),
                          ("eng2", "right", "A1")})

    def report_of_list(self, operations):
        status, out, err = self.swept("--json", "--operations", operations, "--seconds", "60", "--plan-timeout", "60")
        self.assertEqual((status, err), (0, ""), out[:2000])
        return json.loads(out)

    def test_the_line_that_repeats_a_failure(self):
        report = self.found(STRIDE, *CONVOLUTIONS, status=1)
        fix = report["findings"][0]["fixes"][0]
        command = shlex.split(fix["text"] if isinstance(fix, dict) else fix)
        self.assertEqual((command[:2], command[3]), (["cudnn-checked", "sweep"], "--problem"))
        self.assertEqual(command[4], report["rows"][0]["example"]["problem"])
        for fault, expected in ((STRIDE, 1), ("", 0)):
            status, out, err = call("sweep", self.sdk.prefix, *command[3:], home=self.scratch,
                                    **self.environment(SIMULATED_FAULT=fault))
            self.assertEqual((status, err), (expected, ""), out)

    def test_right_engines_and_algorithms_are_not_accused(self):
        report = self.report("--seconds", "4", "--workers", "2")
        self.assertEqual((report["rows"], report["verdict"]), ([], "ok"))
        self.assertGreater(report["counts"]["right"], 0)
        # What is drawn does not depend on how far it came.
        again = self.report("--seconds", "2", "--workers", "1")
        both = zip((one["problem"] for one in report["problems"]), (one["problem"] for one in again["problems"]))
        self.assertTrue(all(a == b for a, b in both))
        self.assertNotEqual(report["problems"][0], self.report("--seconds", "1", "--seed", "2")["problems"][0])

    def test_what_the_reference_alone_refutes_is_unknown(self):
        listed = self.scratch / "found.txt"
        report = self.found("nan:gru/forward/bf16", "--operations", "gru/forward", "--types", "bf16", "--list", listed,
                            status=3)
        self.assertEqual({row["severity"] for row in report["rows"]} - {"unknown", "note"}, set())
        self.assertFalse(listed.exists())

    def test_usage(self):
        wrong = self.scratch / "wrong.txt"
        wrong.write_text("fwd fp32 nchw 1x1x1x1 * 1x1x1x1\nfwd\n", encoding="utf-8")
        empty = self.scratch / "empty.txt"
        empty.write_text("# nothing\n", encoding="utf-8")
        named = ("--problem", "fwd fp32 nchw 1x1x1x1 * 1x1x1x1")
        for arguments, message in (
                (("--problem", "fwd"), "--problem fwd: not a problem as a report writes it"),
                (("--random", *named), "--problem names what is computed, and --random draws it; leave out one"),
                (("--list", wrong), "--list {scratch}/wrong.txt: line 2 is no problem"),
                (("--random", "--list", wrong), "--list {scratch}/wrong.txt: line 2 is no problem"),
                (("--list", empty), "--list {scratch}/empty.txt: it has no problem"),
                (("--list", self.scratch / "none"), "--list {scratch}/none: cannot be read"),
                ((*named, "--types", "fp16"), "--types: the problems that are named have their own; leave it out"),
                ((*named, "--operations", "fwd"), "--operations: the problems that are named have their own; leave it out"),
                (("--random", "--operations", "fwd", "--types", "e4m3"),
                 "--types e4m3: --operations fwd has no problem of it")):
            with self.subTest(message):
                status, out, err = self.swept(*arguments)
                self.assertEqual((status, out), (2, ""))
                self.assertEqual(err.replace("<scratch>", "{scratch}"), f"cudnn-checked: error: sweep: {message}\n")


if __name__ == "__main__":
    unittest.main()
