# SPDX-License-Identifier: BSD-3-Clause
"""Incidents of real people, one row each: what lay where, what they typed, what is found, and that its fix mends it."""

import dataclasses
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import typing
import unittest

import surroundings
from harness import FAILED, first_fix, is_command, kinds, without_notes
from waiting import NOT_YET
from scene import Scene
from support.command_line import cudnn_checked_program
from support.environment import clean_environment

# The line of a message that has its name; what is said of every machine without a GPU, and of every library.
TOLD = re.compile(r"^ *\[([a-z-]+)\]", re.M)
OF_THE_MACHINE = ("driver-missing", "not-stamped", "no-device")


OF_WINDOWS = "It is of Windows: what lay there is not rebuilt; such faults are in windows/test_command_line_on_windows.py, under wine."


@dataclasses.dataclass(frozen=True)
class Incident:
    """What a person met.  Without a scene only its text is explained, and `why` says why."""

    thread: str  # owner/repository#number, or an address
    kind: str  # the class, a heading of docs/incidents.md
    text: str  # the error as people search for it; "" where nothing was said
    was: str  # what lay where and why that fails
    mends: str
    scene: typing.Optional[typing.Callable] = None
    ran: str = ""  # what they typed; it fails, and works when the fix was typed
    says: str = ""  # words of its output, where those of the text are other ones
    works: bool = False  # what they typed reports no error, although something is wrong
    check: str = ""  # what is typed to find out
    finding: str = ""
    finds: str = ""  # words of what is typed to find out, where that finds no fault
    tells: str = ""  # words of the message: which defect it is
    elsewhere: typing.Tuple[str, ...] = ()  # machines, as those of --as, of which nothing is found
    avoids: typing.Optional[typing.Callable] = None  # the scene with a program that does not meet it: nothing is found
    again: str = ""  # what they type when the fix was typed, where that is another line than `ran`
    stays: str = ""  # other defects of the same name, "a|b", that are there before and after
    advice: str = ""  # the reason, where no command is right
    then: str = ""  # what a person does who follows an advice, as a line of sh
    explained: str = ""  # the finding that the text alone leads to, where that is another one; "-": none
    nobody: str = ""  # the reason why nothing that can be seen before would tell
    why: str = ""  # why there is no scene
    heavy: str = ""  # what must be fetched

    @property
    def link(self):
        return self.thread if "://" in self.thread else f"https://github.com/{self.thread.replace('#', '/issues/')}"


@dataclasses.dataclass(frozen=True)
class OnWindows(Incident):
    """Its scene is made of a machine of windows_machine.py.  `ran` is app.exe with the steps of tests/windows/calls.c."""

    mended: typing.Optional[typing.Callable] = None  # what a person does, who is told a fix that is no command of cmd


class NothingFound(AssertionError):
    """It is not wrong, and does not help."""


def without_defects(output, names):
    """Without the messages whose first line ends with one of these, "a|b"."""
    return re.sub(rf"(?ms)^(?:cudnn-checked: \w+|and): [^\n]*: (?:{names or '$.'})\n.*?^  \[[a-z-]+\]\n", "", output)


def lines_of_shell(*lines):
    return "\n".join(f"{line} || exit $?" for line in lines if line)


