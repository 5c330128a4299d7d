# SPDX-License-Identifier: BSD-3-Clause
"""doctor --root: a root file system of another place; nothing of this machine is looked at."""

import json
import shutil

from checked_program import CalledTest

# What is said of a tree with one whole cuDNN, to which LD_LIBRARY_PATH leads.
SOUND = """\
cuDNN
  9.14.0   full   /opt/cudnn   LD_LIBRARY_PATH[0]
what a program without a run path gets
  9.14.0   /opt/cudnn/libcudnn.so.9   chosen by LD_LIBRARY_PATH[0]
CUDA toolkits
  none
driver
  not known
GPUs
  not known

cudnn-checked: ok: 1 cuDNN, 0 errors, 0 warnings
"""


class Root(CalledTest):
    def setUp(self):
        super().setUp()
        self.root = self.scratch / "tree"
        (self.root / "etc").mkdir(parents=True)

    def put(self, path, **options):
        """A cuDNN below that path of the tree."""
        sdk = self.sdk(f"sdk{len(list(self.scratch.iterdir()))}", **options)
        shutil.copytree(sdk.prefix / "lib", self.root / path[1:], symlinks=True)
        return self.root / path[1:]

    def doctor(self, *words, **environment):
        status, out, err = self.called("doctor", "--root", self.root, *words, **environment)
        self.assertEqual(err, "")
        return status, out

    def test_a_sound_one(self):
        self.put("/opt/cudnn", cudnn="9.14.0")
        self.put("/here", cudnn="9.19.0")
        env = ("--env", "LD_LIBRARY_PATH=/opt/cudnn")
        self.assertEqual(self.doctor(*env, LD_LIBRARY_PATH=self.root / "here", CUDNN_ROOT="/usr/local/cuda"), (0, SOUND))

    def test_a_directory_in_it(self):
        self.put("/opt/cudnn", cudnn="9.14.0")
        for directory in ("/opt/cudnn", self.root / "opt/cudnn"):
            status, out = self.doctor(directory, "--json")
            tree = json.loads(out)
            self.assertEqual((status, [one["directory"] for one in tree["cudnn"]]), (0, ["/opt/cudnn"]))
            self.assertEqual(tree["root"], "<scratch>/tree")

    def test_the_packages_of_its_pythons(self):
        site = "/usr/local/lib/python3.12/site-packages/nvidia/cudnn/lib"
        self.put(site, cudnn="9.14.0")
        self.assertIn(f"  9.14.0   full   {site}   packages of /usr\n", self.doctor()[1])

    def test_a_fix_is_typed_in_the_container(self):
        directory = self.put("/opt/cudnn", cudnn="9.14.0")
        (directory / "libcudnn_extra.so.9").symlink_to("libcudnn_extra.so.9.14.0")
        status, out = self.doctor("--env", "LD_LIBRARY_PATH=/opt/cudnn")
        self.assertEqual(status, 1, out)
        self.assertIn("  fix: in the container: rm /opt/cudnn/libcudnn_extra.so.9\n", out)

    def test_usage(self):
        (self.root / "etc/file").touch()
        self.assertEqual(self.called("doctor", "--root", "tree", "/etc/file"),
                         (2, "", "cudnn-checked: error: doctor: /etc/file: not a directory\n"))
        self.assertEqual(self.called("doctor", "--root", "tree", "/etc"),
                         (3, "", "cudnn-checked: error: doctor: /etc: no cuDNN in it\n"))
        for words, said in [
                (["--root", "absent"], "doctor: --root absent: not a directory that can be read"),
                (["--root", "tree", "--env", "A"], "doctor: --env A: not NAME=VALUE"),
                (["--env", "A=B"],
                 "doctor: --env is for --root; for this machine, set the variable of cudnn-checked itself"),
                (["--root", "tree", "--paste"], "doctor: --root or --paste, not both")]:
            self.assertEqual(self.called("doctor", *words), (2, "", f"cudnn-checked: error: {said}\n"))
