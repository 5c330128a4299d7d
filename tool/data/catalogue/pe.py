# SPDX-License-Identifier: BSD-3-Clause
"""What the catalogue has of a DLL: read as core reads it (tool/core/pe).  Layouts: Microsoft, "PE Format"."""

import re
import struct

# A name in read-only data: what a DLL opens with LoadLibrary, or imports from.
NAME = re.compile(rb"(?<=\0)cudnn(?:_([a-z0-9_]+?))?64_[0-9]+\.dll(?=\0)")
X86_64, CODE_VIEW = 0x8664, 2
IMPORTS, DEBUG, DELAYED_IMPORTS = 1, 6, 13  # numbers of data directories


class Damaged(Exception):
    """What is wrong with one file, for a person."""


def unpack(form, data, offset):
    if offset + struct.calcsize(form) > len(data):
        raise Damaged("is shorter than its own headers say")
    return struct.unpack_from(form, data, offset)


class Image:
    """A DLL for x86-64."""

    def __init__(self, data):
        self.data = data
        if data[:2] != b"MZ":
            raise Damaged("is no DLL")
        start, = unpack("<I", data, 60)
        signature, machine, count, self.time, _, _, size, _ = unpack("<4sHHIIIHH", data, start)
        if signature != b"PE\0\0" or machine != X86_64:
            raise Damaged("is no DLL for x86-64")
        optional = start + 24
        self.size, = unpack("<I", data, optional + 56)
        known, = unpack("<I", data, optional + 108)
        self.directories = [unpack("<II", data, optional + 112 + 8 * i) for i in range(min(known, 16))]
        # Name, address in memory, offset in the file, bytes there.
        self.sections = []
        for index in range(count):
            name, _, address, length, offset = unpack("<8sIIII", data, optional + size + 40 * index)
            unpack(f"<{length}x", data, offset)
            self.sections.append((name.rstrip(b"\0"), address, offset, length))

    def offset_of(self, address):
        """Where the file has what lies at an address of the loaded image."""
        for _, begin, offset, length in self.sections:
            if begin <= address < begin + length:
                return offset + address - begin
        raise Damaged("has an address that no section has")

    def table(self, number, form):
        """The rows of a table, to its end or to a row of zeros."""
        begin, size = self.directories[number] if number < len(self.directories) else (0, 0)
        rows = []
        if begin:
            at = self.offset_of(begin)
            for offset in range(at, at + size, struct.calcsize(form)):
                row = unpack(form, self.data, offset)
                if not any(row):
                    break
                rows.append(row)
        return rows

    def imported_names(self):
        """The addresses of the names of the DLLs that it imports from."""
        return ({row[3] for row in self.table(IMPORTS, "<5I")}
                | {row[1] for row in self.table(DELAYED_IMPORTS, "<8I")})


def identity(data):
    """What identifies a DLL without a CodeView id: its size in memory and its time, as pe_image::identity().

    None of the 796 DLLs that were read has a CodeView id, which would be a better one.
    """
    image = Image(data)
    if any(row[4] == CODE_VIEW for row in image.table(DEBUG, "<IIHHIIII")):
        raise Damaged("has a CodeView id, which the catalogue has no place for")
    time = f"{image.time:08x}"
    return f"{image.size // 4096:05x}" + time[3:] + time[:3]


def asked_for(data, own):
    """The roles of the DLLs that it opens by name; `own` is its own, which it may name as well."""
    image = Image(data)
    imported, roles = image.imported_names(), set()
    for name, address, offset, length in image.sections:
        if name == b".rdata":
            for found in NAME.finditer(data, offset, offset + length):
                if address + found.start() - offset not in imported:
                    roles.add((found.group(1) or b"shim").decode())
    return roles - {own}
