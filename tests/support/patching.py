# SPDX-License-Identifier: BSD-3-Clause
"""Changes to finished programs and libraries, by patchelf."""

import shutil
import subprocess
import unittest


def patchelf(path, *options):
    if not shutil.which("patchelf"):
        raise unittest.SkipTest("patchelf is not installed")
    subprocess.run(["patchelf", *options, str(path)], check=True)
