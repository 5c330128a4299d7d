# SPDX-License-Identifier: BSD-3-Clause
"""Environments at random, broken at random: what the first fix of each check mends, and that it harms nothing."""

import os
import re
import tempfile
import unittest
from unittest import mock

import advice
import random_breaks
import surroundings
import trial
from breaking import package
from random_environments import CUDNNS, KINDS, Arrangement, kind_here

# Among them are each break alone, two and three together, each kind of environment and of program, and what lies
# around them.  ./dev advice tries 2,000.
SEEDS = (1, 2, 6, 10, 16, 18, 19, 21, 29, 42, 54, 59, 60, 68, 69, 81, 83, 84, 88, 92, 107, 108, 117, 129)
SHARE_WITH_A_COMMAND = 0.9


class Whole(Arrangement):
    """Two virtual environments; a package of the first requires its cuDNN; LD_LIBRARY_PATH is used for another thing."""

    def draw(self):
        self.random.random = lambda: 0.5  # all wheels, and it is active
        self.subject = self.add("venv", "env", CUDNNS[1])
        self.world.site = self.subject.site
        package("framework", "2.1", "nvidia-cudnn-cu13==9.19.0.56")(self.world)
        self.add("venv", "other", CUDNNS[0])
        (self.world.root / "opt").mkdir()
        self.add_entry("LD_LIBRARY_PATH", self.world.root / "opt")
        self.checks = ["cudnn-checked doctor ../env", "cudnn-checked doctor ../other"]


def without_ops(a):
    a.subject.library("ops").unlink()
    return {"file deleted": "ops"}


class Covered(Whole):
    """A check that is red if a stale file is there, but green while what it looks at is gone."""

    def draw(self):
        super().draw()
        (self.subject.folder / "ready").touch()
        self.checks.append(CHECK)


def not_ready(a):
    (a.subject.folder / "ready").unlink()
    return without_ops(a)["file deleted"]


def stale(a):
    (a.world.root / "stale").touch()
    return "stale"


def needs_namespaces():
    if surroundings.why_not():
        raise unittest.SkipTest(f"a fix could change this machine: {surroundings.why_not()}")


CHECK = "! { [ -e ../env/ready ] && [ -e ../stale ]; }"
PIP = "../env/bin/python -m pip"
AGAIN = f"{PIP} install --force-reinstall --no-deps nvidia-cudnn-cu13==9.19.0.56"
# What is typed, what comes of it, the harm.
TYPED = (
    (AGAIN, "mended", ()),
    (f"{PIP} install --force-reinstall nvidia-cudnn-cu13==9.19.0.56", "mended", ()),
    ("true", "not mended", ()),
    ("false", "fails", ()),
    (f"{AGAIN}; export LD_LIBRARY_PATH=/opt/new:$LD_LIBRARY_PATH", "mended", ()),
    (f"{AGAIN}; unset LD_LIBRARY_PATH", "mended", ("entry",)),
    (f"{AGAIN}; export LD_LIBRARY_PATH=/opt/new", "mended", ("entry",)),
    (f"{AGAIN}; touch ../other/new", "mended", ("file",)),
    (f"{AGAIN}; touch ../etc/ld.so.conf", "mended", ()),
    (f"{AGAIN}; echo /opt >>../etc/ld.so.conf", "mended", ("file",)),
    (f"{AGAIN}; chmod 700 ../opt", "mended", ("file",)),
    (f"{AGAIN}; rm ../other/lib/python3*/site-packages/nvidia/cudnn/lib/libcudnn_ops.so.9", "mended",
     ("check", "file", "package")),
    (f"{AGAIN}; rm ../env/lib/python3*/site-packages/nvidia/cu13/lib/libcublas.so.13", "mended", ("package",)),
    (f"{AGAIN}; {PIP} uninstall -q -y nvidia-cublas", "mended", ("package", "requirement")),
    (f"{PIP} install -q --upgrade nvidia-cudnn-cu13", "mended", ("requirement",)),
    (f"{PIP} uninstall -q -y nvidia-cudnn-cu13", "not mended", ("requirement",)),
    (f"{PIP} uninstall -q -y framework && {AGAIN}", "mended", ("package",)),
    ("../other/bin/python -m pip install -q --upgrade nvidia-cudnn-cu13", "not mended", ("file", "package")),
)


