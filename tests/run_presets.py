# SPDX-License-Identifier: BSD-3-Clause
"""usage: run_presets.py [--windows] [--random] [ARGUMENTS of ctest...]

Builds the presets and runs their tests: without ARGUMENTS all of them, and the unit tests once, with both
sanitizers (preset asan).  With ARGUMENTS, those of preset test that they select.  --windows: what tests/windows
starts is built, too.  --random: the entries run in an order of chance, by which a test that depends on another is
found.

A build has steps that are one process (a configure, a link), and the unit tests are one.  So preset asan is built
and run while the others are built behind it, with what it leaves of the cores.  Exit status: 0 passed, 1 not all.
"""

import collections
import contextlib
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import threading
import time

import progress
from home_cache import HOME_CACHE

ROOT = pathlib.Path(__file__).resolve().parents[1]
CORES = len(os.sched_getaffinity(0))
UNIT = "^unit(/world|/judge_alone)?$"
ENTRY = re.compile(r"^\d+/\d+ Testing: (?P<name>.*)$|^CPU: (?P<cpu>[\d.]+) s$|^Test time = +(?P<clock>[\d.]+) sec$",
                   re.MULTILINE)

# cpu is None where it is not known.
Taken = collections.namedtuple("Taken", "name clock cpu")


def say(text, before=""):
    # One write, with the output that the text is about: two threads say something, and a ctest prints.
    clear = progress.CLEAR if sys.stdout.isatty() else ""
    sys.stdout.write(f"{clear}{before}== {text}\n")
    sys.stdout.flush()


def of_builds():
    """The environment of the builds: a compiler cache of their own, where there is ccache.

    From an empty cache a build costs what it costs without; a new clone or build tree costs little then.
    """
    if "CMAKE_CXX_COMPILER_LAUNCHER" in os.environ or not shutil.which("ccache"):
        return os.environ
    return {**os.environ, "CMAKE_C_COMPILER_LAUNCHER": "ccache", "CMAKE_CXX_COMPILER_LAUNCHER": "ccache",
            "CCACHE_DIR": str(HOME_CACHE / "ccache"), "CCACHE_BASEDIR": str(ROOT), "CCACHE_NOHASHDIR": "1"}


def cpu_of(usage):
    return usage.ru_utime + usage.ru_stime


def entries(log, preset):
    """What each test of a LastTest.log took."""
    name = cpu = None
    for found in ENTRY.finditer(log.read_text(encoding="utf-8", errors="replace")):
        if found["name"] is not None:
            name, cpu = found["name"], None
        elif found["cpu"] is not None:
            cpu = float(found["cpu"])
        else:
            yield Taken(f"{preset}: {name}", float(found["clock"]), cpu)


def skipped(log):
    """Lines: the entries that were skipped, wholly or in part, by reason."""
    names, name = collections.defaultdict(list), None
    for line in log.read_text(encoding="utf-8", errors="replace").splitlines():
        found = re.match(r"\d+/\d+ Testing: (.*)", line)
        name = found[1] if found else name
        if line.startswith("skipped: "):
            names[line].append(name)
    return [f"{reason}: {' '.join(names[reason])}" for reason in sorted(names)]


def table(taken):
    """Lines of clock, CPU and name."""
    yield "     clock       CPU"
    for one in taken:
        cpu = "" if one.cpu is None else f"{one.cpu:.1f} s"
        yield f"{one.clock:8.1f} s{cpu:>10}  {one.name}"


