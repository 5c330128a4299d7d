# SPDX-License-Identifier: BSD-3-Clause
"""Scratch environments of Python, and the surroundings in which a person types a command.

An environment costs milliseconds: pip lies once in the cache of the build tree, and each environment has a
link to it.
"""

import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import unittest
import zipfile

import surroundings
from local_index import local_index, unpack
from support.command_line import cudnn_checked_program
from support.consumer import cmake_program
from support.environment import cache_directory, clean_environment, locked

PYTHON = f"python{sys.version_info.major}.{sys.version_info.minor}"
SITE = pathlib.Path("lib") / PYTHON / "site-packages"


def quoted(word):
    """One word for a shell."""
    return "'" + word.replace("'", "'\\''") + "'"


def _pip_wheel():
    """The pip that this Python brings for new environments; None where Debian has left it out."""
    folders = [sysconfig.get_config_var("WHEEL_PKG_DIR")]
    spec = importlib.util.find_spec("ensurepip")
    if spec:
        folders.append(pathlib.Path(spec.origin).parent / "_bundled")
    for folder in filter(None, folders):
        for wheel in sorted(pathlib.Path(folder).glob("pip-*.whl")):
            return wheel
    return None


def pip_packages():
    """A folder with pip and its metadata in it."""
    home = cache_directory() / f"pip-{PYTHON}"
    with locked(home):
        if not (home / "complete").exists():
            shutil.rmtree(home, ignore_errors=True)
            home.mkdir()
            wheel = _pip_wheel()
            if wheel:
                with zipfile.ZipFile(wheel) as archive:
                    archive.extractall(home)
            else:
                spec = importlib.util.find_spec("pip")
                if spec is None:
                    raise unittest.SkipTest("there is no pip")
                shutil.copytree(pathlib.Path(spec.origin).parent, home / "pip")
                (home / "pip-0.dist-info").mkdir()
                (home / "pip-0.dist-info" / "METADATA").write_text("Name: pip\nVersion: 0\n")
            # Compiled once, not at each start.
            subprocess.run([sys.executable, "-m", "compileall", "-q", "-j", "0", str(home / "pip")],
                           check=True, stdout=subprocess.DEVNULL)
            (home / "complete").touch()
    return home


def uv_program():
    found = os.environ.get("CUDNN_CHECKED_UV") or shutil.which("uv")
    if not found:
        raise unittest.SkipTest("uv is not installed")
    return pathlib.Path(found)


def make_environment(root, *requirements, pip=True, installer="pip", index=local_index):
    """A virtual environment; returns its site-packages."""
    root = pathlib.Path(root)
    site = root / SITE
    site.mkdir(parents=True)
    (root / "bin").mkdir()
    base = pathlib.Path(os.path.realpath(sys.executable))
    (root / "pyvenv.cfg").write_text(f"home = {base.parent}\ninclude-system-site-packages = false\n"
                                     f"version = {'.'.join(map(str, sys.version_info[:3]))}\n")
    (root / "bin" / "python").symlink_to(base)
    (root / "bin" / "python3").symlink_to("python")
    (root / "bin" / PYTHON).symlink_to("python")
    if pip:
        for path in pip_packages().iterdir():
            if path.name != "complete":
                (site / path.name).symlink_to(path)
    for requirement in requirements:
        unpack(requirement, site, installer, index)
    return site


