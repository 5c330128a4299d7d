# SPDX-License-Identifier: BSD-3-Clause
"""One situation, asked at every door: python3 tests/fixes/doors.py [--count N] [--seed S] [--verbose]

doctor, verify, run, the module's check() and verify --pid are asked about the same files; verdict, names of errors and
first fix are compared.  Each kind of difference is one line, with how often it came and a seed.  CUDNN_CHECKED_CLI
names another command line, of an older state for example.
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
sys.path[:0] = [folder for folder in (str(HERE), str(HERE.parent)) if folder not in sys.path]

import surroundings  # noqa: E402
from doors_cases import Case  # noqa: E402
from support.command_line import cudnn_checked_program  # noqa: E402

VERDICTS = {0: "ok", 1: "refused", 3: "unknown", 78: "refused"}
# Of the machine every door speaks where it can see it; doctor once, and not for each user.
OF_MACHINE = {"driver-missing", "driver-too-old", "no-device", "not-stamped"}
STARTED = 7
CHECK = """\
import sys
import cudnn_checked
for name in sys.argv[1].split(","):
    if name: __import__(name)
try:
    cudnn_checked.check(*sys.argv[2].split(","))
except cudnn_checked.Refused as wrong:
    print(wrong, file=sys.stderr)
    sys.exit(78)
except cudnn_checked.Failed as wrong:
    print("FAILED", wrong, file=sys.stderr)
    sys.exit(2)
"""
WAIT = """\
import sys
for name in sys.argv[1].split(","): __import__(name)
print("ready", flush=True)
sys.stdin.read()
"""


@dataclasses.dataclass(frozen=True)
class Answer:
    """What a door says.  A text names warnings, too: what is certain to be an error is in `errors`."""

    verdict: str
    errors: typing.FrozenSet[str] = frozenset()
    named: typing.FrozenSet[str] = frozenset()
    fixes: typing.Tuple[typing.Tuple[str, str], ...] = ()  # of each name the first one
    text: str = ""
    notes: typing.FrozenSet[str] = frozenset()
    about: typing.Tuple[str, ...] = ()  # the summaries of the errors

    @property
    def told(self):
        return self.errors | self.named

    @property
    def of_machine(self):
        """Nothing but the machine refuses it."""
        return bool(self.told) and self.told <= OF_MACHINE

    def __str__(self):
        return f"{self.verdict} [{' '.join(sorted(self.errors or self.named))}]"


def messages(text):
    """Of each message of a text its names and its first fix."""
    found, fix = [], None
    for line in text.splitlines():
        if fix is None and re.match(r" *(fix|try): ", line):
            fix = re.sub(r"^ *(fix|try): ", "", line)
        elif re.match(r" *\[[a-z-]+\]", line):
            found.append((re.findall(r"\[([a-z-]+)\]", line), fix or ""))
            fix = None
    return found


def of_text(status, text):
    """The answer of a door that writes for people: status 78, or a program that was started."""
    found = messages(text)
    named = frozenset(name for names, _ in found for name in names) - {"not-stamped"}
    verdict = VERDICTS.get(status, f"status {status}")
    if status in (0, STARTED):
        verdict = "warning" if "cudnn-checked: warning" in text else "ok"
    if status == STARTED and text.startswith("cudnn-checked: note: "):
        verdict = "unknown"
    fixes = {}
    for names, fix in found:
        for name in names:
            fixes.setdefault(name, fix)
    return Answer(verdict, frozenset(), named, tuple(fixes.items()), text, named)


def findings_in(tree):
    """The findings of a report, and those of doctor's installs and users."""
    if isinstance(tree, dict):
        if "severity" in tree and "name" in tree:
            yield tree
        else:
            for value in tree.values():
                yield from findings_in(value)
    elif isinstance(tree, list):
        for value in tree:
            yield from findings_in(value)


