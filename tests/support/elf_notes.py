# SPDX-License-Identifier: BSD-3-Clause
"""The stamps in the ELF notes of a program (64-bit, little-endian: what the tests build)."""

import json
import pathlib
import struct
import subprocess

PT_NOTE = 4


def _note_segments(data):
    """The contents of the note segments, each with its alignment."""
    assert data[:6] == b"\x7fELF\x02\x01", "not a 64-bit little-endian ELF file"
    table, = struct.unpack_from("<Q", data, 32)
    entry_size, count = struct.unpack_from("<HH", data, 54)
    for index in range(count):
        kind, _, offset, _, _, size, _, align = struct.unpack_from(
            "<IIQQQQQQ", data, table + index * entry_size)
        if kind == PT_NOTE:
            yield data[offset:offset + size], max(align, 4)


def stamps(path):
    """The stamps of <path>, in the order of the file; an empty list where it has none."""
    found = []
    for segment, align in _note_segments(pathlib.Path(path).read_bytes()):
        offset = 0
        while offset + 12 <= len(segment):
            name_size, text_size, kind = struct.unpack_from("<III", segment, offset)
            name_at = offset + 12
            text_at = name_at + (name_size + align - 1) // align * align
            name = segment[name_at:name_at + name_size].rstrip(b"\0")
            text = segment[text_at:text_at + text_size].rstrip(b"\0")
            offset = text_at + (text_size + align - 1) // align * align
            if (name, kind) == (b"cudnn_checked", 1):
                found.append(json.loads(text))
    return found


def exported_symbols(path):
    """The names that <path> offers to other programs and libraries."""
    text = subprocess.run(["nm", "-D", "--defined-only", "-P", str(path)], check=True, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    return {line.split()[0] for line in text.splitlines()}
