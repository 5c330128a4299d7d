#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes needs_table.inc of tool/core/catalogue from needs.csv, which lies beside this file (README.md, "Needs").

With --check nothing is written: exit status 1 where the table is not what the data says.
"""

import csv
import pathlib
import sys
from typing import NamedTuple

import generate

HERE = pathlib.Path(__file__).resolve().parent
DATA = HERE / "needs.csv"
TABLE = HERE.parents[1] / "core/catalogue/needs_table.inc"
TOGETHER = "any of "
JIT = frozenset({"shim", "graph", "engines_runtime_compiled"})


class Package(NamedTuple):
    """Whether it finalizes, what it ships, what it finalizes nothing without, what it is spared in each combination."""

    finalizes: bool
    ships: frozenset
    breaks: frozenset = frozenset()
    spares: frozenset = frozenset()


class Wrong(Exception):
    """What is wrong with the data, for a person."""


def rows_by_package(stream):
    """By (release, CUDA major, set): what finalize returns, by what is taken away."""
    found = {}
    for row in csv.DictReader(stream):
        found.setdefault((row["cudnn"], row["cuda_major"], row["set"]), {})[row["without"]] = row["finalize"]
    return found


def package_of(name, answers):
    alone = {without: answer for without, answer in answers.items() if " " not in without}
    if "" not in alone or not {"shim", "graph", "ops_infer"} & set(alone):
        raise Wrong(f"{name}: the row of the whole package is not there, or those of single libraries")
    if unknown := set(alone) - set(generate.ROLES) - {""}:
        raise Wrong(f"{name}: {min(unknown)} is no role of library_roles.def")
    whole = alone.pop("") == "0"
    ships = frozenset(alone)
    if not whole:
        return Package(False, ships)
    spares = [without for without, answer in answers.items() if without.startswith(TOGETHER) and answer == "0"]
    return Package(True, ships, frozenset(role for role, answer in alone.items() if answer != "0"),
                   frozenset(spares[0].removeprefix(TOGETHER).split() if spares else ()))


def rest_of(package, answers):
    """What is left of a full package without all that a JIT-only one does not ship; None where that was not measured."""
    for without, answer in answers.items():
        gone = set(without.split())
        if len(gone) > 1 and not without.startswith(TOGETHER) and gone == package.ships - JIT:
            return Package(True, JIT, package.breaks & JIT) if answer == "0" else Package(False, JIT)
    return None


def measured(stream):
    """By (x, y, z): {"full": Package, "jit": Package}, of those that were measured."""
    found = {}
    for (cudnn, cuda_major, kind), answers in sorted(rows_by_package(stream).items()):
        name = f"{cudnn} for CUDA {cuda_major}, {kind}"
        package = package_of(name, answers)
        if kind == "full" and not package.finalizes:
            raise Wrong(f"{name}: the whole package does not finalize, so nothing follows from it without a library")
        seen = {kind: package}
        if kind == "full" and (rest := rest_of(package, answers)):
            seen["jit"] = rest
        kinds = found.setdefault(tuple(int(part) for part in cudnn.split(".")[:3]), {})
        for one, what in seen.items():
            if kinds.setdefault(one, what) != what:
                raise Wrong(f"{name}: {one} differs from another package of that release")
    return found


def make_table(stream):
    found = measured(stream)
    packages = sorted({package for kinds in found.values() for package in kinds.values()},
                      key=lambda one: (one.finalizes, *(int(generate.bits(roles), 16) for roles in one[1:])))
    index = {package: place for place, package in enumerate(packages, start=1)}
    lines = ["// SPDX-License-Identifier: BSD-3-Clause", "//",
             f"// Written by {pathlib.Path(__file__).name} from {DATA.name}; edit those.", "",
             "// Does it finalize, what it ships, finalizes nothing without, and is spared."]
    lines += generate.array("measured_package measured_packages",
                            ("{" + ", ".join((str(one.finalizes).lower(), *map(generate.bits, one[1:]))) + "}"
                             for one in packages), 3)
    lines += ["", "// x, y, z, and 1 + the index of its full package and of its JIT-only one."]
    places = {release: [index.get(kinds.get(kind), 0) for kind in ("full", "jit")] for release, kinds in found.items()}
    lines += generate.array("measured_release measured_releases",
                            ("{%d, %d, %d, %d, %d}" % (*release, *places[release]) for release in sorted(found)), 5)
    return "\n".join(lines) + "\n"


def main(arguments):
    if arguments not in ([], ["--check"]):
        generate.fail("usage: generate_needs.py [--check]")
    try:
        with DATA.open(newline="") as stream:
            table = make_table(stream)
    except Wrong as problem:
        generate.fail(f"{DATA.name}: {problem}")
    if not arguments:
        TABLE.write_text(table)
    elif not TABLE.exists() or TABLE.read_text() != table:
        generate.fail(f"{TABLE.name} is not what {DATA.name} says; run generate_needs.py")


if __name__ == "__main__":
    main(sys.argv[1:])
