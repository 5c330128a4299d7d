#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Adds releases of cuDNN to build_ids.csv and writes the table of core/catalogue anew.

usage: add.py REQUIREMENT...        as pip takes them: nvidia-cudnn-cu13==9.14.0.64

Each package is fetched from PyPI (or what pip is told to use) into a temporary folder, one at a time,
its libraries are read as far as their notes, and it is deleted.  Where anything is wrong with one of
them, nothing of that one is kept.
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

COLUMNS = ["file", "build_id", "cudnn", "cuda_major", "set"]
REQUIREMENT = re.compile(r"nvidia-cudnn-(?:jit-)?cu[0-9]+(?:==[0-9]+(?:\.[0-9]+){3})?")
WHEEL = re.compile(r"nvidia_cudnn_(jit_)?cu([0-9]+)-([0-9.]+)-.*\.whl")
# The catalogue is about the libraries for x86-64, on whatever machine this runs.
PLATFORMS = ["manylinux_2_27_x86_64", "manylinux2014_x86_64", "manylinux1_x86_64"]


class Refused(Exception):
    """What is wrong with one requirement, for a person."""


def fetch(requirement, folder):
    """Has pip fetch the wheel of a requirement; returns its path."""
    platforms = [word for name in PLATFORMS for word in ("--platform", name)]
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:",
               "--no-cache-dir", "--disable-pip-version-check", "--quiet", *platforms,
               "--dest", str(folder), requirement]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    wheels = list(folder.glob("*.whl"))
    if result.returncode != 0 or len(wheels) != 1:
        sys.stderr.write(result.stdout)
        raise Refused("pip could not fetch it; its own lines stand above")
    return wheels[0]


def read_exactly(stream, offset, count):
    stream.seek(offset)
    data = stream.read(count)
    if len(data) != count:
        raise Refused("is shorter than its own headers say")
    return data


def build_id(stream):
    """The GNU build id of a 64-bit little-endian ELF file (System V ABI, chapters 4 and 5)."""
    header = read_exactly(stream, 0, 64)
    if header[:6] != b"\x7fELF\x02\x01":
        raise Refused("is no ELF file of 64 bits")
    table, = struct.unpack_from("<Q", header, 32)
    size, count = struct.unpack_from("<HH", header, 54)
    segments = read_exactly(stream, table, size * count)
    for index in range(count):
        kind, _, offset, _, _, length, _, align = struct.unpack_from("<IIQQQQQQ", segments, index * size)
        if kind != 4:  # PT_NOTE
            continue
        notes, at, align = read_exactly(stream, offset, length), 0, 8 if align == 8 else 4
        while at + 12 <= length:
            name_size, id_size, note = struct.unpack_from("<III", notes, at)
            start = at + -(-(12 + name_size) // align) * align
            if note == 3 and notes[at + 12:at + 12 + name_size] == b"GNU\0":
                return notes[start:start + id_size].hex()
            at = start + -(-id_size // align) * align
    raise Refused("has no GNU build id")


def rows_of(wheel):
    """The rows of a wheel's libraries; the name of the wheel says release, CUDA major and set."""
    name = WHEEL.fullmatch(wheel.name)
    if not name:
        raise Refused(f"{wheel.name} is no package of cuDNN")
    rows = []
    with zipfile.ZipFile(wheel) as archive:
        for member in sorted(archive.namelist()):
            file = member.rpartition("/")[2]
            if not generate.FILE_NAME.fullmatch(file):
                continue
            with archive.open(member) as stream:
                try:
                    found = build_id(stream)
                except Refused as problem:
                    raise Refused(f"{file} {problem}") from None
            rows.append({"file": file, "build_id": found, "cudnn": name.group(3),
                         "cuda_major": name.group(2), "set": "jit" if name.group(1) else "full"})
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


def add(requirement):
    """Adds one package; returns the number of its libraries."""
    with generate.DATA.open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    refuse_known(rows, package_of(requirement))
    with tempfile.TemporaryDirectory() as folder:
        found = rows_of(fetch(requirement, pathlib.Path(folder)))
        refuse_known(rows, identity(found[0]))
        changed = pathlib.Path(folder) / generate.DATA.name
        changed.write_text(text_of(rows + found))
        table = generate.make_table(changed)  # ends the program where a row cannot be right
        generate.DATA.write_text(changed.read_text())
    generate.TABLE.write_text(table)
    return found


def main(requirements):
    failed = False
    for requirement in requirements:
        try:
            found = add(requirement)
            print(f"catalogue: added {len(found)} libraries of {requirement}", flush=True)
        except (Refused, zipfile.BadZipFile) as problem:
            print(f"catalogue: error: {requirement}: {problem}", file=sys.stderr, flush=True)
            failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) if len(sys.argv) > 1 else __doc__)