class Presets:
    def __init__(self, windows, random, arguments):
        self.windows, self.arguments = windows, arguments
        self.order = ["--schedule-random"] if random else []
        self.parts = []
        self.failed = []  # presets whose tests do not pass
        self.not_built = False

    def run(self, part, command, log=None, nice=0):
        """Runs it, notes what it took, and returns its exit status."""
        began = time.monotonic()
        program = ["nice", "-n", str(nice), *command] if nice else command
        # Of two that run at once one is shown.
        main = threading.current_thread() is threading.main_thread()
        with (progress.shown(lambda: progress.last_line(log)) if log and main else contextlib.nullcontext()), \
                open(log, "ab") if log else open(os.devnull, "rb") as output:
            process = subprocess.Popen(program, cwd=ROOT, env=of_builds() if command[0] == "cmake" else None,
                                       **({"stdout": output, "stderr": output} if log else {}))
            _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.parts.append(Taken(part, time.monotonic() - began, cpu_of(usage)))
        return process.returncode

    def build(self, preset, *targets, nice=0):
        """Configures and builds it; its output is shown where it fails."""
        say(f"preset {preset}: building")
        log = ROOT / "build" / f"{preset}.log"
        log.write_bytes(b"")
        command = ["cmake", "--build", "--preset", preset, "-j", str(CORES)]
        command += [word for target in targets for word in ("--target", target)]
        if (self.run(f"configure {preset}", ["cmake", "--preset", preset], log, nice) == 0
                and self.run(f"build {preset}", command, log, nice) == 0):
            return True
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()[-60:]
        print(*lines, f"dev: error: preset {preset} does not build", f"  All of its output: build/{preset}.log",
              sep="\n", file=sys.stderr, flush=True)
        self.not_built = True
        return False

    def run_asan(self):
        if not self.build("asan"):
            return
        log = ROOT / "build" / "asan_tests.log"
        log.write_bytes(b"")
        say("preset asan: unit tests with AddressSanitizer and UndefinedBehaviorSanitizer")
        status = self.run("run asan", ["ctest", "--preset", "asan", *self.order], log)
        output = ""
        if status != 0:
            self.failed.append("asan")
            output = log.read_text(encoding="utf-8", errors="replace")
        say(f"preset asan: unit tests {'failed' if status else 'passed'} (build/asan_tests.log)", output)

    def run_test(self, *arguments):
        say("preset test: running")
        # Many entries wait for a process that they have started: three of them keep two cores busy.
        at_once = max(3 * CORES // 2, 2)
        if self.run("run test", ["ctest", "--preset", "test", "-j", str(at_once), *self.order, *arguments]) != 0:
            self.failed.append("test")

    def all(self):
        lane = threading.Thread(target=self.run_asan)
        lane.start()
        if (self.build("test", "all_but_unit_tests", nice=10) and (not self.windows or self.build("windows", nice=10))
                and not self.not_built):
            self.run_test("-E", UNIT)
        lane.join()

    def some(self):
        if self.build("test") and (not self.windows or self.build("windows")):
            self.run_test(*self.arguments)

    def report(self):
        """The slowest entries, what each part took, and the whole."""
        slow, reasons = [], []
        for preset in ("asan", "test"):
            log = ROOT / "build" / preset / "Testing" / "Temporary" / "LastTest.log"
            if log.exists() and any(part.name == f"run {preset}" for part in self.parts):
                slow += entries(log, preset)
                reasons += skipped(log)
        slow.sort(key=lambda one: -one.clock)
        say("the slowest entries")
        print(*table(slow[:20]), sep="\n")
        say("builds and runs")
        print(*table(self.parts), sep="\n")
        usage = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        say(f"CPU time of the whole: {sum(map(cpu_of, usage)):.0f} s")
        for line in reasons:
            print(line)
        sys.stdout.flush()
        if self.failed and not self.not_built:
            print(f"dev: error: not all tests passed; presets: {' '.join(sorted(self.failed))}", file=sys.stderr)
        return int(self.not_built or bool(self.failed))


def main(arguments):
    options = {"--windows": False, "--random": False}
    while arguments and arguments[0] in options:
        options[arguments.pop(0)] = True
    (ROOT / "build").mkdir(exist_ok=True)
    presets = Presets(options["--windows"], options["--random"], arguments)
    if arguments:
        presets.some()
    else:
        presets.all()
    return presets.report()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
