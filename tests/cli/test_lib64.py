# SPDX-License-Identifier: BSD-3-Clause
"""An environment whose packages lie in two folders, lib64 for those with extension modules and lib for others, as on
Fedora: the wheel of cuDNN is of the latter kind (pytorch/pytorch#165812)."""

import os
import shutil
import sys

from checked_program import call, messages
from fake_packages import FakePackages, ids_of, make_library, NUMBER, PACKAGE, WHEEL


class TwoFolders(FakePackages):
    def setUp(self):
        super().setUp()
        self.other = self.root / f"venv/lib64/{self.python}/site-packages"
        self.other.mkdir(parents=True)
        for path in [self.site / "torch", *self.site.glob("torch-*.dist-info")]:
            shutil.move(path, self.other / path.name)

    def test_doctor_of_the_environment(self):
        """Both folders are looked at, and what one requires and the other has is installed."""
        status, out, err = call("doctor", self.root / "venv", home=self.root)
        self.assertEqual((status, err), (1, ""), out)
        self.assertIn(f"users of cuDNN in {self.other}\n", out)
        self.assertIn(f"requires {PACKAGE}=={NUMBER}", out)
        self.assertNotIn("not installed", out)
        self.assertNotIn("[requirement-unmet]", out)

    def test_the_fix_leads_to_the_other_folder(self):
        library = self.other / "torch/lib/libtorch_cuda.so"
        status, out, _ = call("verify", library, home=self.root)
        self.assertEqual(status, 1, out)
        self.assertEqual(messages(out)[0][1], f"export LD_LIBRARY_PATH={self.site / WHEEL}", out)
        self.assertEqual(call("verify", library, home=self.root, LD_LIBRARY_PATH=self.site / WHEEL)[0], 0)

    def test_what_the_other_folder_has_is_not_installed_again(self):
        """pip finds it there.  The loader finds the cuDNN of another CUDA."""
        others, library = self.root / "others", self.other / "torch/lib/libtorch_cuda.so"
        for name, build_id in ids_of("9.14.0.64", "13").items():
            make_library(others / name, "-Wl,-rpath,$ORIGIN", "-Wl,--build-id=0x" + build_id)
        library.unlink()
        (self.other / "torch/lib/libtorch_python.so").unlink()
        make_library(library, others / "libcudnn.so.9", f"-Wl,-rpath,$ORIGIN/../../{WHEEL}:{others}")
        (self.root / "venv/bin").mkdir()
        (self.root / "venv/bin/python3").symlink_to(os.path.realpath(sys.executable))
        (self.root / "venv/pyvenv.cfg").write_text(f"home = {self.root}\n")
        (self.other / "pip").mkdir()
        (self.other / "pip/__main__.py").write_text("")
        for words in (["verify", library], ["doctor", self.root / "venv"]):
            _, out, _ = call(*words, home=self.root)
            self.assertEqual(dict(messages(out))["[cuda-major]"], f"export LD_LIBRARY_PATH={self.site / WHEEL}", out)

    def test_a_link_is_the_same_folder(self):
        shutil.rmtree(self.root / "venv/lib64")
        (self.root / "venv/lib64").symlink_to("lib")
        _, out, _ = call("doctor", self.root / "venv", home=self.root)
        self.assertNotIn("lib64", out)
