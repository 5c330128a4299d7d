# SPDX-License-Identifier: BSD-3-Clause
"""One situation, asked at every door: python3 tests/fixes/doors.py [--count N] [--seed S] [--verbose]

doctor, verify, run, the module's check(), verify --pid, probe and a program's guard are asked about the same files;
verdict, names of errors and first fix are compared, and the verdict with what a user of that cuDNN does.  Each kind of
difference is one line, with how often it came and a seed.  CUDNN_CHECKED_CLI names another command line, of an older
state for example.
"""

import argparse
import collections
import dataclasses
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import typing
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(one) for one in (HERE, HERE.parent, HERE.parent / "incidents") if str(one) not in sys.path]

import surroundings  # noqa: E402
from doors_asked import OF_MACHINE, OF_RELEASE, STARTED, Asked  # noqa: E402
from doors_cases import Case  # noqa: E402


def left_out():
    """What a command leaves out by its nature: {name: (who, what, who is asked for it)}."""
    text = (HERE.parents[1] / "tool/cli/words/left_out.def").read_text(encoding="utf-8")
    return {name: tuple(more) for name, *more in re.findall(
        r'^LEFT_OUT\((\w+), "(.*?)", "(.*?)", "(.*?)"\)$', text, re.M)}


LEFT_OUT = {name: what for name, (_, what, _) in left_out().items()}


@dataclasses.dataclass(frozen=True)
class Allowed:
    """A difference that a door's nature makes."""

    door: str  # a regular expression
    row: str  # of what it leaves out (tool/cli/words/left_out.def)
    when: typing.Callable  # (case, reference, answer)

    @property
    def reason(self):
        return LEFT_OUT[self.row]


def of_set(names):
    """Those that are about the files of a cuDNN, not about who uses it."""
    return {n for n in names if re.match(r"mixed|not-of|library|sublibrary|record|wrong-machine", n)}


def lacks_driver(case, reference):
    """Its note says of a library that it cannot be loaded, and a driver is all that it lacks: that is not checked."""
    return not case.has_driver and "cannot be loaded in this process" in reference.text and any(
        package.lazy and package.needs_driver for package in case.packages)


# What is seen by one door only.
ONLY = {"doctor": ({"header-library-mismatch", "headers-missing", "library-missing", "record-differs"},
                   "doctor compares headers, and every record with the files")}
# Whose first fix is another: a guard has no room for what tries one command after the other, and the probe sees one
# cuDNN.
TRIES_LESS = ("guard", "probe")
ALLOWED = (
    Allowed("doctor", "program", lambda case, reference, answer: case.program and (
                reference.verdict == "refused" and of_set(reference.errors) <= answer.told
                or reference.told == {"dependency-missing"} <= answer.notes
                or "LD_LIBRARY_PATH" in case.break_name)),
    Allowed("doctor", "machine", lambda case, reference, answer: case.cached
            and answer.errors <= {"sublibrary-missing", "library-missing"}
            and (reference.verdict != "refused" or "mixed-sublibraries" in reference.errors)),
    Allowed("doctor", "build", lambda case, reference, answer: answer.verdict == "refused"
            and reference.verdict == "warning" and answer.errors == {"mixed-sublibraries"} <= reference.told),
    Allowed("probe", "no_shim", lambda case, reference, answer: not answer.told
            and "libcudnn.so.9" not in case.names_in_lib),
    Allowed("probe", "shell", lambda case, reference, answer: "LD_LIBRARY_PATH" in case.break_name),
    Allowed("doctor|run --python|check.*|verify LIBRARY", "driver",
            lambda case, reference, answer: reference.verdict == "refused" and "driver-missing" in reference.told
            and not reference.errors and answer.verdict in ("ok", "warning")
            and reference.told - OF_MACHINE <= answer.told),
    Allowed("check.. after another import", "others", lambda case, reference, answer: case.packages[0].lazy or (
                answer.verdict == "warning" and reference.errors <= answer.told)),
    Allowed("doctor", "order", lambda case, reference, answer: len(case.packages) == 2 and (
                case.pythonpath or "LD_LIBRARY_PATH" in case.break_name)),
    Allowed("guard", "records", lambda case, reference, answer: answer.verdict == "ok"
            and reference.verdict == "warning" and reference.told == {"library-missing"}),
    Allowed("guard", "next", lambda case, reference, answer: answer.verdict == reference.verdict
            and reference.told - answer.told == {"dependency-missing"}),
    Allowed("doctor|run --python|check..|check.. after its import", "imports",
            lambda case, reference, answer: len(case.packages) == 2 and case.lazy and (
                case.pythonpath or "LD_LIBRARY_PATH" in case.break_name)),
    Allowed("verify --pid", "later", lambda case, reference, answer: case.lazy and answer.errors <= reference.told),
    Allowed("doctor|run --python|check.*|verify LIBRARY", "driver",
            lambda case, reference, answer: reference.verdict != "refused" and lacks_driver(case, reference)),
)


