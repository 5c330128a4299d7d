# SPDX-License-Identifier: BSD-3-Clause
"""scripts/newer_cmake.sh: a CMake that is too old is said before anything else, and replaced from PyPI."""

import os
import pathlib
import re
import subprocess
import sys
import zipfile

from support.scratch import ScratchTest

ROOT = pathlib.Path(__file__).resolve().parents[2]
NAME = "cmake-3.31.10"


class NewerCMake(ScratchTest):
    def setUp(self):
        super().setUp()
        for name in ("bin", "index"):
            (self.scratch / name).mkdir()
        self.program("python3", f'exec {sys.executable} "$@"\n')

    def program(self, name, text):
        path = self.scratch / "bin" / name
        path.write_text("#!/bin/sh\n" + text)
        path.chmod(0o755)

    def publish(self):
        """PyPI's wheel, as far as it matters here."""
        with zipfile.ZipFile(self.scratch / "index" / (NAME + "-py3-none-any.whl"), "w") as wheel:
            wheel.writestr("cmake/data/bin/cmake", "the newer one")
            wheel.writestr(NAME + ".dist-info/METADATA", "Metadata-Version: 2.1\nName: cmake\nVersion: 3.31.10\n")
            wheel.writestr(NAME + ".dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
            wheel.writestr(NAME + ".dist-info/RECORD", "")

    def ask(self, minimum, version):
        self.program("cmake", f"echo 'cmake version {version}'\n")
        environment = {**os.environ, "PATH": f"{self.scratch}/bin:{os.environ['PATH']}",
                       "XDG_CACHE_HOME": str(self.scratch / "cache"), "PIP_NO_INDEX": "1",
                       "PIP_FIND_LINKS": str(self.scratch / "index"), "PIP_CONFIG_FILE": os.devnull}
        done = subprocess.run(["sh", str(ROOT / "scripts/newer_cmake.sh"), minimum], text=True,
                              env=environment, capture_output=True)
        return done.returncode, done.stdout, done.stderr

    def test_new_enough(self):
        for minimum, version in (("3.22", "3.22.1"), ("3.22", "3.25.1"), ("3.22", "4.0.2"), ("3.25", "3.25.0-rc1"),
                                 ("3.25", "3.100.0"), ("3.25", "10.0.0")):
            self.assertEqual(self.ask(minimum, version), (0, "", ""), (minimum, version))

    def test_too_old(self):
        self.publish()
        home = self.scratch / "cache/cudnn-checked" / NAME
        for minimum, version in (("3.22", "3.18.4"), ("3.25", "3.22.1"), ("3.22", "2.8.12")):
            status, out, err = self.ask(minimum, version)
            self.assertEqual((status, out), (0, f"{home}/cmake/data/bin\n"), err)
            self.assertTrue((home / "cmake/data/bin/cmake").is_file())
            self.assertEqual([path.name for path in home.parent.iterdir()], [NAME])
            # It is fetched once.
            self.assertEqual(err, "== cmake 3.18.4 is older than 3.22; fetching 3.31.10 from PyPI (28 MB)\n"
                             if version == "3.18.4" else "")

    def test_it_cannot_be_fetched(self):
        status, out, err = self.ask("3.22", "3.18.4")
        self.assertEqual((status, out), (1, ""))
        self.assertTrue(err.endswith(
            "dev: error: cmake 3.18.4 is too old: 3.22 or newer is needed\n"
            "  cmake 3.31.10 could not be fetched from PyPI; pip's own lines stand above.\n"), err)
        self.assertEqual([*(self.scratch / "cache/cudnn-checked").iterdir()], [])

    def test_the_demo_asks_before_it_configures(self):
        """What README.md says is needed, and the module; the presets' is what ./dev test asks for."""
        demo = (ROOT / "examples/demo.sh").read_text(encoding="utf-8")
        asked = re.search(r"newer_cmake\.sh (\S+)\)", demo)
        self.assertLess(asked.start(), demo.index('say "looking for a cuDNN'))
        for file, pattern in (("CMakeLists.txt", r"cmake_minimum_required\(VERSION ([\d.]+)\.\.\."),
                              ("README.md", r"Your own project needs CMake (\S+) or newer")):
            self.assertEqual(re.search(pattern, (ROOT / file).read_text(encoding="utf-8"))[1], asked[1], file)
        presets = (ROOT / "CMakePresets.json").read_text(encoding="utf-8")
        minimum = ".".join(re.search(r'"major": (\d+), "minor": (\d+)', presets).groups())
        run = (ROOT / "tests/run.sh").read_text(encoding="utf-8")
        self.assertIn(f'newer_cmake.sh" {minimum})', run)
