# SPDX-License-Identifier: BSD-3-Clause
"""simulated_fatbinary() writes what nvcc writes, read by one and the same reader."""

import pathlib
import shutil
import struct
import subprocess
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent

PROJECT = """
cmake_minimum_required(VERSION 3.22...4.2)
project(device_code LANGUAGES CXX)
include({here}/fatbinary.cmake)
add_executable(app main.cpp)
simulated_fatbinary(app {items})
"""


def sections(data):
    """Name -> (file offset, address, bytes) of a 64-bit ELF file."""
    table, = struct.unpack_from("<Q", data, 40)
    size, count, names = struct.unpack_from("<HHH", data, 58)
    rows = [struct.unpack_from("<IIQQQQ", data, table + i * size) for i in range(count)]
    found = {}
    for row in rows:
        start = rows[names][4] + row[0]
        name = data[start : data.index(b"\0", start)].decode()
        found[name] = (row[4], row[3], data[row[4] : row[4] + row[5]])
    return found


def containers(program):
    """Each container of a program as a list of (kind, architecture, a or f)."""
    code = sections(program.read_bytes())[".nv_fatbin"][2]
    found = []
    at = 0
    while at + 16 <= len(code):
        magic, version, head, size = struct.unpack_from("<IHHQ", code, at)
        if magic != 0xBA55ED50:
            at += 8
            continue
        assert (version, head) == (1, 16)
        entries = []
        entry, end = at + head, at + head + size
        while entry < end:
            kind, _, entry_head, entry_size = struct.unpack_from("<HHIQ", code, entry)
            architecture, = struct.unpack_from("<I", code, entry + 28)
            flags, = struct.unpack_from("<Q", code, entry + 40)
            suffix = {0: "", 1: "a", 2: "f"}[flags >> 20 & 3]
            entries.append(({1: "ptx", 2: "cubin"}[kind], architecture, suffix))
            entry += entry_head + entry_size
        assert entry == end
        found.append(sorted(entries))
        at = end
    return found


def wrapper_versions(program):
    """The versions of the wrappers: 2 for the one of the device link, 1 for the others."""
    code = sections(program.read_bytes())[".nvFatBinSegment"][2]
    rows = [struct.unpack_from("<II", code, at) for at in range(0, len(code), 24)]
    assert all(magic == 0x466243B1 for magic, _ in rows)
    return [version for _, version in rows]


class Fatbinary(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def simulate(self, items):
        (self.folder / "main.cpp").write_text("int main() {}\n")
        (self.folder / "CMakeLists.txt").write_text(PROJECT.format(here=HERE, items=items))
        build = self.folder / "build"
        for command in (["cmake", "-S", self.folder, "-B", build], ["cmake", "--build", build]):
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        subprocess.run([build / "app"], check=True)
        return build / "app"

    def test_what_was_asked_for(self):
        app = self.simulate("75-real 86-real 75-virtual AND 90a-real 100f")
        self.assertEqual(containers(app), [
            [("cubin", 75, ""), ("cubin", 86, ""), ("ptx", 75, "")],
            [("cubin", 90, "a"), ("cubin", 100, "f"), ("ptx", 100, "f")]])
        self.assertEqual(wrapper_versions(app), [1, 1])

    @unittest.skipUnless(shutil.which("nvcc"), "nvcc is not on PATH")
    def test_nvcc_writes_the_same(self):
        source = self.folder / "kernel.cu"
        source.write_text("__global__ void k(float* a) { *a = 1; }\n"
                          "int main() { k<<<1, 1>>>(nullptr); }\n")
        real = self.folder / "real"
        codes = ["compute_75,code=sm_75", "compute_86,code=sm_86", "compute_90a,code=sm_90a",
                 "compute_75,code=compute_75"]
        command = ["nvcc", "-o", real, source]
        for code in codes:
            command += ["-gencode", "arch=" + code]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        app = self.simulate("LINK_STUB 75-real 86-real 90a-real 75-virtual")
        self.assertEqual(containers(app), containers(real))
        self.assertEqual(wrapper_versions(app), wrapper_versions(real))


if __name__ == "__main__":
    unittest.main()
