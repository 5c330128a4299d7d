# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of `cudnn-checked sweep` on a GPU share: running it, its report, and what it leaves behind."""
import contextlib
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest

import of_gpu  # noqa: F401 -- before gpu_machine
import gpu_machine
from support.command_line import cudnn_checked_program

SEED = "1"
SECONDS = os.environ.get("CUDNN_CHECKED_SWEEP_SECONDS", "60")
OPERATIONS = {"fwd": "ConvFwd", "dgrad": "ConvBwdData", "wgrad": "ConvBwdFilter"}
RIGHT = ("right", "inexact", "unsupported")
# The engines that were seen to fail on sm_90, by release and operation.
KNOWN = {"9.19.0": {"fwd": {72}, "dgrad": {78}, "wgrad": {69, 70}},
         "9.14.0": {"fwd": {71, 72}, "dgrad": {78}, "wgrad": {69, 70}}}
# What is left behind where nothing is.
NOTHING = {"processes": [], "files": [], "shared memory": [], "MiB": 0}


def program():
    return os.path.realpath(cudnn_checked_program())


def processes(folder):
    """Processes of the command line that were started with TMPDIR=`folder`: number to parent."""
    found = {}
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, ValueError):
            if os.readlink(entry / "exe").removesuffix(" (deleted)") != program():
                continue
            if f"TMPDIR={folder}".encode() in (entry / "environ").read_bytes().split(b"\0"):
                stat = (entry / "stat").read_text(encoding="utf-8")
                found[int(entry.name)] = int(stat.rsplit(")", 1)[1].split()[1])
    return found


def gpu_memory():
    """MiB in use on GPU 0."""
    text = subprocess.run(["nvidia-smi", "--query-gpu=memory.used", "--format=csv,noheader,nounits"],
                          check=True, capture_output=True, text=True).stdout
    return int(text.splitlines()[0])


def shared_memory():
    return set(os.listdir("/dev/shm"))


class Left:
    """What was there before a sweep; what of it is there after it.  Memory counts if the GPU is its alone."""

    def __init__(self, alone=False):
        self.alone = alone
        # cuDNN and the driver keep compiled kernels below HOME; that is theirs.
        self.folder = tempfile.TemporaryDirectory()
        self.memory, self.shared = gpu_memory(), shared_memory()

    def environment(self):
        return {"TMPDIR": self.folder.name}

    def processes(self):
        return processes(self.folder.name)

    def behind(self, seconds=10.0):
        """Processes, files and MiB that are left; they have some time to go."""
        end = time.monotonic() + seconds
        while True:
            # A driver gives the last megabytes of a context back with a delay.
            memory = max(0, gpu_memory() - self.memory) if self.alone else 0
            left = {"processes": sorted(self.processes()), "files": os.listdir(self.folder.name),
                    "shared memory": sorted(shared_memory() - self.shared),
                    "MiB": memory if memory > 16 else 0}
            if not any(left.values()) or time.monotonic() > end:
                return left
            time.sleep(0.25)

    def cleanup(self):
        self.folder.cleanup()


