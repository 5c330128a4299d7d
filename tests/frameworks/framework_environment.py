# SPDX-License-Identifier: BSD-3-Clause
"""A virtual environment in the cache folder, with one framework in it."""

import os
import pathlib
import shutil
import subprocess
import sys


class NotInstalled(Exception):
    """pip could not install it; the text is its last line."""


def python_for_frameworks():
    """Old frameworks have no wheels for new Pythons: 3.11 if it is here, else the one that runs this."""
    found = shutil.which("python3.11")
    works = found and subprocess.run([found, "-c", ""], capture_output=True).returncode == 0
    return found if works else sys.executable


class Environment:
    """Is deleted at the end of a `with`, unless `keep` is set."""

    def __init__(self, folder, keep=False):
        self.folder, self._keep = pathlib.Path(folder), keep
        self.python = self.folder / "bin" / "python"
        self._temporary = self.folder.with_name(self.folder.name + ".tmp")

    def __enter__(self):
        if self._keep and self.python.exists():
            return self
        self._delete()
        self.folder.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run([python_for_frameworks(), "-m", "venv", self.folder], check=True)
        return self

    def __exit__(self, *_):
        if not self._keep:
            self._delete()

    def _delete(self):
        for folder in (self.folder, self._temporary):
            shutil.rmtree(folder, ignore_errors=True)

    @property
    def site_packages(self):
        return next(self.folder.glob("lib/python3*/site-packages"))

    @property
    def cudnn(self):
        return self.site_packages / "nvidia" / "cudnn" / "lib"

    def install(self, *requirements):
        """pip's own settings (mirror, proxy, certificates) hold; nothing stays in pip's cache."""
        self._pip("install", "--no-cache-dir", "--no-compile", "--only-binary", ":all:", *requirements)

    def uninstall(self, *packages):
        self._pip("uninstall", "--yes", *packages)

    def install_into(self, folder, requirement):
        """One package without what it depends on, into a folder that is not part of the environment."""
        self.install("--no-deps", "--target", str(folder), requirement)

    def _pip(self, *arguments):
        self._temporary.mkdir(exist_ok=True)
        variables = {**os.environ, "TMPDIR": str(self._temporary), "PIP_ROOT_USER_ACTION": "ignore",
                     "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
        done = subprocess.run([self.python, "-m", "pip", "--quiet", *arguments], env=variables, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        shutil.rmtree(self._temporary)
        if done.returncode != 0:
            raise NotInstalled((done.stdout.strip().splitlines() or ["pip failed"])[-1])

    def versions(self, word):
        """{package: version} of the packages whose name has `word` in it."""
        pairs = (entry.name[:-len(".dist-info")].replace("_", "-").rsplit("-", 1)
                 for entry in self.site_packages.glob("*.dist-info"))
        return {name: version for name, version in pairs if word in name}

    def library(self, pattern):
        """The one library that matches; an error if the wheel is no longer built in that way."""
        found = sorted(self.site_packages.glob(pattern))
        if not found:
            raise NotInstalled(f"the package has no {pattern}")
        return found[0]

    def library_path(self):
        """All directories of NVIDIA's packages, as an LD_LIBRARY_PATH."""
        folders = sorted({file.parent for file in self.site_packages.glob("nvidia/*/lib/*.so*")})
        return ":".join(map(str, folders))
