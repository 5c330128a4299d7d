#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Which sub-library of cuDNN a function lives in: functions.csv, and functions_table.inc of tool/core/catalogue from it.

usage: functions.py            writes the table
       functions.py --check    writes nothing: status 1 where the table is not what the data says
       functions.py LIBRARY... adds what these libraries say, and writes the table

A sub-library says it by what it exports.  A shim that exports a function which no row has is made to call it, in a process of
its own, and says it by the sub-library that it tries to open, which must not be there: take that of a JIT-only package.
"""

import csv
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import generate
import measure

DATA = generate.HERE / "functions.csv"
TABLE = generate.HERE.parents[1] / "core/catalogue/functions_table.inc"
# What every package ships is never absent, so nothing is to be told of its functions.
SHIPPED = {"shim", "graph"}
OPENED = re.compile(r"file=libcudnn_([a-z_]+)\.so")


def gnu_hash(name):
    """The hash of DT_GNU_HASH, which core has anyway."""
    value = 5381
    for byte in name.encode():
        value = (value * 33 + byte) & 0xFFFFFFFF
    return value


def read_rows():
    with DATA.open(newline="") as stream:
        return {row["function"]: row["role"] for row in csv.DictReader(stream)}


def exports(path):
    lines = subprocess.run(["nm", "-D", "--defined-only", path], check=True, stdout=subprocess.PIPE, text=True).stdout
    names = (line.split()[-1].partition("@")[0] for line in lines.splitlines() if line.split()[-2] == "T")
    return sorted(name for name in names if re.fullmatch("cudnn[A-Z]\\w*", name))


def opened(bench, shim, function):
    """The role of the sub-library that the shim opens first for that function; None where it opens none."""
    command = [measure.LOADER, "--inhibit-cache", "--library-path", str(bench.lent), str(bench.program), str(shim), function]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=measure.SECONDS, text=True,
                          errors="replace", env={"PATH": os.environ["PATH"], "LD_DEBUG": "files"})
    roles = [role for role in OPENED.findall(done.stderr) if role in generate.ROLES]
    return roles[0] if roles else None


def add(path, rows):
    path = os.path.abspath(path)
    role = measure.LIBRARY.fullmatch(path).group(2)
    with tempfile.TemporaryDirectory() as folder:
        bench = None if role else measure.Bench(pathlib.Path(folder))
        for name in exports(path):
            if not role and name in rows:
                continue
            where = role or opened(bench, path, name)
            if where and rows.setdefault(name, where) != where:
                generate.fail(f"{name} is in {rows[name]} and in {where}")


def make_table(rows):
    hashes = {}
    for name in rows:
        if (other := hashes.setdefault(gnu_hash(name), name)) != name:
            generate.fail(f"{name} and {other} have one hash")
    cells = ("{0x%08x, library_role::%s}" % (value, rows[name]) for value, name in sorted(hashes.items())
             if rows[name] not in SHIPPED)
    lines = ["// SPDX-License-Identifier: BSD-3-Clause", "//", f"// Written by {pathlib.Path(__file__).name} from "
             f"{DATA.name}; edit those.", "", "// The hash of the name, and the sub-library that has the function."]
    return "\n".join(lines + generate.array("function_home function_homes", cells, 3)) + "\n"


def main(arguments):
    rows = read_rows()
    check = arguments == ["--check"]
    for path in [] if check else arguments:
        add(path, rows)
    if unknown := set(rows.values()) - set(generate.ROLES):
        generate.fail(f"{DATA.name}: {min(unknown)} is no role of library_roles.def")
    table = make_table(rows)
    if check and TABLE.read_text() != table:
        generate.fail(f"{TABLE.name} is not what {DATA.name} says; run functions.py")
    if check:
        return
    with DATA.open("w", newline="") as stream:
        csv.writer(stream, lineterminator="\n").writerows([("function", "role"), *sorted(rows.items())])
    TABLE.write_text(table)


if __name__ == "__main__":
    main(sys.argv[1:])