class Started:
    """A sweep that runs, as a terminal starts it: a process group of its own."""

    def __init__(self, directory, *options, alone=False):
        self.left = Left(alone)
        self.command = [program(), "sweep", directory, "--seed", SEED, *options]
        self.process = subprocess.Popen(
            self.command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            cwd=self.left.folder.name, env={**os.environ, **self.left.environment()}, start_new_session=True)

    def workers(self, seconds=60.0):
        """Its workers, once there are some that have had time to begin."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.process.poll() is None:
            found = self.running_workers()
            if len(found) > 1:
                time.sleep(5)
                return [number for number in found if number in self.left.processes()]
            time.sleep(0.1)
        raise AssertionError(f"no workers: {self.finish()}")

    def running_workers(self):
        return [number for number, parent in self.left.processes().items() if parent == self.process.pid]

    def interrupt(self):
        os.killpg(self.process.pid, signal.SIGINT)

    def finish(self, timeout=300):
        """Its exit status, output and errors."""
        out, error = self.process.communicate(timeout=timeout)
        return self.process.returncode, out, error

    def close(self):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.communicate()
        self.left.cleanup()


class Report:
    """The JSON of a sweep."""

    def __init__(self, tree):
        self.tree = tree

    def engines(self, operation):
        return {row["engine"] for row in self.tree["rows"] if row["operation"] == operation}

    def plans(self):
        """(problem, tag, outcome, offers) of every plan that is listed."""
        for problem in self.tree["problems"]:
            for plan in problem["plans"]:
                yield problem["problem"], plan[0], plan[1], plan[4].split()

    def wrong_plans_of_a(self):
        return [(problem, tag, outcome, offers) for problem, tag, outcome, offers in self.plans()
                if outcome not in RIGHT and any(self.is_of_a(offer) for offer in offers)]

    @staticmethod
    def is_of_a(offer):
        return offer[0] == "A" and offer[1:].isdigit()


def blocks(rule, operation, tag):
    """As cudnn-frontend 1.x compares a rule with the tag of a plan (cudnn_frontend_Errata.h)."""
    return (rule["operation"] == OPERATIONS[operation] and
            f"{tag}_".startswith(f"eng{rule['engine']}_") and
            all(knob in tag for knob in rule.get("knob", [])))


def sweep(directory, *options, timeout=300, alone=False):
    """Runs a sweep to its end: status, report, standard error, what is left behind."""
    started = Started(directory, "--json", *options, alone=alone)
    try:
        status, out, error = started.finish(timeout)
        left = started.left.behind()
    finally:
        started.close()
    try:
        report = Report(json.loads(out))
    except ValueError as problem:
        raise AssertionError(f"{started.command}: status {status}, no report: {out}{error}") from problem
    return status, report, error, left


def kept(name):
    """A file of results, if an earlier test of this run wrote it."""
    path = os.path.join(gpu_machine.RESULTS, name) if gpu_machine.RESULTS else ""
    return path if path and os.path.exists(path) else None


def table(report):
    """The rows of a report, for people."""
    tree = report.tree
    counts = tree["counts"]
    lines = [f"cuDNN {tree['machine']['cudnn']} on {tree['machine']['gpu']}: {counts['plans']} plans of "
             f"{counts['problems']} problems in {tree['seconds']:.0f} s, {counts['per_second']} a second; "
             f"wrong {counts['wrong']}, unwritten {counts['unwritten']}, outside {counts['outside']}, "
             f"changing {counts['changing']}, failed {counts['failed']}, died {counts['died']}, "
             f"hung {counts['hung']}, unsupported {counts['unsupported']}"]
    for row in tree["rows"]:
        example = row["example"]
        error = example["relative_error"]
        lines.append(
            f"  {row['operation']:5} engine {row['engine']:3} {row['type']} {row['layout']} {row['reach']:8} "
            f"{row['offered_by'] or '-':12} {row['worst']:9} {row['problems_failed']} of "
            f"{row['problems_computed']} problems; {example['problem']}; {example['plan']}: "
            f"{'inf' if error is None else format(error, '.3g')}")
    return "\n".join(lines)


def scratch(case):
    folder = tempfile.TemporaryDirectory()
    case.addCleanup(folder.cleanup)
    return folder.name


def file_names(install):
    return f"sweep-{install.release}.json", f"errata-{install.release}.json"


def whole_sweep(install):
    """The report of the whole sweep of a cuDNN, its errata file, status and what it left: once a run."""
    report_name, errata_name = file_names(install)
    paths = [kept(name) for name in (report_name, errata_name)]
    if all(paths):
        texts = [open(path, encoding="utf-8").read() for path in paths]
        return Report(json.loads(texts[0])), json.loads(texts[1]), None, None
    with tempfile.TemporaryDirectory() as folder:
        errata = os.path.join(folder, "errata.json")
        status, report, error, left = sweep(
            install.libraries, "--seconds", SECONDS, "--errata", errata, timeout=400, alone=True)
        gpu_machine.keep(f"sweep-{install.release}.txt", f"status {status}\n{table(report)}\n{error}")
        with open(errata, encoding="utf-8") as file:
            text = file.read()
    gpu_machine.keep(report_name, json.dumps(report.tree))
    gpu_machine.keep(errata_name, text)
    print("\n" + table(report), flush=True)
    return report, json.loads(text), status, left


class OnBoth(unittest.TestCase):
    maxDiff = None

    def installs(self):
        found = [install for install in (gpu_machine.python_wheel(), gpu_machine.debian_package()) if install is not None]
        if not found:
            self.skipTest("no cuDNN on this machine")
        return found
