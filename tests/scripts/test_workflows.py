# SPDX-License-Identifier: BSD-3-Clause
"""The files for a hosted CI, as far as they can be tried without one: their form, the names and the syntax of their
commands, and the commands of the action."""

import os
import re
import subprocess
import unittest
import zipfile

from support.environment import RELEASE, REPOSITORY
from support.scratch import ScratchTest

try:
    import yaml
except ImportError:
    yaml = None

FILES = sorted([*REPOSITORY.glob(".github/workflows/*.yml"), *REPOSITORY.glob(".github/actions/*/action.yml")])
README = (REPOSITORY / "README.md").read_text(encoding="utf-8")


def read(path):
    # YAML 1.1 reads the key "on" as true.
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def steps_of(path):
    tree = read(path)
    if "runs" in tree:
        return tree["runs"]["steps"]
    return [step for job in tree["jobs"].values() for step in job["steps"]]


@unittest.skipUnless(yaml, "there is no PyYAML here (python3-yaml)")
class Workflows(ScratchTest):
    def test_the_two_commands_are_the_readme_s(self):
        job = read(REPOSITORY / ".github/workflows/ci.yml")["jobs"]["two_commands"]
        commands = [step["run"] for step in job["steps"] if step.get("run", "").startswith("./")]
        self.assertEqual(commands, re.findall(r"(?m)^    (\./dev \w+) {2,}", README))
        self.assertEqual(len(commands), 2)
        images = job["strategy"]["matrix"]["image"]
        self.assertEqual(len(images), 3)
        for image in images:  # "debian:12" is README's "Debian 12 or 13, or Ubuntu 22.04 or newer"
            name, number = image.split(":")
            self.assertGreaterEqual(float(number), {"debian": 12, "ubuntu": 22.04}[name])

    def test_each_step_runs_or_uses_something(self):
        for path in FILES:
            for step in steps_of(path):
                self.assertEqual(len({"run", "uses"} & set(step)), 1, (path.name, step))
                if "uses" in step:  # a tag can be moved
                    self.assertRegex(step["uses"], r"^[\w-]+/[\w/-]+@[0-9a-f]{40}$")

    def test_each_command_can_be_read_by_its_shell(self):
        for path in FILES:
            for step in steps_of(path):
                done = subprocess.run([step.get("shell", "sh"), "-n"], input=step.get("run", ""), text=True,
                                      capture_output=True)
                self.assertEqual((done.returncode, done.stderr), (0, ""), path)
                # An expression in a script is text that others write; they come as variables.
                self.assertNotIn("${{", step.get("run", ""), path)

    def test_each_script_and_word_is_there(self):
        words = set(re.findall(r"(?m)^  ([a-z]+)(?: \||\))", (REPOSITORY / "dev").read_text(encoding="utf-8")))
        scripts = [name.split() for path in FILES for step in steps_of(path)
                   for name in re.findall(r"(?m)^ *(\./\S+(?: [a-z]+)?)", step.get("run", ""))]
        self.assertGreaterEqual(len(scripts), 4)
        for script, *word in scripts:
            self.assertTrue(os.access(REPOSITORY / script, os.X_OK), script)
            self.assertLessEqual(set(word), words)


@unittest.skipUnless(yaml, "there is no PyYAML here (python3-yaml)")
class Action(ScratchTest):
    """Its steps as the runner starts them, with a package of that name whose program prints what it was asked."""

    PROGRAM = '#!/bin/sh\n[ "$1" != --cmakedir ] || exec echo "/there/cmake"\nprintf "<%s>\\n" "$@"\nexit 1\n'

    def setUp(self):
        super().setUp()
        wheel = self.scratch / "index" / f"cudnn_checked-{RELEASE}-py3-none-any.whl"
        wheel.parent.mkdir()
        record = f"cudnn_checked-{RELEASE}.dist-info"
        with zipfile.ZipFile(wheel, "w") as archive:
            script = zipfile.ZipInfo(f"cudnn_checked-{RELEASE}.data/scripts/cudnn-checked")
            script.external_attr = 0o100755 << 16
            archive.writestr(script, self.PROGRAM)
            archive.writestr(f"{record}/METADATA", f"Metadata-Version: 2.1\nName: cudnn-checked\nVersion: {RELEASE}\n")
            archive.writestr(f"{record}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: py3-none-any\n")
            archive.writestr(f"{record}/RECORD", "")

    def run_step(self, step, inputs, path):
        variables = {"PATH": path, "HOME": self.scratch, "RUNNER_TEMP": self.scratch / "a b", "PIP_NO_INDEX": "1",
                     "PIP_FIND_LINKS": self.scratch / "index", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
        variables |= {f"GITHUB_{name}": self.scratch / name for name in ("PATH", "ENV", "OUTPUT")}
        variables |= {name: inputs[re.fullmatch(r"\$\{\{ inputs\.(\w+) \}\}", value)[1]]
                      for name, value in step["env"].items()}
        return subprocess.run(["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step["run"]], text=True,
                              env={name: str(value) for name, value in variables.items()}, cwd=self.scratch,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def test_its_steps(self):
        tree = read(REPOSITORY / ".github/actions/doctor/action.yml")
        install, doctor = tree["runs"]["steps"]
        (self.scratch / "a b").mkdir()
        for version in ("", RELEASE):
            done = self.run_step(install, {**dict.fromkeys(tree["inputs"], ""), "version": version}, "/usr/bin:/bin")
            self.assertEqual((done.returncode, done.stdout), (0, ""))
        folder = self.scratch / "a b" / "cudnn-checked"
        self.assertEqual((self.scratch / "PATH").read_text(), f"{folder}/path\n" * 2)
        self.assertEqual((self.scratch / "ENV").read_text(), "CuDNNChecked_DIR=/there/cmake\n" * 2)
        self.assertEqual([path.name for path in (folder / "path").iterdir()], ["cudnn-checked"])

        for directory, words in (("", "<doctor>\n"), ("a; b $c", "<doctor>\n<a; b $c>\n")):
            done = self.run_step(doctor, {"version": "", "directory": directory}, f"{folder}/path:/usr/bin:/bin")
            self.assertEqual((done.returncode, done.stdout), (1, words))
            self.assertEqual((folder / "report.json").read_text(), "<--json>\n" + words)
        self.assertEqual((self.scratch / "OUTPUT").read_text(), f"report={folder}/report.json\n" * 2)
        self.assertEqual(tree["outputs"]["report"]["value"], "${{ steps.doctor.outputs.report }}")


class Release(unittest.TestCase):
    def test_the_changelog_begins_with_the_version(self):
        headings = re.findall(r"(?m)^## (.*)", (REPOSITORY / "CHANGELOG.md").read_text(encoding="utf-8"))
        self.assertEqual(headings[0].split(" - ")[0], f"[{RELEASE}]")
