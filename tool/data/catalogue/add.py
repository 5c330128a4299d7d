#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Adds releases of cuDNN to build_ids.csv or dll_ids.csv and writes the table of core/catalogue anew.

usage: add.py REQUIREMENT...              as pip takes them: nvidia-cudnn-cu13==9.14.0.64
       add.py --windows REQUIREMENT...    the same for Windows
       add.py --update                    every release that the index has and the catalogue lacks, for Linux and Windows

Each package is fetched from PyPI (or what pip is told to use) into a temporary folder, one at a time,
the ids of its libraries and the names that they open are read, and it is deleted.  Where anything is wrong with one of
them, nothing of that one is kept.  The sizes of wheels are asked of the index (sizes.py).
"""

import csv
import io
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import zipfile

import generate
import pe
import sizes

COLUMNS = ["file", "build_id", "cudnn", "cuda_major", "set", "asks_for"]
# A name in read-only data: what a library opens with dlopen (8.x writes the major behind it).
ASKED = re.compile(rb"(?<=\0)libcudnn_([a-z0-9_]+)\.so(?:\.8)?(?=\0)")
RELEASE = r"[0-9]+(?:\.[0-9]+){3}(?:\.post[0-9]+)?"
REQUIREMENT = re.compile(rf"nvidia-cudnn-(?:jit-)?cu[0-9]+(?:=={RELEASE})?")
WHEEL = re.compile(rf"nvidia_cudnn_(jit_)?cu([0-9]+)-({RELEASE})-.*\.whl")
# The catalogue is about the libraries for x86-64, on whatever machine this runs.  Those for aarch64
# have no build ids (README.md).
TAGS = {generate.LINUX: ["manylinux_2_28_x86_64", "manylinux_2_27_x86_64", "manylinux2014_x86_64", "manylinux1_x86_64"],
        generate.WINDOWS: ["win_amd64"]}
WHAT = {generate.LINUX: "libraries", generate.WINDOWS: "DLLs"}


class Refused(Exception):
    """What is wrong with one requirement, for a person."""


def pip(platform, *arguments):
    """Has pip, with its own settings, look for wheels for x86-64; returns the finished process."""
    platforms = [word for name in TAGS[platform] for word in ("--platform", name)]
    return subprocess.run([sys.executable, "-m", "pip", *arguments, "--only-binary", ":all:",
                           "--disable-pip-version-check", *platforms],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def fetch(platform, requirement, folder):
    """Has pip fetch the wheel of a requirement; returns its path."""
    result = pip(platform, "download", "--no-deps", "--no-cache-dir", "--quiet", "--dest", str(folder),
                 requirement)
    wheels = list(folder.glob("*.whl"))
    if result.returncode != 0 or len(wheels) != 1:
        sys.stderr.write(result.stdout)
        raise Refused("pip could not fetch it; its own lines stand above")
    return wheels[0]


def offered(platform, package):
    """The requirements of all releases of a package that the index has, oldest first."""
    result = pip(platform, "index", "versions", package)
    found = re.search(r"^Available versions: (.*)$", result.stdout, re.MULTILINE)
    if result.returncode == 0 and found:
        return [f"{package}=={release}" for release in reversed(found.group(1).split(", "))]
    if f"No matching distribution found for {package}" in result.stdout:
        return []
    sys.stderr.write(result.stdout)
    raise Refused("pip could not ask the index; its own lines stand above")


def read_exactly(data, offset, count):
    if offset + count > len(data):
        raise Refused("is shorter than its own headers say")
    return data[offset:offset + count]


def id_in_notes(notes, align):
    """The GNU build id among notes; empty where there is none, or the bytes are no notes."""
    at, align = 0, 8 if align == 8 else 4
    while at + 12 <= len(notes):
        name_size, id_size, kind = struct.unpack_from("<III", notes, at)
        start = at + -(-(12 + name_size) // align) * align
        if start + id_size > len(notes):
            return ""
        if kind == 3 and notes[at + 12:at + 12 + name_size] == b"GNU\0":
            return notes[start:start + id_size].hex()
        at = start + -(-id_size // align) * align
    return ""


def id_of_segments(data):
    """The id in the notes that the program header shows, which is where the loader finds them."""
    table, = struct.unpack_from("<Q", data, 32)
    size, count = struct.unpack_from("<HH", data, 54)
    segments = read_exactly(data, table, size * count)
    for index in range(count):
        kind, _, offset, _, _, length, _, align = struct.unpack_from("<IIQQQQQQ", segments,
                                                                     index * size)
        if kind != 4:  # PT_NOTE
            continue
        found = id_in_notes(read_exactly(data, offset, length), align)
        if found:
            return found
    return ""


def sections_of(data):
    """Yields (name, offset, length, alignment) of each section."""
    table, = struct.unpack_from("<Q", data, 40)
    size, count, names = struct.unpack_from("<HHH", data, 58)
    if table == 0 or names >= count:
        return
    read_exactly(data, table, size * count)
    sections = [struct.unpack_from("<IIQQQQIIQQ", data, table + i * size) for i in range(count)]
    texts = read_exactly(data, sections[names][4], sections[names][5])
    for name, _, _, _, offset, length, _, _, align, _ in sections:
        yield texts[name:].partition(b"\0")[0].decode(), offset, length, align


def id_of_sections(data):
    """The id in the section .note.gnu.build-id, to which a stale PT_NOTE may no longer lead."""
    for name, offset, length, align in sections_of(data):
        if name == ".note.gnu.build-id":
            return id_in_notes(read_exactly(data, offset, length), align)
    return ""


def asked_for(data):
    """The roles of the libraries that it opens by name."""
    return {role.decode() for name, offset, length, _ in sections_of(data) if name == ".rodata"
            for role in ASKED.findall(read_exactly(data, offset, length))}


def build_id(data):
    """The GNU build id of a 64-bit little-endian ELF file (System V ABI, chapters 4 and 5).

    As the reader in core finds it: in a PT_NOTE, else in its section.
    """
    if len(data) < 64:
        raise Refused("is shorter than its own headers say")
    if data[:6] != b"\x7fELF\x02\x01":
        raise Refused("is no ELF file of 64 bits")
    shown, own = id_of_segments(data), id_of_sections(data)
    if shown and own and shown != own:
        raise Refused(f"has two build ids: {shown} in its PT_NOTE, {own} in .note.gnu.build-id")
    if not shown and not own:
        raise Refused("has no GNU build id")
    return shown or own


def identity_and_asked(platform, file, contents):
    """The id of a library, and the roles that it opens by name, in the order of library_roles.def."""
    if platform is generate.LINUX:
        found, roles = build_id(contents), asked_for(contents)
    else:
        found = pe.identity(contents)
        roles = pe.asked_for(contents, platform.file_name.fullmatch(file).group(1) or "shim")
    return found, " ".join(sorted(roles, key=lambda role: (generate.ROLES + [role]).index(role)))


def rows_of(platform, wheel):
    """The rows of a wheel's libraries; the name of the wheel says release, CUDA major and set."""
    name = WHEEL.fullmatch(wheel.name)
    if not name:
        raise Refused(f"{wheel.name} is no package of cuDNN")
    rows = []
    with zipfile.ZipFile(wheel) as archive:
        for member in sorted(archive.namelist()):
            file = member.rpartition("/")[2]
            if not platform.file_name.fullmatch(file):
                continue
            try:
                found, asked = identity_and_asked(platform, file, archive.read(member))
            except (Refused, pe.Damaged) as problem:
                raise Refused(f"{file} {problem}") from None
            rows.append({"file": file, "build_id": found, "cudnn": name.group(3),
                         "cuda_major": name.group(2), "set": "jit" if name.group(1) else "full", "asks_for": asked})
    if not rows:
        raise Refused(f"{wheel.name} holds no library of cuDNN")
    return rows


