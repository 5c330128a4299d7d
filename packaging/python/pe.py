# SPDX-License-Identifier: BSD-3-Clause
"""What a wheel's name says of its program for Windows: the machine ("PE Format", COFF File Header)."""

import struct

MACHINES = {0x8664: "amd64", 0xAA64: "arm64"}


class Program:
    """A PE file: machine."""

    def __init__(self, data):
        header, = struct.unpack_from("<I", data, 60) if len(data) >= 64 else (len(data),)
        if data[header:header + 4] != b"PE\0\0":
            raise ValueError("no PE file")
        machine, = struct.unpack_from("<H", data, header + 4)
        self.machine = MACHINES[machine]
