# SPDX-License-Identifier: BSD-3-Clause
"""cudnn-checked sweep --operations rnn,lstm,gru on the simulated SDK: every algorithm with every math type."""

import json
import unittest

from support.schema import check_json
from test_sweep_command import SweepTest

SMALL_H = "small-h:rnn,small-h:lstm,small-h:gru"
PROBLEMS = ["rnn/backward fp16 tanh 8x2x3 to 32, 2 directions", "gru/forward fp16 gru 8x2x4 to 40",
            "gru/backward fp16 gru 5x4x6 to 8, 2 directions, lengths 4 2 3 4 1"]
ALGORITHMS = ("standard", "persist-static", "persist-dynamic", "small-h")
MATHS = ("default", "tensor-op", "tensor-op-conversion", "fma")


def name_of(plan):
    """The algorithm and the math type of a plan's number."""
    number = int(plan.removeprefix("eng"))
    return f"{ALGORITHMS[number // 4]}, {MATHS[number % 4]}"


class Recurrent(SweepTest):
    def report(self, fault="", status=0, *arguments):
        done, out, err = self.swept("--json", "--seconds", "50", "--plan-timeout", "60", *arguments, SIMULATED_FAULT=fault)
        self.assertEqual((done, err), (status, ""), out[:2000])
        report = json.loads(out)
        check_json(report, "sweep")
        return report

    def of_problems(self, fault="", status=0, problems=PROBLEMS):
        """These alone: the simulated GPU computes what the list has in a minute and more."""
        listed = self.scratch / "listed.txt"
        listed.write_text("".join(one + "\n" for one in problems), encoding="utf-8")
        return self.report(fault, status, "--list", listed)

    @staticmethod
    def plans(report):
        return [(one["problem"], name_of(plan[0]), plan) for one in report["problems"] for plan in one["plans"]]

    def test_each_network_with_each_algorithm_and_math_type(self):
        report = self.of_problems()
        self.assertEqual((report["counts"]["plans"], report["rows"]), (report["counts"]["right"], []))
        self.assertEqual([one["problem"] for one in report["problems"]], PROBLEMS)
        of_one = [(name, plan[4]) for problem, name, plan in self.plans(report) if problem == PROBLEMS[0]]
        self.assertEqual(of_one, [(f"{algorithm}, {math}", "A1" if (algorithm, math) == ("small-h", "tensor-op") else "")
                                  for algorithm in ALGORITHMS for math in MATHS])
        # The others refuse differing lengths, when they are executed.
        self.assertEqual({name for problem, name, _ in self.plans(report) if problem == PROBLEMS[2]},
                         {f"standard, {math}" for math in MATHS})

    def test_the_networks_of_the_list(self):
        report = self.report("", 0, "--operations", "gru/forward", "--types", "fp32,bf16")
        self.assertEqual([one["problem"] for one in report["problems"]],
                         ["gru/forward bf16 gru 8x4x32 to 32, 2 directions",
                          "gru/forward bf16 gru 5x4x16 to 32, 2 directions, lengths 4 4 3 2 1, packed",
                          "gru/forward fp32 gru 8x4x32 to 32, 2 directions"])

    def test_the_defects_as_they_are_measured(self):
        report = self.of_problems(SMALL_H, 1)
        wrong = {(problem, name) for problem, name, plan in self.plans(report) if plan[1] == "wrong"}
        expected = {(problem, f"small-h, {math}") for math in ("tensor-op", "tensor-op-conversion") for problem in PROBLEMS[:2]}
        self.assertEqual(wrong, expected)
        rows = {(row["name"], row["operation"], row["severity"], row["reach"], row["offered_by"], row["proof"], row["known_as"])
                for row in report["rows"]}
        self.assertEqual(rows, {
            (name, operation, *(("error", "first", "PyTorch") if name == "small-h, tensor-op" else ("note", "by-index", "nobody")),
             "by-other-engines", operation.split("/")[0] + "-small-h")
            for operation, name in {(problem.split()[0], name) for problem, name in expected}})
        self.assertEqual(report["rows"][0]["engine"], 13)

    def test_as_text(self):
        status, out, _ = self.swept("--problem", PROBLEMS[0], SIMULATED_FAULT="small-h:rnn")
        self.assertEqual(status, 1)
        self.assertRegex(out, r"\n +1 +small-h, tensor-op +rnn/backward +fp16 +packed +1 wrong +1 of 1 +PyTorch +"
                              r"tanh 8x2x3 to 32, 2 directions\n")
        self.assertIn("error: algorithm small-h, tensor-op of cuDNN 9.19.0 computes wrong gradients of recurrent networks on "
                      "this GPU, sm_90\n", out)
        self.assertRegex(out, r"\n  offered by: +PyTorch +it takes this algorithm and math type by default\n")
        self.assertRegex(out, r"\n  shown by: +other engines +right on 1 of these 1 problems\n")
        self.assertRegex(out, r"\n  known as: +rnn-small-h ")

    def test_what_is_wrong_is_named_by_its_array(self):
        # No algorithm is right: nobody knows whether it is the reference.
        for fault, outcome, detail in (
                ("nan:gru/backward/bf16", "wrong", r"in dx, (\d+) of \1 elements not finite; in dw, (\d+) of \2 elements not finite"),
                ("unwritten:gru/backward/bf16", "right", ""), ("unwritten:gru/forward/bf16", "unwritten", "in y")):
            way = "forward" if "forward" in fault else "backward"
            report = self.of_problems(fault, 0 if outcome == "right" else 3, [f"gru/{way} bf16 gru 2x2x3 to 5"])
            for _, _, plan in self.plans(report):
                self.assertEqual(plan[1], outcome)
                self.assertRegex(plan[-1] if outcome != "right" else "", rf"\A{detail}\Z")

    def test_a_call_that_fails(self):
        report = self.of_problems("fail:cudnnRNNForward:5000", 3, ["gru/forward fp32 gru 2x2x3 to 5"])
        self.assertEqual({row["worst"] for row in report["rows"]}, {"failed"})
        for row in report["rows"]:
            self.assertRegex(row["example"]["detail"], "^cudnnRNNForward: 5000 CUDNN_STATUS_EXECUTION_FAILED")

    def test_what_is_not_supported(self):
        status, out, err = self.swept("--operations", "lstm", "--types", "fp16", SIMULATED_FAULT="unsupported:lstm")
        self.assertEqual((status, err), (3, ""))
        self.assertRegex(out, r"\Acudnn-checked: unknown: nothing was computed: \d+ not supported\n\Z")

    def test_no_errata_rule_is_written(self):
        report = self.report("small-h:gru", 1, "--problem", PROBLEMS[1], "--errata", "rules.json")
        self.assertEqual(report["errata"]["added"], [])

    def test_compared(self):
        then = self.scratch / "then.json"
        then.write_text(json.dumps(self.of_problems()), encoding="utf-8")
        now = self.scratch / "now.json"
        now.write_text(json.dumps(self.of_problems("small-h:gru", 1)), encoding="utf-8")
        status, out, err = self.swept("--against", then, directory=now)
        self.assertEqual((status, err), (1, ""))
        self.assertRegex(out, r"gru/forward +algorithm small-h, tensor-op +fp16 packed ")


if __name__ == "__main__":
    unittest.main()
