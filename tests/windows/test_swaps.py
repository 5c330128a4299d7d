# SPDX-License-Identifier: BSD-3-Clause
"""NVIDIA's own sets of DLLs, and each with one file that is another release's, absent, cut or zeros: what verify says.

The folder of unpacked wheels (dll_places.unpacked) has those of RELEASES; others in it that the catalogue has supply files
as well.
"""

import json
import unittest

from dll_places import dlls_of, linked, unpacked
from stand_ins import WithCommandLine

RELEASES = ("8.9.7.29", "9.10.2.21", "9.28.0.42")
READ = 1 << 20  # bytes that are left of a file that is cut


def number_of(release):
    return tuple(map(int, release.split(".")[:3]))


class Case:
    """A folder with a program, and the DLLs of a release of which one is replaced."""

    def __init__(self, folder, release, name="", how="", donor=""):
        self.folder, self.release, self.name, self.how, self.donor = folder, release, name, how, donor

    def __str__(self):
        return f"{self.release}: {self.name} {self.how} {self.donor}"

    def make(self, program):
        self.folder.mkdir(parents=True)
        # The name that it imports is that of the major release.
        self.program = self.folder / "app.exe"
        self.program.write_bytes(program.replace(b"cudnn64_9.dll", f"cudnn64_{self.release[0]}.dll".encode()))
        for name, file in dlls_of(self.release).items():
            if name != self.name:
                linked(file, self.folder / name)
        target = self.folder / (self.name or "none")
        if self.how == "swapped":
            linked(dlls_of(self.donor)[self.name], target)
        elif self.how in ("cut", "zeros"):
            whole = dlls_of(self.release)[self.name]
            with open(whole, "rb") as source, open(target, "wb") as file:
                if self.how == "cut":
                    file.write(source.read(min(READ, whole.stat().st_size // 2)))
                else:
                    file.truncate(whole.stat().st_size)

    def expected(self):
        """Name and severity of the finding that names the file."""
        is_shim = self.name.startswith("cudnn64_")
        if self.how == "swapped":
            # An older shim forwards what the newer release still has.
            forwards = is_shim and number_of(self.donor) < number_of(self.release)
            return "mixed-sublibraries", "warning" if forwards else "error"
        if self.how == "absent":
            return ("cudnn-not-found" if is_shim else "sublibrary-missing",
                    # docs/measurements.md, "A library of another release".
                    "note" if self.name == "cudnn_ext64_9.dll" else "error")
        return "library-corrupt", "error"


def cases(release, donors):
    yield release, "", "", ""
    for name in dlls_of(release):
        for how in ("absent", "cut", "zeros"):
            yield release, name, how, ""
        for donor in donors:
            if donor != release and name in dlls_of(donor):
                yield release, name, "swapped", donor


class Swaps(WithCommandLine):
    @classmethod
    def setUpClass(cls):
        for release in RELEASES:
            if not dlls_of(release):
                raise unittest.SkipTest(f"the wheels in {unpacked(release)} are not there")
        super().setUpClass()

    def setUp(self):
        super().setUp()
        for name in ("cublas64_12.dll", "zlibwapi.dll"):  # cuDNN 8
            (self.cuda / name).write_bytes(self.fake)

    def verify(self, release):
        donors = sorted({number for number, _, _ in self.ids if dlls_of(number)})
        made = [Case(self.scratch / release / str(i), *case) for i, case in enumerate(cases(release, donors))]
        for case in made:
            case.make(self.tools.linked.read_bytes())
        said = self.start_in_windows([self.program, "verify", "--no-gpu", "--json", *(f"Z:{case.program}" for case in made)],
                                     [self.cuda], timeout=600)[1]
        return zip(made, json.loads(said)["files"], strict=True)

    def test_each_file(self):
        for release in RELEASES:
            for case, file in self.verify(release):
                with self.subTest(str(case)):
                    self.check(case, file["status"], [f for f in file["report"]["findings"] if f["name"] != "not-stamped"])

    def check(self, case, status, findings):
        if not case.how:
            self.assertEqual((status, findings), (0, []))
            return
        name, severity = case.expected()
        self.assertEqual(status, 1 if severity == "error" else 0)
        about = [f for f in findings if (f["name"], f["severity"]) == (name, severity)]
        # A file for another CUDA asks for another cuBLAS.
        self.assertEqual({f["severity"] for f in findings if f["name"] != "dependency-missing"}, {severity})
        number = ".".join(map(str, number_of(case.donor or case.release)))
        named = [json.dumps(f) for f in about if case.name in json.dumps(f)]
        self.assertTrue(any(case.how != "swapped" or number in text for text in named), findings)


if __name__ == "__main__":
    unittest.main()
