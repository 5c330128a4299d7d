# SPDX-License-Identifier: BSD-3-Clause
"""A guarded program, built once for a class of tests and started on whatever a test arranges."""

import os
import pathlib
import shutil
import tempfile
import unittest

from support.consumer import Consumer
from support.environment import add_pip
from support.output import assert_refusal, relative_output
from support.simulated_sdk import simulated_sdk

PROJECT = """
cmake_minimum_required(VERSION 3.22)
project(app LANGUAGES C CXX)
list(APPEND CMAKE_MODULE_PATH "${CUDNN_CHECKED_SOURCE}/cmake")
include("${CUDNN_CHECKED_SOURCE}/tests/simulated/fatbinary.cmake")
find_package(CuDNNChecked REQUIRED)
add_executable(app main.cpp)
target_link_libraries(app PRIVATE CuDNNChecked::cudnn CuDNNChecked::cudart)
if(DEVICE_CODE)
  simulated_fatbinary(app ${DEVICE_CODE})
endif()
cudnn_checked_guard(app ${GUARD})
"""

MAIN = """
#include <cudnn.h>
#include <cerrno>
#include <cstdio>
int main() {
  const int error = errno;  // 0 here, with the guard as without it
  std::printf("main runs on %zu\\n", cudnnGetVersion());
  return error;
}
"""


NO_DRIVER = """\
cudnn_checked: {verdict}: there is no NVIDIA driver on this machine
  needed:  libcuda.so.1   of the NVIDIA driver
  found:   nothing   in the directories that the loader searches
  Every CUDA call would fail: cuDNN computes on a GPU only.
  fix: run it on a machine with a GPU
   or: in a container, give it a GPU: docker run --gpus all
  [driver-missing]
"""


class GuardedProgram(unittest.TestCase):
    """`self.start()` runs the program where its own cuDNN, a driver and a GPU are; arguments change that.

    A class sets the options of the SDK that the program is built on, its device code, its guard and the options of the build.
    """

    maxDiff = None
    sdk_options = {"cudnn": "9.14.0", "gpus": "sm_86"}
    device_code = ""
    guard = ""
    options = []
    project = PROJECT
    main = MAIN
    sources = {}

    @classmethod
    def setUpClass(cls):
        cls.shared = pathlib.Path(os.path.realpath(tempfile.mkdtemp(prefix="cudnn-checked-guard-")))
        cls.addClassCleanup(shutil.rmtree, cls.shared, ignore_errors=True)
        cls.built_on = simulated_sdk(**cls.sdk_options).copy(cls.shared / "sdk")
        cls.prepare_sdk()
        app = Consumer(cls.shared / "app", home=cls.shared, cmake_lists=cls.project,
                       **{"main.cpp": cls.main, **cls.sources})
        prefix = cls.built_on.prefix
        for done in [
            app.configure(f"-DCuDNNChecked_ROOT={prefix}", f"-DCUDAToolkit_ROOT={prefix}",
                          f"-DDEVICE_CODE={cls.device_code}", f"-DGUARD={cls.guard}",
                          *cls.options, environment=cls.built_on.environment),
            app.build(),
        ]:
            if done.status != 0:
                raise AssertionError(done.output)
        cls.app = app

    @classmethod
    def prepare_sdk(cls):
        """Changes self.built_on before the program is configured."""

    def setUp(self):
        self.scratch = pathlib.Path(os.path.realpath(tempfile.mkdtemp(prefix="cudnn-checked-")))
        self.addCleanup(shutil.rmtree, self.scratch, ignore_errors=True)

    def start(self, *libraries, program=None, driver=True, **environment):
        """Starts the program with directories in front of LD_LIBRARY_PATH; returns status and output."""
        path = [str(directory) for directory in libraries]
        if driver:
            path.append(self.built_on.environment["LD_LIBRARY_PATH"])
        done = self.app.run(program or self.app.path("app"),
                            environment={"LD_LIBRARY_PATH": ":".join(path), **environment})
        return done.status, relative_output(done.output, scratch=self.scratch, shared=self.shared)

    def other_sdk(self, name="other", **options):
        """A simulated SDK that this test may change."""
        return simulated_sdk(**options).copy(self.scratch / name)

    def own_set(self, name="own"):
        """A copy of the cuDNN that the program was built on."""
        return self.built_on.copy(self.scratch / name)

    def wheel(self, *lost):
        """The program's cuDNN as a wheel's, which has lost libraries since it was installed."""
        site = self.scratch / "venv/lib/python3.12/site-packages"
        library_directory = site / "nvidia/cudnn/lib"
        library_directory.mkdir(parents=True)
        add_pip(site)
        (self.scratch / "venv/bin").mkdir()
        (self.scratch / "venv/bin/python").touch()
        info = site / "nvidia_cudnn_cu13-9.14.0.64.dist-info"
        info.mkdir()
        lines = []
        for path in sorted(self.built_on.library_directory.glob("libcudnn*.so.9")):
            library = library_directory / path.name
            library.write_bytes(path.read_bytes())
            lines.append(f"nvidia/cudnn/lib/{path.name},sha256=x,{library.stat().st_size}\n")
            if path.name in lost:
                library.unlink()
        (info / "RECORD").write_text("".join(lines))
        return library_directory

    def assert_runs(self, result, version=91400):
        self.assertEqual(result, (0, f"main runs on {version}\n"))

    def assert_refused(self, result, summary, name, fix, *facts):
        """It did not start."""
        status, output = result
        self.assertEqual(status, 78, output)
        assert_refusal(self, output, summary, name, fix, *facts)
        self.assertTrue(output.endswith("]\n  override: CUDNN_CHECKED=warn\n"), output)
