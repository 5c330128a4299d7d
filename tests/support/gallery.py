# SPDX-License-Identifier: BSD-3-Clause
"""One example, copied out of the repository, built by the commands of examples/README.md as written."""

import os
import pathlib
import re
import shlex
import shutil
import sys
import tempfile
import unittest

from support.consumer import Consumer, cmake_program, not_of_unused_variables
from support.environment import REPOSITORY, tools
from support.known_compilers import compiler_arguments, give_known_compilers
from support.output import relative_output
from support.simulated_sdk import simulated_sdk

EXAMPLES = REPOSITORY / "examples"
# Commands are written for the root of the repository.  Only this path of it is used elsewhere.
MODULES = "$PWD/cmake"


# Of a program that starts with the LD_LIBRARY_PATH of older().
OLDER = """\
cudnn_checked: refused: this program was built with cuDNN 9.14.0 and would run on cuDNN 9.13.0
  built with:   9.14.0   stamp of {target}
  would load:   9.13.0   <scratch>/older/lib/libcudnn_graph.so.9.13.0   chosen by LD_LIBRARY_PATH[0]
  shim:         9.13.0   <scratch>/older/lib/libcudnn.so.9   chosen by LD_LIBRARY_PATH[0]
  passed over:  9.14.0   <sdk>/lib/libcudnn.so.9   chosen by RUNPATH of <scratch>/build/{program}
  An older minor release of cuDNN may lack functions that the program calls.
  fix: export LD_LIBRARY_PATH=<sdk>/lib:$LD_LIBRARY_PATH
  [cudnn-older]
"""


def commands(name, document=None):
    """The commands of one section of examples/README.md, a list."""
    text = document or (EXAMPLES / "README.md").read_text(encoding="utf-8")
    sections = re.split(r"(?m)^## (.*)\n", text)
    section = dict(zip(sections[1::2], sections[2::2]))[name]
    block = re.search(r"(?m)(?:^    .*\n)+", section).group(0)
    return [line.strip() for line in block.replace("\\\n", " ").splitlines()]


class GalleryTest(unittest.TestCase):
    """Builds the example `name` once for the class, on a simulated SDK; `run` starts what was built.

    The commands that configure and build are run as they stand, in a shell.  Those behind them are
    for the cases of the class, which compare all of their output.
    """

    maxDiff = None
    name = ""
    sdk_options = {"cudnn": "9.14.0", "gpus": "sm_86"}
    # Added to `cmake -S`.
    arguments = ()

    @classmethod
    def setUpClass(cls):
        if not cls.name:
            raise unittest.SkipTest("a base class")
        cls.scratch = pathlib.Path(os.path.realpath(tempfile.mkdtemp(prefix="cudnn-checked-")))
        if not os.environ.get("CUDNN_CHECKED_KEEP_SCRATCH"):
            cls.addClassCleanup(shutil.rmtree, cls.scratch, ignore_errors=True)
        shutil.copytree(EXAMPLES / cls.name, cls.scratch / "examples" / cls.name)
        cls.consumer = Consumer(cls.scratch / "build" / cls.name, home=cls.scratch)
        cls.sdk = cls.find_sdk()
        cls.prepare()
        cls.shown = commands(cls.name)
        cls.output = ""
        for command in cls.shown:
            if command.startswith("cmake "):
                done = cls.shell(command)
                cls.output += done.output
                if done.status != 0:
                    raise AssertionError(f"$ {command}\n{done.output}")

    @classmethod
    def find_sdk(cls):
        return simulated_sdk(**cls.sdk_options).copy(cls.scratch / "sdk")

    @classmethod
    def environment(cls):
        """Of every command: where cuDNN, CUDA and the driver are."""
        return {"CuDNNChecked_ROOT": cls.sdk.prefix, "CUDAToolkit_ROOT": cls.sdk.prefix,
                **cls.sdk.environment}

    @classmethod
    def prepare(cls):
        """Puts cmake and python3 on PATH; this cmake knows the compilers already."""
        generator = cls.consumer.generator
        for build in re.findall(r"-B (\S+)", "\n".join(commands(cls.name))):
            tree = cls.scratch / build
            tree.mkdir(parents=True, exist_ok=True)
            give_known_compilers(tree, cmake_program(), generator, cls.arguments)
        more = ["-DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF", *compiler_arguments(generator),
                *cls.arguments]
        script = (f'#!/bin/sh\n[ "$1" = -S ] || exec {cmake_program()} "$@"\n'
                  f'exec {cmake_program()} "$@" {not_of_unused_variables()} {shlex.join(more)}\n')
        cls.write_program("cmake", script)
        cls.write_program("python3", f'#!/bin/sh\nexec {sys.executable} "$@"\n')

    @classmethod
    def write_program(cls, name, script):
        program = cls.scratch / "bin" / name
        program.parent.mkdir(exist_ok=True)
        program.write_text(script)
        program.chmod(0o755)

    @classmethod
    def shell(cls, command, **environment):
        """Runs a command of the README in a shell; a value of None removes a variable."""
        command = command.replace(MODULES, str(REPOSITORY / "cmake"))
        variables = {"PATH": f"{cls.scratch}/bin:{tools()}", **cls.environment(),
                     **environment}
        return cls.consumer.run("sh", "-c", command, environment={
            key: value for key, value in variables.items() if value is not None})

    def run_shown(self, number=-1, more="", **environment):
        """Runs a command of the README that is not cmake's; returns its output with paths as words."""
        programs = [command for command in self.shown if not command.startswith("cmake ")]
        done = self.shell(programs[number] + more, **environment)
        return done.status, relative_output(done.output, scratch=self.scratch, sdk=self.sdk.prefix)

    def assert_runs(self, expected, status=0, **options):
        self.assertEqual(self.run_shown(**options), (status, expected))

    def older(self):
        """An LD_LIBRARY_PATH that leads to an older cuDNN."""
        older = simulated_sdk(cudnn="9.13.0", gpus="").copy(self.scratch / "older")
        self.addCleanup(shutil.rmtree, older.prefix)
        return f"{older.library_directory}:{self.sdk.driver_directory}"
