# SPDX-License-Identifier: BSD-3-Clause
"""The pytest plugin of the wheel, by a real pytest: --cudnn-check, the fixture cudnn_report and the marker cudnn."""

import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

from support import clean_environment
from support.python_tools import python_with_tools
from support.wheel import MAKE_WHEEL

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.path.insert(0, str(MAKE_WHEEL.parent))
import make_wheel  # noqa: E402
from test_check import WHEEL, Module, cudnn_checked_program  # noqa: E402

LEAST = """\
def test_it():
    pass
"""
MARKED = """\
import pytest
@pytest.mark.cudnn({})
def test_it():
    pass
"""
STOPPED = "ERROR: --cudnn-check: no test was run\n\n"


class Plugin(Module):
    @classmethod
    def setUpClass(cls):
        cls.pytest_python = python_with_tools()
        super().setUpClass()
        # As pip writes it: pytest finds the plugin by its entry point.
        info = cls.target / f"cudnn_checked-{make_wheel.version()}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(make_wheel.METADATA.format(version=make_wheel.version(), description=""))
        (info / "entry_points.txt").write_text(make_wheel.ENTRY_POINTS)

    def setUp(self):
        super().setUp()
        self.project = self.root / "project"
        self.project.mkdir()
        self.write("test_it.py", LEAST)

    def write(self, name, text):
        (self.project / name).write_text(text)

    def python_of_pytest(self, *words, **environment):
        # pytest-xdist leaves a folder in TMPDIR.
        variables = clean_environment(self.root, PYTHONPATH=":".join(map(str, self.path)), COLUMNS="200", TMPDIR=self.root,
                                      **environment)
        done = subprocess.run([self.pytest_python, *map(str, words)], text=True, cwd=self.project, env=variables,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=100)
        return done.returncode, done.stdout, done.stderr

    def pytest(self, *words, **environment):
        return self.python_of_pytest("-m", "pytest", "-p", "no:cacheprovider", *words, **environment)

    def break_it(self):
        (self.site / WHEEL / "libcudnn_ops.so.9").write_bytes(b"")

    def replace_program(self, text):
        program = self.target / "bin/cudnn-checked"
        program.rename(self.target / "kept")
        self.addCleanup(os.replace, self.target / "kept", program)
        program.write_text("#!/bin/sh\n" + text)
        program.chmod(0o755)

    def answers(self, **trees):
        """A program that prints these objects."""
        lines = []
        for command, tree in trees.items():
            (self.root / f"{command}.json").write_text(json.dumps(tree))
            lines.append(f"[ $1 != {command} ] || exec {shutil.which('cat')} {self.root}/{command}.json\n")
        self.replace_program("".join(lines) + "exit 2\n")


