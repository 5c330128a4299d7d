#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes catalogue_table.inc and dll_table.inc of tool/core/catalogue from build_ids.csv and dll_ids.csv, which lie
beside this file.

With --check nothing is written: exit status 1 where a table is not what its data says.
"""

import csv
import pathlib
import re
import sys
from typing import NamedTuple

HERE = pathlib.Path(__file__).resolve().parent


class Platform(NamedTuple):
    """The files of cuDNN for one platform: their data, and the table that is made of it."""

    data: pathlib.Path
    table: pathlib.Path
    prefix: str  # of the arrays in the table
    file_name: re.Pattern
    identity: re.Pattern
    identity_name: str  # what identifies a file


LINUX = Platform(HERE / "build_ids.csv", HERE.parents[1] / "core/catalogue/catalogue_table.inc", "catalogue",
                 re.compile(r"libcudnn(?:_([a-z0-9_]+))?\.so\.[0-9]+"), re.compile(r"[0-9a-f]{40}"), "build id")
WINDOWS = Platform(HERE / "dll_ids.csv", HERE.parents[1] / "core/catalogue/dll_table.inc", "dll",
                   re.compile(r"cudnn(?:_([a-z0-9_]+?))?64_[0-9]+\.dll"), re.compile(r"[0-9a-f]{13}"),
                   "DLL id")
PLATFORMS = (LINUX, WINDOWS)

# Their order numbers them, here and in core.
ROLES = re.findall(r"^ROLE\((\w+), ",
                   (HERE.parents[1] / "core/model/library_roles.def").read_text(), re.MULTILINE)
ID_BYTES = 5  # of catalogue_id::bytes
LAST_OF_SET = 128  # of catalogue_id::meaning


def fail(text):
    sys.exit(f"generate.py: error: {text}")


def read_rows(platform, data):
    """Yields (role, first bytes of the id, (x, y, z, CUDA major), is it a full package)."""
    full_id = {}
    with data.open(newline="") as stream:
        for number, row in enumerate(csv.DictReader(stream), start=2):
            name = platform.file_name.fullmatch(row["file"])
            role = (name.group(1) or "shim") if name else None
            if role not in ROLES:
                fail(f"{data.name}:{number}: {row['file']} has a role that library_roles.def lacks")
            if not platform.identity.fullmatch(row["build_id"]):
                fail(f"{data.name}:{number}: {row['build_id']} is not a {platform.identity_name}")
            if row["set"] not in ("full", "jit"):
                fail(f"{data.name}:{number}: {row['set']} is neither full nor jit")
            key = row["build_id"][:2 * ID_BYTES]
            if full_id.setdefault(key, (row["build_id"], role)) != (row["build_id"], role):
                fail(f"{data.name}:{number}: {key} begins two ids, or one id has two roles")
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


def asked_roles(platform, data):
    """By asking role and release (x, y, z): the roles that its read-only data names."""
    asked = {}
    with data.open(newline="") as stream:
        for number, row in enumerate(csv.DictReader(stream), start=2):
            roles = row["asks_for"].split()
            unknown = set(roles) - set(ROLES)
            if unknown:
                fail(f"{data.name}:{number}: {row['file']} asks for {min(unknown)}, a role that "
                     "library_roles.def lacks")
            if not roles:
                continue
            name = platform.file_name.fullmatch(row["file"])
            key = name.group(1) or "shim", tuple(int(part) for part in row["cudnn"].split(".")[:3])
            if asked.setdefault(key, roles) != roles:
                fail(f"{data.name}:{number}: two packages of one release ask for different roles")
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


def array(declaration, cells, width, where_empty=""):
    """Lines of a C++ array, so many cells a line; one cell where there are none, which C++ has no array of."""
    cells = list(cells) or [where_empty]
    lines = [f"static constexpr {declaration}[] = {{"]
    lines += ["    " + ", ".join(cells[i:i + width]) + "," for i in range(0, len(cells), width)]
    return lines + ["};"]


def make_table(platform, data=None):
    """The text of the table for a file of rows, the platform's own or a changed one."""
    data = data or platform.data
    prefix = platform.prefix
    rows = list(read_rows(platform, data))
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
             f"// Written by generate.py from {platform.data.name}; edit those.", "",
             "// x, y, z, CUDA major (0: any), is its full package there, index of its roles"]
    lines += array(f"catalogue_release {prefix}_releases", (
        "{%d, %d, %d, %d, %s, %d}" % (*r, str(releases[r][0]).lower(),
                                      role_sets.index(bits(releases[r][1])))
        for r in order), 1)
    lines += [""] + array(f"unsigned {prefix}_role_sets", role_sets, 8)
    lines += ["", "// Roles whose file can be the same for every CUDA major.",
              f"static constexpr unsigned {prefix}_shared_roles = {bits(shared_roles(rows))};",
              "", "// cuDNN major, roles whose file can be the same in neighbouring releases"]
    lines += array(f"catalogue_unchanged {prefix}_unchanged_roles",
                   (f"{{{major}, {bits(roles)}}}"
                    for major, roles in sorted(unchanged_roles(rows).items())), 1, "{0, 0x0}")
    lines += ["", "// Since release x, y, z the library of that role asks for these by name."]
    lines += array(f"catalogue_asker {prefix}_askers",
                   ("{%d, %d, %d, library_role::%s, %s}" % (*release, asker, bits(roles))
                    for asker, release, roles in steps(asked_roles(platform, data))), 1)
    lines += ["", "// Indices of releases, set by set, and how many there are in each."]
    lines += array(f"unsigned char {prefix}_set_members",
                   (str(i) for members in sets for i in members), 16)
    lines += [""] + array(f"unsigned char {prefix}_set_sizes", (str(len(members)) for members in sets), 16)
    lines += ["", f"// The first bytes of {platform.identity_name}s, and the index of the role (+ 128: the last id of its set)."]
    lines += array(f"catalogue_id {prefix}_ids", map(cell, sorted_ids, [*sorted_ids[1:], None]), 3)
    return "\n".join(lines) + "\n"


def main(arguments):
    if arguments not in ([], ["--check"]):
        fail("usage: generate.py [--check]")
    for platform in PLATFORMS:
        table = make_table(platform)
        if not arguments:
            platform.table.write_text(table)
        elif not platform.table.exists() or platform.table.read_text() != table:
            fail(f"{platform.table.name} is not what {platform.data.name} says; run generate.py")


if __name__ == "__main__":
    main(sys.argv[1:])