def identity(row):
    """A package, as three columns."""
    return row["cudnn"], row["cuda_major"], row["set"]


def refuse_known(rows, package):
    if any(identity(row) == package for row in rows):
        raise Refused("the catalogue has this release already")


def package_of(requirement):
    """What a requirement asks for; the release is empty where it leaves that to pip."""
    if not REQUIREMENT.fullmatch(requirement):
        raise Refused("no package of cuDNN; such are nvidia-cudnn-cu13==9.14.0.64 and "
                      "nvidia-cudnn-jit-cu13==9.14.0.64")
    name, _, release = requirement.partition("==")
    return release, name.rpartition("cu")[2], "jit" if "-jit-" in name else "full"


def text_of(rows):
    stream = io.StringIO()
    writer = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(sorted(rows, key=lambda row: (row["file"], *identity(row))))
    return stream.getvalue()


def known_rows(platform):
    with platform.data.open(newline="") as stream:
        return list(csv.DictReader(stream))


def add(platform, requirement):
    """Adds one package; returns its rows."""
    rows = known_rows(platform)
    refuse_known(rows, package_of(requirement))
    with tempfile.TemporaryDirectory() as folder:
        found = rows_of(platform, fetch(platform, requirement, pathlib.Path(folder)))
        refuse_known(rows, identity(found[0]))
        changed = pathlib.Path(folder) / platform.data.name
        changed.write_text(text_of(rows + found))
        table = generate.make_table(platform, changed)  # ends the program where a row cannot be right
        platform.data.write_text(changed.read_text())
    platform.table.write_text(table)
    return found


def report(subject, problem):
    print(f"catalogue: error: {subject}: {problem}", file=sys.stderr, flush=True)


def add_all(platform, requirements):
    """Adds packages, one after the other; true where all of them could be added."""
    good = True
    for requirement in requirements:
        try:
            found = add(platform, requirement)
            print(f"catalogue: added {len(found)} {WHAT[platform]} of {requirement}", flush=True)
        except (Refused, zipfile.BadZipFile) as problem:
            report(requirement, problem)
            good = False
    return good


def update():
    """Adds what the index has and the catalogue lacks; true where all could be asked and added."""
    new, good = {}, True
    for platform in generate.PLATFORMS:
        known = {identity(row) for row in known_rows(platform)}
        new[platform] = []
        for package in sizes.PACKAGES:
            try:
                new[platform] += [r for r in offered(platform, package) if package_of(r) not in known]
            except Refused as problem:
                report(package, problem)
                good = False
    if good and not any(new.values()):
        print("catalogue: nothing new")
    return all([add_all(platform, requirements) for platform, requirements in new.items()]) and good


def main(arguments):
    if arguments == ["--update"]:
        good = update()
    else:
        platform = generate.WINDOWS if arguments[0] == "--windows" else generate.LINUX
        good = add_all(platform, arguments[platform is generate.WINDOWS:])
    return 0 if sizes.add() and good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) if len(sys.argv) > 1 else __doc__)
