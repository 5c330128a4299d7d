# SPDX-License-Identifier: BSD-3-Clause
"""What a wheel's name says of its program: the machine, and the oldest glibc that it starts with (PEP 600)."""

import struct

MACHINES = {62: "x86_64", 183: "aarch64"}  # System V ABI, e_machine
PT_LOAD, PT_DYNAMIC = 1, 2
DT_NEEDED, DT_STRTAB, DT_VERNEED, DT_VERNEEDNUM = 1, 5, 0x6FFFFFFE, 0x6FFFFFFF
# What is glibc on every distribution.
GLIBC = {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1",
         "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}


class Program:
    """A 64-bit little-endian ELF file: machine, needed (names), glibc ((2, 17), or None)."""

    def __init__(self, data):
        if data[:6] != b"\x7fELF\x02\x01":
            raise ValueError("no 64-bit ELF file")
        self._data = data
        machine, = struct.unpack_from("<H", data, 18)
        self.machine = MACHINES[machine]
        offset, = struct.unpack_from("<Q", data, 32)
        size, count = struct.unpack_from("<HH", data, 54)
        headers = [struct.unpack_from("<IIQQQQ", data, offset + i * size) for i in range(count)]
        self._loads = [h for h in headers if h[0] == PT_LOAD]
        dynamic = self._dynamic(next(h for h in headers if h[0] == PT_DYNAMIC))
        self._strings = self._at(dict(dynamic)[DT_STRTAB])
        self.needed = [self._string(value) for tag, value in dynamic if tag == DT_NEEDED]
        self.glibc = max(self._versions(dict(dynamic)), default=None)

    def is_for_every_distribution(self):
        return self.glibc is not None and set(self.needed) <= GLIBC

    def _at(self, address):
        """The offset in the file of what is at that address."""
        return next(offset + address - start for _, _, offset, start, _, size in self._loads
                    if start <= address < start + size)

    def _string(self, index):
        start = self._strings + index
        return self._data[start:self._data.index(b"\0", start)].decode()

    def _dynamic(self, header):
        return list(struct.iter_unpack("<qQ", self._data[header[2]:header[2] + header[5]]))

    def _versions(self, dynamic):
        """The numbers of the symbol versions "GLIBC_2.17" that are needed."""
        at = self._at(dynamic[DT_VERNEED]) if DT_VERNEED in dynamic else 0
        for _ in range(dynamic.get(DT_VERNEEDNUM, 0)):
            _, count, _, first, following = struct.unpack_from("<HHIII", self._data, at)
            entry = at + first
            for _ in range(count):
                _, _, _, name, next_entry = struct.unpack_from("<IHHII", self._data, entry)
                kind, _, number = self._string(name).partition("_")
                if kind == "GLIBC":
                    yield tuple(map(int, number.split(".")))
                entry += next_entry
            at += following
