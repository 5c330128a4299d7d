# SPDX-License-Identifier: BSD-3-Clause
"""The wheel of the program under test, and what pip makes of it."""

import os
import pathlib
import shutil
import subprocess
import sys

from support.command_line import cudnn_checked_program
from support.consumer import cmake_program
from support.environment import REPOSITORY
from support.known_compilers import compiler_arguments, give_known_compilers

MAKE_WHEEL = REPOSITORY / "packaging" / "python" / "make_wheel.py"


def run(*command, **more):
    """Its standard output; an error has all of its output."""
    done = subprocess.run([str(word) for word in command], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, **more)
    if done.returncode != 0:
        raise RuntimeError(done.stdout)
    return done.stdout


def install_tree(directory):
    """What `cmake --install` writes of this project and the program under test, which is not compiled again."""
    build, prefix = directory / "build", directory / "installed"
    generator = "Ninja" if shutil.which("ninja") else "Unix Makefiles"
    build.mkdir(parents=True)
    give_known_compilers(build, cmake_program(), generator)
    run(cmake_program(), "-S", REPOSITORY, "-B", build, *compiler_arguments(generator),
        "-DCUDNN_CHECKED_BUILD_TESTING=OFF", "-DCUDNN_CHECKED_BUILD_CLI=ON", "-DCMAKE_EXECUTABLE_FORMAT=ELF",
        "-DCMAKE_SKIP_INSTALL_ALL_DEPENDENCY=ON",
        # CMake looks for it where it looks for compilers, which are given here.
        "-DCMAKE_STRIP=strip")
    shutil.copy(cudnn_checked_program(), build / "tool" / "cli")
    run(cmake_program(), "--install", build, "--prefix", prefix)
    return prefix


def make_wheel(installed, into, program=None):
    """Runs the script; returns the path that it prints."""
    return pathlib.Path(run(sys.executable, MAKE_WHEEL, "--program", program or installed / "bin" / "cudnn-checked",
                            "--installed", installed, "--into", into).strip())


def pip(*arguments, python=sys.executable, home=None):
    """pip without a network, and without the settings of this machine."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(home or "/nonexistent"), "PIP_CONFIG_FILE": os.devnull,
                   "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_ROOT_USER_ACTION": "ignore"}
    return run(python, "-m", "pip", *arguments, env=environment)
