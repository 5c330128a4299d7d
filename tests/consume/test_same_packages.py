# SPDX-License-Identifier: BSD-3-Clause
"""Packages that CPack makes: with SOURCE_DATE_EPOCH the same files give the same bytes, whenever and wherever."""

import pathlib
import shutil
import subprocess

from support import REPOSITORY, ScratchTest, clean_environment, cmake_program
from support.known_compilers import compiler_arguments

NEEDS = {"TGZ": [], "DEB": ["dpkg-deb"], "RPM": ["rpmbuild"]}


class SamePackages(ScratchTest):
    def packed(self, name):
        """[(name, bytes)] of the packages that a folder of this name gets."""
        generators = [one for one, programs in NEEDS.items() if all(map(shutil.which, programs))]
        folder = self.scratch / name
        done = subprocess.run([pathlib.Path(cmake_program()).with_name("cpack"), "-G", ";".join(generators), "-B", folder],
                              cwd=self.scratch / "build", text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env=clean_environment(self.scratch, SOURCE_DATE_EPOCH="1790000000", PATH="/usr/bin:/bin"))
        self.assertEqual(done.returncode, 0, done.stdout)
        files = [path for path in sorted(folder.iterdir()) if path.suffix in (".gz", ".deb", ".rpm")]
        self.assertEqual(len(files), len(generators), done.stdout)
        return [(path.name, path.read_bytes()) for path in files]

    def test_the_same_bytes_twice(self):
        done = subprocess.run([cmake_program(), "-S", REPOSITORY, "-B", self.scratch / "build", *compiler_arguments("Ninja"),
                               "-DCUDNN_CHECKED_BUILD_TESTING=OFF", "-DCUDNN_CHECKED_BUILD_CLI=OFF"], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(done.returncode, 0, done.stdout)
        first = self.packed("one")
        for (name, then), (other, now) in zip(first, self.packed("two")):
            self.assertEqual(name, other)
            self.assertTrue(then == now, f"{name} has other bytes")
