# SPDX-License-Identifier: BSD-3-Clause
"""Measures how memory and time of the command line grow with what it looks at, and prints a Markdown table.

usage: growth.py PROGRAM [CASE...]     PROGRAM: cudnn-checked; CASE: a part of a row's name, all rows without one

Each row is run with 250, 500, 1,000 and 2,000 of what it names.  Memory is the peak of the process and of those
that it has waited for.  The bar: 64 MB and 2 s at 1,000, and at most 2.5 times as much for twice as many.
"""

import csv
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile

SIZES = (250, 500, 1000, 2000)
BAR_AT, BAR_MEGABYTES, BAR_SECONDS, BAR_RATIO = 1000, 64, 2.0, 2.5
# Below these the ratio is that of noise, and of what a start costs.
LEAST_MEGABYTES, LEAST_SECONDS = 24, 0.1
LIMIT_SECONDS = 30
# malloc keeps what it was given: a page that it gives back and takes again would count twice.
MALLOC = {"MALLOC_TRIM_THRESHOLD_": str(1 << 30), "MALLOC_MMAP_THRESHOLD_": str(1 << 25)}
RELEASE, CUDA_MAJOR = "9.14.0.64", "13"
ROOT = pathlib.Path(__file__).resolve().parents[2]


def build_ids():
    """The names and build ids of the libraries of one real cuDNN."""
    with open(ROOT / "tool/data/catalogue/build_ids.csv", encoding="utf-8", newline="") as table:
        return {row["file"]: row["build_id"] for row in csv.DictReader(table)
                if (row["cudnn"], row["cuda_major"], row["set"]) == (RELEASE, CUDA_MAJOR, "full")}


class Machine:
    """What all rows share: libraries that have the names and build ids of a whole cuDNN, and a program that takes
    them by its run path."""

    def __init__(self, folder):
        self.folder = folder
        self.cudnn = folder / "cudnn"
        self.cudnn.mkdir()
        self.unknown = folder / "unknown"
        self.unknown.mkdir()
        for name, build_id in build_ids().items():
            self.library(self.cudnn / name, build_id)
            self.library(self.unknown / name, build_id[::-1])
        # A Python that has no packages of its own: those of the machine are not what is measured.
        (folder / "bin").mkdir()
        python = folder / "bin/python3"
        python.write_text(f'#!/bin/sh\nexec {sys.executable} -S "$@"\n', encoding="utf-8")
        python.chmod(0o755)
        self.program = folder / "app"
        self.compile(self.program, "int main(void) { return 0; }", "-Wl,--no-as-needed", "-l:libcudnn.so.9",
                     f"-L{self.cudnn}", f"-Wl,-rpath,{self.cudnn}")

    def library(self, path, build_id):
        self.compile(path, "int cudnn_part;", "-shared", "-nostdlib", f"-Wl,-soname,{path.name}",
                     f"-Wl,--build-id=0x{build_id}", "-Wl,-rpath,$ORIGIN")

    def compile(self, target, text, *options):
        source = self.folder / "source.c"
        source.write_text(text + "\n", encoding="utf-8")
        subprocess.run(["cc", "-fPIC", str(source), "-o", str(target), *options], check=True)

    def take(self, directory, names=None, source=None):
        """Hard links to libraries of the cuDNN, all of them or some."""
        directory.mkdir(parents=True)
        for file in (source or self.cudnn).iterdir():
            if names is None or file.name in names:
                os.link(file, directory / file.name)

    def environment(self, directory, names=None):
        """A virtual environment that has nvidia-cudnn-cu13 and a package that requires it."""
        site = directory / "lib/python3.11/site-packages"
        self.packages(site, names)
        (directory / "pyvenv.cfg").write_text("version = 3.11.2\n", encoding="utf-8")
        return directory

    def packages(self, site, names=None):
        libraries = site / "nvidia/cudnn/lib"
        self.take(libraries, names)
        for package, lines in {f"nvidia_cudnn_cu13-{RELEASE}": [], "acme-1.0": [
                f"Requires-Dist: nvidia-cudnn-cu13=={RELEASE}"]}.items():
            info = site / f"{package}.dist-info"
            info.mkdir()
            name, number = package.replace("_", "-").rsplit("-", 1)
            text = "\n".join(["Metadata-Version: 2.1", f"Name: {name}", f"Version: {number}", *lines, ""])
            (info / "METADATA").write_text(text, encoding="utf-8")
            recorded = [] if lines else [f"{f.relative_to(site)},,{f.stat().st_size}" for f in libraries.iterdir()]
            (info / "RECORD").write_text("\n".join([*recorded, ""]), encoding="utf-8")