def reference_of(case, door=""):
    """Who is asked the same: of a directory doctor is."""
    if door == "probe":
        return "doctor"
    return "verify" if case.program else "verify --python"


def difference(case, reference, door, answer):
    """The words of a difference; None where there is none."""
    who = reference_of(case, door)
    if answer.verdict != reference.verdict:
        return f"{door}: {answer}, and {who}: {reference}"
    if door == "verify, as text" and reference.verdict == "ok" and case.stamped and answer.notes != reference.notes:
        return f"{door} has other notes: {' '.join(sorted(answer.notes ^ reference.notes))}"
    if reference.verdict != "refused":
        return None
    # A text has warnings as well.
    surely = (reference.errors or reference.told) - OF_MACHINE - ONLY.get(who, (set(),))[0]
    maybe = answer.told - OF_MACHINE
    only = ONLY.get(door, (set(),))[0]
    if not surely and (who == "doctor" or answer.refuses_machine and maybe <= reference.told):
        return None
    if not surely & maybe or not surely <= maybe or not answer.errors - OF_MACHINE - only <= reference.told:
        return f"{door} names {' '.join(sorted(maybe))}, and {who} {' '.join(sorted(surely))}"
    if door in TRIES_LESS:
        return None
    for name, fix in reference.fixes:
        other = dict(answer.fixes).get(name, fix)
        # A message has a command once, with the first that it mends.
        if not other and fix in answer.text or not fix and other in reference.text:
            continue
        if name in surely and sorted(other.split(" && ")) != sorted(fix.split(" && ")):
            return f"{door}: another first fix of {name}: {fix!r} and {other!r}"
    return None


def against_truth(case, reference, works):
    """Words where the verdict is not what a user of it does."""
    if reference.verdict == "ok" and works != STARTED and not lacks_driver(case, reference):
        return f"false ok: {reference}, and what uses it ends with status {works}"
    sound = case.break_name == "whole" and works == STARTED
    # A text has warnings as well.
    if sound and reference.verdict == "refused" and not (reference.errors or reference.told) - OF_MACHINE <= OF_RELEASE:
        return f"false refusal: {reference}, and what uses it works"
    return None


def why_allowed(case, reference, door, answer):
    return next((one.reason for one in ALLOWED
                 if re.fullmatch(one.door, door) and one.when(case, reference, answer)), None)


def differences_of(seed, folder):
    """The case of a seed, and the differences between the answers of its doors."""
    root = pathlib.Path(folder) / str(seed)
    try:
        case = Case(seed, root)
        with surroundings.cached(case.cached):
            asked = Asked(case)
        found = []
        for door, answer in asked.answers.items():
            who = reference_of(case, door)
            reference = asked.answers[who]
            words = difference(case, reference, door, answer) if door != who else None
            if words:
                words, _, fixes = words.replace(str(root), "ROOT").partition(": '")
                found.append((door, words, fixes, why_allowed(case, reference, door, answer)))
        words = against_truth(case, asked.answers[reference_of(case)], asked.works)
        if words:
            found.append(("truth", words, "", None))
        return case, asked, found
    finally:
        shutil.rmtree(root, ignore_errors=True)