class WhatAFixDoes(unittest.TestCase):
    """The judge of fixes, tried with fixes whose effects are known."""

    maxDiff = None

    def setUp(self):
        needs_namespaces()
        folder = tempfile.TemporaryDirectory(prefix="cudnn-checked-advice-")
        self.addCleanup(folder.cleanup)
        self.place = trial.place(os.path.realpath(folder.name))

    def test_what_a_fix_uncovers_is_no_harm(self):
        for stale_alone, harm in ((stale, ()), (lambda a: "stale", ("check: " + CHECK,))):
            drawn = {"not ready": (not_ready, 1), "stale": (stale, 1)}
            with self.subTest(harm), mock.patch.dict(random_breaks.BREAKS, drawn):
                one = trial.Trial(1, *self.place)
                one.arrangement = Covered
                one.break_it = lambda a: {name: random_breaks.one_break(a, name) for name in drawn}
                a, done = one.make(broken=True)
                a.drawn = dict.fromkeys(drawn)
                now, *_ = trial.look(a)
                one.green_at_first = a.checks
                self.assertEqual([s.green for s in now.values()], [False, True, True])
                o = trial.Outcome(1, "", done, fix=f"{AGAIN}; touch ../env/ready")
                random_breaks.BREAKS["stale"] = (stale_alone, 1)
                one.type_it(a, o, a.checks[:1], now)
                self.assertEqual((o.result, o.harm), ("mended", harm))
                trial.remove(one.root)

    def typed(self, arrangement, break_it, line, green, checks=()):
        """What comes of a line; `green` are the checks, those of the arrangement or others, after the break."""
        one = trial.Trial(1, *self.place)
        self.addCleanup(trial.remove, one.root)
        one.arrangement, one.break_it = arrangement, break_it
        a, done = one.make(broken=True)
        a.checks = list(checks) or a.checks
        now, *_ = trial.look(a)
        one.green_at_first = a.checks
        self.assertEqual([s.green for s in now.values()], green)
        o = trial.Outcome(1, "", done, fix=line)
        one.type_it(a, o, a.checks[:1], now)
        return o

    def test_what_a_fix_brings_into_view_is_no_harm_if_it_was_told(self):
        def without_ops_of_other(a):
            a.environments[1].library("ops").unlink()
            return {"file deleted": "ops"}

        other, machine = "cudnn-checked doctor ../other", "cudnn-checked doctor"
        shown = "export LD_LIBRARY_PATH=$(echo $PWD/../other/lib/python3*/site-packages/nvidia/cudnn/lib)"
        for checks, harm in (([other, machine], ()), ([CHECK, machine], (f"check: {machine}",))):
            with self.subTest(harm):
                o = self.typed(Whole, without_ops_of_other, f"{shown}:$LD_LIBRARY_PATH",
                               [checks[0] == CHECK, True], checks)
                self.assertEqual(o.harm, harm, o)

    def test_typed(self):
        for line, result, harm in TYPED:
            with self.subTest(line):
                o = self.typed(Whole, without_ops, line, [False, True])
                self.assertEqual((o.result, tuple(sorted({h.split(":")[0] for h in o.harm}))), (result, harm), o)


class Random(unittest.TestCase):
    """The arrangements of SEEDS."""

    @classmethod
    def setUpClass(cls):
        needs_namespaces()
        cls.figures = advice.Figures()
        for outcomes, alarms in advice.try_seeds(SEEDS):
            cls.figures.add(outcomes, alarms)
        print("\n".join(cls.figures.text()), flush=True)

    def test_each_kind_is_among_them(self):
        """Else SEEDS are to be chosen anew."""
        breaks = {name for o in self.figures.outcomes for name in o.breaks}
        self.assertEqual(set(random_breaks.BREAKS) - breaks, set())
        words = [o.words for o in self.figures.outcomes]
        kinds = {re.match(r"(\w+(?: target)?) ", w).group(1) for w in words}
        self.assertEqual({kind_here(kind) for kind in KINDS} - kinds, set())
        for program in ("guarded program", "plain program", "has a library"):
            self.assertTrue(any(program in w for w in words), program)

    def test_nothing_is_harmed(self):
        self.assertEqual([advice.line_of(o) for o in self.figures.harmed], [])

    def test_what_was_tried_mends(self):
        self.assertGreater(len(self.figures.green), len(SEEDS) / 4)
        self.assertEqual([advice.line_of(o) for o in self.figures.green if o.result != "mended"], [])

    def test_most_have_a_command(self):
        self.assertGreaterEqual(len(self.figures.commands) / len(self.figures.messages), SHARE_WITH_A_COMMAND)


if __name__ == "__main__":
    unittest.main()
