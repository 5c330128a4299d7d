# SPDX-License-Identifier: BSD-3-Clause
"""`cudnn-checked verify` and the guard say the same, and what they say is true.

A program built on 9.14.0 and one built on 9.19.0, on every arrangement: what verify says of a program
that is not running, what the guard says inside it, and what arrangements.py says of the files.
"""

import unittest

from arrangements import ARRANGEMENTS
from places import NotHere
from starting import CLI, LEFT_OUT, OnRealCudnns, Stage, named, refused_by_files, said

AT_LEAST = 40


def release(text):
    return tuple(int(part) for part in text.split("."))


def truth(arrangement, built_on):
    """Errors for a program, in words that owe nothing to the tool."""
    errors = set(arrangement.finds)
    if release(arrangement.release)[:2] < release(built_on):
        errors.add("cudnn-older")
    return errors


class SameVerdict(OnRealCudnns):
    built_on = ("9.14", "9.19")

    def each(self, check):
        """Calls check(stage, built_on) for every arrangement and both programs."""
        done = 0
        for arrangement in ARRANGEMENTS:
            try:
                with Stage(arrangement, self.made) as stage:
                    for built_on in self.built_on:
                        with self.subTest(arrangement.name, built_on=built_on):
                            stage.put(self.made.app(built_on, arrangement.link))
                            check(stage, built_on)
                    done += 1
            except NotHere as why:
                print(f"not here: {arrangement.name}: {why}")
        print(f"{done} arrangements")
        self.assertGreaterEqual(done, AT_LEAST)

    def check_truth(self, stage, built_on, report):
        arrangement = stage.arrangement
        errors, also = named(report, "error"), arrangement.also
        self.assertEqual(errors - also, truth(arrangement, built_on) - also)
        if arrangement.finds & also:
            self.assertTrue(errors & also, "neither name was said")
        self.assertEqual(named(report, "warning") - also, set(arrangement.warns))
        self.assertEqual(named(report, "unknown"), set())

    def check_guard(self, stage, built_on):
        outcome, report = stage.start()
        if not stage.arrangement.starts:
            self.assertIsNone(report, outcome.output)
            self.assertNotEqual(outcome.status, 0)
            return
        self.assertIsNotNone(report, outcome.output)
        self.check_truth(stage, built_on, report)
        self.assertEqual(outcome.status, 78 if report["verdict"] == "refused" else 0, outcome.output)

    def test_the_guard_tells_the_truth(self):
        self.each(self.check_guard)

    def check_verify(self, stage, built_on):
        outcome, verified = stage.verify()
        self.assertIsNotNone(verified, outcome.errors)
        ran, report = stage.start()
        if report is None:
            # ld.so or a signal ended it: verify alone can say why.
            self.assertFalse(stage.arrangement.starts, ran.output)
            self.assertEqual((outcome.status, verified["verdict"]), (1, "refused"))
            self.assertTrue(named(verified, "error") & stage.arrangement.finds, said(verified))
            return
        both = said(verified)
        if refused_by_files(report):
            both = [finding for finding in both if finding[0] not in LEFT_OUT]
        self.assertEqual(both, said(report))
        self.assertEqual(verified["verdict"], report["verdict"])
        self.assertEqual(outcome.status, {"refused": 1, "unknown": 3}.get(verified["verdict"], 0))

    @unittest.skipUnless(CLI.exists(), "cudnn-checked is not built")
    def test_verify_says_what_the_guard_says(self):
        self.each(self.check_verify)

    def check_process(self, stage, built_on):
        _, report = stage.start(CUDNN_CHECKED="warn")
        if report is None or not stage.arrangement.starts:
            return
        outcome, verified = stage.verify_process()
        self.assertIsNotNone(verified, outcome.errors)
        self.assertEqual(said(verified), said(report))
        self.assertEqual(verified["verdict"], report["verdict"])

    @unittest.skipUnless(CLI.exists(), "cudnn-checked is not built")
    def test_of_a_process_it_says_the_same(self):
        self.each(self.check_process)