class Figures:
    def __init__(self):
        self.cases, self.doors, self.asked = 0, collections.Counter(), collections.Counter()
        self.kinds, self.breaks, self.alike = {}, collections.Counter(), 0
        self.allowed = collections.Counter()

    def add(self, seed, case, asked, found):
        self.cases += 1
        self.alike += not [reason for *_, reason in found if not reason]
        self.breaks[case.break_name] += 1
        self.asked.update(asked.answers.keys())
        for door, words, fixes, reason in found:
            if reason:
                self.allowed[reason] += 1
                continue
            self.doors[door] += 1
            count, *rest = self.kinds.get(words, (0, seed, str(case), fixes))
            self.kinds[words] = (count + 1, *rest)

    def text(self):
        yield f"cases: {self.cases}; every door alike: {self.alike}; {dict(self.breaks)}"
        yield f"answers: {sum(self.asked.values())}; different ones by door: {dict(self.doors)}"
        for reason, count in self.allowed.items():
            yield f"{count:4}  allowed: {reason}"
        yield f"kinds of difference: {len(self.kinds)}, {sum(count for count, *_ in self.kinds.values())} times"
        for words, (count, seed, case, fixes) in sorted(self.kinds.items(), key=lambda item: -item[1][0]):
            yield f"{count:4}  {words}\n      seed {seed}: {case}"
            if fixes:
                yield f"      '{fixes}"


def try_seeds(seeds):
    figures = Figures()
    with tempfile.TemporaryDirectory(prefix="cudnn-checked-doors-") as folder:
        for seed in seeds:
            figures.add(seed, *differences_of(seed, os.path.realpath(folder)))
    return figures


def main(arguments):
    parser = argparse.ArgumentParser(description="One situation, asked at every door.")
    parser.add_argument("--count", type=int, default=200, help="how many seeds (200)")
    parser.add_argument("--seed", type=int, default=1, help="the first one (1)")
    parser.add_argument("--verbose", action="store_true", help="with every answer")
    parser.add_argument("--also", type=int, nargs="*", default=[], help="and these")
    parser.add_argument("--here", action="store_true", help="on this machine as it is")
    parser.add_argument("--json", action="store_true", help="the figures for test_every_door_agrees.py")
    given = parser.parse_args(arguments)
    seeds = [*range(given.seed, given.seed + given.count), *given.also]
    if given.verbose:
        with tempfile.TemporaryDirectory(prefix="cudnn-checked-doors-") as folder:
            for seed in seeds:
                case, asked, found = differences_of(seed, os.path.realpath(folder))
                print(f"== {seed}: {case}")
                for door, answer in asked.answers.items():
                    print(f"-- {door}: {answer}; {dict(answer.fixes)}\n{answer.text}")
                print("\n".join(f"{words} ({reason})" for _, words, _, reason in found))
        return 0
    figures = try_seeds(seeds)
    if given.json:
        print(json.dumps({"kinds": list(figures.kinds), "breaks": list(figures.breaks),
                          "text": list(figures.text()),
                          "not allowed": [one.reason for one in ALLOWED if one.reason not in figures.allowed]}))
    else:
        print("\n".join(figures.text()))
    return 1 if figures.kinds else 0


def command(*arguments):
    """What starts this program where the loader finds no CUDA and no cuDNN of the machine, and a folder for it."""
    folder = tempfile.TemporaryDirectory(prefix="cudnn-checked-etc-")
    start = [sys.executable, str(HERE / "doors.py"), *arguments, "--here"]
    if surroundings.available():
        etc = pathlib.Path(os.path.realpath(folder.name)) / "etc"
        surroundings.make_etc(etc)
        (etc / surroundings.OWN).touch()
        start = [*surroundings.within({"/etc": etc}), *start]
    elif surroundings.has_cuda():
        raise unittest.SkipTest(f"this machine's CUDA cannot be hidden here: {surroundings.why_not()}")
    return start, folder


if __name__ == "__main__":
    if "--here" in sys.argv:
        sys.exit(main(sys.argv[1:]))
    started, kept = command(*sys.argv[1:])
    with kept:
        sys.exit(subprocess.run(started).returncode)