class World:
    """A folder, its variables, and the programs that a person could type: `world.sh(line)`."""

    def __init__(self, root, etc=None, index=local_index):
        """`etc` is a folder for what is seen as /etc, or None where that cannot be; `index` has the wheels."""
        self.index = index
        self.root = pathlib.Path(root)
        self.home = self.root / "home"
        self.home.mkdir(parents=True)
        self.bin = self.root / "bin"
        self.bin.mkdir()
        self.covers = {"/etc": etc} if etc else {}
        for program in [cmake_program(), *map(shutil.which, ["ninja", "make"]),
                        *map(shutil.which, ["chmod", "dirname", "grep"]), cudnn_checked_program()]:
            if program:
                (self.bin / pathlib.Path(program).name).symlink_to(program)
        surroundings.give_programs(self)
        self.environment = {
            # No setting of this machine counts, and nothing is fetched.
            "PIP_CONFIG_FILE": "/dev/null", "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(index()),
            "PIP_NO_COMPILE": "1", "PIP_NO_CACHE_DIR": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "PIP_ROOT_USER_ACTION": "ignore",
            "UV_NO_CONFIG": "1", "UV_OFFLINE": "1", "UV_FIND_LINKS": str(index()), "UV_NO_CACHE": "1",
            "UV_PYTHON_DOWNLOADS": "never",
        }
        if os.environ.get("CUDNN_CHECKED_REAL_WHEELS"):
            for name in ["PIP_CONFIG_FILE", "PIP_NO_INDEX", "PIP_FIND_LINKS", "UV_NO_CONFIG", "UV_OFFLINE",
                         "UV_FIND_LINKS"]:
                del self.environment[name]
            self.environment.update({name: value for name, value in os.environ.items() if re.match(
                r"(PIP|UV)_|SSL_CERT|\w+_proxy$", name, re.I)})

    def venv(self, *requirements, name="venv", **options):
        self.site = make_environment(self.root / name, *requirements, index=self.index, **options)
        return self.site

    def unpack(self, requirement, site):
        """Another wheel, into a folder of this world; returns where its cuDNN's libraries are."""
        unpack(requirement, self.root / site, index=self.index)
        return self.root / site / "nvidia" / "cudnn" / "lib"

    def forget(self, name):
        """Removes a package's record: pip then knows nothing of its files."""
        for record in self.site.glob(name.replace("-", "_") + "-*.dist-info"):
            shutil.rmtree(record)

    def own_etc(self):
        """A private copy, for a row that changes it."""
        if not self.covers:
            raise unittest.SkipTest(f"/etc cannot be covered here: {surroundings.why_not()}")
        shutil.copytree(self.covers["/etc"], self.root / "etc", symlinks=True)
        self.covers["/etc"] = self.root / "etc"
        return self.root / "etc"

    @property
    def lib(self):
        """Where the wheel has cuDNN's libraries."""
        return self.site / "nvidia" / "cudnn" / "lib"

    def library(self, role="", major=9):
        return self.lib / ("libcudnn" + (f"_{role}" if role else "") + f".so.{major}")

    def add_uv(self):
        (self.bin / "uv").symlink_to(uv_program())

    def add_script(self, text, *names):
        for name in names:
            (self.bin / name).write_text(text)
            (self.bin / name).chmod(0o755)

    def start(self, program, *names):
        """Scripts of these names that start the program."""
        self.add_script(f'#!/bin/sh\nexec {quoted(str(program))} "$@"\n', *names)

    def add_to_loader_cache(self, name, folder):
        conf = self.covers["/etc"] / "ld.so.conf.d"
        conf.mkdir(exist_ok=True)
        (conf / f"{name}.conf").write_text(f"{folder}\n")
        surroundings.run_ldconfig(self.covers)

    def add_debian_package(self, name, requirement, lib):
        """The libraries of a wheel, in a folder of this world, as a package in a database of its own."""
        version = requirement.partition("==")[2] + "-1"
        # No links to what others use: apt-get writes into files.
        shutil.copytree(self.unpack(requirement, "unpacked"), lib)
        shutil.rmtree(self.root / "unpacked")
        database = self.root / "dpkg"
        (database / "info").mkdir(parents=True)
        (database / "status").write_text(f"Package: {name}\nStatus: install ok installed\nArchitecture: amd64\n"
                                         f"Version: {version}\n\n")
        (database / "info" / f"{name}.list").write_text("/.\n" + "".join(f"{p}\n" for p in sorted(lib.iterdir())))
        self.covers["/var/lib/dpkg"] = database
        for word in [name, f"{name}={version}"]:
            shutil.copytree(lib, self.root / "packages" / word / lib.relative_to(self.root))
        return lib

    def sh(self, text, timeout=120):
        """What a person sees who types this: status and output.  The variables are of that shell, as theirs are:
        what LD_PRELOAD names is not in the shell itself."""
        variables = clean_environment(self.home)
        variables["PATH"] = f"{self.bin}:{variables['PATH']}"
        script = "".join(f"export {name}={quoted(value)}\n" for name, value in self.environment.items()) + text
        command = [*(surroundings.within(self.covers) if self.covers else []),
                   shutil.which("env"), "-i", *[f"{name}={value}" for name, value in variables.items()],
                   "/bin/sh", "-c", script]
        done = subprocess.run(command, cwd=self.home, timeout=timeout, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        return done.returncode, done.stdout.decode("utf-8", "replace")