def of_json(status, out, err):
    try:
        tree = json.loads(out)
    except ValueError:
        return of_text(status, out + err)
    if "error" in tree and "findings" not in tree:
        return None
    # What doctor has tried is told below, and with each user once more.
    found = list(findings_in([tree.get("findings", []), tree]))
    errors = [f for f in found if f["severity"] == "error"]
    fixes = {}
    for f in errors:
        fixes.setdefault(f["name"], "".join(fix["text"] for fix in f.get("fixes", [])[:1]))
    verdict = tree.get("verdict") or VERDICTS.get(status, f"status {status}")
    if verdict in ("ok", "warning") and status == 0:
        verdict = "warning" if any(f["severity"] == "warning" for f in found) else "ok"
    return Answer(verdict, frozenset(f["name"] for f in errors),
                  frozenset(f["name"] for f in found if f["severity"] in ("error", "warning")) - {"not-stamped"},
                  tuple(fixes.items()), out, frozenset(f["name"] for f in found) - {"not-stamped"},
                  tuple(f["summary"] for f in errors))


class Asked:
    """The doors of one case; `answers` has those that could be asked."""

    def __init__(self, case):
        self.case, self.answers, self.outputs = case, {}, {}
        if case.program:
            self.ask_program()
        else:
            self.ask_packages()

    def call(self, *words, program=None):
        done = subprocess.run([str(word) for word in (program or cudnn_checked_program(), *words)],
                              env=self.case.environment, cwd=self.case.root, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60)
        return done.returncode, done.stdout, done.stderr

    def keep(self, door, answer):
        self.answers[door] = answer

    def json_door(self, door, *words):
        answer = of_json(*self.call(words[0], "--json", *words[1:]))
        if answer is None:  # an import that fails: what is wrong with its libraries is in the text alone
            status, out, err = self.call(*words)
            answer = of_text(status, out + err)
        self.keep(door, answer)

    def text_door(self, door, *words, program=None):
        status, _, err = self.call(*words, program=program)
        self.keep(door, of_text(status, err))

    def pid_door(self, *command):
        started = subprocess.Popen([str(w) for w in command], env=self.case.environment, cwd=self.case.root,
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        try:
            if started.stdout.readline():
                self.json_door("verify --pid", "verify", "--pid", started.pid)
        finally:
            started.communicate(timeout=60)

    def ask_packages(self):
        case = self.case
        names = [one.name for one in case.packages]
        modules, python = ",".join(names), case.venv / "bin" / "python"
        self.json_door("verify --python", "verify", "--python", modules, case.venv)
        self.json_door("doctor", "doctor", *dict.fromkeys(one.site for one in case.packages))
        self.text_door("run --python", "run", "--python", modules, "--", python, "-c", f"raise SystemExit({STARTED})")
        self.text_door("check()", "-c", CHECK, "", modules, program=python)
        if len(names) == 1:
            self.json_door("verify LIBRARY", "verify", case.packages[0].library)
        self.pid_door(python, "-c", WAIT, modules)
        if "verify --pid" in self.answers:
            # It is in memory already.
            self.text_door("check() after its import", "-c", CHECK, modules, modules, program=python)
            if len(names) == 2:
                self.text_door("check() after another import", "-c", CHECK, names[0], names[1], program=python)

    def ask_program(self):
        case = self.case
        self.json_door("verify", "verify", case.program)
        self.text_door("run", "run", "--", case.program)
        status, out, err = self.call("verify", case.program)
        self.keep("verify, as text", of_text(status, out + err))
        self.pid_door(case.program, "wait")
        self.json_door("doctor", "doctor", case.lib)


@dataclasses.dataclass(frozen=True)
class Allowed:
    """A difference that a door's nature makes, and why."""

    door: str  # a regular expression
    when: typing.Callable  # (case, reference, answer)
    reason: str


def of_set(names):
    """Those that are about the files of a cuDNN, not about who uses it."""
    return {n for n in names if re.match(r"mixed|not-of|library|sublibrary|record|wrong-machine", n)}


# What is seen by one door only.
ONLY = {"doctor": ({"header-library-mismatch", "headers-missing", "library-missing", "record-differs"},
                   "doctor compares headers, and every record with the files")}
ALLOWED = (
    Allowed("doctor", lambda case, reference, answer: case.program and (
                of_set(reference.errors) <= answer.told or "LD_LIBRARY_PATH" in case.break_name),
            "doctor is asked of a directory: what a program asks for, and what leads it elsewhere, is not known"),
    Allowed("doctor", lambda case, reference, answer: answer.verdict == "refused" and reference.verdict == "warning"
            and answer.errors == {"mixed-sublibraries"} <= reference.told,
            "doctor judges an install for who builds with it: every mix is an error"),
    Allowed("doctor|run --python|check.*|verify LIBRARY",
            lambda case, reference, answer: reference.verdict == "refused" and "driver-missing" in reference.told
            and not reference.errors and answer.verdict in ("ok", "warning")
            and reference.told - OF_MACHINE <= answer.told,
            "drivers are not checked: a package may compute on the CPU"),
    Allowed("check.. after another import", lambda case, reference, answer: any(
                f"lib{case.packages[0].name}.so" in text for text in reference.about),
            "check() was asked about the second package alone"),
    Allowed("run", lambda case, reference, answer: case.stamped and reference.verdict == "warning",
            "run leaves to the guard in the program what that will say"),
    Allowed("doctor", lambda case, reference, answer: len(case.packages) == 2 and case.pythonpath,
            "doctor is asked of two directories: the order of import is not known"),
    Allowed("doctor|run --python|check.*|verify .*",
            lambda case, reference, answer: any(p.lazy for p in case.packages) and (
                len(case.packages) == 2 or "unknown" in (reference.verdict, answer.verdict)),
            "whether a package loads its library at once is known to who imports it alone"),
)


# Kinds of difference that nobody has mended yet: the beginnings of their lines.
NOT_YET = ("doctor: another first fix of ",
           "doctor: warning [dependency-missing], and verify --python: refused [dependency-missing]")


def reference_of(case):
    return "verify" if case.program else "verify --python"


def difference(case, reference, door, answer):
    """The words of a difference; None where there is none."""
    who = reference_of(case)
    if answer.verdict != reference.verdict:
        return f"{door}: {answer}, and {who}: {reference}"
    if door == "verify, as text" and reference.verdict == "ok" and case.stamped and answer.notes != reference.notes:
        return f"{door} has other notes: {' '.join(sorted(answer.notes ^ reference.notes))}"
    if reference.verdict != "refused":
        return None
    # A text has warnings as well.
    surely = (reference.errors or reference.told) - OF_MACHINE
    maybe = answer.told - OF_MACHINE
    only = ONLY.get(door, (set(),))[0]
    if not surely and answer.of_machine:
        return None
    if not surely & maybe or not surely <= maybe or not answer.errors - OF_MACHINE - only <= reference.told:
        return f"{door} names {' '.join(sorted(maybe))}, and {who} {' '.join(sorted(surely))}"
    for name, fix in reference.fixes:
        other = dict(answer.fixes).get(name, fix)
        if name in surely and other != fix:
            return f"{door}: another first fix of {name}: {fix!r} and {other!r}"
    return None


def why_allowed(case, reference, door, answer):
    return next((one.reason for one in ALLOWED
                 if re.fullmatch(one.door, door) and one.when(case, reference, answer)), None)


def differences_of(seed, folder):
    """The case of a seed, and the differences between the answers of its doors."""
    root = pathlib.Path(folder) / str(seed)
    try:
        case = Case(seed, root)
        asked = Asked(case)
        reference = asked.answers[reference_of(case)]
        found = []
        for door, answer in asked.answers.items():
            words = difference(case, reference, door, answer) if door != reference_of(case) else None
            if words:
                words, _, fixes = words.replace(str(root), "ROOT").partition(": '")
                found.append((door, words, fixes, why_allowed(case, reference, door, answer)))
        return case, asked, found
    finally:
        shutil.rmtree(root, ignore_errors=True)


def is_new(words):
    return not words.startswith(NOT_YET)


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
        yield f"kinds of difference that wait: {sum(not is_new(words) for words in self.kinds)}"
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
    parser.add_argument("--json", action="store_true", help="the figures for test_doors.py")
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
        print(json.dumps({"kinds": list(filter(is_new, figures.kinds)), "breaks": list(figures.breaks),
                          "text": list(figures.text()), "not allowed": [one.reason for one in ALLOWED if one.reason not in figures.allowed]}))
    else:
        print("\n".join(figures.text()))
    return 1 if any(map(is_new, figures.kinds)) else 0


def command(*arguments):
    """What starts this program where the loader finds no CUDA and no cuDNN of the machine, and a folder for it."""
    folder = tempfile.TemporaryDirectory(prefix="cudnn-checked-etc-")
    start = [sys.executable, str(HERE / "doors.py"), *arguments, "--here"]
    if surroundings.available():
        etc = pathlib.Path(os.path.realpath(folder.name)) / "etc"
        surroundings.make_etc(etc)
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
