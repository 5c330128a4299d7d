# SPDX-License-Identifier: BSD-3-Clause
"""./dev catalogue, for Windows: rows of a wheel's DLLs, sorted in; or a message, and nothing changed."""

import struct

import test_catalogue

TAG = "py3-none-win_amd64"


def dll(pages=0x44, time=0x6883017b, texts=b"", imports=(), code_view=False, machine=0x8664):
    """A DLL of one section, which begins with the table of imports and that of debug information."""
    address = 0x1000
    names, places = b"", []
    for name in imports:
        places.append(address + 20 * (len(imports) + 1) + 28 + len(names))
        names += name.encode() + b"\0"
    contents = b"".join(struct.pack("<5I", 1, 0, 0, place, 1) for place in places) + bytes(20)
    contents += struct.pack("<IIHHIIII", 0, 0, 0, 0, 2 if code_view else 13, 0, 0, 0) + names + b"\0" + texts
    directories = [(0, 0)] * 16
    directories[1] = address, 20 * (len(imports) + 1)
    directories[6] = address + 20 * (len(imports) + 1), 28
    header = b"MZ".ljust(60, b"\0") + struct.pack("<I", 64)
    header += struct.pack("<4sHHIIIHH", b"PE\0\0", machine, 1, time, 0, 0, 240, 0x2022)
    header += struct.pack("<H54xI48xI", 0x20b, pages * 4096, 16)
    header += b"".join(struct.pack("<II", *directory) for directory in directories)
    at = len(header) + 40
    header += struct.pack("<8sIIII16x", b".rdata", len(contents), address, len(contents), at)
    return header + contents


def bin_of(role):
    return f"nvidia/cudnn/bin/cudnn{role}64_9.dll"


class Dlls(test_catalogue.CatalogueCase):
    data, table_name = "dll_ids.csv", "dll_table.inc"

    def write(self, release, members, package="nvidia-cudnn-cu13"):
        test_catalogue.write_wheel(self.index, package, release, members, TAG)

    def refused_on_windows(self, release, message):
        before = self.contents()
        result = self.add("--windows", f"nvidia-cudnn-cu13=={release}")
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertEqual(result.stderr, f"catalogue: error: nvidia-cudnn-cu13=={release}: {message}\n")
        self.assertEqual(self.contents(), before)

    def test_adds_rows_in_their_place_and_the_table(self):
        texts = b"\0cudnn_cnn64_9.dll\0cudnn_adv64_9.dll\0see cudnn_ops64_9.dll\0cudnn64_9.dll\0"
        self.write("9.98.0.1", {bin_of(""): dll(texts=texts, imports=["cudnn_graph64_9.dll"]),
                                bin_of("_graph"): dll(0x123, 0x68830100, imports=["cudnn_ops64_9.dll"]),
                                "nvidia/cudnn/lib/x64/cudnn.lib": "", "nvidia/cudnn/bin/other64_1.dll": "text"})
        before = self.contents()[0].splitlines()
        linux = (self.work / "build_ids.csv").read_text()
        result = self.add("--windows", "nvidia-cudnn-cu13==9.98.0.1")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(result.stdout, "catalogue: added 2 DLLs of nvidia-cudnn-cu13==9.98.0.1\n")
        rows, table = self.contents()
        new = ["cudnn64_9.dll,000443017b688,9.98.0.1,13,full,cnn adv",
               "cudnn_graph64_9.dll,0012330100688,9.98.0.1,13,full,"]
        self.assertEqual([row for row in before if row.split(",")[1] == "000443017b688"],
                         ["cudnn64_9.dll,000443017b688,9.12.0.46,12,full,graph ops cnn adv"])
        self.assertEqual([row for row in rows.splitlines() if row not in before], new)
        self.assertEqual([row for row in rows.splitlines() if row not in new], before)
        self.assert_release(table, "9, 98, 0, 13, true", "0x3")
        self.assertIn("{9, 98, 0, library_role::shim, 0x18},\n", table)
        self.assertEqual((self.work / "build_ids.csv").read_text(), linux)
        self.assertEqual(list(self.temporary.iterdir()), [])
        self.refused_on_windows("9.98.0.1", "the catalogue has this release already")

    def test_update_adds_both_platforms(self):
        self.write("9.98.0.1", {bin_of(""): dll(1, 1)})
        self.write("9.98.0.1", {bin_of(""): dll(2, 2)}, "nvidia-cudnn-cu12")
        library = test_catalogue.library(bytes(range(20)))
        test_catalogue.write_wheel(self.index, "nvidia-cudnn-cu13", "9.98.0.1",
                                   {test_catalogue.lib(""): library})
        result = self.add("--update")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(result.stdout, """\
catalogue: added 1 libraries of nvidia-cudnn-cu13==9.98.0.1
catalogue: added 1 DLLs of nvidia-cudnn-cu12==9.98.0.1
catalogue: added 1 DLLs of nvidia-cudnn-cu13==9.98.0.1
""")
        self.assertIn(f"libcudnn.so.9,{bytes(range(20)).hex()},9.98.0.1,13,full,\n",
                      (self.work / "build_ids.csv").read_text())

    def test_dlls_that_cannot_be_right(self):
        cases = {
            "9.98.0.1": ({test_catalogue.lib(""): "\x7fELF"},
                         "nvidia_cudnn_cu13-9.98.0.1-py3-none-win_amd64.whl holds no library of cuDNN"),
            "9.98.0.2": ({bin_of(""): "text" * 100}, "cudnn64_9.dll is no DLL"),
            "9.98.0.3": ({bin_of(""): dll()[:-1]}, "cudnn64_9.dll is shorter than its own headers say"),
            "9.98.0.4": ({bin_of(""): dll()[:70]}, "cudnn64_9.dll is shorter than its own headers say"),
            "9.98.0.5": ({bin_of(""): dll(machine=0xaa64)}, "cudnn64_9.dll is no DLL for x86-64"),
            "9.98.0.6": ({bin_of("_ops"): dll(code_view=True)},
                         "cudnn_ops64_9.dll has a CodeView id, which the catalogue has no place for"),
        }
        for release, (members, message) in cases.items():
            self.write(release, members)
            self.refused_on_windows(release, message)

    def test_ids_that_cannot_be_told_apart(self):
        # The first ten digits are the same: a multiple of 2^20 seconds later.
        self.write("9.98.0.1", {bin_of(""): dll(0x44, 0x6893017b), bin_of("_ops"): dll(0x44, 0x6883017b)})
        before = self.contents()
        result = self.add("--windows", "nvidia-cudnn-cu13==9.98.0.1")
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, r"^generate.py: error: dll_ids.csv:[0-9]+: 000443017b begins two ids, "
                                        r"or one id has two roles\n$")
        self.assertEqual(self.contents(), before)
