#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""One situation, one answer, of real cuDNNs: python3 tests/real/doors_of_sets.py [--count N] [--seed S] [--configure N]

A case is a set of the cache, copied into a directory and broken or not, and what ld.so.cache or LD_LIBRARY_PATH has.
Asked of the directory: doctor, probe and, for one case in N, find_package with CuDNNChecked_ROOT.  Asked of a program:
verify, run, and the guard of one that is built on the JIT-only 9.14.0.  The truth beside: what cudnnBackendFinalize
returns, without a GPU.  Prints a line for each kind of difference, and exits with 1 where there is one.
"""

import argparse
import collections
import os
import pathlib
import random
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import isolation  # noqa: E402
from foreign_tensor_ir import CLI, FAILED, Situation  # noqa: E402
from places import NotHere, Place, damaged, files_of, link, prefix_of  # noqa: E402
from programs import programs  # noqa: E402
from support import Consumer  # noqa: E402
from support.proving import PROJECT  # noqa: E402

NAMES = ("9.14", "9.19", "jit 9.14", "jit 9.20", "jit 9.27")
BREAKS = ("whole", "member missing", "member lent", "member of another release", "cut member", "foreign member",
          "LD_LIBRARY_PATH at another")
DIRECTORY, PROGRAM = ("doctor", "probe", "find_package"), ("verify", "run", "guard")


def sets():
    for name in NAMES:
        try:
            prefix_of(name)
            yield name
        except NotHere:
            pass


class Case(Situation):
    def __init__(self, seed, root, made, names):
        draw = random.Random(seed)
        self.name, self.link, self.root = draw.choice(names), draw.choice(["rpath", "runpath"]), root
        self.break_name, self.words = draw.choice(BREAKS), ""
        variables, cached = {}, []
        place = Place(root, made.cuda_with_driver)
        self.lib = place._empty("A")
        place.include("A", self.name)
        for file in files_of(self.name).values():
            link(file, self.lib / file.name)
        roles = sorted(role for role in files_of(self.name) if role not in ("shim", "ext", "engines_tensor_ir"))
        role, other = draw.choice(roles), draw.choice([name for name in names if name != self.name])
        member = files_of(self.name)[role].name
        if self.break_name in ("member missing", "member lent", "member of another release", "cut member"):
            (self.lib / member).unlink()
            self.words = member
        if self.break_name == "member lent":
            cached = [prefix_of(self.name) / "lib"]
        if self.break_name == "member of another release":
            if role in files_of(other):
                link(files_of(other)[role], self.lib / member)
            self.words += f" of {other}"
        if self.break_name == "cut member":
            damaged("cut", files_of(self.name)[role], self.lib / member)
        if self.break_name == "foreign member":
            strange = [r for r in files_of("9.19") if r not in files_of(self.name)] or ["heuristic"]
            role = draw.choice(sorted(strange))
            (self.lib / files_of("9.19")[role].name).unlink(missing_ok=True)
            link(files_of("9.19")[role], self.lib / files_of("9.19")[role].name)
            self.words = f"{role} of 9.19"
        if self.break_name == "LD_LIBRARY_PATH at another":
            variables, self.words = {"LD_LIBRARY_PATH": prefix_of(other) / "lib"}, other
        self.add_programs(root, made, self.link, cached, variables)

    def configure(self):
        app = Consumer(self.root / "project", home=self.root, cmake_lists=PROJECT)
        variables = {**self.variables, "PATH": os.environ["PATH"], "HOME": self.root}
        app.run = lambda *command, **_: isolation.run(command, variables, self.root, self.cache, timeout=300)
        return app.configure("-DREQUEST=REQUIRED", f"-DCuDNNChecked_ROOT={self.lib.parent}",
                             "-DCuDNNChecked_REQUIRE=LOADED",
                             f"-DCUDAToolkit_ROOT={prefix_of('jit 9.14').parent / 'cu13'}")

    def answers(self, configured):
        for door, command in (("verify", (CLI, "verify", self.bin / "calls")),
                              ("run", (CLI, "run", "--", self.bin / "calls")),
                              ("guard", (self.bin / "app",)), ("doctor", (CLI, "doctor", self.lib)),
                              ("probe", (CLI, "probe", "--require", "loaded", self.lib))):
            yield door, answer_of(self.run(*command))
        if configured:
            yield "find_package", answer_of(self.configure())

    def __str__(self):
        return f"{self.name}, by {self.link}; {self.break_name} {self.words}"


def answer_of(done):
    """(refused or not, names of the messages)"""
    names = frozenset(re.findall(r"^ *\[([a-z-]+)\]", done.output, re.M))
    return done.status != 0, names - {"not-stamped", "not-verified", "driver-missing"}


def differences(case, answers, truth):
    """Within each kind of asker one verdict, and one name at least that all of them have; and the truth."""
    for doors in (DIRECTORY, PROGRAM):
        told = {door: answers[door] for door in doors if door in answers}
        # It was built on 9.14.0 and says that this is older.
        if "guard" in told and "cudnn-older" in told["guard"][1]:
            told.pop("guard")
        refused = {door for door, (is_refused, _) in told.items() if is_refused}
        if refused and refused != set(told):
            yield f"{sorted(refused)} refuse, and {sorted(set(told) - refused)} do not"
        elif refused and not frozenset.intersection(*(names for _, names in told.values())):
            yield "other names: " + "; ".join(f"{door} {sorted(names)}" for door, (_, names) in told.items())
    works = truth.isdigit() and truth not in FAILED
    if not answers["verify"][0] and not answers["verify"][1] and not works:
        yield f"false ok: verify, and cuDNN answers {truth}"
    if answers["verify"][0] and case.break_name in ("whole", "member lent") and works:
        yield f"false refusal: verify {sorted(answers['verify'][1])}"


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=40, help="how many seeds (40)")
    parser.add_argument("--seed", type=int, default=1, help="the first one (1)")
    parser.add_argument("--configure", type=int, default=10, help="find_package for one in so many (10); 0: never")
    parser.add_argument("--verbose", action="store_true", help="with every answer")
    given = parser.parse_args(arguments)
    names, made = list(sets()), programs("jit 9.14")
    kinds, asked = collections.defaultdict(list), collections.Counter()
    for seed in range(given.seed, given.seed + given.count):
        with tempfile.TemporaryDirectory(prefix="cudnn-checked-sets-") as root:
            case = Case(seed, pathlib.Path(os.path.realpath(root)), made, names)
            truth = case.truth()
            answers = dict(case.answers(given.configure and seed % given.configure == 0))
            asked.update(answers.keys())
            found = list(differences(case, answers, truth))
        if given.verbose:
            print(f"{seed}: {case}; finalize {truth}; {answers} {found or ''}", flush=True)
        for words in found:
            kinds[f"{case.break_name}: {words}"].append(f"seed {seed}: {case}")
    print(f"cases: {given.count}; answers: {dict(asked)}; kinds of difference: {len(kinds)}")
    for words, where in sorted(kinds.items(), key=lambda item: -len(item[1])):
        print(f"{len(where):4}  {words}\n      {where[0]}")
    return 1 if kinds else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
