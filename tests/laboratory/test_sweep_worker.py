#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A worker of the sweep on the simulated SDK, line by line: which plans it runs, in which order, and what it says of
each that is not right."""

import os
import struct
import subprocess
import unittest

from support import ScratchTest, simulated_sdk
from support.command_line import cudnn_checked_program
from support.environment import clean_environment

COMMANDS, ANSWERS = 3, 4


def fields(*values):
    return "\t".join([*map(str, values), "."]) + "\n"


def real(value):
    return struct.pack(">d", value).hex()


class Result:
    """One line of a result, with the number that its plan was begun with."""

    def __init__(self, words, number):
        self.number = number
        # The columns of a plan, in the order of a report.
        self.plan, self.outcome, self.offers, self.compiled = words[2], words[3], words[6], words[9] == "true"
        self.alignment, self.workspace, self.right_with, self.detail = int(words[10]), int(words[15]), *words[16:18]
        self.engine = int(self.plan.removeprefix("eng").split("_")[0])

    def __repr__(self):
        return f"{self.number}: {self.plan} {self.outcome} {self.alignment} {self.detail}"


class Answer:
    def __init__(self):
        self.begun, self.results, self.counts, self.ended = [], [], [], False
        self.prepared = []  # how many plans it had begun with when it began with the reference

    @property
    def not_right(self):
        return [r for r in self.results if r.outcome != "right"]

    def of(self, engine):
        return [r for r in self.results if r.engine == engine]


class WorkerTest(ScratchTest):
    def setUp(self):
        super().setUp()
        self.sdk = simulated_sdk(cudnn="9.19.0")

    def ask(self, problem, first=0, faults="", operations="fwd", types="fp32", memory=1 << 30, errata=""):
        """What a worker says of one problem; it ends by itself when nobody asks for more."""
        commands, to_worker = os.pipe()
        from_worker, answers = os.pipe()

        def place():
            os.dup2(commands, 20)
            os.dup2(answers, 21)
            os.dup2(20, COMMANDS)
            os.dup2(21, ANSWERS)

        environment = clean_environment(self.scratch, SIMULATED_GPUS="sm_90", SIMULATED_FAULT=faults,
                                        LD_LIBRARY_PATH=self.sdk.driver_directory)
        process = subprocess.Popen([str(cudnn_checked_program()), "--sweep-worker", str(os.getpid())],
                                   cwd=self.scratch, env=environment, preexec_fn=place, close_fds=False)
        os.close(commands)
        os.close(answers)
        answer = Answer()
        with os.fdopen(to_worker, "w") as to, os.fdopen(from_worker) as lines:
            to.write(fields("request", self.sdk.library(), real(60), operations, types, 1, 0, 0, real(20), memory,
                            errata, "false", ""))
            to.flush()
            for line in lines:
                words = line.rstrip("\n").split("\t")
                if words[0] == "machine":
                    to.write(fields("compute", problem, first))
                    to.flush()
                elif words[0] == "begin":
                    answer.begun.append(int(words[2]))
                elif words[0] == "prepares":
                    answer.prepared.append((int(words[1]), len(answer.begun)))
                elif words[0] == "result":
                    answer.results.append(Result(words, answer.begun[-1]))
                elif words[0] == "counts":
                    answer.counts = [int(word) for word in words[2:-1]]
                elif words[0] == "end":
                    answer.ended = True
                    break
            to.close()
            self.status = process.wait(timeout=20)
        return answer

    def test_its_own_work_begins_where_the_heuristics_have_answered(self):
        self.assertEqual(self.ask(3).prepared, [(3, 1)])
        self.assertEqual(self.ask(3, first=2).prepared, [(3, 0)])

    def test_each_plan_is_right_where_no_engine_is_faulty(self):
        for operations in "fwd", "dgrad", "wgrad":
            with self.subTest(operations):
                answer = self.ask(0, operations=operations)
                self.assertEqual(answer.not_right, [])
                self.assertTrue(answer.ended)
                self.assertEqual(self.status, 0)
                self.assertEqual(answer.begun, sorted(set(answer.begun)))
                self.assertEqual(answer.begun[0], 0)
                plans = [r.plan for r in answer.results]
                self.assertEqual(len(plans), len(set(plans)), "a plan ran twice")
                self.assertTrue(answer.results[0].offers.startswith("A1"))
                self.assertTrue(any(not r.offers for r in answer.results), "nothing by index")

    def test_an_engine_that_two_heuristics_offer_is_one_plan(self):
        plan, = (r for r in self.ask(0).results if "A1" in r.offers.split())
        self.assertRegex(plan.offers, r"\bB\d")

    def test_what_is_compiled_comes_last(self):
        compiled = [r.compiled for r in self.ask(0).results]
        self.assertEqual(compiled, sorted(compiled))
        self.assertIn(True, compiled)

    def test_of_compiled_engines_most_problems_run_the_best_offer_only(self):
        for problem, all_run in (0, True), (800, True), (801, False):  # 0 is a shape that was seen to go wrong
            with self.subTest(problem):
                answer = self.ask(problem)
                offered = [r for r in answer.of(79) if r.offers]
                self.assertEqual(len(offered) > 1, all_run)
                self.assertIn("A5", offered[0].offers)
                self.assertEqual(len(answer.of(72)), 1 if all_run else 0)

    def test_a_new_worker_goes_on_behind_the_culprit(self):
        whole = self.ask(0)
        for kept in whole.results[3], whole.results[-3]:
            rest = self.ask(0, first=kept.number + 1)
            self.assertEqual([(r.number, r.plan) for r in rest.results],
                             [(r.number, r.plan) for r in whole.results if r.number > kept.number])
            self.assertNotIn(0, rest.begun)

    def test_details(self):
        rows = [
            ("engine-outside:70", "outside", "written: up to 16 bytes behind y"),
            ("engine-before:70", "outside", "written: up to 16 bytes in front of y"),
            ("engine-workspace:1", "outside", "written: up to 16 bytes behind the workspace"),
            ("engine-input:70", "outside", "written: x"),
            ("engine-wrong:70", "wrong", ""),
            ("engine-unwritten:70", "unwritten", ""),
            ("engine-changing:70", "changing", ""),
            ("engine-fail:70", "failed", "cudnnBackendExecute: 5000 CUDNN_STATUS_EXECUTION_FAILED"),
        ]
        for fault, outcome, detail in rows:
            with self.subTest(fault):
                answer = self.ask(0, faults=fault)
                engine = int(fault.split(":")[1])
                self.assertEqual([(r.engine, r.outcome, r.detail) for r in answer.not_right],
                                 [(engine, outcome, detail)])
                self.assertTrue(answer.ended)

    def test_what_makes_a_wrong_plan_right(self):
        rows = [
            ("engine-reads-workspace:70", "zero-workspace", "right with a workspace of zeros: it reads what nobody wrote"),
            ("engine-reads-beside:70", "zero-surroundings", "right with zeros around the tensors: it reads beside them"),
            ("engine-wrong:70", "none", ""),
            ("engine-wrong:70,engine-reads-beside:70", "none", "relative error 1.36 with zeros instead of NaN around it"),
        ]
        for fault, remedy, detail in rows:
            with self.subTest(fault):
                answer = self.ask(0, faults=fault)
                self.assertEqual([(r.engine, r.outcome, r.right_with, r.detail) for r in answer.not_right],
                                 [(70, "wrong", remedy, detail)])

    def test_a_gradient_names_its_own_tensors(self):
        for operations, engine, detail in ("dgrad", 60, "behind dx"), ("wgrad", 57, "behind dw"):
            answer = self.ask(0, faults=f"engine-outside:{engine}", operations=operations)
            self.assertEqual([r.detail for r in answer.not_right], ["written: up to 16 bytes " + detail])

    def test_an_engine_that_needs_more_alignment_than_it_was_told(self):
        right = "right where the tensors are aligned to 256 bytes"
        for kind, outcome, detail in (
                ("fail", "failed", f"cudnnBackendExecute: 5000 CUDNN_STATUS_EXECUTION_FAILED; {right}"),
                ("wrong", "wrong", right), ("unwritten", "unwritten", right), ("input", "outside", f"written: x; {right}")):
            answer = self.ask(3, faults=f"engine-{kind}:0:unaligned")
            self.assertEqual([(r.engine, r.outcome, r.alignment, r.detail) for r in answer.not_right],
                             [(0, outcome, 16, detail)])
        self.assertEqual({r.alignment for r in answer.results}, {16})
        self.assertEqual({r.alignment for r in self.ask(2).results}, {256})
        answer = self.ask(3, faults="engine-wrong:0")
        self.assertEqual([(r.engine, r.alignment, r.detail) for r in answer.not_right], [(0, 256, "")])

    def test_a_lost_context_ends_the_process_with_its_result(self):
        answer = self.ask(0, faults="engine-lost:1")
        self.assertEqual([(r.engine, r.outcome) for r in answer.not_right], [(1, "died")])
        self.assertRegex(answer.not_right[0].detail, "^cuda[A-Za-z]+: 716 cudaErrorMisalignedAddress, misaligned address$")
        self.assertEqual(answer.begun[-1], answer.results[-1].number)
        self.assertFalse(answer.ended)
        self.assertEqual(self.status, 2)

    def test_too_little_memory(self):
        whole = self.ask(0)
        largest = max(r.workspace for r in whole.results)
        answer = self.ask(0, memory=48 * 1024)
        self.assertEqual(answer.not_right, [])
        self.assertLessEqual(len(answer.results), len(whole.results))
        self.assertGreater(largest, 0)
        none = self.ask(0, memory=4096)
        self.assertEqual(none.results, [])
        self.assertGreater(none.counts[1], 0)
        self.assertTrue(none.ended)

    def test_memory_that_cudnn_lacks_is_no_failure(self):
        for call, number in ("cudnnBackendExecute", 4004), ("cudnnBackendFinalize", 4003):
            answer = self.ask(0, faults=f"fail:{call}:{number}")
            self.assertEqual(answer.results, [], call)
            self.assertGreater(answer.counts[1], 0, call)
            self.assertTrue(answer.ended, call)

    def test_errata_leave_plans_out(self):
        errata = ('{"version": 1, "rules": [{"rule_id": "one", "operation": "ConvFwd", "engine": 70, "knob": [], '
                  '"cudnn_version_start": 90000, "cudnn_version_end": 100000}]}')
        answer = self.ask(0, faults="engine-wrong:70", errata=errata)
        self.assertEqual(answer.of(70), [])
        self.assertEqual(answer.not_right, [])
        self.assertEqual(answer.counts[3], 1)


if __name__ == "__main__":
    unittest.main()
