# SPDX-License-Identifier: BSD-3-Clause
"""Measures what CuDNNChecked costs on this machine, and prints a Markdown table.

usage: bench.py [--package=DIRECTORY] [CMAKE_ARGUMENT...]     such as -DCuDNNChecked_ROOT=DIRECTORY

DIRECTORY is another working tree, to compare with this one on the same machine.

Times are the smallest of several: the machine's noise only ever adds.  A bar of a few milliseconds of
CMake is held against the processor time.
"""

import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROJECT = ROOT / "tests/bench/project"
COLD_RUNS, WARM_RUNS, PROGRAM_RUNS = 3, 15, 300
REPEATS = 50


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

    def __init__(self, package, folder, checked, arguments):
        self.folder = folder
        self.command = ["cmake", "-S", PROJECT, "-G", "Ninja", f"-DBENCH_CHECKED={checked}",
                        f"-DCuDNNChecked_DIR={package / 'cmake'}", "-DCMAKE_BUILD_TYPE=Release",
                        *arguments]
        self.output = ""

    def cold(self):
        times = []
        for run in range(COLD_RUNS):
            taken, self.output = seconds([*self.command, "-B", self.folder / str(run)])
            times.append(taken)
        return min(times)


def cpu_seconds():
    """Processor time of the programs that have ended: less noisy than the clock where others work."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def warm_configure(*trees):
    """Configures all of them again, in turn so that they meet the same noise: the times of each, of the
    clock and of the processor."""
    for tree in trees:
        seconds(["cmake", tree])
    times = [([], []) for _ in trees]
    for _ in range(WARM_RUNS):
        for tree, (clock, processor) in zip(trees, times):
            before = cpu_seconds()
            clock.append(seconds(["cmake", tree])[0])
            processor.append(cpu_seconds() - before)
    return [(min(clock), min(processor)) for clock, processor in times]


def file_calls(tree):
    """Calls of file() in the module and its parts, in a warm configure."""
    trace = tree / "trace.txt"
    seconds(["cmake", "--trace", f"--trace-redirect={trace}", tree])
    text = trace.read_text(encoding="utf-8", errors="replace")
    return len(re.findall(r"CuDNNChecked[^()]*\.cmake\(\d+\):  file\(", text))


def guard_compilations(tree):
    """How often a build of everything compiles the guard."""
    commands = json.loads(seconds(["ninja", "-t", "compdb"], cwd=tree)[1])
    return sum(c["file"].endswith("guard/linux/guard.cpp") for c in commands)


def kernel_by_hand(package, folder, cache):
    """The command that compiles the probe's kernel for one architecture, and its object."""
    nvcc = re.search(r"^CMAKE_CUDA_COMPILER:\w+=(.*)$", cache, re.M).group(1)
    architecture = re.search(r"^CMAKE_CUDA_ARCHITECTURES:\w+=(.*)$", cache, re.M).group(1)
    code = f"arch=compute_{architecture},code=[compute_{architecture},sm_{architecture}]"
    result = folder / "by_hand_kernel.o"
    return [nvcc, "-gencode", code, "-c", package / "tool/probe/kernel/kernel.cu", "-o", result], result


def probe_by_hand(package, folder, report):
    """Compiles and links the probe and the judge with the compiler's own command lines, and has the judge run
    the probe, as find_package does.  The probe's kernel too, in a project with the CUDA language.  The time of
    the fastest run, and the report of the last."""
    cache = (folder / "0/CMakeCache.txt").read_text(encoding="utf-8")
    compiler = re.search(r"^CMAKE_CXX_COMPILER:\w+=(.*)$", cache, re.M).group(1)
    flags = (folder / "0/build.ninja").read_text(encoding="utf-8")
    includes = re.search(r"^  INCLUDES = (.*)$", flags, re.M).group(1).split()
    cudart = re.search(r"(\S*libcudart\.so\S*)", flags).group(1)
    library = report["cudnn"]["library"]["path"]
    folders = [os.path.dirname(library), os.path.dirname(cudart)]
    program, judge, written = folder / "by_hand", folder / "judge_by_hand", folder / "by_hand.json"
    plain = [compiler, "-std=c++17", "-w", "-g0", "-O0",
             f'-DCUDNN_CHECKED_PACKAGE_VERSION="{report["package"]}"']
    judge_command = [*plain, "-DCUDNN_CHECKED_JUDGE_ALONE", '-DCUDNN_CHECKED_IDENTITY="by hand"',
                     package / "tool/configure/linux/configure.cpp", "-o", judge, "-ldl"]
    compile_command = [*plain, "-fno-fast-math", *includes, package / "tool/probe/linux/probe.cpp", "-o", program,
                       library, cudart, "-ldl", *(f"-Wl,-rpath,{f}" for f in folders)]
    kernel_command = None
    if report["kernel"]:
        kernel_command, kernel = kernel_by_hand(package, folder, cache)
        compile_command += [kernel, "-DCUDNN_CHECKED_PROBE_KERNEL"]
    header = report["cudnn"]["header"]["path"]
    times = []
    for _ in range(COLD_RUNS):
        compiling = seconds(kernel_command)[0] if kernel_command else 0
        compiling += seconds(judge_command)[0] + seconds(compile_command)[0]
        running, _ = seconds([judge, "configure", "judge", f"program={program}", "seconds=60",
                              f"report={written}", f"header={header}"])
        times.append(compiling + running)
    return min(times), json.loads(written.read_text(encoding="utf-8"))


