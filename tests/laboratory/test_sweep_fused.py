# SPDX-License-Identifier: BSD-3-Clause
"""cudnn-checked sweep --operations on the simulated SDK: fused operations with every plan, right and faulty."""

import json
import unittest

from test_probe_operations import has_tail, known_operations
from test_sweep_command import SweepTest


class Fused(SweepTest):
    def report(self, operations, fault="", status=0, *arguments):
        # Nothing hangs here: a plan may take as long as it does on a machine that is busy.
        done, out, err = self.swept("--json", "--operations", operations, "--seconds", "100", "--plan-timeout", "60",
                                    *arguments, SIMULATED_FAULT=fault)
        self.assertEqual((done, err), (status, ""), out[:2000])
        return json.loads(out)

    @staticmethod
    def outcomes(report, outcome):
        """The problems and the plans of that outcome, with what is told of it."""
        return [(one["problem"], plan[0], plan[-1])
                for one in report["problems"] for plan in one["plans"] if plan[1] == outcome]

    def test_each_problem_with_each_engine(self):
        # Recurrent networks: test_sweep_recurrent.py.  No engine computes what is of the legacy API.
        others = ("rnn", "lstm", "gru", "batch-norm", "softmax", "pooling", "conv-backward", "activation", "tensor", "lrn", "spatial-grid",
                  "spatial-sampler", "ctc-loss", "conv-activation", "dropout")
        operations = [name for name in known_operations() if name.split("/")[0] not in others]
        report = self.report(",".join(sorted({name.split("/")[0] for name in operations})))
        self.assertEqual(sorted(report["request"]["operations"]), sorted(operations))
        self.assertEqual({one["problem"].split()[0] for one in report["problems"]}, set(operations))
        for one in report["problems"]:
            self.assertTrue(one["finished"])
            self.assertEqual([plan[:2] for plan in one["plans"]], [["eng7", "right"], ["eng6", "right"]], one["problem"])

    def test_nan_in_one_output_of_some_problems(self):
        report = self.report("attention/backward", "kv-tail:attention/backward", 1)
        wrong = self.outcomes(report, "wrong")
        names = [one["problem"] for one in report["problems"]]
        tails = [name for name in names if has_tail(name.split()[1], name)]
        self.assertEqual([(name, plan) for name, plan, _ in wrong],
                         [(name, plan) for name in tails for plan in ("eng7", "eng6")])
        for problem, _, detail in wrong:
            seen = r"in largest dS" if " e4m3 " in problem else r"in dQ, (\d+) of \1 elements not finite"
            self.assertRegex(detail, rf"\A{seen}\Z", problem)
        self.assertEqual([(row["engine"], row["type"], row["layout"], row["severity"]) for row in report["rows"]],
                         [(engine, type_, "packed", severity) for engine, severity in ((7, "error"), (6, "warning"))
                          for type_ in ("fp16", "bf16", "e4m3")])

    def test_an_output_that_is_not_written(self):
        report = self.report("layer-norm", "unwritten:layer-norm/backward/bf16/2", 1)
        self.assertEqual(self.outcomes(report, "unwritten"),
                         [("layer-norm/backward bf16 64x512", engine, "in dbias") for engine in ("eng7", "eng6")])

    def test_plans_that_end_the_process(self):
        report = self.report("rms-norm", "crash:rms-norm/forward/fp16", 1)
        died = self.outcomes(report, "died")
        self.assertEqual({(problem.split()[0], detail) for problem, _, detail in died},
                         {("rms-norm/forward", "ended by SIGSEGV")})
        self.assertEqual(len(died), 2 * sum(one["problem"].startswith("rms-norm/forward fp16") for one in report["problems"]))
        self.assertEqual(report["counts"]["plans"], 2 * report["counts"]["problems"])

    def test_what_is_not_supported(self):
        status, out, err = self.swept("--operations", "matmul", "--types", "fp16", SIMULATED_FAULT="unsupported:matmul")
        self.assertEqual((status, err), (3, ""))
        self.assertRegex(out, r"\Acudnn-checked: unknown: nothing was computed: \d+ not supported\n\Z")

    def test_no_errata_rule_is_written(self):
        report = self.report("attention/backward", "kv-tail:attention/backward", 1, "--types", "fp16", "--errata",
                             "rules.json")
        self.assertEqual(report["errata"]["added"], [])
        self.assertEqual(json.loads((self.scratch / "rules.json").read_text(encoding="utf-8"))["rules"], [])

    def test_compared(self):
        then = self.scratch / "then.json"
        types = ("--types", "fp16")
        then.write_text(json.dumps(self.report("attention/backward", "", 0, *types)), encoding="utf-8")
        now = self.scratch / "now.json"
        now.write_text(json.dumps(self.report("attention/backward", "kv-tail:attention/backward", 1, *types)),
                       encoding="utf-8")
        status, out, err = self.swept("--against", then, directory=now)
        self.assertEqual((status, err), (1, ""))
        self.assertRegex(out, r"attention/backward +engine 7 +fp16 packed ")


if __name__ == "__main__":
    unittest.main()
