# SPDX-License-Identifier: BSD-3-Clause
"""What the real loader does with a library, in a child process (opened.c)."""

import dataclasses
import mmap
import os
import pathlib
import re
import subprocess

import isolation

HERE = pathlib.Path(__file__).resolve().parent

# Those that a cuDNN lacks are left out.  A JIT-only cuDNN exports checks that end the process.
ALWAYS = ("cudnnGetVersion", "cudnnGraphVersionCheck", "tensor")
FULL = (*ALWAYS, *(f"cudnn{part}VersionCheck" for part in
                   ("Ops", "Cnn", "Adv", "OpsInfer", "OpsTrain", "CnnInfer", "CnnTrain", "AdvInfer",
                    "AdvTrain")))

DRIVER_MISSING = re.compile(r"libcuda\.so(\.1)?: cannot open")

IMPORT = """
import ctypes, os, sys
try:
    exec(sys.argv[5])
except BaseException as error:
    print("error", type(error).__name__, str(error).replace("\\n", " "), flush=True)
ctypes.CDLL(sys.argv[1]).look(*map(os.fsencode, sys.argv[2:5]))
os._exit(0)
"""


@dataclasses.dataclass(frozen=True)
class Truth:
    """`mapped` are the real paths of cuDNN's files; `failures` is empty where everything works."""

    mapped: frozenset
    version: int
    failures: tuple

    @property
    def works(self):
        return not self.failures


def read_truth(output, signal_name=""):
    """The truth from the output of opened.c."""
    mapped, failures, version, ended = set(), [], 0, False
    for line in output.splitlines():
        word, _, rest = line.partition(" ")
        if word == "mapped":
            mapped.add(os.path.realpath(rest))
        elif word == "error":
            failures.append(rest)
        elif word == "end":
            ended = True
        elif word == "call":
            function, status = rest.split(" ")
            if function == "cudnnGetVersion":
                version = int(status)
            elif function != "tensor" and status != "0":
                failures.append(f"{function}: status {status}")
    if not ended:
        last = [line for line in output.splitlines() if not line.startswith("mapped ")]
        failures.append(f"{signal_name or 'the process'} ended it: {last[-1] if last else 'no output'}")
    elif not mapped and not failures:
        failures.append("no cuDNN is mapped")
    return Truth(frozenset(mapped), version, tuple(failures))


class Opener:
    """opened.c, compiled in a folder."""

    def __init__(self, folder):
        self._folder = pathlib.Path(folder)
        self._program, self._library = self._folder / "opened", self._folder / "opened.so"
        self._compile(HERE / "opened.c", self._program, "-DPROGRAM", "-ldl")
        self._compile(HERE / "opened.c", self._library, "-shared", "-fPIC", "-ldl")

    @staticmethod
    def _compile(source, target, *options):
        subprocess.run(["cc", "-O1", "-o", str(target), str(source), *options], check=True)

    def open(self, library, soname, variables, cache, functions=FULL):
        """Opened by a program that has nothing else in it."""
        return self._look([self._program], [library, soname, ",".join(functions)], variables, cache)

    def imported(self, python, statements, library, soname, variables, cache):
        """Opened by a Python that has executed `statements`."""
        return self._look([python, "-c", IMPORT, self._library],
                          [library, soname, ",".join(FULL), statements], variables, cache)

    def _look(self, command, arguments, variables, cache):
        outcome = isolation.run([*command, *arguments], variables, self._folder, cache, timeout=600)
        # Without a driver, what is linked with it can only be opened on a replacement; constructors
        # of onnxruntime 1.18 end the process.
        if "LD_PRELOAD" not in variables and (outcome.signal_name == "SIGSEGV"
                                              or DRIVER_MISSING.search(outcome.output)):
            more = {**variables, "LD_PRELOAD": self._driver(pathlib.Path(arguments[0]))}
            return self._look(command, arguments, more, cache)
        return read_truth(outcome.output, outcome.signal_name)

    def _driver(self, library):
        """A driver with the functions that this library, those beside it and cuDNN name; all report
        that there is no device."""
        names = set()
        for file in {*library.parent.glob("*.so*"), *library.parents[2].glob("nvidia/cudnn/lib/*.so*")}:
            with open(file, "rb") as opened, \
                    mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as data:
                names.update(re.findall(rb"\0(cu[A-Z]\w{2,60})(?=\0)", data))
        source = self._folder / "driver.c"
        source.write_text("".join(f"int {name.decode()}(void) {{ return 100; }}\n"
                                  for name in sorted(names)))
        drivers = [self._folder / name for name in ("libcuda.so.1", "libcuda.so")]  # 8.5 needs the latter
        for driver in drivers:
            self._compile(source, driver, "-shared", "-fPIC", f"-Wl,-soname,{driver.name}")
        return ":".join(map(str, drivers))