def directories(folder, count, make):
    made = [folder / f"d{i}" for i in range(count)]
    for directory in made:
        make(directory)
    return made


def path_list(paths):
    return ":".join(map(str, paths))


def empty(_machine):
    return lambda directory: directory.mkdir()


def absent(_machine):
    return lambda directory: None


def whole(machine):
    return machine.take


def one_library(machine):
    """Of another release than the program's: commands are looked for that take it out of the way."""
    return lambda directory: machine.take(directory, ["libcudnn_ops.so.9"], machine.unknown)


def in_library_path(words, content):
    """The command, with that many directories in LD_LIBRARY_PATH."""
    def arrange(machine, folder, count):
        paths = directories(folder, count, content(machine))
        return words(machine), {"LD_LIBRARY_PATH": path_list(paths)}
    return arrange


def one_directory(words, content):
    """The same with one directory, named that often."""
    def arrange(machine, folder, count):
        paths = directories(folder, 1, content(machine))
        return words(machine), {"LD_LIBRARY_PATH": path_list(paths * count)}
    return arrange


def with_tokens(words, entry):
    """That many entries of LD_LIBRARY_PATH with dynamic string tokens, which lead nowhere; {} is the number of each."""
    def arrange(machine, _folder, count):
        return words(machine), {"LD_LIBRARY_PATH": ":".join(entry.replace("{}", str(i)) for i in range(count))}
    return arrange


def odd_names(words, known=True):
    """A directory with a whole cuDNN, of a release that is known or not, and that many names that are of none."""
    def arrange(machine, folder, count):
        odd = folder / "odd"
        machine.take(odd, source=machine.cudnn if known else machine.unknown)
        for i in range(count):
            os.link(machine.cudnn / "libcudnn_ops.so.9", odd / f"libcudnn_odd{i}.so.9")
        return words(machine, odd), {"LD_LIBRARY_PATH": str(odd)}
    return arrange


def programs(machine, folder, count):
    paths = [folder / f"app{i}" for i in range(count)]
    for path in paths:
        os.link(machine.program, path)
    return ["verify", *map(str, paths)], {}


def environments(content):
    def arrange(machine, folder, count):
        paths = directories(folder, count, lambda d: content(machine, d))
        return ["doctor", *map(str, paths)], {}
    return arrange


def python_path(words, content):
    def arrange(machine, folder, count):
        paths = directories(folder, count, lambda d: content(machine, d))
        (paths[-1] / "acme.py").write_text("", encoding="utf-8")
        return words, {"PYTHONPATH": path_list(paths)}
    return arrange


def reports(values):
    """Two reports of one kind, of which the second has the values of that many numbers."""
    def arrange(_machine, folder, count):
        for name, more in (("a.json", values(0)), ("b.json", values(count))):
            (folder / name).write_text(json.dumps({"schema": 1, **more}), encoding="utf-8")
        return ["diff", str(folder / "a.json"), str(folder / "b.json")], {}
    return arrange


def verify(machine):
    return ["verify", "--no-gpu", str(machine.program)]


def run(machine):
    return ["run", "--", str(machine.program)]


