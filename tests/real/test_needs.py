# SPDX-License-Identifier: BSD-3-Clause
"""Real cuDNNs without one library each: what finalizing returns, what needs.csv has, and what each door says.

Every set that is in the cache is tried; the large ones are fetched by none of the tests (scripts/cudnn_sets.txt).
"""

import csv
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import isolation
from foreign_tensor_ir import CLI, FAILED, Scene
from places import SETS, NotHere, files_of, prefix_of
from programs import programs
from support.environment import REPOSITORY

CATALOGUE = REPOSITORY / "tool/data/catalogue"
LATER = ("engines_tensor_ir", "ext")
STUB = pathlib.Path("/usr/local/cuda/lib64/stubs/libcuda.so")


def sets():
    """(name, release, directory) of the sets of cuDNN 9 for CUDA 13 that are here."""
    for name, (package, release) in SETS.items():
        if package.endswith("cu12") or not release.startswith("9."):
            continue
        try:
            yield name, release, prefix_of(name) / "lib"
        except NotHere as why:
            print(f"not here: {why}")


def measured(release, kind):
    with (CATALOGUE / "needs.csv").open(newline="") as stream:
        return [row for row in csv.DictReader(stream) if row["cudnn"].startswith(release + ".") and row["set"] == kind
                and row["cuda_major"] == "13"]


def kind_of(name):
    return "jit" if name.startswith("jit") else "full"


@unittest.skipIf(isolation.why_cache_stays(), f"the loader's cache cannot be chosen: {isolation.why_cache_stays()}")
class Doors(unittest.TestCase):
    """verify, doctor, probe and the guard of a program, of one state each."""

    def state(self, name, lib, role):
        with tempfile.TemporaryDirectory(prefix="cudnn-checked-needs-") as root:
            scene = Scene(pathlib.Path(os.path.realpath(root)), self.made, lib, None, "")
            if role:
                (scene.lib / files_of(name)[role].name).unlink()
            return scene.truth(), dict(scene.told())

    def test_one_answer(self):
        try:
            self.made = programs("jit 9.14")
        except NotHere as why:
            self.skipTest(str(why))
        if not CLI.exists():
            self.skipTest("cudnn-checked is not built")
        tried = 0
        for name, release, lib in sets():
            roles = [role for role in files_of(name) if role not in ("shim", "graph")]
            for role in ["", *roles]:
                with self.subTest(release=name, without=role):
                    truth, told = self.state(name, lib, role)
                    if release == "9.13.0":
                        told.pop("guard", None)  # cudnn-older: the program was built on 9.14.0
                    if truth in FAILED:
                        self.assertEqual(set(told.values()), {"sublibrary-missing"}, told)
                    elif not role or role in LATER:
                        self.assertEqual(set(told.values()), {"ok"}, told)
                    else:
                        # It computes, and what asks for the whole of cuDNN lacks something all the same.
                        self.assertEqual((told["doctor"], told["probe"]), ("sublibrary-missing",) * 2, told)
                    tried += 1
        if not tried:
            self.skipTest("no cuDNN is in the cache")
        print(f"{tried} states")


class Rows(unittest.TestCase):
    def test_measured_again(self):
        """measure.py, of the same files: the rows that needs.csv has."""
        if not STUB.exists():
            self.skipTest(f"no {STUB}")
        tried = 0
        for name, release, lib in sets():
            expected = measured(release, kind_of(name))
            if not expected:
                continue
            with self.subTest(name):
                done = subprocess.run([sys.executable, CATALOGUE / "measure.py", "--folder", lib, expected[0]["cudnn"], "13",
                                       kind_of(name)], capture_output=True, text=True, check=True,
                                      env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})
                self.assertEqual(list(csv.DictReader(done.stdout.splitlines())), expected)
                tried += 1
        if not tried:
            self.skipTest("no cuDNN is in the cache that was measured")


if __name__ == "__main__":
    unittest.main()