class Check(Plugin):
    def test_it_is_off_by_default(self):
        """What is wrong is not seen, the program may be missing, and of all modules only those of this package are more."""
        self.break_it()
        self.write("test_it.py", """\
import json, pathlib, sys
def test_it():
    pathlib.Path("modules.json").write_text(json.dumps(sorted(sys.modules)))
""")
        self.replace_program("exit 9\n")
        modules = []
        for words in ([], ["-p", "no:cudnn_checked"]):
            status, out, err = self.pytest(*words)
            self.assertEqual((status, err), (0, ""), out)
            self.assertNotIn("cudnn-checked:", out)
            modules.append(set(json.loads((self.project / "modules.json").read_text())))
        self.assertEqual(modules[0] - modules[1],
                         {"cudnn_checked", "cudnn_checked._program", "cudnn_checked.pytest_plugin"})

    def test_a_sound_environment(self):
        status, out, err = self.pytest("--cudnn-check")
        self.assertEqual((status, err), (0, ""), out)
        line = self.python_of_pytest("-m", "cudnn_checked", "doctor")[1].splitlines()[-1]
        self.assertIn(f"\n{line}\n", out)
        self.assertRegex(line, r"^cudnn-checked: ok: \d cuDNNs?, 0 errors, 0 warnings$")

    def test_a_broken_environment(self):
        """The message is whole, and no file of the project was imported."""
        self.break_it()
        self.write("conftest.py", "raise SystemExit('imported')\n")
        status, text, _ = self.python_of_pytest("-m", "cudnn_checked", "doctor")
        self.assertEqual(status, 1)
        self.assertIn("a library of cuDNN is damaged: libcudnn_ops.so.9", text)
        self.assertEqual(self.pytest("--cudnn-check"), (4, "", f"{STOPPED}{text}\n"))
        self.assertEqual(self.pytest("-o", "addopts=--cudnn-check"), (4, "", f"{STOPPED}{text}\n"))

    def test_named_modules(self):
        self.write("pytest.ini", "[pytest]\ncudnn_check_modules = torch\n")
        status, out, err = self.pytest("--cudnn-check")
        self.assertEqual((status, err), (0, ""), out)
        self.assertIn("\ncudnn-checked: ok: torch\n", out)
        self.break_it()
        self.assertEqual(self.pytest()[0], 0)
        text = self.python_of_pytest("-c", "import cudnn_checked; cudnn_checked.check('torch')")[2]
        text = text.partition("cudnn_checked.Refused: ")[2]
        self.assertTrue(text.startswith("cudnn-checked: refused: torch 2.7.1: a library of cuDNN is damaged"), text)
        self.assertEqual(self.pytest("--cudnn-check"), (4, "", f"{STOPPED}{text}\n"))
        self.assertEqual(self.pytest("--cudnn-check", "-o", "cudnn_check_modules=sys tach"),
                         (4, "", f"{STOPPED}No module named 'tach'\n\n"))

    def test_the_escapes(self):
        self.break_it()
        status, out, _ = self.pytest("--cudnn-check", CUDNN_CHECKED="off")
        self.assertEqual(status, 0)
        self.assertIn("\ncudnn-checked: nothing was checked (CUDNN_CHECKED=off)\n", out)
        for words, line in (([], "error: a library of cuDNN is damaged: libcudnn_ops.so.9"), (
                ["-o", "cudnn_check_modules=torch"], "cudnn-checked: warning: torch 2.7.1: a library of cuDNN is damaged")):
            status, out, _ = self.pytest("--cudnn-check", *words, CUDNN_CHECKED="warn")
            self.assertEqual(status, 0, out)
            self.assertRegex(out, f"\n{re.escape(line)}")

    def test_a_program_that_cannot_answer(self):
        self.replace_program("echo 'cudnn-checked: error: doctor: why' >&2\nexit 2\n")
        self.assertEqual(self.pytest("--cudnn-check"), (4, "", f"{STOPPED}cudnn-checked: error: doctor: why\n\n"))

    def test_a_conftest_names_the_plugin(self):
        """It is there only after the hook in which the check is done else."""
        self.write("conftest.py", "pytest_plugins = ['cudnn_checked.pytest_plugin']\n")
        words, variables = ["--cudnn-check"], {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        self.assertEqual(self.pytest(*words, **variables)[0], 0)
        self.break_it()
        status, _, err = self.pytest(*words, **variables)
        self.assertEqual((status, err[:len(STOPPED)]), (4, STOPPED))

    def test_several_processes_check_once(self):
        log = self.root / "log"
        self.replace_program(f'echo "$@" >> {log}\nexec {shlex.quote(str(cudnn_checked_program()))} "$@"\n')
        self.write("test_it.py", LEAST + "def test_more():\n    pass\n")
        status, out, err = self.pytest("--cudnn-check", "-n", "2", "-p", "xdist")
        self.assertEqual((status, err), (0, ""), out)
        self.assertEqual(log.read_text(), "doctor\n")


class FixtureAndMarker(Plugin):
    def test_the_fixture(self):
        self.write("test_it.py", f"""\
def test_it(cudnn_report):
    assert cudnn_report["verdict"] == "ok"
    assert {str(self.site)!r} in [one["directory"] for one in cudnn_report["environments"]]
""")
        status, out, _ = self.pytest()
        self.assertEqual(status, 0, out)

    def outcome(self, arguments, *words):
        """What came of a test with this marker, and the reason."""
        self.write("test_it.py", MARKED.format(arguments))
        status, out, err = self.pytest("-rsE", "--strict-markers", "--tb=short", *words)
        self.assertEqual(err, "")
        reason = re.search(r"(?ms)^SKIPPED \[1\] test_it\.py:2: (.*?)\n=|^_+ ERROR at setup of test_it _+\n(.*?)\n=", out)
        last = out.splitlines()[-1]
        return ("passed" if "1 passed" in last else "skipped" if "1 skipped" in last else "error",
                reason and (reason[1] or reason[2]))

    def test_releases(self):
        directory = self.site / WHEEL
        for version in ("9", "9.5", "9.5.1", "9.1...<10", "9.1...9.5.1"):
            self.assertEqual(self.outcome(f"version={version!r}"), ("passed", None), version)
        self.assertEqual(self.outcome(""), ("passed", None))
        for version in ("9.8", "9.5.2", "10...<11", "9.1...<9.5.1", "9.1...9.5"):
            self.assertEqual(self.outcome(f"version={version!r}"), (
                "skipped", f"cudnn: the test needs {version}; {directory} has 9.5.1"))
        self.assertEqual(self.outcome("version='9.8'", "--cudnn-no-skip"), (
            "error", f"cudnn: the test needs 9.8; {directory} has 9.5.1"))
        self.assertEqual(self.outcome("version='9.5'", "--cudnn-no-skip"), ("passed", None))

    def test_levels(self):
        """The libraries hold nothing but names: no process opens them."""
        kind, reason = self.outcome("level='loaded'")
        self.assertEqual(kind, "error", reason)
        doctor, report = (json.loads(self.python_of_pytest("-m", "cudnn_checked", *words)[1]) for words in (
            ["doctor", "--json"], ["probe", "--json", self.site / WHEEL]))
        report.update(verdict="ok", level="loaded", findings=[{
            "name": "not-verified", "severity": "note", "summary": "no convolution was run: no NVIDIA driver here"}])
        self.answers(doctor=doctor, probe=report)
        self.assertEqual(self.outcome("level='loaded'"), ("passed", None))
        self.assertEqual(self.outcome("level='ran', version='9.5'"), ("skipped", (
            f"cudnn: the test needs level ran; {self.site / WHEEL}: no convolution was run: no NVIDIA driver here")))
        for skipped, why in ((["legacy: why"], "legacy: why"), ([], "nothing was computed")):
            (self.root / "probe.json").write_text(json.dumps({**report, "findings": [], "skipped": skipped}))
            self.assertEqual(self.outcome("level='ran'"), (
                "skipped", f"cudnn: the test needs level ran; {self.site / WHEEL}: {why}"))
        (self.root / "probe.json").write_text(json.dumps({**report, "level": "ran"}))
        self.assertEqual(self.outcome("level='ran'"), ("passed", None))

    def test_a_wrong_cudnn(self):
        """Also where the test would be skipped.  A fix of several errors is there once."""
        self.break_it()
        tree = json.loads(self.python_of_pytest("-m", "cudnn_checked", "doctor", "--json")[1])
        one = next(one for one in tree["cudnn"] if one["directory"] == str(self.site / WHEEL))
        kind, reason = self.outcome("version='9.8'")
        self.assertEqual(kind, "error")
        self.assertTrue(reason.startswith("cudnn: a library of cuDNN is damaged: libcudnn_ops.so.9\n"), reason)
        error = dict(severity="error", fix="type this")
        one["findings"] = [{**error, "name": "a", "summary": "A"}, {"severity": "note", "summary": "no error"},
                           {**error, "name": "b", "summary": "B"}, {**error, "name": "c", "summary": "C", "fix": "and that"}]
        self.answers(doctor=tree)
        self.assertEqual(self.outcome("version='9.8'"), (
            "error", "cudnn: A\ncudnn: B\ncudnn: C\n  fix: type this\n  fix: and that\n  [a] [b] [c]"))

    def test_no_cudnn_and_an_unknown_one(self):
        tree = json.loads(self.python_of_pytest("-m", "cudnn_checked", "doctor", "--json")[1])
        one = next(one for one in tree["cudnn"] if one["directory"] == str(self.site / WHEEL))
        self.answers(doctor={**tree, "cudnn": [], "by_default": {"path": "", "chosen_by": "", "files": []}})
        self.assertEqual(self.outcome(""), ("skipped", "cudnn: this Python has no cuDNN, and the loader finds none"))
        for more in ({}, {"environments": [], "by_default": {"path": one["library"]}}):
            trees = {**tree, "cudnn": [{**one, "version": ""}], **more}
            (self.root / "doctor.json").write_text(json.dumps(trees))
            self.assertEqual(self.outcome("version='9'"), (
                "skipped", f"cudnn: the test needs 9; {self.site / WHEEL} has an unknown release"))
            self.assertEqual(self.outcome(""), ("passed", None))

    def test_wrong_use(self):
        for arguments, message in (
                ("'9.8'", "pytest.mark.cudnn takes level= and version="),
                ("least='9.8'", "pytest.mark.cudnn takes level= and version="),
                ("level='linked'", "pytest.mark.cudnn: level is located, loaded or ran, not 'linked'"),
                ("version='9.x'", "pytest.mark.cudnn: version is a release or a range, 9.8 or 9.8...<9.20, not '9.x'")):
            self.assertEqual(self.outcome(arguments), ("error", message))