def doctor(_machine):
    return ["doctor"]


def explain(machine):
    return ["explain", "libcudnn_ops.so.9", "--for", str(machine.program)]


def broken(machine, directory):
    machine.environment(directory, ["libcudnn.so.9", "libcudnn_graph.so.9"])


TOKENS = "$ORIGIN/$LIB/${PLATFORM}/"

ROWS = {
    "verify, directories in LD_LIBRARY_PATH, empty": in_library_path(verify, empty),
    "verify, directories in LD_LIBRARY_PATH, absent": in_library_path(verify, absent),
    "verify, directories in LD_LIBRARY_PATH, a whole cuDNN in each": in_library_path(verify, whole),
    "verify, directories in LD_LIBRARY_PATH, a library of another cuDNN in each": in_library_path(verify, one_library),
    "verify, one directory in LD_LIBRARY_PATH, named again and again": one_directory(verify, one_library),
    "verify, entries of LD_LIBRARY_PATH with tokens": with_tokens(verify, TOKENS + "d{}"),
    "verify, one entry of LD_LIBRARY_PATH with tokens, named again and again": with_tokens(verify, TOKENS + "d"),
    "verify, odd names in a directory of LD_LIBRARY_PATH": odd_names(lambda m, _: verify(m)),
    "verify, odd names beside a cuDNN of an unknown release": odd_names(lambda m, _: verify(m), known=False),
    "verify, programs": programs,
    "run, directories in LD_LIBRARY_PATH, empty": in_library_path(run, empty),
    "run, directories in LD_LIBRARY_PATH, a library of another cuDNN in each": in_library_path(run, one_library),
    "run, entries of LD_LIBRARY_PATH with tokens": with_tokens(run, TOKENS + "d{}"),
    "explain FILE, directories in LD_LIBRARY_PATH, empty": in_library_path(explain, empty),
    "explain FILE, directories in LD_LIBRARY_PATH, a library of another cuDNN in each":
        in_library_path(explain, one_library),
    "inspect, odd names in a directory": odd_names(lambda _, odd: ["inspect", str(odd)]),
    "doctor, directories in LD_LIBRARY_PATH, empty": in_library_path(doctor, empty),
    "doctor, directories in LD_LIBRARY_PATH, absent": in_library_path(doctor, absent),
    "doctor, directories in LD_LIBRARY_PATH, a whole cuDNN in each": in_library_path(doctor, whole),
    "doctor, directories in LD_LIBRARY_PATH, a library of another cuDNN in each": in_library_path(doctor, one_library),
    "doctor, one directory in LD_LIBRARY_PATH, named again and again": one_directory(doctor, whole),
    "doctor, entries of LD_LIBRARY_PATH with tokens": with_tokens(doctor, TOKENS + "d{}"),
    "doctor, one entry of LD_LIBRARY_PATH with tokens, named again and again": with_tokens(doctor, TOKENS + "d"),
    "doctor DIRECTORY, odd names": odd_names(lambda _, odd: ["doctor", str(odd)]),
    "doctor DIRECTORY, odd names beside a cuDNN of an unknown release":
        odd_names(lambda _, odd: ["doctor", str(odd)], known=False),
    "doctor, environments": environments(Machine.environment),
    "doctor, environments, each without some of its libraries": environments(broken),
    "doctor, entries of PYTHONPATH": python_path(["doctor"], Machine.packages),
    "diff, cuDNNs": reports(lambda count: {"cudnn": [{"directory": f"/d{i}"} for i in range(count)]}),
    "diff, findings of one name": reports(
        lambda count: {"findings": [{"name": "two-cudnns", "summary": "s"}] * count}),
    "diff, files": reports(
        lambda count: {"files": [{"role": f"r{i}", "path": f"/d{i}/f"} for i in range(count)]}),
    "diff, keys of an object": reports(lambda count: {"triple": {f"k{i}": 1 for i in range(count)}}),
    "verify --python, entries of PYTHONPATH": python_path(["verify", "--no-gpu", "--python", "acme"],
                                                         Machine.packages),
}


