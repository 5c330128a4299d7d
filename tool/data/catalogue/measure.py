#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures what a cuDNN computes without which of its libraries, and writes it into needs.csv.

usage: measure.py REQUIREMENT...   as pip takes them: nvidia-cudnn-cu13==9.24.0.43
       measure.py --folder FOLDER RELEASE CUDA_MAJOR full|jit
                                   the same of libraries that lie there; prints the rows and keeps nothing

Each package is fetched from PyPI (or what pip is told to use), one at a time, into the cache folder, its libraries are
unpacked once and linked into a folder for each set to be measured, and all is deleted.  Each call is made in a process of
its own, under the stub of libcuda that CUDA Toolkit has: it needs no GPU and no driver.  A crash, an abort and a time
limit are results.  The loader's cache is not used, and the directories of the system must have no cuDNN.
"""

import csv
import io
import itertools
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile
import zipfile

import add
import generate

HERE = pathlib.Path(__file__).resolve().parent
DATA = HERE / "needs.csv"
COLUMNS = ["cudnn", "cuda_major", "set", "without", "create", "finalize", "checks"]
SECONDS = 20  # for one call: the slowest that returned took 1.4
LIBRARY = re.compile(r"(?:.*/)?(libcudnn(?:_([a-z0-9_]+))?\.so\.([0-9]+))")
LOADER = "/lib64/ld-linux-x86-64.so.2"
SYSTEM = [pathlib.Path(folder) for folder in ("/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib64", "/usr/lib64",
                                              "/lib", "/usr/lib")]
CHECKS = {8: ("OpsInfer", "OpsTrain", "CnnInfer", "CnnTrain", "AdvInfer", "AdvTrain"), 9: ("Graph", "Ops", "Cnn", "Adv")}
# What a program that names COMPONENTS may do without: of those that cuDNN finalizes without, each combination is measured.
SPARED = {8: {"ops_infer", "ops_train", "cnn_infer", "cnn_train", "adv_infer", "adv_train"}, 9: {"ops", "cnn", "adv", "ext"}}
JIT = {"shim", "graph", "engines_runtime_compiled"}
# What cuDNN opens while it computes, where the toolkit has it: no cuDNN of that directory comes with it.
LENT = ("libcublas.so.*", "libcublasLt.so.*", "libnvrtc.so*", "libnvrtc-builtins.so.*")


def stub_of_driver(usual="/usr/local/cuda"):
    """The toolkit's library that has all functions of libcuda and answers each with an error."""
    roots = [os.environ.get(name) for name in ("CUDAToolkit_ROOT", "CUDA_HOME", "CUDA_PATH")] + [usual]
    for root in filter(None, roots):
        for folder in ("lib64", "lib", "targets/x86_64-linux/lib"):
            if (pathlib.Path(root) / folder / "stubs/libcuda.so").exists():
                return pathlib.Path(root) / folder / "stubs/libcuda.so"
    sys.exit(f"catalogue: error: no stub of libcuda in CUDAToolkit_ROOT, CUDA_HOME, CUDA_PATH or {usual}")


def link(source, target):
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(source, target)
    except OSError:  # another file system
        os.symlink(source, target)


class Bench:
    """A program that makes one call, the stub, and what the toolkit lends."""

    def __init__(self, folder):
        strays = [path for place in SYSTEM for path in place.glob("libcudnn*")]
        if strays:
            sys.exit(f"catalogue: error: {strays[0]} would take the place of a library that is taken away")
        self.folder, stub = folder, stub_of_driver()
        self.lent = folder / "lent"
        self.lent.mkdir()
        for name in ("libcuda.so.1", "libcuda.so"):  # 8.5 and 8.6 open the second
            (self.lent / name).symlink_to(stub)
        for pattern in LENT:
            for path in stub.parents[1].glob(pattern):
                (self.lent / path.name).symlink_to(path)
        self.program = folder / "measure_calls"
        subprocess.run([os.environ.get("CC", "cc"), "-O1", "-Wall", "-Werror", str(HERE / "linux/measure_calls.c"), "-o",
                        str(self.program), "-ldl"], check=True)

    def call(self, shim, word):
        """What the call returns, as a word of needs.csv."""
        command = [LOADER, "--inhibit-cache", "--library-path", f"{shim.parent}:{self.lent}", str(self.program), str(shim), word]
        try:
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
                                  env={"PATH": os.environ["PATH"]}, cwd=self.folder, timeout=SECONDS, text=True)
        except subprocess.TimeoutExpired:
            return "time limit"
        if done.returncode < 0:
            return signal.Signals(-done.returncode).name
        lines = done.stdout.split("\n")
        return lines[-2] if done.returncode == 0 and len(lines) > 1 else f"exit {done.returncode}"


