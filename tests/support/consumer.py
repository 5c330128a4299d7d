# SPDX-License-Identifier: BSD-3-Clause
"""Small projects that use the package, as a user would write them."""

import dataclasses
import functools
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from support.environment import REPOSITORY, clean_environment
from support.known_configure import give_configure, keep_configure
from support.known_compilers import compiler_arguments, cuda_arguments, give_known_compilers


def cmake_program():
    """The CMake under test: environment CMAKE, else the one on PATH."""
    program = shutil.which(os.environ.get("CMAKE") or "cmake")
    if not program:
        raise RuntimeError("no cmake: set CMAKE or PATH")
    return behind_script(program)


@functools.lru_cache(maxsize=None)
def behind_script(program):
    """PyPI's cmake is a script, which starts the program: one process more than CMake starts."""
    with open(program, "rb") as file:
        if file.read(2) != b"#!":
            return program
    with tempfile.NamedTemporaryFile("w", suffix=".cmake") as script:
        script.write("message(${CMAKE_COMMAND})")
        script.flush()
        done = subprocess.run([program, "-P", script.name], stderr=subprocess.PIPE, text=True, check=True)
    return done.stderr.strip()


def path_of_builders():
    """PATH of somebody who builds: where this CMake and the program of its generator are, and the system's."""
    programs = [cmake_program(), *filter(None, map(shutil.which, ("ninja", "make")))]
    return ":".join(dict.fromkeys([*map(os.path.dirname, programs), "/usr/local/bin", "/usr/bin", "/bin"]))


@functools.lru_cache(maxsize=None)
def cmake_version():
    """Its version as a tuple: (3, 25, 1)."""
    text = subprocess.run([cmake_program(), "--version"], check=True, stdout=subprocess.PIPE,
                          text=True).stdout
    return tuple(int(part) for part in re.search(r"(\d+)\.(\d+)\.(\d+)", text).groups())


@functools.lru_cache(maxsize=None)
def not_of_unused_variables():
    """The option; CMake 4.4 has another name for it, and warns of the old one."""
    return "-Wno-unused-cli" if cmake_version() >= (4, 4) else "--no-warn-unused-cli"


@dataclasses.dataclass
class Result:
    """What a command did; output is standard output and error in the order of their writing."""

    status: int
    output: str


class Consumer:
    """A project with a source directory, and build trees beside it."""

    def __init__(self, directory, home, cmake_lists=None, cuda=False, **files):
        self.source = pathlib.Path(directory)
        self.home = pathlib.Path(home)
        self.build_directory = self.source.with_name(self.source.name + "-build")
        self.generator = "Ninja" if shutil.which("ninja") else "Unix Makefiles"
        self.environment = {}
        self.shares_configure = True  # it uses the package of this repository
        self.cuda = cuda  # whether the project enables that language, with the real nvcc
        self.source.mkdir(parents=True, exist_ok=True)
        if cmake_lists is not None:
            self.write("CMakeLists.txt", cmake_lists)
        for name, text in files.items():
            self.write(name, text)

    def write(self, name, text):
        path = self.source / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def run(self, *command, environment=None, timeout=300, merged=True):
        """Runs a program in the environment of a fresh user."""
        variables = clean_environment(self.home, **self.environment)
        variables.update({k: str(v) for k, v in (environment or {}).items()})
        done = subprocess.run([str(part) for part in command], env=variables, cwd=self.home,
                              timeout=timeout, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT if merged else subprocess.PIPE)
        return Result(done.returncode, done.stdout.decode("utf-8", "replace"))

    def configure(self, *arguments, environment=None, system=False, timeout=300):
        """Runs CMake; `system` lets it look at the directories of this machine."""
        command = [cmake_program(), not_of_unused_variables(), "-S", self.source, "-B", self.build_directory]
        if not (self.build_directory / "CMakeCache.txt").exists():
            give_known_compilers(self.build_directory, cmake_program(), self.generator, arguments,
                                 {**self.environment, **(environment or {})}, self.cuda)
            command += [*compiler_arguments(self.generator),
                        *(cuda_arguments() if self.cuda else []), f"-DCUDNN_CHECKED_SOURCE={REPOSITORY}"]
            if not system:
                command.append("-DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF")
            if self.shares_configure:
                give_configure(self.build_directory)
        done = self.run(*command, *arguments, environment=environment, timeout=timeout)
        # CMake since 3.26: how long it took.
        done.output = re.sub(r"(?m)^(-- (?:Configuring|Generating) done) \([\d.]+s\)$", r"\1", done.output)
        if self.shares_configure:
            keep_configure(self.build_directory)
        return done

    def build(self, *arguments, environment=None, timeout=600):
        return self.run(cmake_program(), "--build", self.build_directory, "-j", "2", *arguments,
                        environment=environment, timeout=timeout)

    def path(self, name):
        """A file of the build tree."""
        return self.build_directory / name
