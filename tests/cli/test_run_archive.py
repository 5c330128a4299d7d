# SPDX-License-Identifier: BSD-3-Clause
"""run: an application of shiv imports its own packages, from where its first start has unpacked them."""

import os
import shutil
import sys
import zipfile

from checked_program import call
from fake_packages import FakePackages, WHEEL

MAIN = "import sys\nprint('started', *sys.argv[1:])\nsys.exit(7)\n"


class Shiv(FakePackages):
    python = "python{}.{}".format(*sys.version_info)

    def setUp(self):
        super().setUp()
        self.interpreter = self.root / "venv/bin/python3"
        self.interpreter.parent.mkdir()
        self.interpreter.symlink_to(os.path.realpath(sys.executable))
        home = os.path.dirname(os.path.realpath(sys.executable))
        (self.root / "venv/pyvenv.cfg").write_text(f"home = {home}\ninclude-system-site-packages = false\n")
        self.app = self.root / "app.pyz"
        with open(self.app, "wb") as file:
            file.write(f"#!{self.interpreter}\n".encode())
        with zipfile.ZipFile(self.app, "a") as archive:
            archive.writestr("__main__.py", MAIN)
        self.app.chmod(0o755)
        self.unpacked = self.root / "shiv/app.pyz_0123/site-packages"

    def run_it(self, *words):
        return call("run", "--", *(words or [self.app]), "word", home=self.root, SHIV_ROOT=self.root / "shiv")

    def test_its_own_packages_come_before_those_of_its_python(self):
        shutil.copytree(self.site, self.unpacked)
        (self.site / WHEEL / "libcudnn_ops.so.9").write_bytes(b"")
        for words in ((), (self.interpreter, self.app)):
            self.assertEqual(self.run_it(*words), (7, "started word\n", ""))
        shutil.rmtree(self.root / "shiv")
        self.assertEqual(self.run_it()[0], 78)

    def test_its_own_packages_are_checked(self):
        shutil.copytree(self.site, self.unpacked)
        (self.unpacked / WHEEL / "libcudnn_ops.so.9").write_bytes(b"")
        status, out, err = self.run_it()
        self.assertEqual((status, out), (78, ""))
        self.assertIn(f"{self.unpacked}/torch/lib/../../{WHEEL}/libcudnn_ops.so.9 ", err)

    def test_of_two_releases_of_it_either_may_be_started(self):
        """Which one is in the archive alone: its Python's packages are all that is looked at."""
        for number in ("0123", "4567"):
            shutil.copytree(self.site, self.root / f"shiv/app.pyz_{number}/site-packages")
        (self.site / WHEEL / "libcudnn_ops.so.9").write_bytes(b"")
        self.assertEqual(self.run_it()[0], 78)
