# SPDX-License-Identifier: BSD-3-Clause
"""The doors of doors.py: what each of them is asked, and its answer; and what a user of that cuDNN does."""

import dataclasses
import json
import re
import subprocess
import typing

from doors_files import CALLS
from support.command_line import cudnn_checked_program

VERDICTS = {0: "ok", 1: "refused", 3: "unknown", 78: "refused"}
# Of the machine every door speaks where it can see it; doctor once, and not for each user.
OF_MACHINE = {"driver-missing", "driver-too-old", "no-device", "not-stamped"}
# What a whole set is refused for.
OF_RELEASE = {"cudnn-older", "cudnn-major", "cuda-major"}
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
WORK = """\
import ctypes, sys
for module in [__import__(name) for name in sys.argv[1].split(",")]:
    getattr(module, "work", int)()
cudnn = ctypes.CDLL("libcudnn.so.9")
sys.exit(7 if not any(getattr(cudnn, call)() for call in sys.argv[2].split(",")) else 3)
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
    def refuses_machine(self):
        """Nothing but the machine is certain to be an error."""
        return bool(self.told) and self.errors <= OF_MACHINE

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
        verdict = "warning" if re.search("^cudnn[-_]checked: warning", text, re.M) else "ok"
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
        self.case, self.answers = case, {}
        self.works = None  # what a user of it does: the status
        if case.program:
            self.ask_program()
        else:
            self.ask_packages()

    def call(self, *words, program=None, **variables):
        done = subprocess.run([str(word) for word in (program or cudnn_checked_program(), *words)],
                              env={**self.case.environment, **variables}, cwd=self.case.root, stdin=subprocess.DEVNULL,
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
        started = subprocess.Popen([str(w) for w in command], cwd=self.case.root,
                                   env={**self.case.environment, "CUDNN_CHECKED": "warn"},
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
        self.works = self.call("-c", WORK, modules, ",".join(CALLS), program=python)[0]
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
        if case.carrier:
            self.json_door("verify LIBRARY", "verify", case.carrier)
        status, out, err = self.call("verify", case.program)
        self.keep("verify, as text", of_text(status, out + err))
        self.works = self.call("work", program=case.program, CUDNN_CHECKED="off")[0]
        self.pid_door(case.program, "wait")
        self.json_door("doctor", "doctor", case.lib)
        if not case.has_driver:  # the small ones compute nothing
            self.json_door("probe", "probe", "--require", "loaded", case.lib)
        if case.stamped:
            self.text_door("guard", program=case.program)
            if self.answers["guard"].verdict.startswith("status"):
                del self.answers["guard"]  # the loader ends it before
