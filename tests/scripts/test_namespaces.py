# SPDX-License-Identifier: BSD-3-Clause
"""support/namespaces.py: a test that needs mounts of its own is skipped where it cannot have them, with the reason."""

import os
import pathlib
import subprocess
import sys

from support.environment import REPOSITORY
from support.namespaces import own_mounts, why_no_mounts
from support.scratch import ScratchTest

ASK = "from support.namespaces import why_no_mounts; print(why_no_mounts())"
IN_CHROOT = """
for folder in usr proc dev; do mkdir -p "$1/$folder" && mount --rbind "/$folder" "$1/$folder" || exit 9; done
for folder in tests cmake; do mkdir "$1/$folder" && mount --bind "$2/$folder" "$1/$folder" || exit 9; done
exec chroot "$1" /usr/bin/env PYTHONPATH=/tests PYTHONDONTWRITEBYTECODE=1 \
PATH=/usr/sbin:/usr/bin /usr/bin/python3 -c "$3"
"""


class Reasons(ScratchTest):
    def asked(self, **variables):
        done = subprocess.run([sys.executable, "-c", ASK], stdout=subprocess.PIPE, text=True, check=True,
                              env={"PYTHONPATH": str(REPOSITORY / "tests"), "PYTHONDONTWRITEBYTECODE": "1", **variables})
        return done.stdout.strip()

    def test_without_the_program(self):
        self.assertEqual(self.asked(PATH=str(self.scratch)), "there is no unshare here")

    def test_what_unshare_says(self):
        (self.scratch / "unshare").write_text("#!/bin/sh\necho 'unshare: unshare failed: Operation not permitted' >&2\nexit 1\n")
        (self.scratch / "unshare").chmod(0o755)
        told = self.asked(PATH=f"{self.scratch}:/usr/bin:/bin")
        if why_no_mounts().endswith("plain chroot"):
            self.skipTest("this is a plain chroot")
        self.assertEqual(told, "no mount namespaces: unshare: unshare failed: Operation not permitted")

    def test_in_a_plain_chroot(self):
        if os.geteuid() != 0:
            self.skipTest("only root can change the root directory")
        if why_no_mounts():
            self.skipTest(why_no_mounts())
        if not pathlib.Path("/lib64").is_symlink() or not os.path.exists("/usr/bin/python3"):
            self.skipTest("no merged /usr, or no /usr/bin/python3")
        tree = self.scratch / "tree"
        (tree / "tmp").mkdir(parents=True)
        for name in ("bin", "lib", "lib64"):
            (tree / name).symlink_to(f"usr/{name}")
        done = subprocess.run([*own_mounts(), "sh", "-c", IN_CHROOT, "sh", tree, REPOSITORY, ASK],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual((done.stdout, done.stderr), (
            "no mount namespaces: the root directory is no mount point, as in a plain chroot\n", ""))