class Museum(unittest.TestCase):
    """A class has `table`, a tuple of Incident; each row is a test."""

    maxDiff = None
    table = ()

    def __init_subclass__(cls, **more):
        super().__init_subclass__(**more)
        for row in cls.table:
            name = "test_" + re.sub(r"\W+", "_", row.thread.rsplit("github.com/")[-1])
            assert not hasattr(cls, name), row.thread
            setattr(cls, name, lambda self, row=row: self.meet(row))

    @classmethod
    def setUpClass(cls):
        cls.shared = pathlib.Path(os.path.realpath(tempfile.mkdtemp(prefix="cudnn-checked-incident-")))
        cls.addClassCleanup(shutil.rmtree, cls.shared, ignore_errors=True)
        cls.etc = cls.shared / "etc"
        if surroundings.available():
            surroundings.make_etc(cls.etc)

    def meet(self, row):
        for name, part in self.parts(row):
            try:
                part()
            except AssertionError:
                if name not in NOT_YET:
                    raise
            else:
                self.assertNotIn(name, NOT_YET, "it is right now")

    def parts(self, row):
        """What is asserted of a row, of its text and when its scene is made, with names: either can wait."""
        if row.text and (row.explained or row.finding):
            yield f"{row.thread}: text", lambda: self.explain(row)
        if row.scene and not isinstance(row, OnWindows):
            if not self.etc.exists():
                raise unittest.SkipTest(f"/etc cannot be covered here: {surroundings.why_not()}")
            scene = self.made(row.scene)
            self.truth(row, scene)
            if row.check:
                yield row.thread, lambda: self.named(row, scene)
            if row.avoids:
                yield f"{row.thread}: avoided", lambda: self.avoided(row)

    def made(self, parts):
        root = self.shared / "scene"
        shutil.rmtree(root, ignore_errors=True)
        scene = Scene(root, self.etc)
        parts(scene)
        return scene

    def avoided(self, row):
        self.silent(row, self.made(row.avoids), row.check)

    def silent(self, row, scene, check):
        status, output = scene.sh(check)
        self.assertEqual(status, 0, f"{check}\n{output}")
        self.assertNotRegex(without_defects(output, row.stays), rf"\[({row.finding})\]", check)

    def truth(self, row, scene):
        """What they typed does what they met."""
        if not row.ran:
            return
        status, output = scene.sh(row.ran)
        self.assertEqual(status == 0, row.works, f"status {status}:\n{output}")
        if not row.works or row.says:
            self.assertIn(row.says or row.text, re.sub(r"\s+", " ", output))

    def named(self, row, scene):
        """What cudnn-checked finds, and that the first fix of it mends what they met."""
        status, output = scene.sh(row.check)
        shown = f"{row.check}\nstatus {status}:\n{output}"
        if row.finds:
            self.assertEqual(status, 0, shown)
            self.assertIn(row.finds, output)
            self.mended(row, scene, row.then or ":", shown)
            return
        self.assertNotEqual(status, 2, shown)
        told = [name for name in TOLD.findall(output) if name not in OF_THE_MACHINE or name == row.finding]
        if not told:
            raise NothingFound(shown)
        # What refuses comes first; of notes, which refuse nothing, it is one.
        self.assertRegex(" ".join(told if status == 0 else told[:1]), rf"\b({row.finding})\b", shown)
        self.assertIn(row.tells, output)
        for machine in row.elsewhere:
            self.silent(row, scene, re.sub(r"--as \S+", f"--as {machine}", row.check))
        line = first_fix(output, row.finding)
        self.assertIsNotNone(line, shown)
        if row.check.startswith("cudnn-checked ") and not row.check.startswith("cudnn-checked explain"):
            self.assertEqual(kinds(scene.sh(f"{row.check} --json 2>/dev/null")[1], line),
                             {"advice" if row.advice else "command"}, shown)
        self.assertEqual(is_command(scene, line), not row.advice, f"first fix: {line}\n{shown}")
        self.mended(row, scene, row.then if row.advice else line, shown)

    def mended(self, row, scene, line, shown):
        """After the fix, in one shell because it may set a variable, all is well."""
        if not line:
            return
        status, output = scene.sh(f"{line}\n[ $? = 0 ] || exit {FAILED}\n{lines_of_shell(row.again or row.ran, row.check)}\n")
        after = f"{shown}\nfix: {line}\nafter it, status {status}:\n{output}"
        self.assertEqual(status, 0, after)
        # What was an error may leave a note under the same name.
        finding = rf"\[({row.finding or 'no finding'})\]"
        rest = without_notes(output) if re.search(finding, without_notes(shown)) else output
        # That it has no stamp is said of what is ok, too.
        rest = re.sub(r"^cudnn-checked: ok: .*?\[not-stamped\]$", "", rest, flags=re.M | re.S)
        self.assertNotRegex(without_defects(rest, row.stays), rf"{finding}|sh: .*: not found", after)

    def explain(self, row):
        """What is said of the text alone: it is one error, the finding is one of its causes, and each has a sign."""
        log = self.shared / "log"
        log.write_text(row.text + "\n", encoding="utf-8")
        done = subprocess.run([str(cudnn_checked_program()), "explain", "--json", "--text", str(log)],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=clean_environment(self.shared))
        errors = json.loads(done.stdout).get("errors", ())
        causes = {cause["finding"] for error in errors for cause in error["causes"]}
        wanted = row.explained or row.finding
        if wanted == "-":
            self.assertEqual(causes, set(), "the text is explained now")
        elif not causes & set(wanted.split("|")):
            raise (self.failureException if causes else NothingFound)(f"{row.text}\n{causes}, not {wanted}")
        else:
            self.assertEqual(len(errors), 1, row.text)
            self.assertTrue(len(errors[0]["causes"]) == 1 or all(cause["sign"] for cause in errors[0]["causes"]), row.text)
