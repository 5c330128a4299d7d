# SPDX-License-Identifier: BSD-3-Clause
"""The command line under test: cudnn-checked as an executable."""

import functools
import os
import pathlib
import shutil
import subprocess
import unittest

from support.consumer import cmake_program
from support.environment import REPOSITORY, cache_directory, compiler, locked


@functools.lru_cache(maxsize=None)
def cudnn_checked_program():
    """CUDNN_CHECKED_CLI, which ctest sets; else built from this tree into the cache, once a process."""
    named = os.environ.get("CUDNN_CHECKED_CLI")
    if named:
        return pathlib.Path(named)
    build = cache_directory() / "cli"
    with locked(build):
        arguments = ["-S", REPOSITORY, "-B", build, "-DCUDNN_CHECKED_BUILD_TESTING=OFF",
                     f"-DCMAKE_CXX_COMPILER={compiler('CXX')}", "-DCMAKE_BUILD_TYPE=RelWithDebInfo"]
        if not (build / "CMakeCache.txt").exists() and shutil.which("ninja"):
            arguments += ["-G", "Ninja"]
        for command in [arguments, ["--build", build, "-j", str(os.cpu_count())]]:
            done = subprocess.run([cmake_program(), *map(str, command)], text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            if done.returncode != 0:
                raise RuntimeError(done.stdout)
    program = build / "tool" / "cli" / "cudnn-checked"
    if not program.exists():
        raise unittest.SkipTest("cudnn-checked is not built")
    return program