def is_of_names(title):
    """Each of them is a name only, of which many are soon made."""
    return "odd names" in title or "again and again" in title


class Result:
    """What a run used; pages are those that it touched first, which say the same at every run."""

    def __init__(self, usage, status):
        self.seconds, self.megabytes = usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024
        self.pages, self.status = usage.ru_minflt, status

    def text(self):
        text = f"{self.megabytes:.0f} MB, {self.seconds:.2f} s"
        return text if self.status >= 0 else f"ended at {text}"


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT_SECONDS, LIMIT_SECONDS))


def measure(program, words, variables, output):
    """Runs the command once.  It is ended after LIMIT_SECONDS of processor time."""
    environment = {"PATH": f"{output.parent / 'bin'}:/usr/bin:/bin", "HOME": str(output.parent), "LC_ALL": "C",
                   **MALLOC, **variables}
    with open(output, "wb") as target:
        child = subprocess.Popen([program, *words], stdout=target, stderr=target, stdin=subprocess.DEVNULL,
                                 env=environment, preexec_fn=limit)
        status, usage = os.wait4(child.pid, 0)[1:]
    child.returncode = os.waitstatus_to_exitcode(status)
    return Result(usage, child.returncode)


def ratio_of(one, twice):
    """The larger one of memory's and time's."""
    ratios = [1.0]
    if twice.megabytes > LEAST_MEGABYTES:
        ratios.append(twice.megabytes / one.megabytes)
    if twice.seconds > LEAST_SECONDS:
        ratios.append(twice.seconds / one.seconds)
    return max(ratios)


def result_of(machine, program, arrange, size):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="n", dir=machine.folder))
    try:
        words, variables = arrange(machine, folder, size)
        return measure(program, words, variables, folder.with_suffix(".txt"))
    finally:
        shutil.rmtree(folder)


def row_of(machine, program, arrange):
    """The quicker one of two runs each: the machine's noise only ever adds."""
    results = []
    for size in SIZES:
        results.append(min((result_of(machine, program, arrange, size) for _ in range(2)),
                           key=lambda result: (result.status < 0, result.seconds)))
        if results[-1].status < 0:
            break
    return results


def is_kept(results):
    if len(results) < len(SIZES) or results[-1].status < 0:
        return False
    at = results[SIZES.index(BAR_AT)]
    ratios = [ratio_of(one, twice) for one, twice in zip(results, results[1:])]
    return at.megabytes <= BAR_MEGABYTES and at.seconds <= BAR_SECONDS and max(ratios) <= BAR_RATIO


def main(arguments):
    if not arguments:
        sys.exit(__doc__.strip())
    program, wanted = str(pathlib.Path(arguments[0]).resolve()), arguments[1:]
    print("| case | " + " | ".join(f"n = {size:,}" for size in SIZES) + " | for twice n, at most | |")
    print("|---|" + "---|" * (len(SIZES) + 2))
    missed = False
    with tempfile.TemporaryDirectory(prefix="g") as name:
        machine = Machine(pathlib.Path(name))
        for title, arrange in ROWS.items():
            if wanted and not any(re.search(re.escape(word), title) for word in wanted):
                continue
            results = row_of(machine, program, arrange)
            kept = is_kept(results)
            missed |= not kept
            ratios = [ratio_of(one, twice) for one, twice in zip(results, results[1:]) if twice.status >= 0]
            cells = [r.text() for r in results] + [""] * (len(SIZES) - len(results))
            print(f"| {title} | " + " | ".join(cells) +
                  f" | {max(ratios):.1f} times | {'kept' if kept else 'MISSED'} |" if ratios else
                  f"| {title} | " + " | ".join(cells) + " | | MISSED |", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
