# SPDX-License-Identifier: BSD-3-Clause
"""Measures what CuDNNChecked costs on this machine, and prints a Markdown table.

usage: bench.py [CMAKE_ARGUMENT...]     such as -DCuDNNChecked_ROOT=DIRECTORY

Times are the smallest of several: the machine's noise only ever adds.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROJECT = ROOT / "tests/bench/project"
COLD_RUNS, WARM_RUNS, PROGRAM_RUNS = 3, 15, 300


def seconds(command, **options):
    """How long a command takes, and what it printed; it must succeed."""
    begin = time.perf_counter()
    result = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True, check=False, **options)
    taken = time.perf_counter() - begin
    if result.returncode != 0:
        sys.exit(f"bench: error: {' '.join(map(str, command))}\n{result.stdout}")
    return taken, result.stdout


class Configure:
    """Configures the bench project, cold (in a new tree each time) and warm."""

    def __init__(self, folder, checked, arguments):
        self.folder = folder
        self.command = ["cmake", "-S", PROJECT, "-G", "Ninja", f"-DBENCH_CHECKED={checked}",
                        f"-DCuDNNChecked_DIR={ROOT / 'cmake'}", "-DCMAKE_BUILD_TYPE=Release",
                        *arguments]
        self.output = ""

    def cold(self):
        times = []
        for run in range(COLD_RUNS):
            taken, self.output = seconds([*self.command, "-B", self.folder / str(run)])
            times.append(taken)
        return min(times)


def warm_configure(checked, without):
    """Configures both again, in turn so that both meet the same noise."""
    times = {checked: [], without: []}
    for _ in range(WARM_RUNS):
        for project, taken in times.items():
            taken.append(seconds(["cmake", project.folder / "0"])[0])
    return min(times[checked]), min(times[without])


def probe_by_hand(folder, report):
    """Compiles and links the probe with the compiler's own command line, and runs it."""
    cache = (folder / "0/CMakeCache.txt").read_text(encoding="utf-8")
    compiler = re.search(r"^CMAKE_CXX_COMPILER:\w+=(.*)$", cache, re.M).group(1)
    flags = (folder / "0/build.ninja").read_text(encoding="utf-8")
    includes = re.search(r"^  INCLUDES = (.*)$", flags, re.M).group(1).split()
    cudart = re.search(r"(\S*libcudart\.so\S*)", flags).group(1)
    library = report["cudnn"]["library"]["path"]
    folders = [os.path.dirname(library), os.path.dirname(cudart)]
    program = folder / "by_hand"
    compile_command = [compiler, "-std=c++17", "-fno-fast-math", "-w", "-g0", "-O0",
                       f'-DCUDNN_CHECKED_PACKAGE_VERSION="{report["package"]}"', *includes,
                       ROOT / "tool/probe/probe.cpp", "-o", program, library, cudart, "-ldl",
                       *(f"-Wl,-rpath,{f}" for f in folders)]
    header = report["cudnn"]["header"]["path"]
    times = []
    for _ in range(COLD_RUNS):
        compiling, _ = seconds(compile_command)
        running, _ = seconds([program, f"report={folder / 'by_hand.json'}", f"header={header}"])
        times.append(compiling + running)
    return min(times)


def run_seconds(command):
    """How long a program takes from its start to its end.  Without a pipe to read, which is noise."""
    quiet = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    begin = time.perf_counter()
    child = os.posix_spawn(command[0], command, os.environ, file_actions=quiet)
    status = os.waitpid(child, 0)[1]
    taken = time.perf_counter() - begin
    if status != 0:
        sys.exit(f"bench: error: {' '.join(command)}: wait status {status}")
    return taken


def start_up(tree):
    """Fastest start of the program that links cuDNN, that calls cudnnGetVersion() too, and that is guarded
    too; in turn so that all meet the same noise."""
    plain, guarded = str(tree / "plain"), str(tree / "guarded")
    times = {(plain, "without a call"): [], (plain,): [], (guarded,): []}
    for _ in range(PROGRAM_RUNS):
        for command, taken in times.items():
            taken.append(run_seconds(list(command)))
    return [min(taken) for taken in times.values()]


