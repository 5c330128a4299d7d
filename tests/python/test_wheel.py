# SPDX-License-Identifier: BSD-3-Clause
"""The wheel: its bytes, its name, what pip and CMake make of it."""

import base64
import hashlib
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

from support import bare_cuda, bare_cudnn
from support.command_line import cudnn_checked_program
from support.environment import RELEASE, tools
from support.scratch import ScratchTest
from support.wheel import MAKE_WHEEL, install_tree, make_wheel, pip, run

sys.path.insert(0, str(MAKE_WHEEL.parent))
import elf  # noqa: E402

PROJECT = """\
cmake_minimum_required(VERSION 3.22)
project(app LANGUAGES NONE)
set(CuDNNChecked_REQUIRE LOCATED)
find_package(CuDNNChecked 9.1...<10 REQUIRED)
get_property(directory GLOBAL PROPERTY _cudnn_checked_included)
message(STATUS "found in ${directory}")
"""
PYPROJECT = """\
[build-system]
requires = ["scikit-build-core", "cudnn-checked"]
build-backend = "scikit_build_core.build"
[project]
name = "app"
version = "1"
"""


class Wheel(ScratchTest):
    @classmethod
    def setUpClass(cls):
        cls.shared = pathlib.Path(os.path.realpath(tempfile.mkdtemp(prefix="cudnn-checked-wheel-")))
        cls.addClassCleanup(shutil.rmtree, cls.shared, ignore_errors=True)
        cls.installed = install_tree(cls.shared)
        cls.wheel = make_wheel(cls.installed, cls.shared / "wheels")


class Contents(Wheel):
    def test_the_same_bytes_twice(self):
        os.utime(self.installed / "share/CuDNNChecked/cmake/FindCuDNNChecked.cmake", (1, 1))
        again = make_wheel(self.installed, self.scratch)
        self.assertEqual(again.read_bytes(), self.wheel.read_bytes())
        self.assertEqual(again.name, self.wheel.name)

    def test_what_is_in_it(self):
        with zipfile.ZipFile(self.wheel) as wheel:
            names = wheel.namelist()
            record = wheel.read(f"cudnn_checked-{RELEASE}.dist-info/RECORD").decode()
            metadata = wheel.read(f"cudnn_checked-{RELEASE}.dist-info/METADATA").decode()
            program = wheel.getinfo(f"cudnn_checked-{RELEASE}.data/scripts/cudnn-checked")
            self.assertEqual(wheel.read(program), cudnn_checked_program().read_bytes())
            self.assertEqual(program.external_attr >> 16, 0o100755)
            lines = []
            for name in names[:-1]:
                content = wheel.read(name)
                digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
                lines.append(f"{name},sha256={digest},{len(content)}")
        self.assertEqual(record.splitlines(), [*lines, f"cudnn_checked-{RELEASE}.dist-info/RECORD,,"])
        data = f"cudnn_checked-{RELEASE}.data/data/"
        self.assertEqual(sorted(name[len(data):] for name in names if name.startswith(data)), sorted(
            str(path.relative_to(self.installed)) for path in (self.installed / "share").rglob("*") if path.is_file()))
        for name in ("share/man/man1/cudnn-checked.1", "share/fish/vendor_completions.d/cudnn-checked.fish"):
            self.assertIn(data + name, names)
        self.assertTrue(metadata.startswith(f"Metadata-Version: 2.4\nName: cudnn-checked\nVersion: {RELEASE}\n"))
        self.assertEqual(re.findall(r"(?m)^(?:Requires-Dist|Provides-Extra): .*$", metadata),
                         ["Provides-Extra: plot", 'Requires-Dist: matplotlib>=3.7; extra == "plot"'])
        # A relative link leads nowhere on an index.
        self.assertEqual(re.findall(r"\]\((?!https?:)", metadata), [])

    def test_the_tag_is_what_the_program_needs(self):
        """readelf says the same of this program, and of the programs of other compilers the tag follows the rule."""
        program = elf.Program(cudnn_checked_program().read_bytes())
        dynamic = run("readelf", "-dW", cudnn_checked_program())
        self.assertEqual(program.needed, re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic))
        versions = {tuple(map(int, number.split("."))) for number in
                    re.findall(r"Name: GLIBC_([\d.]+) ", run("readelf", "-VW", cudnn_checked_program()))}
        self.assertEqual(program.glibc, max(versions))
        import make_wheel as script
        for needed, glibc, tag in [
                (["libc.so.6", "libm.so.6"], (2, 17), "manylinux_2_17_x86_64.manylinux2014_x86_64"),
                (["libc.so.6", "ld-linux-x86-64.so.2"], (2, 36), "manylinux_2_36_x86_64"),
                (["libc.so.6", "libstdc++.so.6"], (2, 17), "linux_x86_64"), (["libc.so"], None, "linux_x86_64")]:
            program.machine, program.needed, program.glibc = "x86_64", needed, glibc
            self.assertEqual(script.tag_of(program), f"py3-none-{tag}")

    def test_what_is_no_program(self):
        text = self.write("text", "no program\n")
        for arguments, error in (
                (["--program", text, "--installed", self.installed], f"{text} is no program for a known machine: no 64-bit ELF file"),
                (["--program", cudnn_checked_program(), "--installed", self.scratch],
                 f"{self.scratch} is no prefix into which `cmake --install` has written this project")):
            done = subprocess.run([sys.executable, MAKE_WHEEL, "--into", self.scratch, *arguments], text=True,
                                  stderr=subprocess.PIPE)
            self.assertEqual((done.returncode, done.stderr.splitlines()[-1]), (2, f"make_wheel.py: error: {error}"))
        self.assertEqual([*self.scratch.glob("*.whl")], [])


