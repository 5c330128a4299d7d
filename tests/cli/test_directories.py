# SPDX-License-Identifier: BSD-3-Clause
"""doctor DIR and inspect DIR: the set that one points at, and nothing else of the machine."""

import json
import platform
import re
import unittest

from checked_program import call
from support import ScratchTest, relative_output, simulated_sdk

ROLES = ["shim", "adv", "cnn", "engines_precompiled", "engines_runtime_compiled",
         "graph", "heuristic", "ops"]
HEADING = "<scratch>/{}: a directory with libraries of cuDNN\n"


class DirectoriesTest(ScratchTest):
    def called(self, *arguments, **environment):
        status, out, err = call(*arguments, home=self.scratch, **environment)
        return (status, relative_output(out, scratch=self.scratch),
                relative_output(err, scratch=self.scratch))

    def sdk(self, name="sdk", **options):
        return simulated_sdk(**options).copy(self.scratch / name)

    def mixed(self):
        sdk = self.sdk(cudnn="9.14.0")
        other = self.sdk("other", cudnn="9.19.0")
        for path in sdk.library_directory.glob("libcudnn_heuristic.so*"):
            path.unlink()
        sdk.library("heuristic").symlink_to(other.library_directory / "libcudnn_heuristic.so.9.19.0")
        return sdk


class Doctor(DirectoriesTest):
    def test_a_sound_set(self):
        self.sdk(cudnn="9.14.0", cuda="13.0")
        text = """\
cuDNN
  9.14.0   full   <scratch>/sdk/lib   command line   header 9.14.0

cudnn-checked: ok: 1 cuDNN, 0 errors, 0 warnings
"""
        for directory in ["sdk", "sdk/lib", self.scratch / "sdk/lib", "sdk/lib/"]:
            status, out, err = self.called("doctor", directory, CUDNN_ROOT="/absent",
                                           LD_LIBRARY_PATH="/absent")
            self.assertEqual((status, out.replace("lib/ ", "lib "), err), (0, text, ""))

    def test_a_mixed_one(self):
        self.mixed()
        status, out, _ = self.called("doctor", "sdk")
        self.assertEqual(status, 1)
        self.assertIn("\nerror: the files of cuDNN are of more than one release\n", out)
        self.assertTrue(out.endswith(
            "\ncudnn-checked: refused: 1 cuDNN, 1 of them broken, 1 error, 0 warnings\n"), out)
        tree = json.loads(self.called("doctor", "sdk", "--json")[1])
        self.assertEqual((tree["verdict"], tree["cudnn"][0]["findings"][0]["name"], tree["findings"],
                          tree["toolkits"]), ("refused", "mixed-sublibraries", [], []))

    def test_several(self):
        self.mixed()
        status, out, _ = self.called("doctor", "other", "sdk")
        self.assertEqual(status, 1)
        self.assertEqual(re.findall(r"(?m)^  (9\.\S+).*<scratch>/(\w+)/lib ", out),
                         [("9.19.0", "other"), ("9.14.0", "sdk")])

    def test_a_broken_link(self):
        sdk = self.sdk(cudnn="9.14.0")
        (sdk.library_directory / "libcudnn_extra.so.9").symlink_to("libcudnn_extra.so.9.14.0")
        status, out, _ = self.called("doctor", "sdk")
        self.assertEqual(status, 1)
        self.assertIn("\nerror: a symbolic link of cuDNN is broken: libcudnn_extra.so.9\n", out)

    def test_an_environment_and_its_site_packages(self):
        sdk = self.sdk(cudnn="9.14.0")
        wheel = self.scratch / "venv/lib/python3.99/site-packages/nvidia/cudnn"
        wheel.mkdir(parents=True)
        sdk.library_directory.rename(wheel / "lib")
        for directory in ["venv", "venv/lib/python3.99/site-packages", wheel / "lib"]:
            tree = json.loads(self.called("doctor", "--json", directory)[1])
            self.assertEqual([one["library"] for one in tree["cudnn"]], [
                "<scratch>/venv/lib/python3.99/site-packages/nvidia/cudnn/lib/libcudnn.so.9"])

    def test_none(self):
        (self.scratch / "empty").mkdir()
        self.assertEqual(self.called("doctor", "empty"), (
            3, "", "cudnn-checked: error: doctor: empty: no cuDNN in it\n"))
        self.assertEqual(self.called("doctor", "absent"), (
            2, "", "cudnn-checked: error: doctor: absent: no such directory\n"))


class Inspect(DirectoriesTest):
    def test_each_library_once(self):
        sdk = self.sdk(cudnn="9.14.0")
        status, out, err = self.called("inspect", sdk.library_directory)
        self.assertEqual(err, "")
        lines = out.splitlines(keepends=True)
        self.assertEqual(lines[0], HEADING.format("sdk/lib"))
        self.assertEqual(sorted(line.split()[1] for line in lines[1:]), sorted(ROLES))
        machine = platform.machine()
        self.assertIn(f"  libcudnn_graph.so   graph   9.14.0   version word   {machine}   whole\n",
                      re.sub(r" {2,}", "   ", out).replace("\n   ", "\n  "))
        self.assertEqual(status, 0)
        tree = json.loads(self.called("inspect", "--json", sdk.library_directory)[1])
        self.assertEqual((tree["file"], sorted(one["role"] for one in tree["libraries"])),
                         ("<scratch>/sdk/lib", sorted(ROLES)))

    def test_a_damaged_one(self):
        sdk = self.sdk(cudnn="9.14.0")
        (sdk.library_directory / "libcudnn_ops.so.9.14.0").write_bytes(b"")
        status, out, _ = self.called("inspect", sdk.library_directory)
        self.assertEqual(status, 1)
        self.assertRegex(out, r"(?m)^  libcudnn_ops\.so +ops .* +empty$")

    def test_no_library(self):
        (self.scratch / "empty").mkdir()
        self.assertEqual(self.called("inspect", self.scratch / "empty"), (
            2, "", "cudnn-checked: error: inspect: <scratch>/empty: a directory\n"))


if __name__ == "__main__":
    unittest.main()