def system_calls(program):
    """How many system calls a run of the program makes; None where they cannot be counted."""
    if shutil.which("strace") is None:
        return None
    with tempfile.NamedTemporaryFile(mode="r", encoding="utf-8", errors="replace") as calls:
        result = subprocess.run(["strace", "-f", "-o", calls.name, str(program)],
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
        if result.returncode != 0:
            return None
        return len(re.findall(r"^\d+ +\w+\(", calls.read(), re.M))


def start_rows(tree):
    """The rows of the table that tell what the guard adds to a start."""
    linked, plain, guarded = start_up(tree)
    added, call = guarded - plain, plain - linked
    rows = [("start of a guarded program: added", f"{added * 1e3:.2f} ms",
             f"{call * 1e3:.2f} ms for one cudnnGetVersion(), so {added / call:.2f}; "
             f"{plain * 1e3:.2f} ms unguarded", "1.2 times", added <= 1.2 * call)]
    before, after = system_calls(tree / "plain"), system_calls(tree / "guarded")
    if before is None or after is None:
        print("bench: system calls are not counted: strace is not installed, or may not trace",
              file=sys.stderr)
        return rows
    rows.append(("system calls of a guarded program: added", f"{after - before}",
                 f"{before} unguarded", "250", after - before <= 250))
    return rows


def text_bytes(objects):
    """Bytes of code and constants, as size(1) counts them.  Of the objects that the guard adds, because
    a program may also hold the standard library."""
    lines = seconds(["size", *objects])[1].splitlines()[1:]
    return sum(int(line.split()[0]) for line in lines)


def guard_compile_seconds(tree):
    commands = json.loads(seconds(["ninja", "-t", "compdb"], cwd=tree)[1])
    command = next(c["command"] for c in commands if c["file"].endswith("guard/guard.cpp"))
    return min(seconds(["sh", "-c", command], cwd=tree)[0] for _ in range(COLD_RUNS))


def main(arguments):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        checked = Configure(folder / "checked", "ON", arguments)
        without = Configure(folder / "without", "OFF", arguments)
        cold, cold_without = checked.cold(), without.cold()
        warm, warm_without = warm_configure(checked, without)
        line = re.search(r"^-- (cuDNN .*)$", checked.output, re.M).group(1)
        path = re.search(r"^-- bench: report: (.*)$", checked.output, re.M).group(1)
        report = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
        by_hand = probe_by_hand(checked.folder, report)
        tree = checked.folder / "0"
        seconds(["cmake", "--build", tree])
        start = start_rows(tree)
        code = text_bytes((tree / "CuDNNChecked").rglob("*.o"))
        compiling = guard_compile_seconds(tree)

    print(f"{line}\n")
    print("| what | measured | against | bar | |")
    print("|---|---|---|---|---|")
    failed = False
    for what, measured, against, bar, kept in (
            ("configure, cold: added to a project without us",
             f"{cold - cold_without:.2f} s",
             f"{by_hand:.2f} s: the probe compiled, linked and run by hand, "
             f"so {(cold - cold_without) / by_hand:.2f}", "1.25 times",
             (cold - cold_without) / by_hand <= 1.25),
            ("configure, warm: added to a project without us",
             f"{(warm - warm_without) * 1e3:.0f} ms", f"{warm_without * 1e3:.0f} ms without us",
             "20 ms", warm - warm_without <= 0.020),
            *start,
            ("code and tables of the guard", f"{code / 1024:.0f} KiB", "", "100 KiB",
             code <= 100 * 1024),
            ("compiling the guard", f"{compiling:.1f} s", "", "5 s", compiling <= 5)):
        failed |= not kept
        print(f"| {what} | {measured} | {against} | {bar} | {'kept' if kept else 'MISSED'} |")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
