# SPDX-License-Identifier: BSD-3-Clause
"""A Python environment of libraries that hold nothing but names, run paths and the build ids of real ones."""

import csv
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from support import REPOSITORY
from support.environment import compiler

PACKAGE, NUMBER, CUDA = "nvidia-cudnn-cu12", "9.5.1.17", "12"
WHEEL = "nvidia/cudnn/lib"


def ids_of(number, cuda):
    """Build ids of a release by the names of its libraries."""
    with open(REPOSITORY / "tool/data/catalogue/build_ids.csv", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(line for line in file if not line.startswith("#"))]
    return {row["file"]: row["build_id"] for row in rows
            if row["cudnn"] == number and row["cuda_major"] == cuda}


def make_library(path, *options):
    path.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run([compiler("C"), "-shared", "-fPIC", "-nostdlib", "-x", "c", "/dev/null", "-x", "none", "-o", path,
                    "-Wl,-soname," + path.name, "-Wl,--no-as-needed", *options], check=True)


def record(site, name, number, files, *requirements):
    """The metadata of a package that pip has installed."""
    info = site / f"{name.replace('-', '_')}-{number}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Name: {name}\nVersion: {number}\n" + "".join(
        f"Requires-Dist: {requirement}\n" for requirement in requirements))
    (info / "RECORD").write_text("".join(
        f"{file.relative_to(site)},sha256=x,{file.stat().st_size}\n" for file in files))
    return info


class FakePackages(unittest.TestCase):
    maxDiff = None
    python = "python3.12"

    @classmethod
    def setUpClass(cls):
        cls.made = pathlib.Path(os.path.realpath(tempfile.mkdtemp(prefix="cudnn-checked-environment-")))
        cls.addClassCleanup(shutil.rmtree, cls.made, ignore_errors=True)
        for name, build_id in ids_of(NUMBER, CUDA).items():
            make_library(cls.made / WHEEL / name, "-Wl,-rpath,$ORIGIN", "-Wl,--build-id=0x" + build_id)
        # What cuDNN opens by name when it computes.
        for name in ("libcublasLt.so.12", "libnvrtc.so.12"):
            make_library(cls.made / WHEEL / name)
        cls.beside = pathlib.Path(os.path.realpath(tempfile.mkdtemp(prefix="cudnn-checked-conda-")))
        cls.addClassCleanup(shutil.rmtree, cls.beside, ignore_errors=True)
        make_library(cls.beside / "libtorch_cuda.so", cls.made / WHEEL / "libcudnn.so.9", "-Wl,-rpath,$ORIGIN")
        for name in ("libtorch_cuda.so", "libtorch_python.so"):
            make_library(cls.made / "torch/lib" / name, cls.made / WHEEL / "libcudnn.so.9",
                         "-Wl,--disable-new-dtags,-rpath,$ORIGIN/../../" + WHEEL)

    def setUp(self):
        self.root = pathlib.Path(os.path.realpath(tempfile.mkdtemp(prefix="cudnn-checked-venv-")))
        self.addCleanup(shutil.rmtree, self.root, ignore_errors=True)
        self.site = self.root / f"venv/lib/{self.python}/site-packages"
        shutil.copytree(self.made, self.site)
        self.record(PACKAGE, NUMBER, sorted((self.site / WHEEL).glob("libcudnn*")))
        self.record("torch", "2.7.1", sorted((self.site / "torch/lib").iterdir()),
                    f'{PACKAGE}=={NUMBER}; platform_system == "Linux"')

    def record(self, name, number, files, *requirements):
        return record(self.site, name, number, files, *requirements)
