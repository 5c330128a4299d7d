# SPDX-License-Identifier: BSD-3-Clause
"""Simulated SDKs: built once for each set of options, kept, and copied where a test changes one."""

import hashlib
import pathlib
import shutil
import subprocess

from support.consumer import cmake_program
from support.environment import REPOSITORY, cache_directory, clean_environment, compiler, locked
from support.known_compilers import compiler_arguments, give_known_compilers

SOURCE = REPOSITORY / "tests" / "simulated"
OF_LABORATORY = REPOSITORY / "tests" / "laboratory" / "simulated"
# What the simulation takes from the tool.
OF_TOOL = [REPOSITORY / "tool" / name for name in (
    "probe/kernel/kernel.h", "convolution/half.h", "core/judge/rules/cuda_drivers.def")]


class SimulatedSdk:
    """A prefix with a simulated cuDNN, CUDA and driver in it; the layout is that of an archive."""

    def __init__(self, prefix, options):
        self.prefix = pathlib.Path(prefix)
        self.options = dict(options)

    @property
    def include(self):
        return self.prefix / "include"

    @property
    def library_directory(self):
        return self.prefix / "lib"

    @property
    def environment(self):
        """What makes the loader find the driver."""
        return {"LD_LIBRARY_PATH": str(self.driver_directory)}

    @property
    def driver_directory(self):
        return self.prefix / "driver" / "lib"

    def add_cuda_libraries(self, directory):
        """What cuDNN opens when it computes, for a machine without a CUDA toolkit: found, never opened."""
        for name in ("libcublasLt", "libnvrtc"):
            library = directory / f"{name}.so.13"
            if not library.exists():
                shutil.copy(self.library_directory / "libcudart.so.13", library)

    def library(self, role=""):
        """libcudnn.so.N, or libcudnn_<role>.so.N."""
        major = self.options.get("SIMULATED_CUDNN", "9").split(".")[0]
        name = "libcudnn" + (f"_{role}" if role else "") + f".so.{major}"
        return self.library_directory / name

    def take_from(self, other, role):
        """Puts the library of that role of another SDK into the place of this one's."""
        for path in self.library_directory.glob(f"libcudnn_{role}.so*"):
            path.unlink()
        self.library(role).symlink_to(other.library(role).resolve())

    def copy(self, prefix):
        """The same SDK in another place, to be changed there."""
        shutil.copytree(self.prefix, prefix, symlinks=True)
        return SimulatedSdk(prefix, self.options)


def _fingerprint(options):
    """Of the options, the sources and the compiler: what the built libraries depend on."""
    digest = hashlib.sha256(repr((sorted(options.items()), compiler("CXX"))).encode())
    for path in [*OF_TOOL, *sorted(SOURCE.rglob("*")), *sorted(OF_LABORATORY.rglob("*"))]:
        if path.is_file():
            digest.update(str(path.relative_to(REPOSITORY)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def simulated_sdk(**options):
    """The SDK for these keywords of tests/simulated/simulated_sdk.cmake, in lower case.

    simulated_sdk(cudnn="9.14.0", gpus="sm_75;sm_86"); cuDNN 9.14.0, CUDA 13.0 and a driver for it
    are there unless something else is named, or None to leave one out.
    """
    given = {"cudnn": "9.14.0", "cuda": "13.0", "driver": "580.65.06", **options}
    named = {"SIMULATED_" + name.upper(): str(value) for name, value in given.items()
             if value is not None}
    home = cache_directory() / ("sdk-" + _fingerprint(named))
    prefix = home / "prefix"
    with locked(home):
        if not (home / "complete").exists():
            shutil.rmtree(home, ignore_errors=True)
            home.mkdir(parents=True)
            generator = "Ninja" if shutil.which("ninja") else "Unix Makefiles"
            give_known_compilers(home / "build", cmake_program(), generator)
            _run("-S", SOURCE, "-B", home / "build", *compiler_arguments(generator),
                 f"-DSIMULATED_PREFIX={prefix}", *[f"-D{k}={v}" for k, v in named.items()],
                 home=home)
            _run("--build", home / "build", "-j", "2", home=home)
            shutil.rmtree(home / "build")
            (home / "complete").touch()
    return SimulatedSdk(prefix, named)


def _run(*arguments, home):
    done = subprocess.run([cmake_program(), *[str(a) for a in arguments]], cwd=home,
                          env=clean_environment(home), stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    if done.returncode != 0:
        raise RuntimeError("the simulated SDK does not build:\n" + done.stdout.decode())
