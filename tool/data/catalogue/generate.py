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

# Their order numbers them, here and in core.
ROLES = re.findall(r"^ROLE\((\w+), ",
                   (HERE.parents[1] / "core/model/library_roles.def").read_text(), re.MULTILINE)
ID_BYTES = 5  # of catalogue_id::bytes
LAST_OF_SET = 128  # of catalogue_id::meaning
FILE_NAME = re.compile(r"libcudnn(?:_([a-z0-9_]+))?\.so\.[0-9]+")


def fail(text):
    sys.exit(f"generate.py: error: {text}")


def read_rows(data):
    """Yields (role, first bytes of the id, (x, y, z, CUDA major), is it a full package)."""
    full_id = {}
    with data.open(newline="") as stream:
        for number, row in enumerate(csv.DictReader(stream), start=2):
            name = FILE_NAME.fullmatch(row["file"])
            role = (name.group(1) or "shim") if name else None
            if role not in ROLES:
                fail(f"{DATA.name}:{number}: {row['file']} has a role that library_roles.def lacks")
            if not re.fullmatch(r"[0-9a-f]{40}", row["build_id"]):
                fail(f"{DATA.name}:{number}: {row['build_id']} is not a build id")
            if row["set"] not in ("full", "jit"):
                fail(f"{DATA.name}:{number}: {row['set']} is neither full nor jit")
            key = row["build_id"][:2 * ID_BYTES]
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


def unchanged_roles(rows):
    """By cuDNN major, roles that were seen to be the same file in two releases for one CUDA major."""
    numbers_of = {}
    for role, key, release, _ in rows:
        numbers_of.setdefault((role, key, release[3]), set()).add(release[:3])
    found = {}
    for (role, _, _), numbers in numbers_of.items():
        if len(numbers) > 1:
            found.setdefault(min(numbers)[0], set()).add(role)
    return found


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


def asked_roles(data):
    """By asking role and release (x, y, z): the roles that its read-only data names."""
    asked = {}
    with data.open(newline="") as stream:
        for number, row in enumerate(csv.DictReader(stream), start=2):
            roles = row["asks_for"].split()
            unknown = set(roles) - set(ROLES)
            if unknown:
                fail(f"{DATA.name}:{number}: {row['file']} asks for {min(unknown)}, a role that "
                     "library_roles.def lacks")
            if not roles:
                continue
            name = FILE_NAME.fullmatch(row["file"])
            key = name.group(1) or "shim", tuple(int(part) for part in row["cudnn"].split(".")[:3])
            if asked.setdefault(key, roles) != roles:
                fail(f"{DATA.name}:{number}: two packages of one release ask for different roles")
    return asked


def steps(asked):
    """Of asked_roles() what differs from the release before, within a cuDNN major."""
    before = None
    for (asker, release), roles in sorted(asked.items(),
                                          key=lambda item: (ROLES.index(item[0][0]), item[0][1])):
        if (asker, release[0], roles) != before:
            yield asker, release, roles
        before = asker, release[0], roles


def bits(roles):
    return f"0x{sum(1 << ROLES.index(role) for role in roles):x}"


def packages(rows):
    """By release: is the full package there, and the roles of that, or of the JIT-only one."""
    found = {}
    for role, _, release, full in rows:
        had_full, roles = found.get(release, (False, set()))
        if full and not had_full:
            roles = set()
        if full or not had_full:
            found[release] = full, roles | {role}
    return found


def array(declaration, cells, width):
    """Lines of a C++ array, so many cells a line."""
    cells = list(cells)
    lines = [f"static constexpr {declaration}[] = {{"]
    lines += ["    " + ", ".join(cells[i:i + width]) + "," for i in range(0, len(cells), width)]
    return lines + ["};"]


def make_table(data=DATA):
    """The text of the table for a file of rows."""
    rows = list(read_rows(data))
    releases, ids = packages(rows), {}
    for role, key, release, _ in open_cuda_majors(rows):
        releases.setdefault(release, (False, ()))
        ids.setdefault(key, (role, set()))[1].add(release)
    order = {release: index for index, release in enumerate(sorted(releases))}
    members_of = {key: tuple(sorted(order[r] for r in found)) for key, (_, found) in ids.items()}
    sets = sorted(set(members_of.values()))
    sorted_ids = sorted(ids, key=lambda key: (members_of[key], ROLES.index(ids[key][0]), key))
    if len(ROLES) > 30:
        fail("more than 30 roles: widen catalogue_table::role_sets")
    if len(releases) > 256:
        fail("more than 256 releases: widen catalogue_table::set_members")
    role_sets = sorted({bits(roles) for _, roles in releases.values()})
    if len(role_sets) > 256:
        fail("more than 256 sets of roles: widen catalogue_release::role_set")

    def cell(key, following):
        last = following is None or members_of[following] != members_of[key]
        meaning = ROLES.index(ids[key][0]) + (LAST_OF_SET if last else 0)
        return "{{" + ", ".join(str(byte) for byte in bytes.fromhex(key)) + f"}}, {meaning}}}"

    lines = ["// SPDX-License-Identifier: BSD-3-Clause", "//",
             "// Written by generate.py from build_ids.csv; edit those.", "",
             "// x, y, z, CUDA major (0: any), is its full package there, index of its roles"]
    lines += array("catalogue_release catalogue_releases", (
        "{%d, %d, %d, %d, %s, %d}" % (*r, str(releases[r][0]).lower(),
                                      role_sets.index(bits(releases[r][1])))
        for r in order), 1)
    lines += [""] + array("unsigned catalogue_role_sets", role_sets, 8)
    lines += ["", "// Roles whose file can be the same for every CUDA major.",
              f"static constexpr unsigned catalogue_shared_roles = {bits(shared_roles(rows))};",
              "", "// cuDNN major, roles whose file can be the same in neighbouring releases"]
    lines += array("catalogue_unchanged catalogue_unchanged_roles",
                   (f"{{{major}, {bits(roles)}}}"
                    for major, roles in sorted(unchanged_roles(rows).items())), 1)
    lines += ["", "// Since release x, y, z the library of that role asks for these by name."]
    lines += array("catalogue_asker catalogue_askers",
                   ("{%d, %d, %d, library_role::%s, %s}" % (*release, asker, bits(roles))
                    for asker, release, roles in steps(asked_roles(data))), 1)
    lines += ["", "// Indices of releases, set by set, and how many there are in each."]
    lines += array("unsigned char catalogue_set_members",
                   (str(i) for members in sets for i in members), 16)
    lines += [""] + array("unsigned char catalogue_set_sizes", (str(len(members)) for members in sets), 16)
    lines += ["", "// The first bytes of build ids, and the index of the role (+ 128: the last id of its set)."]
    lines += array("catalogue_id catalogue_ids", map(cell, sorted_ids, [*sorted_ids[1:], None]), 3)
    return "\n".join(lines) + "\n"


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
