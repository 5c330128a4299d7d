# SPDX-License-Identifier: BSD-3-Clause
"""What the tests share: scratch directories, consumer projects, simulated SDKs, whole outputs."""

from support.bare_install import bare_cuda, bare_cudnn, bare_wheel
from support.consumer import Consumer, Result, cmake_program, cmake_version
from support.elf_notes import exported_symbols, stamps
from support.environment import REPOSITORY, clean_environment, compiler, tools
from support.output import errors, relative_output, status_lines, warnings
from support.process_log import ProcessLog
from support.scratch import ScratchTest
from support.simulated_sdk import SimulatedSdk, simulated_sdk

__all__ = [
    "Consumer", "ProcessLog", "REPOSITORY", "Result", "ScratchTest", "SimulatedSdk", "bare_cuda",
    "bare_cudnn", "bare_wheel", "clean_environment", "cmake_program", "cmake_version", "compiler", "errors",
    "exported_symbols", "relative_output", "simulated_sdk", "stamps", "status_lines", "tools",
    "warnings",
]
