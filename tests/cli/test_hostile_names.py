# SPDX-License-Identifier: BSD-3-Clause
"""One hostile name in every place where a name, a path, a version or a value is printed.

No place is named here: commands, options and values are those of the program's help, variables those that the
sources read, fields those of the reports, and inputs those of the module's reference.
"""

import copy
import json
import os
import pathlib
import re
import subprocess
import unicodedata

from checked_program import NOT_STAMPED  # noqa: F401  (finds the helpers)
from support import REPOSITORY, bare_cudnn
from support.command_line import cudnn_checked_program
from support.environment import RELEASE, clean_environment
from support.locating import LocatingTest
from support.scratch import ScratchTest

# Line feed, forged lines, ESC, C1, marks of direction, a separator of lines, bytes that are no UTF-8.
HOSTILE = os.fsdecode("a\nforged: ok\r  fix: forged\n  forged [ok]\x1b[2J\x9b31m\u202e\u2066\u2028\u200b".encode()
                      + b"\xff\xc0\xaf\x85") + ".so.9"
# What a program cannot start with, of what glibc's loader prints a bad value itself, and what asks for colours.
UNUSABLE = ("LD_PRELOAD", "LD_AUDIT", "GLIBC_TUNABLES", "CLICOLOR_FORCE")
# Within a column a line may be broken at a space.
FORGED = re.compile(r"(?m)^[^\w\n]{0,8}(fix: )?forged")


def words_of(*arguments):
    return subprocess.run([cudnn_checked_program(), *arguments], capture_output=True, text=True, check=True).stdout


def commands():
    """{command: [(option, whether it has a value)]}, of the help."""
    names = re.findall(r"(?m)^  ([a-z]+) ", words_of("help").partition("\noptions:")[0])
    found = {}
    for name in names:
        options = words_of(name, "--help").partition("\noptions:")[2].partition("\n\n")[0]
        found[name] = [(option, bool(value)) for option, value in
                       re.findall(r"(?m)^  (--[a-z-]+) ?([A-Z=]+)?", options) if option != "--help"]
    return found


def variables():
    """The variables of the environment that the sources read: each quoted name in capitals, and the table."""
    names = set()
    for path in [*(REPOSITORY / "tool").rglob("*.cpp"), *(REPOSITORY / "tool").rglob("*.def"),
                 *(REPOSITORY / "cmake").rglob("*.cmake")]:
        text = path.read_text()
        names |= set(re.findall(r"(?:variable|getenv)\(\"(\w+)\"|\$ENV\{(\w+)\}|CUDNN_HINT\((\w+)\)", text))
    names = {name for row in names for name in row if name}
    return sorted(names | set(re.findall(r'"([A-Z]+(?:_[A-Z]+)+)"', "".join(
        path.read_text() for path in (REPOSITORY / "tool/cli").rglob("*.cpp")))))


