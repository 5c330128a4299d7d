# SPDX-License-Identifier: BSD-3-Clause
"""A library of cuDNN that leaves a process behind, which holds every pipe of the probe open."""

import os
import shutil
import subprocess
import time
import unittest

from checked_program import CalledTest, compiled

DAEMON = """
#include <unistd.h>
__attribute__((constructor)) static void leave_one() {
  if (fork() == 0) {
    sleep(1000);
    _exit(0);
  }
}
"""


@unittest.skipUnless(shutil.which("patchelf"), "no patchelf")
class Daemon(CalledTest):
    def test_of_a_sub_library(self):
        sdk = self.sdk(gpus="")
        library = compiled(self.scratch / "daemon.so", DAEMON, "-shared", "-fPIC")
        graph = os.path.realpath(sdk.library("graph"))
        subprocess.run(["patchelf", "--add-needed", library, graph], check=True)
        begin = time.monotonic()
        status, out, err = self.called("probe", "--timeout", "50", sdk.prefix, **sdk.environment)
        self.assertEqual((status, err), (3, ""))
        self.assertIn("cudnn-checked: unknown: cuDNN 9.14.0 · loaded, ", out)
        self.assertLess(time.monotonic() - begin, 40)
