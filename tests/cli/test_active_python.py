# SPDX-License-Identifier: BSD-3-Clause
"""The environment that VIRTUAL_ENV names is the one that is looked at, or none is."""

import os
import pathlib
import sys

from checked_program import CalledTest


class ActivePython(CalledTest):
    def python(self, source=None):
        """bin/python of the environment <scratch>/venv."""
        path = self.scratch / "venv/bin/python"
        path.parent.mkdir(parents=True, exist_ok=True)
        if source is None:
            path.symlink_to(os.path.realpath(sys.executable))
        else:
            path.write_text(source)
            path.chmod(0o755)
        return path

    def refused(self, why):
        for command, words in (("doctor", []), ("verify", ["--python", "json"])):
            option = "--python: " if words else ""
            self.assertEqual(
                self.called(command, *words, VIRTUAL_ENV=self.scratch / "venv"),
                (2, "", f"cudnn-checked: error: {command}: {option}VIRTUAL_ENV names <scratch>/venv, and {why}; "
                        "activate another environment, or unset VIRTUAL_ENV\n"))

    def test_an_environment_that_is_not_there(self):
        self.refused("there is no <scratch>/venv/bin/python")

    def test_one_whose_python_this_user_may_not_start(self):
        self.python("").chmod(0o644)
        self.refused("<scratch>/venv/bin/python cannot be started")

    def test_one_whose_python_leads_nowhere(self):
        pathlib.Path(self.python()).unlink()
        (self.scratch / "venv/bin/python").symlink_to("/nonexistent/python3")
        self.refused("<scratch>/venv/bin/python cannot be started")

    def test_one_whose_python_does_not_run(self):
        self.python("#!/bin/sh\nexit 127\n")
        self.assertEqual(
            self.called("doctor", VIRTUAL_ENV=self.scratch / "venv"),
            (2, "", "cudnn-checked: error: doctor: VIRTUAL_ENV names <scratch>/venv, and <scratch>/venv/bin/python "
                    "does not run; activate another environment, or unset VIRTUAL_ENV\n"))

    def test_one_that_runs(self):
        self.python()
        self.assertEqual(self.called("doctor", VIRTUAL_ENV=self.scratch / "venv")[2], "")
