# SPDX-License-Identifier: BSD-3-Clause
"""The files and commands of docs/other_builds.md, as they stand there."""

import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import textwrap

from support import REPOSITORY, ScratchTest, clean_environment, simulated_sdk
from support.environment import compiler
from support.wheel import install_tree


def blocks(title):
    """The indented blocks of a section."""
    text = (REPOSITORY / "docs/other_builds.md").read_text(encoding="utf-8")
    section = re.search(rf"(?ms)^{re.escape(title)}\n(.*?)(?=^## |\Z)", text)[1]
    return [textwrap.dedent(block) for block in re.findall(r"(?m)(?:^(?:    .*)?\n)*^    .*\n", section)]


class OtherBuilds(ScratchTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        shared = pathlib.Path(tempfile.mkdtemp(prefix="cudnn-checked-other-builds-"))
        cls.addClassCleanup(shutil.rmtree, shared, ignore_errors=True)
        cls.inside = shared
        cls.installed = install_tree(shared)

    def setUp(self):
        super().setUp()
        options = {"gpus": "sm_75", "build_ids": "catalogue"}
        self.cudnn = simulated_sdk(**options).copy(self.scratch / "sdk")
        self.cudnn.add_cuda_libraries(self.cudnn.library_directory)
        self.older = simulated_sdk(cudnn="9.13.0", **options)
        self.write("app.cpp", blocks("# Builds without CMake")[0])

    def need(self, *tools):
        for tool in tools:
            if not shutil.which(tool):
                self.skipTest(f"no {tool} here")

    def started(self, *command, **variables):
        environment = clean_environment(self.scratch, CXX=compiler(), CUDNN=str(self.cudnn.prefix), **variables)
        environment["PATH"] = f"{self.installed}/bin:{os.environ['PATH']}"
        done = subprocess.run([str(word) for word in command], cwd=self.scratch, env=environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.returncode, done.stdout

    def built(self, commands):
        status, out = self.started("sh", "-ec", commands)
        self.assertEqual(status, 0, out)
        self.assertRegex(out, r"(?m)^cudnn-checked: (ok|unknown|warning): ")

    def assert_guarded(self):
        self.assertEqual(self.started("build/app"), (0, "computes with cuDNN 91400\n"))
        status, out = self.started("build/app", LD_LIBRARY_PATH=str(self.older.library_directory))
        self.assertEqual(status, 78, out)

    def test_make(self):
        self.need("make", "pkg-config")
        makefile, commands = blocks("## make")
        self.write("Makefile", makefile)
        self.built(commands)
        self.assert_guarded()

    def test_meson(self):
        self.need("meson", "ninja", "pkg-config")
        project, commands = blocks("## Meson")
        self.write("meson.build", project)
        self.built(commands)
        self.assert_guarded()

    def test_setuptools(self):
        self.need("pkg-config")
        if not importlib.util.find_spec("setuptools"):
            self.skipTest("no setuptools here")
        if not (pathlib.Path(sysconfig.get_path("include")) / "Python.h").exists():
            self.skipTest("no headers of Python here")
        source, setup, commands = blocks("## setuptools")
        self.write("conv.cpp", source)
        self.write("setup.py", setup)
        self.built(commands.replace("python3", sys.executable))
        ask = (sys.executable, "-c", "import conv; print(conv.cudnn)")
        self.assertEqual(self.started(*ask), (0, "91400\n"))
        status, out = self.started(*ask, LD_LIBRARY_PATH=str(self.older.library_directory))
        self.assertEqual(status, 1)
        self.assertIn("ImportError: cudnn_checked: refused: ", out)

    def test_a_broken_cudnn_stops_the_build(self):
        self.need("make", "pkg-config")
        self.write("Makefile", blocks("## make")[0])
        self.cudnn.take_from(self.older, "ops")
        status, out = self.started("sh", "-ec", blocks("## make")[1])
        self.assertNotEqual(status, 0)
        self.assertIn("[mixed-sublibraries]", out)
        self.assertFalse((self.scratch / "build/app").exists())