class Hostile(ScratchTest):
    def setUp(self):
        super().setUp()
        self.runs = 0

    def assert_clean(self, output, what):
        """Bytes of UTF-8, with no character that a line has not, and no line of the hostile name's own."""
        text = output.decode("utf-8")  # raises where it is none
        odd = {character for character in text if character not in "\n\t" and
               unicodedata.category(character) in ("Cc", "Cf", "Zl", "Zp")}
        self.assertEqual(odd, set(), (what, text))
        self.assertIsNone(FORGED.search(text), (what, text))

    def called(self, *arguments, **environment):
        done = subprocess.run([os.fsencode(str(word)) for word in (cudnn_checked_program(), *arguments)],
                              cwd=self.scratch, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=60, env={
                                  **clean_environment(self.scratch), "PATH": "/nothing",
                                  **{name: os.fsdecode(value) for name, value in environment.items()}})
        self.runs += 1
        self.assertIn(done.returncode, (0, 1, 2, 3, 78), (arguments, done.stderr))
        if "--json" in arguments:
            if done.stdout.startswith(b"{"):
                json.loads(done.stdout)
        else:
            self.assert_clean(done.stdout, (arguments, environment))
        self.assert_clean(done.stderr, (arguments, environment))

    def test_the_hostile_name_is_one(self):
        with self.assertRaises(AssertionError):
            self.assert_clean(b"a\nforged: ok\n", "")
        for raw in (b"\x1b", b"\xc2\x9b", "\u202e".encode(), "\u2028".encode(), b"\r"):
            with self.assertRaises(AssertionError):
                self.assert_clean(raw, "")
        with self.assertRaises(UnicodeDecodeError):
            self.assert_clean(b"\xff", "")

    def test_arguments(self):
        """As a word, as a file, as a directory and as what is in one; as each option, and each option's value."""
        known = commands()
        self.assertGreater(len(known), 9)
        names = {"absent": HOSTILE}
        for kind in ("file", "folder", "cudnn", "report"):
            names[kind] = os.path.join(str(self.scratch), kind, HOSTILE)
            (self.scratch / kind).mkdir()
        pathlib.Path(names["file"]).write_bytes(b"no library\n" + os.fsencode(HOSTILE))
        pathlib.Path(names["folder"]).mkdir()
        (pathlib.Path(names["folder"]) / HOSTILE).write_bytes(b"")
        bare_cudnn(pathlib.Path(names["cudnn"]))
        pathlib.Path(names["report"]).write_text("{\"schema\":1}")
        self.called(HOSTILE)
        for command, options in known.items():
            with self.subTest(command):
                for name in names.values():
                    self.called(command, name)
                    self.called(command, name, name)
                    if command != "help":
                        self.called(command, "--json", name)
                self.called(command, "--" + HOSTILE)
                for option, has_value in options:
                    if option in ("--pid",) and not has_value:
                        continue
                    values = names.values() if has_value else [None]
                    for value in values:
                        self.called(command, option, *([] if value is None else [value]), names["file"])
                        if value is not None:
                            self.called(command, f"{option}={value}")
        self.assertGreater(self.runs, 200)

    def test_variables(self):
        known = variables()
        self.assertGreater(len(known), 40)
        folder = self.scratch / HOSTILE
        bare_cudnn(folder)
        app = self.write("app.txt")
        for begin in range(0, len(known), 6):
            names = [name for name in known[begin:begin + 6] if name not in UNUSABLE]
            for value in (HOSTILE, str(folder)):
                with self.subTest(names=names, value=value):
                    environment = dict.fromkeys(names, value)
                    self.called("doctor", **environment)
                    self.called("verify", app, **environment)

    def packages(self, name, version):
        site = self.scratch / "venv/lib/python3.12/site-packages"
        bare_cudnn(site / "nvidia/cudnn")
        for number, package in enumerate((name, "nvidia_cudnn_cu12", "torch")):
            info = site / f"{package if number else 'odd'}-{number}.dist-info"
            info.mkdir(parents=True)
            (info / "METADATA").write_bytes(os.fsencode(
                f"Name: {name if number == 0 else package}\nVersion: {version}\n"
                f"Requires-Dist: nvidia-cudnn-cu12=={version}\nRequires-Dist: {name}\n"))
            (info / "RECORD").write_bytes(os.fsencode(f"nvidia/cudnn/lib/{name},,\nnvidia/cudnn/lib/libcudnn.so.9,,\n"))
        (site / HOSTILE).mkdir()
        (site / (HOSTILE + ".pth")).write_bytes(os.fsencode(HOSTILE))
        return site

    def test_packages(self):
        one_line = HOSTILE.replace("\n", " ").replace("\r", " ")
        for name, version in ((one_line, one_line), (HOSTILE, HOSTILE)):
            with self.subTest(version=version):
                site = self.packages(name, version)
                for words in (["doctor"], ["doctor", site], ["doctor", self.scratch / "venv"],
                              ["verify", site / "nvidia/cudnn/lib/libcudnn.so.9"], ["inspect", site],
                              ["explain", site / "nvidia/cudnn/lib/libcudnn.so.9"]):
                    self.called(*words, VIRTUAL_ENV=str(self.scratch / "venv"))
                for path in sorted(self.scratch.rglob("*.dist-info")):
                    for file in path.iterdir():
                        file.unlink()
                    path.rmdir()
                for path in sorted(site.glob("*"), reverse=True):
                    path.unlink() if path.is_file() else subprocess.run(["rm", "-rf", path], check=True)

    def reports(self):
        """A report of each kind that a command writes, and of each field one that has the name in it."""
        bare_cudnn(self.scratch / "sdk")
        made = []
        for words in (["doctor", "--json", str(self.scratch / "sdk")], ["inspect", "--json", str(self.scratch / "sdk/lib")]):
            done = subprocess.run([cudnn_checked_program(), *words], cwd=self.scratch, capture_output=True,
                                  env=clean_environment(self.scratch))
            made.append(json.loads(done.stdout))
        # As a guard writes it (docs/report.md).
        made.append({"schema": 1, "package": RELEASE, "verdict": "refused", "level": "loaded", "program": "app",
                     "triple": {"cudnn": "9.14.0", "cuda": "13.0", "architectures": ["sm_90"]},
                     "cudnn": {"header": {"version": "9.14.0", "path": "/h"},
                               "library": {"version": "9.14.0", "path": "/l", "cudart": "13.0"},
                               "files": [{"name": "libcudnn.so.9", "path": "/l", "version": "9.14.0",
                                          "chosen_by": "RUNPATH", "package": "p"}]},
                     "cuda": {"toolkit": "13.0", "runtime": "13.0", "driver": "13.0", "kernel_module": "580"},
                     "devices": [{"index": 0, "uuid": "GPU-1", "name": "H", "architecture": "sm_90"}],
                     "findings": [{"name": "cudnn-older", "severity": "error", "summary": "s", "expected": {"label": "l", "value": "v", "where": "w"},
                                   "found": {"label": "l", "value": "v", "where": "w"}, "because": "b", "fix": ["f"]}],
                     "environment": {"A": "b"}, "escape": None})
        return made

    def with_hostile_fields(self, tree):
        """Copies of the tree: all strings replaced, then each on its own."""
        places = []

        def walk(node, path):
            items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
            for key, value in items:
                if isinstance(value, str):
                    places.append((*path, key))
                walk(value, (*path, key))
        walk(tree, ())
        readable = HOSTILE.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        for chosen in [places, *([place] for place in places[:60])]:
            changed = copy.deepcopy(tree)
            for *path, last in chosen:
                node = changed
                for key in path:
                    node = node[key]
                node[last] = readable
            yield changed

    def test_reports(self):
        for number, tree in enumerate(self.reports()):
            for changed in self.with_hostile_fields(tree):
                report = self.write(f"reports/{HOSTILE}.json", json.dumps(changed))
                whole = self.write("reports/whole.json", json.dumps(tree))
                with self.subTest(number=number, changed=json.dumps(changed)[:200]):
                    self.called("fleet", report, whole, "--expect", "n1")
                    self.called("diff", whole, report)
                    self.called("inspect", report)
        self.called("fleet", self.scratch / "reports", "--expect", HOSTILE)
        self.called("fleet", report, report, "--expect", "5")


class Inputs(LocatingTest):
    """Of the find module: each variable of its reference, and each variable of the environment that it reads."""

    # No word of CMake's own, which prints some values as they are.
    NAME = HOSTILE.replace("\n", "\u2029").encode("utf-8", "surrogateescape").decode("utf-8", "ignore")

    def test_each(self):
        text = (REPOSITORY / "cmake/FindCuDNNChecked.cmake").read_text()
        inputs = re.findall(r"(?m)^``(CuDNNChecked_[A-Z_]+)``", text.partition("Result variables")[0])
        self.assertGreater(len(inputs), 8)
        sdk = bare_cudnn(self.scratch / "sdk")
        for name in [*inputs, "COMPONENTS", "CUDNN_ROOT", "CUDAToolkit_ROOT"]:
            with self.subTest(name):
                if name == "COMPONENTS":
                    self.locate(f"-DCuDNNChecked_ROOT={sdk}", request=f"REQUIRED;COMPONENTS;{self.NAME}")
                else:
                    self.locate(f"-DCuDNNChecked_ROOT={sdk}", f"-D{name}={self.NAME}")
                Hostile.assert_clean(self, self.output.encode(), name)