@unittest.skipUnless(importlib.util.find_spec("ensurepip"), "this Python makes no environments (python3-venv)")
class InVenv(Wheel):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.venv = cls.shared / "venv"
        run(sys.executable, "-m", "venv", cls.venv)
        pip("install", "--quiet", "--no-index", cls.wheel, python=cls.venv / "bin/python")
        cls.site = next(cls.venv.glob("lib/python3*/site-packages"))
        cls.package = cls.site / "cudnn_checked"
        bare_cuda(bare_cudnn(cls.shared / "sdk"))

    def configured(self, *arguments, **environment):
        """The directory in which find_package found this package."""
        app = self.consumer(cmake_lists=PROJECT)
        shutil.rmtree(app.build_directory, ignore_errors=True)
        sdk = self.shared / "sdk"
        done = app.configure(f"-DCUDNN_ROOT={sdk}", f"-DCUDAToolkit_ROOT={sdk}", *arguments, environment=environment)
        self.assertEqual(done.status, 0, done.output)
        return re.search(r"-- found in (.*)", done.output)[1]

    def test_the_program(self):
        program = self.venv / "bin/cudnn-checked"
        self.assertEqual(run(program, "--version"), f"cudnn-checked {RELEASE}\n")
        self.assertEqual(run(program, "--cmakedir"), f"{self.venv}/share/CuDNNChecked/cmake\n")
        self.assertEqual(run(self.venv / "bin/python", "-c", "import cudnn_checked; print(cudnn_checked.__version__)"),
                         f"{RELEASE}\n")
        # A link, as pipx and uv make one.
        link = self.scratch / "cudnn-checked"
        link.symlink_to(program)
        self.assertEqual(run(link, "--cmakedir"), f"{self.venv}/share/CuDNNChecked/cmake\n")

    def test_cmake_finds_the_package(self):
        directory = run(self.venv / "bin/cudnn-checked", "--cmakedir").strip()
        path = f"{self.venv}/bin:{tools()}"
        for arguments, environment in (
                ([f"-DCuDNNChecked_DIR={directory}"], {}),
                ([], {"CuDNNChecked_DIR": directory}),
                ([], {"PATH": path, "VIRTUAL_ENV": self.venv}),
                # As scikit-build-core passes the entry points cmake.prefix, cmake.module and cmake.root.
                ([f"-DCMAKE_PREFIX_PATH={self.package}"], {}),
                ([f"-DCMAKE_MODULE_PATH={self.package}/cmake"], {}),
                ([f"-DCuDNNChecked_ROOT={self.package}"], {})):
            with self.subTest(arguments=arguments, environment=environment):
                self.assertEqual(self.configured(*arguments, **environment), directory)

    @unittest.skipUnless(importlib.util.find_spec("scikit_build_core"), "scikit-build-core is not installed")
    def test_scikit_build_core_needs_nothing_named(self):
        """In the environment that pip makes for a build; here without a network, so without isolation."""
        venv = self.scratch / "venv"
        run(sys.executable, "-m", "venv", venv)
        pip("install", "--quiet", "--no-index", self.wheel, python=venv / "bin/python")
        sdk = self.shared / "sdk"
        for file, text in (("pyproject.toml", PYPROJECT), ("CMakeLists.txt", PROJECT)):
            self.write(f"app/{file}", text)
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.scratch), "CUDNN_ROOT": str(sdk),
                       "CUDAToolkit_ROOT": str(sdk), "PIP_CONFIG_FILE": os.devnull,
                       "PYTHONPATH": os.path.dirname(importlib.util.find_spec("scikit_build_core").submodule_search_locations[0])}
        for arguments in ("", "-DCMAKE_PREFIX_PATH=/nowhere"):
            output = run(venv / "bin/python", "-m", "pip", "wheel", "-v", "--no-deps", "--no-build-isolation", "-w",
                         self.scratch / "out", self.scratch / "app", env={**environment, "CMAKE_ARGS": arguments})
            self.assertIn(f"-- found in {venv}/share/CuDNNChecked/cmake\n", output)

    def test_uninstalling(self):
        venv = self.scratch / "venv"
        shutil.copytree(self.venv, venv, symlinks=True)
        pip("uninstall", "--quiet", "--yes", "cudnn-checked", python=venv / "bin/python")
        self.assertEqual([*venv.rglob("*udnn?hecked*")], [])


