# SPDX-License-Identifier: BSD-3-Clause
"""A test case with a directory of its own."""

import os
import pathlib
import shutil
import tempfile
import unittest

from support.consumer import Consumer


class ScratchTest(unittest.TestCase):
    """self.scratch is empty when a test begins; CUDNN_CHECKED_KEEP_SCRATCH=1 keeps it."""

    maxDiff = None
    inside = None  # the folder of self.scratch: paths from one into the other are the same in each run, as ccache needs

    def setUp(self):
        self.scratch = pathlib.Path(os.path.realpath(tempfile.mkdtemp(prefix="cudnn-checked-", dir=self.inside)))
        if not os.environ.get("CUDNN_CHECKED_KEEP_SCRATCH"):
            self.addCleanup(shutil.rmtree, self.scratch, ignore_errors=True)

    def write(self, name, text=""):
        """Writes a file below the scratch directory and returns its path."""
        path = self.scratch / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def consumer(self, name="app", **files):
        """A project below the scratch directory; see Consumer."""
        return Consumer(self.scratch / name, home=self.scratch, **files)
