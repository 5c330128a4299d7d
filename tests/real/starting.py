# SPDX-License-Identifier: BSD-3-Clause
"""Starts guarded programs on arrangements of real cuDNNs, and asks cudnn-checked about them first."""

import json
import os
import pathlib
import shutil
import tempfile
import unittest

import isolation
from places import NotHere, link
from programs import programs
from support.environment import built

CLI = built("tool/cli/cudnn-checked")

# What is said of the machine, not of cuDNN: a test here may run with or without a GPU.
OF_THE_MACHINE = {"driver-missing", "driver-too-old", "driver-mismatch", "compat-driver", "no-device",
                  "arch-not-built", "arch-jit-only", "arch-below-cudnn", "arch-above-cudnn", "not-verified"}

# What the guard looks at last: where it refuses a program on the evidence of cuDNN's files, it ends it
# there, and only verify, which ends nothing, goes on to these.
AFTER_THE_FILES = OF_THE_MACHINE | {"dependency-missing", "dependency-mixed"}
# What a guard that refuses for files leaves out: it does say that there is no driver.
LEFT_OUT = AFTER_THE_FILES - {"driver-missing"}


# Both see the same root directory and the same ld.so.cache.
PROCESS = """
/usr/bin/mkfifo "$3.in" "$3.out" || exit 9
"$1" wait < "$3.in" > "$3.out" 2> /dev/null & process=$!
exec 4> "$3.in"
read ready < "$3.out"
"$2" verify --json --pid $process
status=$?
exec 4>&-
wait $process
/bin/rm "$3.in" "$3.out"
exit $status
"""


class OnRealCudnns(unittest.TestCase):
    """`made` has the programs that are built on these releases."""

    maxDiff = None
    built_on = ()

    @classmethod
    def setUpClass(cls):
        reason = isolation.why_not_isolated()
        if reason:
            raise unittest.SkipTest(reason)
        try:
            cls.made = programs(*cls.built_on)
        except NotHere as why:
            raise unittest.SkipTest(str(why))


class Stage:
    """One arrangement in a folder of its own, in which programs are started."""

    def __init__(self, arrangement, made):
        self.arrangement, self.made = arrangement, made
        self.root = pathlib.Path(os.path.realpath(tempfile.mkdtemp(prefix="cudnn-checked-real-")))
        self.cwd = self.root / arrangement.cwd
        self.program = self.root / "bin" / "app"
        try:
            self.place = arrangement.arrange(self.root, made.cuda)
            self.variables = arrangement.environment(self.place)
            self.cache = arrangement.ld_so_cache(self.root, self.place)
        except BaseException:
            self.__exit__()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if not os.environ.get("CUDNN_CHECKED_KEEP_SCRATCH"):
            shutil.rmtree(self.root, ignore_errors=True)

    def put(self, program):
        self.program.unlink(missing_ok=True)
        link(program, self.program)
        self.program.chmod(0o755)

    def run(self, *command, merged=True, **more):
        return isolation.run(command, {**self.variables, **more}, self.cwd, self.cache, merged=merged)

    def start(self, *arguments, **more):
        """Starts the program; returns what it did and the guard's report, if one was written."""
        path = self.root / "report.json"
        path.unlink(missing_ok=True)
        outcome = self.run(self.program, *arguments, CUDNN_CHECKED_REPORT=path, **more)
        report = json.loads(path.read_text()) if path.exists() else None
        return outcome, report

    def verify_process(self):
        """What cudnn-checked says of the program while it waits, whatever its guard says."""
        outcome = self.run("/bin/sh", "-c", PROCESS, "sh", self.program, CLI, self.root / "pipe", merged=False,
                           CUDNN_CHECKED="warn")
        return outcome, json.loads(outcome.output) if outcome.output else None

    def verify(self):
        """What cudnn-checked says of the program, in the same environment."""
        outcome = self.run(CLI, "verify", self.program, "--json", merged=False)
        return outcome, json.loads(outcome.output) if outcome.output else None


def said(report):
    """Names, severities and first lines, worst first."""
    return [(f["name"], f["severity"], f["summary"]) for f in report["findings"]]


def refused_by_files(report):
    return bool(named(report, "error") - AFTER_THE_FILES)


def named(report, severity):
    return {f["name"] for f in report["findings"]
            if f["severity"] == severity and f["name"] not in OF_THE_MACHINE}