@unittest.skipUnless(importlib.util.find_spec("pip"), "this Python has no pip (python3-pip)")
class InTarget(Wheel):
    def test_target(self):
        target = self.scratch / "a target"
        pip("install", "--quiet", "--no-index", "--target", target, self.wheel)
        bare_cuda(bare_cudnn(self.scratch / "sdk"))
        code = "import cudnn_checked; print(cudnn_checked.find_program())"
        environment = {"PYTHONPATH": str(target), "PATH": "/nowhere"}
        self.assertEqual(run(sys.executable, "-c", code, env=environment), f"{target}/bin/cudnn-checked\n")
        app = self.consumer(cmake_lists=PROJECT)
        for arguments in ([f"-DCMAKE_PREFIX_PATH={target}"], [f"-DCMAKE_MODULE_PATH={target}/cudnn_checked/cmake"]):
            shutil.rmtree(app.build_directory, ignore_errors=True)
            done = app.configure(f"-DCUDNN_ROOT={self.scratch}/sdk", f"-DCUDAToolkit_ROOT={self.scratch}/sdk", *arguments)
            self.assertIn(f"-- found in {target}/share/CuDNNChecked/cmake\n", done.output)
        # Elsewhere on PATH, then nowhere.
        (self.scratch / "bin").mkdir()
        (target / "bin/cudnn-checked").rename(self.scratch / "bin/cudnn-checked")
        environment["PATH"] = f"/nowhere:{self.scratch}/bin"
        self.assertEqual(run(sys.executable, "-c", code, env=environment), f"{self.scratch}/bin/cudnn-checked\n")
        environment["PATH"] = "/nowhere"
        done = subprocess.run([sys.executable, "-m", "cudnn_checked", "doctor"], env=environment, text=True,
                              stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, (
            rf"\Acudnn_checked: error: the program cudnn-checked of the Python package cudnn-checked is not in "
            rf"{re.escape(str(target))}/bin, .*/bin, nor on PATH\n\Z"))

    def test_prefix(self):
        """As in the scheme for one user, whose programs need not be on PATH."""
        base = self.scratch / "base"
        pip("install", "--quiet", "--no-index", "--ignore-installed", "--prefix", base, self.wheel)
        site = next(base.glob("**/cudnn_checked/__init__.py")).parents[1]
        done = run(sys.executable, "-c", "import cudnn_checked; print(cudnn_checked.find_program())",
                   env={"PYTHONPATH": str(site), "PATH": "/nowhere"})
        self.assertEqual(done.strip(), str(next(base.glob("**/bin/cudnn-checked"))))