def report_of(output):
    path = re.search(r"^-- bench: report: (.*)$", output, re.M).group(1)
    return json.loads(pathlib.Path(path).read_text(encoding="utf-8"))


def cold_row(what, package, checked, without):
    """The row of the table on a first configure run; the report and the line of it are in `checked`."""
    added = checked.cold() - without.cold()
    by_hand, _ = probe_by_hand(package, checked.folder, report_of(checked.output))
    return (f"configure, cold: added to a project without us{what}", f"{added:.2f} s",
            f"{by_hand:.2f} s: the probe and the judge compiled, linked and run by hand, so {added / by_hand:.2f}",
            "1.25 times", added <= 1.25 * by_hand)


def kernel_row(package, folder, architecture, arguments):
    """The same of a project with the CUDA language, whose compiler also compiles the probe's kernel."""
    given = [*arguments, "-DBENCH_LANGUAGES=CXX;CUDA", f"-DCMAKE_CUDA_ARCHITECTURES={architecture}"]
    checked = Configure(package, folder / "checked-kernel", "ON", given)
    without = Configure(package, folder / "without-kernel", "OFF", given)
    return cold_row(", with the CUDA language", package, checked, without), checked


def kernel_architecture():
    """Of the first GPU; 75 where there is none; empty where there is no nvcc."""
    if not (os.environ.get("CUDACXX") or shutil.which("nvcc")):
        return ""
    if shutil.which("nvidia-smi") is None:
        return "75"
    told = subprocess.run(["nvidia-smi", "--query-gpu=compute_cap", "--format=csv,noheader"],
                          capture_output=True, text=True, check=False).stdout.split()
    return told[0].replace(".", "") if told else "75"


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
                 f"{before} unguarded", "200", after - before <= 200))
    return rows


def program_bytes(program):
    """Bytes of text and data, as size(1) counts them: code, constants, tables, and what the loader reads."""
    text, data = seconds(["size", program])[1].splitlines()[1].split()[:2]
    return int(text) + int(data)


def guard_compile_seconds(tree):
    commands = json.loads(seconds(["ninja", "-t", "compdb"], cwd=tree)[1])
    command = next(c["command"] for c in commands if c["file"].endswith("guard/linux/guard.cpp"))
    return min(seconds(["sh", "-c", command], cwd=tree)[0] for _ in range(COLD_RUNS))


def main(arguments):
    package = ROOT
    if arguments and arguments[0].startswith("--package="):
        package = pathlib.Path(arguments.pop(0).partition("=")[2]).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        checked = Configure(package, folder / "checked", "ON", arguments)
        without = Configure(package, folder / "without", "OFF", arguments)
        cold = [cold_row("", package, checked, without)]
        architecture = kernel_architecture()
        if architecture:
            cold.append(kernel_row(package, folder, architecture, arguments)[0])
        repeated, several = folder / "repeated", folder / "several"
        seconds([*checked.command, "-B", repeated, f"-DBENCH_REPEAT={REPEATS}"])
        seconds([*checked.command, "-B", several, "-DBENCH_DIRECTORIES=ON"])
        warm, warm_without, warm_repeated = warm_configure(
            checked.folder / "0", without.folder / "0", repeated)
        again = [(r - w) / REPEATS for r, w in zip(warm_repeated, warm)]
        calls, compilations = file_calls(checked.folder / "0"), guard_compilations(several)
        line = re.search(r"^-- (cuDNN .*)$", checked.output, re.M).group(1)
        tree = checked.folder / "0"
        seconds(["cmake", "--build", tree])
        start = start_rows(tree)
        added = program_bytes(tree / "guarded") - program_bytes(tree / "plain")
        compiling = guard_compile_seconds(tree)

    print(f"{line}\n")
    print("| what | measured | against | bar | |")
    print("|---|---|---|---|---|")
    failed = False
    for what, measured, against, bar, kept in (
            *cold,
            ("configure, warm: added to a project without us",
             f"{(warm[0] - warm_without[0]) * 1e3:.0f} ms, "
             f"{(warm[1] - warm_without[1]) * 1e3:.0f} ms of processor time; {calls} file() calls",
             f"{warm_without[0] * 1e3:.0f} ms without us", "10 ms",
             warm[1] - warm_without[1] <= 0.010),
            ("the same find_package again in one configure",
             f"{again[0] * 1e3:.1f} ms, {again[1] * 1e3:.1f} ms of processor time", "", "1 ms",
             again[1] <= 0.001),
            ("compilations of the guard in a project with six guarded programs, five of them in "
             "directories of their own", f"{compilations}", "", "1", compilations == 1),
            *start,
            ("text and data of a guarded program: added", f"{added / 1024:.1f} KiB", "", "160 KiB",
             added <= 160 * 1024),
            ("compiling the guard", f"{compiling:.1f} s", "", "3 s", compiling <= 3)):
        failed |= not kept
        print(f"| {what} | {measured} | {against} | {bar} | {'kept' if kept else 'MISSED'} |")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
