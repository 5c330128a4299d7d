# SPDX-License-Identifier: BSD-3-Clause
"""A guarded program, and cudnn-checked to look at it from outside."""

import re
import json
import pathlib
import subprocess
import sys

from support.command_line import cudnn_checked_program
from support.environment import clean_environment, compiler
from support.output import relative_output
from support.scratch import ScratchTest
from support.schema import check_output
from support.simulated_sdk import simulated_sdk

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "guard"))
from guarded_program import GuardedProgram  # noqa: E402


def call(*arguments, home, **environment):
    """Runs cudnn-checked; returns status, standard output and standard error.  JSON is held against
    the schema of docs/schema."""
    done = subprocess.run([str(cudnn_checked_program()), *map(str, arguments)], cwd=home, timeout=60,
                          env=clean_environment(home, **environment), stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)
    check_output(arguments, done.returncode, done.stdout.decode())
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def compiled(path, source, *arguments, language="CXX"):
    """Makes that file of a text, with these arguments behind it, and returns its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run([compiler(language), "-o", path, "-x", "c" if language == "C" else "c++", "-", "-x", "none",
                    *map(str, arguments)], input=source, text=True, check=True)
    return path


class CalledTest(ScratchTest):
    """`self.called(...)`: the program in a scratch directory, whose path is shown as <scratch>."""

    def called(self, *arguments, **environment):
        status, *texts = call(*arguments, home=self.scratch, **environment)
        return (status, *(relative_output(text, scratch=self.scratch) for text in texts))

    def sdk(self, name="sdk", **options):
        return simulated_sdk(**options).copy(self.scratch / name)


def messages(text):
    """Of each message of a text its names and its first fix."""
    found, fix = [], None
    for line in text.splitlines():
        if fix is None and re.match("  (fix|try): ", line):
            fix = line[7:]
        elif line.startswith("  ["):
            found.append((line.strip(), fix))
            fix = None
    return found


NOT_STAMPED = ("[not-stamped]", "nothing")


def without_fixes(text):
    return re.sub(r"(?m)^ +(?:fix|or|try): .*\n", "", text)


class CheckedProgram(GuardedProgram):
    """`self.checked("verify", program)` in the environment in which self.start() starts it."""

    @property
    def app_path(self):
        return self.app.path("app")

    def checked(self, *arguments, libraries=(), driver=True, **environment):
        path = [str(directory) for directory in libraries]
        if driver:
            path.append(self.built_on.environment["LD_LIBRARY_PATH"])
        if path:
            environment["LD_LIBRARY_PATH"] = ":".join(path)
        status, out, err = call(*arguments, home=self.shared, **environment)
        return status, self.relative(out), self.relative(err)

    def relative(self, text):
        return relative_output(text, scratch=self.scratch, shared=self.shared)

    def compile(self, name, source, *arguments):
        return compiled(self.scratch / name, source, *arguments)

    def verify(self, *libraries, program=None, **more):
        """Status and standard output of verify; there is nothing on standard error."""
        status, out, err = self.checked("verify", program or self.app_path, libraries=libraries,
                                        **more)
        self.assertEqual(err, "")
        return status, out

    def verify_json(self, *libraries, **more):
        status, out, err = self.checked("verify", "--json", self.app_path, libraries=libraries,
                                        **more)
        self.assertEqual(err, "")
        return status, json.loads(out)

    def assert_same_as_guard(self, *libraries, **environment):
        """verify says what the guard says, word by word but for the fixes, of which it tries more, and refuses what
        it refuses."""
        guard_status, guard = self.start(*libraries, **environment)
        status, out = self.verify(*libraries, **environment)
        self.assertEqual(status == 1, guard_status == 78, guard + out)
        guard = guard.replace("cudnn_checked: ", "cudnn-checked: ")
        said = guard.split("  override:")[0] if guard_status == 78 else guard.split("main runs")[0]
        if said:
            self.assertTrue(without_fixes(out).startswith(without_fixes(said)), guard + out)
        else:
            self.assertIn(status, (0, 3), out)
        return status, out
