#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""pytorch#185512, rebuilt: sets of cuDNN that ask for libcudnn_engines_tensor_ir, where another package supplies it.

usage: foreign_tensor_ir.py FOLDER...

A FOLDER with a libcudnn.so.9 is a set; another one has only the file of that package.  Each set is tried alone and
with each file, which ld.so.cache or LD_LIBRARY_PATH leads to.  Truth is what cudnnBackendFinalize returns, the call
that PyTorch reports; it needs no GPU.  Prints the table of docs/measurements.md, and exits with 1 where one of
verify, doctor, probe and the guard (for CUDA 13) differs from it.
"""

import collections
import os
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import isolation  # noqa: E402
from places import Place, link  # noqa: E402
from programs import programs  # noqa: E402
from support.environment import built  # noqa: E402

SHIM, STRAY = "libcudnn.so.9", "libcudnn_engines_tensor_ir.so.9"
CLI = built("tool/cli/cudnn-checked")
PLACES = ("ld.so.cache", "LD_LIBRARY_PATH")
FAILED = ("1002", "1008")  # SUBLIBRARY_VERSION_MISMATCH, SUBLIBRARY_LOADING_FAILED


class Situation:
    """Two programs that lead to a set of cuDNN by `way`, with the directories of `cached` in ld.so.cache and these
    variables."""

    def add_programs(self, root, made, way, cached, variables):
        self.bin, self.variables = root / "bin", variables
        link(made.calls(way), self.bin / "calls")
        link(made.app("jit 9.14", way, "optional"), self.bin / "app")
        self.cache = isolation.make_cache(root, cached)

    def run(self, *command):
        return isolation.run(command, {**self.variables, "PATH": os.environ["PATH"]}, self.bin, self.cache)

    def truth(self):
        done = self.run(self.bin / "calls", "engines")
        answer = re.search(r"engines (\d+)", done.output)
        return answer[1] if answer else f"status {done.status}"


class Scene(Situation):
    """The set, what it needs of CUDA, and two programs with an RPATH that leads to it."""

    def __init__(self, root, made, folder, stray, by):
        place = Place(root, made.cuda_with_driver)
        self.lib = place._empty("A")
        for file in folder.glob("libcudnn*.so.9"):
            link(file, self.lib / file.name)
        self.add_programs(root, made, "rpath", [stray] if stray and by == PLACES[0] else [],
                          {"LD_LIBRARY_PATH": stray} if stray and by == PLACES[1] else {})

    def told(self):
        """What each of the four says of the set.  The guarded program is built for CUDA 13."""
        commands = {"verify": (CLI, "verify", self.bin / "calls"), "doctor": (CLI, "doctor", self.lib),
                    "probe": (CLI, "probe", "--require", "loaded", self.lib), "guard": (self.bin / "app",)}
        for name, command in commands.items():
            done = self.run(*command)
            if name == "guard" and "[cuda-major]" in done.output:
                continue
            yield name, "ok" if done.status == 0 else (re.findall(r"\[([a-z-]+)\]", done.output) or [done.output])[0]


def main(folders):
    folders = [pathlib.Path(folder).resolve() for folder in folders]
    sets = [folder for folder in folders if (folder / SHIM).exists()]
    strays = [folder for folder in folders if folder not in sets]
    made = programs("jit 9.14")
    table = collections.defaultdict(collections.Counter)
    for folder in sets:
        for stray, by in [(None, ""), *((stray, by) for stray in strays for by in PLACES)]:
            with tempfile.TemporaryDirectory(prefix="cudnn-checked-stray-") as root:
                scene = Scene(pathlib.Path(os.path.realpath(root)), made, folder, stray, by)
                truth, told = scene.truth(), dict(scene.told())
            fails = truth in FAILED
            agree = all((said == "mixed-sublibraries") == fails for said in told.values())
            table[folder.name]["refused" if fails else "works"] += 1
            table[folder.name]["differs"] += not agree
            print(folder.name, stray.name if stray else "nothing", by, truth, told, "" if agree else "DIFFERS", flush=True)
    print("| set | cuDNN refuses the file | works | differs |\n|---|---|---|---|")
    for name, counts in table.items():
        print(f"| {name} | {counts['refused']} | {counts['works']} | {counts['differs']} |")
    return any(counts["differs"] for counts in table.values())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
