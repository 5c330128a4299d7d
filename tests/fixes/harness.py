# SPDX-License-Identifier: BSD-3-Clause
"""Each message's first fix, typed as it stands: by sh, and then the same check, which is green.

A table of `Fault` has the messages whose first fix is a command, a table of `Advice` those for which no command is
right, with the reason.  A row that is in the wrong table fails.
"""

import dataclasses
import json
import os
import pathlib
import re
import shlex
import shutil
import tempfile
import typing
import unittest

import surroundings
from environments import World, quoted

FIX = r"^ *(?:fix|try): (.*)$"
ASK = "for a command: "
FAILED = 99  # the status of a script whose fix was not successful


@dataclasses.dataclass(frozen=True)
class Fault:
    """One thing that is wrong, and the checks that must say so."""

    name: str
    finding: str  # the name in brackets, or some with | between; of a usage error what it says
    break_it: typing.Callable
    checks: typing.Tuple[str, ...]  # as a person types them
    runs: str = ""  # a part of the command, where another one could be green as well
    no_command: str = ""  # the reason, in a table of advice


def advice(name, finding, break_it, checks, reason):
    """A fault for which no command is right."""
    return Fault(name, finding, break_it, checks, no_command=reason)


def first_fix(output, finding):
    """The first line of the fix of the message that ends in [finding], or None."""
    # The preprocessor prints the lines of a message as errors.
    output = re.sub(r'(?m)^.*#error "(.*)"$', r"\1", output)
    line = re.search(rf"^ *\S.* \[({finding})\]\n *(?:fix|try): (.*)$", output, re.M)
    if line:
        return line.group(2)
    # A row of doctor's names the finding that is told below.
    of_message = rf"^ *\[({finding})\]"
    before = re.split(of_message if re.search(of_message, output, re.M) else rf"\[({finding})\]", output, flags=re.M)[0]
    own = re.split(r"^ *\[[a-z0-9-]+\]", before, flags=re.M)[-1]
    fixes = re.findall(FIX, own, re.M) or re.findall(FIX, before, re.M)
    return fixes[0] if fixes else None


def without_notes(output):
    """The same without the messages that only tell something."""
    return re.sub(r"^cudnn-checked: note: .*?(?=^cudnn-checked: (?!note)|\Z)", "", output, flags=re.MULTILINE | re.DOTALL)


def words_of_command(line):
    """Those behind its variables; none where its quotes do not end."""
    try:
        words = shlex.split(line)
    except ValueError:
        return []
    while words and re.fullmatch(r"[A-Za-z_]\w*=.*", words[0]):
        words.pop(0)
    return words


def is_command(world, line):
    """Whether sh would start something: it accepts the line, and its first word is a command."""
    accepted, _ = world.sh("if false; then " + line + "\nfi")
    words = words_of_command(line)
    known, _ = world.sh(f"command -v {quoted(words[0])}") if words else (1, "")
    return accepted == 0 and known == 0


def kinds(report, line):
    """What the report says of that line of a fix: command or advice."""
    def fixes(tree):
        if isinstance(tree, dict):
            for key, value in tree.items():
                yield from value if key == "fixes" else fixes(value)
        elif isinstance(tree, list):
            for value in tree:
                yield from fixes(value)
    return {fix["kind"] for fix in fixes(json.loads(report)) if fix["text"].replace("\n", "\\x0a") == line}


class FixesTest(unittest.TestCase):
    """A class has the tables `faults` and `without_command`; make_world() gives what is whole, the rows break it."""

    maxDiff = None
    faults = ()
    without_command = ()
    wheels = ()  # of the environment of make_world()

    def __init_subclass__(cls, **more):
        super().__init_subclass__(**more)
        rows = [*cls.faults, *cls.without_command]
        for fault in rows:
            name = "test_" + re.sub(r"\W+", "_", fault.name)
            assert not hasattr(cls, name), fault.name
            setattr(cls, name, lambda self, fault=fault: self.mend(fault))

    @classmethod
    def setUpClass(cls):
        cls.shared = pathlib.Path(os.path.realpath(tempfile.mkdtemp(prefix="cudnn-checked-fixes-")))
        cls.addClassCleanup(shutil.rmtree, cls.shared, ignore_errors=True)
        cls.etc = None
        if surroundings.available():
            cls.etc = cls.shared / "etc"
            surroundings.make_etc(cls.etc)
        elif surroundings.has_cuda():
            raise unittest.SkipTest(f"this machine's CUDA cannot be hidden here: {surroundings.why_not()}")
        # Every command needs its quotes.
        cls.root = cls.shared / "it's a world"
        cls.prepare()

    @classmethod
    def prepare(cls):
        """What all rows of a class use."""

    def setUp(self):
        # One folder for all rows of a class: a program has its path in it.
        shutil.rmtree(self.root, ignore_errors=True)
        self.addCleanup(shutil.rmtree, self.root, ignore_errors=True)

    def make_world(self):
        world = World(self.root, self.etc)
        if self.wheels:
            world.venv(*self.wheels)
        return world

    def is_green(self, fault, status, output):
        return status == 0 and not re.search(rf"\[({fault.finding})\]", output)

    def assert_raised(self, fault, status, output):
        self.assertFalse(self.is_green(fault, status, output), f"nothing is wrong:\n{output}")
        self.assertRegex(output, rf"\[({fault.finding})\]|error: .*({fault.finding})")

    def mend(self, fault):
        world = self.make_world()
        fault.break_it(world)
        fixes = {}
        for check in fault.checks:
            status, output = world.sh(check)
            self.assert_raised(fault, status, output)
            line = first_fix(output, fault.finding)
            self.assertIsNotNone(line, output)
            if line.startswith(ASK):  # a program at its start: verify has the command
                _, output = world.sh(line[len(ASK):])
                line = first_fix(output, fault.finding)
                self.assertIsNotNone(line, output)
            fixes.setdefault(line, []).append((check, output))
            if check.startswith("cudnn-checked "):
                self.assertEqual(kinds(world.sh(f"{check} --json 2>/dev/null")[1], line),
                                 {"advice" if fault.no_command else "command"}, output)
        for line, checks in fixes.items():
            if fault.no_command:
                self.assertFalse(is_command(world, line), f"this is a command: {line}\n{checks[0][1]}")
                continue
            self.assertTrue(is_command(world, line), f"this is no command: {line}\n{checks[0][1]}")
            self.assertIn(fault.runs, line)
            self.run_fix(fault, world, line, checks)

    def run_fix(self, fault, world, line, checks):
        """The fix and the check in one shell, because a fix may change a variable of it."""
        check = "\n".join(f"{text} || exit $?" for text, _ in checks)
        status, output = world.sh(f"{line}\nif [ $? != 0 ]; then exit {FAILED}; fi\n{check}\n")
        before = f"before:\n{checks[0][1]}\nfix: {line}\n"
        self.assertNotEqual(status, FAILED, f"{before}the fix fails:\n{output}")
        # A command within a word may fail without a status.
        self.assertNotRegex(output, r"sh: .*: not found", before)
        # What was an error may leave a note about something else under the same name.
        noted = not re.search(rf"\[({fault.finding})\]", without_notes(checks[0][1]))
        rest = output if noted else without_notes(output)
        self.assertTrue(self.is_green(fault, status, rest), f"{before}after it, status {status}:\n{output}")
