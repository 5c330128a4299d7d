#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes tool/core/catalogue/catalogue_table.inc from build_ids.csv, which lies beside this file.

With --check nothing is written: exit status 1 where the table is not what the data says.
"""

import csv
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
DATA = HERE / "build_ids.csv"
TABLE = HERE.parents[1] / "core/catalogue/catalogue_table.inc"

# The order in which roles are listed to a person: what everything needs comes first.
ROLES = [
    "shim", "graph", "ops", "cnn", "adv", "engines_precompiled", "engines_runtime_compiled",
    "heuristic", "engines_tensor_ir", "ext",
    "ops_infer", "ops_train", "cnn_infer", "cnn_train", "adv_infer", "adv_train",
]
FILE_NAME = re.compile(r"libcudnn(?:_([a-z0-9_]+))?\.so\.[0-9]+")


def fail(text):
    sys.exit(f"generate.py: error: {text}")


def read_rows(data):
    """Yields (role, first eight bytes of the id, (x, y, z, CUDA major), is it a full package)."""
    full_id = {}
    with data.open(newline="") as stream:
        for number, row in enumerate(csv.DictReader(stream), start=2):
            name = FILE_NAME.fullmatch(row["file"])
            role = (name.group(1) or "shim") if name else None
            if role not in ROLES:
                fail(f"{DATA.name}:{number}: {row['file']} has a role that this generator lacks")
            if not re.fullmatch(r"[0-9a-f]{40}", row["build_id"]):
                fail(f"{DATA.name}:{number}: {row['build_id']} is not a build id")
            if row["set"] not in ("full", "jit"):
                fail(f"{DATA.name}:{number}: {row['set']} is neither full nor jit")
            key = row["build_id"][:16]
            if full_id.setdefault(key, (row["build_id"], role)) != (row["build_id"], role):
                fail(f"{DATA.name}:{number}: {key} begins two ids, or one id has two roles")
            release = tuple(int(part) for part in row["cudnn"].split(".")[:3])
            yield role, key, release + (int(row["cuda_major"]),), row["set"] == "full"


def shared_roles(rows):
    """Roles that were seen to be the same file for two CUDA majors: the shim, often the heuristic."""
    majors_of = {}
    for role, key, release, _ in rows:
        majors_of.setdefault((role, key), set()).add(release[3])
    return {role for (role, _), majors in majors_of.items() if len(majors) > 1}


def open_cuda_majors(rows):
    """Turns the CUDA major of rows into 0, "any", where the data cannot tell it.

    Where a file of a shared role was read from the package for one CUDA major only, the package for
    another may have the same one.
    """
    majors_of = {}
    for role, _, release, _ in rows:
        majors_of.setdefault((role, release[:3]), set()).add(release[3])
    shared = shared_roles(rows)
    for role, key, release, full in rows:
        one_only = len(majors_of[role, release[:3]]) == 1
        yield role, key, release[:3] + (0,) if role in shared and one_only else release, full


def make_table(data=DATA):
    """The text of the table for a file of rows."""
    releases, ids = {}, {}
    rows = list(read_rows(data))
    for _, _, release, full in rows:
        releases[release] = releases.get(release, False) or full
    for role, key, release, _ in open_cuda_majors(rows):
        releases.setdefault(release, False)
        ids.setdefault(key, (role, set()))[1].add(release)
    order = sorted(releases)
    sets = sorted({tuple(sorted(order.index(r) for r in found)) for _, found in ids.values()})
    if len(order) > 255 or len(sets) > 255:
        fail("more than 255 releases or sets: widen the types in catalogue.cpp")

    lines = ["// SPDX-License-Identifier: BSD-3-Clause", "//",
             "// Written by generate.py from build_ids.csv; edit those.", "",
             "static constexpr char catalogue_roles[][26] = {"]
    lines += [f'    "{role}",' for role in ROLES]
    lines += ["};", "", "// x, y, z, CUDA major (0: any), does the table hold its full package",
              "static constexpr catalogue_release catalogue_releases[] = {"]
    lines += [f"    {{{r[0]}, {r[1]}, {r[2]}, {r[3]}, {'true' if releases[r] else 'false'}}},"
              for r in order]
    shared = sum(1 << ROLES.index(role) for role in shared_roles(rows))
    lines += ["};", "", "// Roles, one bit each, whose file can be the same for every CUDA major.",
              f"static constexpr unsigned catalogue_shared_roles = 0x{shared:x};",
              "", "// Indices of releases: set i ends before catalogue_set_ends[i].",
              "static constexpr unsigned char catalogue_set_members[] = {"]
    lines += ["    " + ", ".join(str(i) for i in members) + "," for members in sets]
    lines += ["};", "", "static constexpr unsigned short catalogue_set_ends[] = {"]
    ends, total = [], 0
    for members in sets:
        total += len(members)
        ends.append(total)
    lines += ["    " + ", ".join(str(e) for e in ends[i:i + 16]) + "," for i in range(0, len(ends), 16)]
    lines += ["};", "", "// First eight bytes of the build id, index of the role, index of the set.",
              "static constexpr catalogue_row catalogue_rows[] = {"]
    for key in sorted(ids):
        role, found = ids[key]
        members = tuple(sorted(order.index(r) for r in found))
        lines.append(f"    {{0x{key}ULL, {ROLES.index(role)}, {sets.index(members)}}},")
    lines += ["};", ""]
    return "\n".join(lines)


def main(arguments):
    if arguments not in ([], ["--check"]):
        fail("usage: generate.py [--check]")
    table = make_table()
    if arguments:
        if not TABLE.exists() or TABLE.read_text() != table:
            fail(f"{TABLE.name} is not what {DATA.name} says; run generate.py")
    else:
        TABLE.write_text(table)


if __name__ == "__main__":
    main(sys.argv[1:])
