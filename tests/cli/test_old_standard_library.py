# SPDX-License-Identifier: BSD-3-Clause
"""cudnn-checked starts where LD_LIBRARY_PATH leads to a libstdc++ that it could not run with: it is asked because something
is wrong with such directories."""

import pathlib
import subprocess
import unittest

from checked_program import CalledTest
from fake_packages import make_library
from support.environment import compiler


def has_static_runtime():
    """A distribution may have the archive in a package of its own; the compiler names its path then, else its name."""
    done = subprocess.run([compiler("CXX"), "-print-file-name=libstdc++.a"], stdout=subprocess.PIPE, text=True)
    return pathlib.Path(done.stdout.strip()).is_absolute()


class OldStandardLibrary(CalledTest):
    @unittest.skipUnless(has_static_runtime(), "the compiler has no libstdc++.a")
    def test_it_starts(self):
        for name in ("libstdc++.so.6", "libgcc_s.so.1"):
            make_library(self.scratch / "old" / name)
        status, out, err = self.called("inspect", self.scratch / "absent", LD_LIBRARY_PATH=str(self.scratch / "old"))
        self.assertEqual((status, out, err), (2, "", "cudnn-checked: error: inspect: <scratch>/absent: no such file\n"))
