# SPDX-License-Identifier: BSD-3-Clause
"""What cudnn-checked reports, and where that contradicts the truth."""

import dataclasses
import json
import os
import subprocess

import isolation
from starting import OF_THE_MACHINE


@dataclasses.dataclass(frozen=True)
class Finding:
    name: str
    severity: str
    summary: str

    @property
    def is_alarm(self):
        """Whether it accuses cuDNN: what is reported of the driver and the GPUs is true here or not."""
        return self.severity in ("error", "warning") and self.name not in OF_THE_MACHINE


@dataclasses.dataclass(frozen=True)
class Verdict:
    word: str             # ok, unknown, warning, refused
    sentence: str         # the first line of the text
    findings: tuple
    predicted: frozenset  # real paths of the files of cuDNN that would be taken
    milliseconds: float

    @property
    def alarms(self):
        return [finding for finding in self.findings if finding.is_alarm]

    @property
    def doubts(self):
        """What says that it does not work as it lies.  A library that a preload helps is unknown."""
        return [finding for finding in self.findings
                if finding.severity in ("error", "unknown")
                and finding.name not in OF_THE_MACHINE | {"not-stamped"}]

    def __str__(self):
        names = sorted({finding.name for finding in self.findings if finding.severity != "note"})
        return " ".join([self.word, *(f"[{name}]" for name in names)])


def read_findings(findings):
    return tuple(Finding(f["name"], f["severity"], f["summary"]) for f in findings)


def verify(cli, library, variables, cache, folder):
    command = [cli, "verify", library]
    report = json.loads(isolation.run([*command, "--json"], variables, folder, cache, merged=False).output)
    text = isolation.run(command, variables, folder, cache, merged=False).output
    predicted = {os.path.realpath(f["path"]) for f in report["cudnn"]["files"] if f["path"]}
    return Verdict(report["verdict"], text.split("\n", 1)[0], read_findings(report["findings"]),
                   frozenset(path for path in predicted if os.path.exists(path)),
                   milliseconds_of(command, variables, folder))


def verify_python(cli, module, python, variables, cache, folder):
    """What is reported of a Python that has imported the module."""
    command = [cli, "verify", "--python", module, python]
    report = json.loads(isolation.run([*command, "--json"], variables, folder, cache, merged=False,
                                      timeout=600).output)
    if "error" in report:  # the import fails
        return Verdict("error", report["error"], (), frozenset(), 0)
    predicted = {os.path.realpath(f["path"]) for f in report["cudnn"]["files"] if f["path"]}
    return Verdict(report["verdict"], "", read_findings(report["findings"]), frozenset(predicted), 0)


def milliseconds_of(command, variables, folder):
    """Processor time of the whole process, user and system, the smallest of twenty runs: the machine may
    be busy."""
    def once():
        started = subprocess.Popen(list(map(str, command)), env=variables, cwd=folder,
                                   stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(started.pid, 0)
        started.returncode = os.waitstatus_to_exitcode(status)
        return 1000 * (usage.ru_utime + usage.ru_stime)
    return min(once() for _ in range(20))


@dataclasses.dataclass(frozen=True)
class Diagnosis:
    """doctor's verdict, and what it reports of each cuDNN."""

    word: str
    sets: tuple      # of (library, kind, findings)
    findings: tuple  # of the machine

    @property
    def alarms(self):
        every = [finding for _, _, findings in self.sets for finding in findings]
        return [finding for finding in (*every, *self.findings) if finding.is_alarm]

    def __str__(self):
        return " ".join([self.word, *sorted({f"[{finding.name}]" for finding in self.alarms})])


def doctor(cli, variables, cache, folder):
    report = json.loads(isolation.run([cli, "doctor", "--json"], variables, folder, cache,
                                      merged=False).output)
    sets = tuple((one["library"], one["kind"], read_findings(one["findings"])) for one in report["cudnn"])
    return Diagnosis(report["verdict"], sets, read_findings(report["findings"]))


def contradictions(verdict, truth, accepted=frozenset()):
    """How a verdict on one library contradicts what the loader did with it; empty where it does not."""
    if truth.works:
        found = [f"false alarm: [{alarm.name}] {alarm.summary}" for alarm in verdict.alarms
                 if alarm.severity == "error" or alarm.name not in accepted]
        other = sorted(truth.mapped - verdict.predicted)
        return found + ([f"{len(other)} files not predicted: {other[0]}"] if other else [])
    if verdict.doubts:
        return []
    return [f"passed, but: {truth.failures[0]}"]


def missed(expected, findings):
    """What is wrong if none of the expected findings is there."""
    names = {finding.name for finding in findings}
    if not expected or expected & names:
        return []
    return [f"expected {' or '.join(sorted(expected))}, found {' '.join(sorted(names)) or 'nothing'}"]