class Cudnn:
    """The libraries of one package by role, and the directory that they have in it."""

    def __init__(self, bench, libraries, place, package):
        self.bench, self.libraries, self.place, self.package = bench, libraries, place, package
        self.major = int(package[0].partition(".")[0])
        self.roles = sorted(libraries, key=generate.ROLES.index)

    def ask(self, without, words):
        """What those calls return, each of a process of its own, where the roles `without` are not there."""
        with tempfile.TemporaryDirectory(dir=self.bench.folder) as root:
            lib = pathlib.Path(root) / self.place
            lib.mkdir(parents=True)
            for role, path in self.libraries.items():
                if role not in without:
                    link(path, lib / path.name)
            return [self.bench.call(lib / f"libcudnn.so.{self.major}", word) for word in words]

    def row(self, without, text=None, finalize=None):
        checks = CHECKS[self.major]
        create, one, *answers = self.ask(without, ["create", "finalize", *(f"cudnn{name}VersionCheck" for name in checks)])
        told = " ".join(f"{name}:{answer.replace(' ', '-')}" for name, answer in zip(checks, answers))
        return dict(zip(COLUMNS, (*self.package, text or " ".join(without), create, finalize or one, told)))

    def rows(self):
        """Of the whole set, of each library taken away alone, of those that it is spared together, of a JIT-only rest."""
        yield self.row(())
        spared = []
        for role in self.roles:
            row = self.row((role,))
            yield row
            if role in SPARED[self.major] and row["finalize"] == "0":
                spared.append(role)
        if len(spared) > 1:
            combinations = [some for count in range(2, len(spared) + 1) for some in itertools.combinations(spared, count)]
            answers = {self.ask(some, ["finalize"])[0] for some in combinations}
            yield self.row(spared, "any of " + " ".join(spared), answers.pop() if len(answers) == 1 else "differs")
        rest = [role for role in self.roles if role not in JIT]
        if self.major >= 9 and rest:
            yield self.row(rest)


def unpack(wheel, folder):
    """The libraries of a wheel by role, and the directory that they have in it."""
    libraries, place = {}, ""
    with zipfile.ZipFile(wheel) as archive:
        for member in archive.namelist():
            name = LIBRARY.fullmatch(member)
            if not name:
                continue
            role, place = name.group(2) or "shim", member.rpartition("/")[0]
            if role not in generate.ROLES:
                raise add.Refused(f"{name.group(1)} has a role that library_roles.def lacks")
            libraries[role] = pathlib.Path(archive.extract(member, folder))
    if not libraries:
        raise add.Refused(f"{wheel.name} holds no library of cuDNN")
    return libraries, place


def read_data():
    if not DATA.exists():
        return []
    with DATA.open(newline="") as stream:
        return list(csv.DictReader(stream))


def order(row):
    together, roles = row["without"].startswith("any of "), row["without"].removeprefix("any of ").split()
    number = [int(part) for part in row["cudnn"].split(".post")[0].split(".")]
    return number, int(row["cuda_major"]), row["set"], together, len(roles), [generate.ROLES.index(role) for role in roles]


def text_of(rows):
    stream = io.StringIO()
    writer = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(sorted(rows, key=order))
    return stream.getvalue()


def measure_package(bench, requirement):
    """Fetches and measures one package and puts its rows into the data; returns them."""
    add.package_of(requirement)
    with tempfile.TemporaryDirectory(dir=bench.folder) as name:
        folder = pathlib.Path(name)
        wheel = add.fetch(generate.LINUX, requirement, folder)
        parts = add.WHEEL.fullmatch(wheel.name)
        package = parts.group(3), parts.group(2), "jit" if parts.group(1) else "full"
        libraries, place = unpack(wheel, folder / "unpacked")
        wheel.unlink()
        rows = list(Cudnn(bench, libraries, place, package).rows())
    # A JIT-only package may be such: that of 9.12.0 is.
    if package[2] == "full" and rows[0]["finalize"] != "0":
        raise add.Refused(f"whole it answers {rows[0]['finalize']} here, so nothing follows from it without a library")
    kept = [row for row in read_data() if add.identity(row) != package]
    DATA.write_text(text_of(kept + rows))
    return rows


def scratch():
    """Where wheels are unpacked: beside the cuDNNs that are kept, which may be on a larger disk than /tmp."""
    home = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "cudnn-checked"
    home.mkdir(parents=True, exist_ok=True)
    return tempfile.TemporaryDirectory(prefix="measure-", dir=home)


def measure_all(bench, requirements):
    good = True
    for requirement in requirements:
        try:
            rows = measure_package(bench, requirement)
            print(f"catalogue: measured {len(rows)} sets of {requirement}", flush=True)
        except (add.Refused, zipfile.BadZipFile) as problem:
            add.report(requirement, problem)
            good = False
    return good


def measure_folder(bench, folder, package):
    libraries = {}
    for path in sorted(pathlib.Path(folder).resolve().iterdir()):
        name = LIBRARY.fullmatch(path.name)
        if name and name.group(3) == package[0].partition(".")[0]:
            libraries[name.group(2) or "shim"] = path.resolve()
    place = "nvidia/cudnn_jit/lib" if package[2] == "jit" else "nvidia/cudnn/lib"
    sys.stdout.write(text_of(Cudnn(bench, libraries, place, package).rows()))
    return True


def main(arguments):
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with scratch() as folder:
        bench = Bench(pathlib.Path(folder))
        if arguments[0] == "--folder":
            good = measure_folder(bench, arguments[1], arguments[2:])
        else:
            good = measure_all(bench, arguments)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) if len(sys.argv) > 1 else __doc__)
