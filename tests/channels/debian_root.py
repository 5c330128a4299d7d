# SPDX-License-Identifier: BSD-3-Clause
"""A Debian with CMake and a compiler and nothing else, in which a package is installed and a program built."""

import os
import shutil
import subprocess
import unittest

from channel import fetched
from home_cache import HOME_CACHE
from support.consumer import Consumer, Result
from support.wheel import run

SUITE = "bookworm"
# Sees its own root, the scratch directory, and cuDNN with its CUDA runtime, each where it is outside.
INSIDE = """
root=$1; shift
mount -t proc proc "$root/proc"
for folder in "$1" "$2"; do mkdir -p "$root$folder"; mount --bind "$folder" "$root$folder"; done
shift 2
exec chroot "$root" "$@"
"""


def base():
    """The root that is copied for each test; made once."""
    directory = HOME_CACHE / "channels" / SUITE
    if os.getuid() != 0 or not shutil.which("debootstrap"):
        raise unittest.SkipTest("a Debian of its own needs root and debootstrap")
    if not directory.exists():
        partial = directory.with_suffix(".partial")
        shutil.rmtree(partial, ignore_errors=True)
        try:
            run("debootstrap", "--variant=minbase", "--include=cmake,make,g++", SUITE, partial)
        except RuntimeError as wrong:
            raise unittest.SkipTest(f"debootstrap could not make a {SUITE}") from wrong
        partial.rename(directory)
    return directory


class DebianRoot(Consumer):
    """The project of a Consumer; what is run is run in that Debian."""

    def __init__(self, consumer, scratch):
        super().__init__(consumer.source, consumer.home)
        self.scratch, self.root = scratch, scratch.with_name(scratch.name + "-root")
        run("cp", "-a", base(), self.root)

    def remove(self):
        run("rm", "-rf", self.root)

    def run(self, *command, environment=None, timeout=600, merged=True):
        variables = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LANG": "C.UTF-8",
                     "DEBIAN_FRONTEND": "noninteractive", **{k: str(v) for k, v in (environment or {}).items()}}
        done = subprocess.run(["unshare", "--mount", "sh", "-euc", INSIDE, "sh", self.root, self.scratch,
                               fetched("jit").parents[1], "env", "-i", *(f"{name}={value}" for name, value in variables.items()),
                               *map(str, command)], text=True, timeout=timeout,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return Result(done.returncode, done.stdout)

    def configure(self, *arguments, environment=None, system=True, timeout=600):
        return self.run("cmake", "-S", self.source, "-B", self.build_directory, *arguments, environment=environment)

    def build(self, *arguments, environment=None, timeout=600):
        return self.run("cmake", "--build", self.build_directory, *arguments, environment=environment)
