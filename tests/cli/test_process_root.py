# SPDX-License-Identifier: BSD-3-Clause
"""--root /proc/PID/root: the container of a process that runs, whose mounts only it has."""

import os
import shutil
import unittest

from checked_program import CalledTest, compiled
from support.namespaces import own_mounts, why_no_mounts
from test_root import SOUND
from test_tree import libraries_of_the_system
from test_verify_pid import running

MAIN = """
#include <stdio.h>
extern unsigned long cudnnGetVersion(void);
int main(void) {
  printf("%lu\\n", cudnnGetVersion());
  fflush(stdout);
  return getchar() == 0;
}
"""
# The tree is empty outside of the namespace.
MOUNTED = 'mount -t tmpfs none "$1" && cp -R "$2/." "$1" && cd "$1" && '
BY_PIVOT_ROOT = MOUNTED + "pivot_root . mnt && exec /opt/app"
BY_CHROOT = MOUNTED + "exec chroot . /opt/app"
PROGRAMS = "/usr/sbin:/usr/bin:/sbin:/bin"


@unittest.skipIf(why_no_mounts(), why_no_mounts())
class ProcessRoot(CalledTest):
    def setUp(self):
        super().setUp()
        self.tree, self.contents = self.scratch / "tree", self.scratch / "contents"
        self.tree.mkdir()
        (self.contents / "mnt").mkdir(parents=True)
        self.copy(self.sdk(cudnn="9.14.0", cuda="13.0").library_directory, "/opt/cudnn")
        app = compiled(self.contents / "opt/app", MAIN, self.contents / "opt/cudnn/libcudnn.so.9", language="C")
        # The loader of this machine may find no cuDNN for the program: what that one needs is asked of itself.
        shim = self.contents / "opt/cudnn/libcudnn.so.9"
        for path in {*libraries_of_the_system(app), *libraries_of_the_system(shim)}:
            self.copy(path, path)

    def copy(self, source, path):
        target = self.contents / path[1:]
        target.parent.mkdir(parents=True, exist_ok=True)
        if os.path.isdir(source):
            shutil.copytree(source, target, symlinks=True)
        else:
            shutil.copy2(os.path.realpath(source), target)

    def started(self, how):
        return running(*own_mounts(), "sh", "-c", how, "sh", self.tree, self.contents, PATH=PROGRAMS,
                       LD_LIBRARY_PATH="/opt/cudnn")

    def asked(self, pid, *words):
        status, out, err = self.called(*words)
        return status, out.replace(f"/proc/{pid}/root", "<root>").replace(pid, "<pid>"), err

    def test_its_own_tree_is_looked_at(self):
        environment = ("--env", "LD_LIBRARY_PATH=/opt/cudnn")
        for how in (BY_PIVOT_ROOT, BY_CHROOT):
            with self.subTest(how=how), self.started(how) as pid:
                root = f"/proc/{pid}/root"
                for named in (root, root + "/opt/..", self.scratch / "link"):
                    (self.scratch / "link").unlink(missing_ok=True)
                    (self.scratch / "link").symlink_to(root)
                    self.assertEqual(self.asked(pid, "doctor", "--root", named, *environment), (0, SOUND, ""))
                for named in ("/opt/app", root + "/opt/app"):
                    self.assertEqual(self.asked(pid, "verify", "--root", root, *environment, named), (0, """\
cudnn-checked: ok: app takes cuDNN 9.14.0, whole, from /opt/cudnn
  shim:  9.14.0   /opt/cudnn/libcudnn.so.9   chosen by LD_LIBRARY_PATH[0]
  It has no stamp: the driver, the GPUs and the code for them are not checked.
  fix: nothing
   or: build it with cudnn_checked_guard()
  [not-stamped]
""", ""))
                self.assertEqual(self.asked(pid, "verify", "--pid", pid), (0, """\
cudnn-checked: ok: app has in its memory cuDNN 9.14.0, whole, from /opt/cudnn
  shim:       9.14.0   /opt/cudnn/libcudnn.so.9   chosen by LD_LIBRARY_PATH[0]
  in memory:  2 of 8 files   process <pid>
  It has no stamp: the driver, the GPUs and the code for them are not checked.
  fix: nothing
  [not-stamped]
""", ""))
