# SPDX-License-Identifier: BSD-3-Clause
"""Tests of the whole proof: the probe is compiled, linked and run with a simulated SDK."""

import hashlib

from support.output import errors, relative_output
from support.scratch import ScratchTest
from support.simulated_sdk import simulated_sdk

PROJECT = """
cmake_minimum_required(VERSION 3.22)
project(app LANGUAGES CXX)
list(APPEND CMAKE_MODULE_PATH "${CUDNN_CHECKED_SOURCE}/cmake")
include("${CMAKE_SOURCE_DIR}/before.cmake" OPTIONAL)
find_package(CuDNNChecked ${REQUEST})
foreach(name IN ITEMS FOUND VERSION LIBRARY_VERSION LEVEL CUDA_VERSION CUDART_VERSION DRIVER_VERSION
        ARCHITECTURES REPORT LIBRARIES PACKAGE_VERSION cnn_FOUND adv_FOUND)
  string(APPEND text "${name}=${CuDNNChecked_${name}}\\n")
endforeach()
file(WRITE "${CMAKE_BINARY_DIR}/result.txt" "${text}")
include("${CMAKE_SOURCE_DIR}/after.cmake" OPTIONAL)
"""


class ProvingTest(ScratchTest):
    """self.app asks for cuDNN; self.sdk is a copy of a simulated SDK that a test may change."""

    sdk_options = {"cudnn": "9.14.0"}

    def setUp(self):
        super().setUp()
        self.app = self.consumer(cmake_lists=PROJECT)
        self.sdk = simulated_sdk(**self.sdk_options).copy(self.scratch / "sdk")

    def configure(self, *arguments, request="REQUIRED", sdk=None, environment=None, timeout=300):
        prefix = (sdk or self.sdk).prefix
        return self.app.configure(
            f"-DREQUEST={request}", f"-DCuDNNChecked_ROOT={prefix}", f"-DCUDAToolkit_ROOT={prefix}",
            *arguments, environment={**(sdk or self.sdk).environment, **(environment or {})},
            timeout=timeout)

    def proved(self, *arguments, **options):
        """Configures, which must succeed; returns the results by name."""
        done = self.configure(*arguments, **options)
        self.assertEqual(done.status, 0, done.output)
        self.output = done.output
        lines = self.app.path("result.txt").read_text().splitlines()
        return dict(line.split("=", 1) for line in lines)

    def refused(self, *arguments, **options):
        """Configures, which must fail; returns the message."""
        done = self.configure(*arguments, **options)
        self.assertNotEqual(done.status, 0, done.output)
        self.output = done.output
        return self.relative("".join(errors(done.output)))

    def relative(self, text):
        return relative_output(text, scratch=self.scratch)

    def replace_program(self, name, script, interpreter="/bin/sh"):
        """Puts a script in the place of cudnn_checked_<name>, which CMake takes for the one that it made."""
        self.app.shares_configure = False
        program = self.app.path(f"CuDNNChecked/cudnn_checked_{name}")
        signature = program.with_name(program.name + ".signature")
        built_from = signature.read_text().splitlines()[0]
        program.write_text(f"#!{interpreter}\n{script}")
        content = program.read_bytes()
        signature.write_text(f"{built_from}\n{len(content)} {hashlib.md5(content).hexdigest()}\n")

    def assert_probe_ran(self, expected, *arguments, **options):
        """Configures, and compares whether the probe was run: a run writes its report anew."""
        report = self.app.path("CuDNNChecked/all/report.json")
        before = report.stat().st_ino, report.stat().st_mtime_ns
        result = self.proved(*arguments, **options)
        after = report.stat().st_ino, report.stat().st_mtime_ns
        self.assertEqual(before != after, expected, self.output)
        return result
