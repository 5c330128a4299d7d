# SPDX-License-Identifier: BSD-3-Clause
"""A guarded program in an environment, and a library of a package that uses cuDNN."""

import shutil
import subprocess

from breaking import CUDA, CUDNN, package
from environments import PYTHON, World
from harness import FixesTest
from support.consumer import Consumer
from support.environment import compiler

APP = "../app/app"
VERIFY = f"cudnn-checked verify {APP}"
BOTH = (APP, VERIFY)  # what the guard refuses, verify refuses
PROJECT = """
cmake_minimum_required(VERSION 3.22)
project(app LANGUAGES CXX)
list(APPEND CMAKE_MODULE_PATH "${CUDNN_CHECKED_SOURCE}/cmake")
include("${CUDNN_CHECKED_SOURCE}/tests/simulated/fatbinary.cmake")
find_package(CuDNNChecked REQUIRED)
add_executable(app main.cpp)
target_link_libraries(app PRIVATE CuDNNChecked::cudnn)
if(DEVICE_CODE)
  simulated_fatbinary(app ${DEVICE_CODE})
endif()
cudnn_checked_guard(app ${GUARD})
"""
MAIN = """
#include <cudnn.h>
#include <cstdio>
int main() { std::printf("main runs on %zu\\n", cudnnGetVersion()); }
"""


class Programs(FixesTest):
    """One program, which each row finds in an environment made anew at the same path."""

    wheels = (CUDNN, *CUDA)
    guard, device_code = "GPU;OPTIONAL", ""

    @classmethod
    def prepare(cls):
        world = World(cls.root, cls.etc)
        site = world.venv(CUDNN, *CUDA)
        app = Consumer(cls.shared / "app", home=cls.shared, cmake_lists=PROJECT, **{"main.cpp": MAIN})
        environment = cls.driver_path()
        for done in [app.configure(f"-DCuDNNChecked_ROOT={site}", f"-DGUARD={cls.guard}",
                                   f"-DDEVICE_CODE={cls.device_code}", environment=environment), app.build()]:
            if done.status != 0:
                raise AssertionError(done.output)
        cls.app = app.path("app")

    @classmethod
    def driver_path(cls):
        """Variables that make a driver visible, where a class has one."""
        return {}

    def make_world(self):
        world = super().make_world()
        world.environment.update(self.driver_path())
        (self.root / "app").mkdir()
        shutil.copy(self.app, self.root / "app" / "app")
        status, output = world.sh(VERIFY)
        self.assertEqual(status, 0, output)
        return world


FRAMEWORK = f"../venv/lib/{PYTHON}/site-packages/framework/libframework.so"
LIBRARY = f"cudnn-checked verify {FRAMEWORK}"


def framework(*requirements, folder="cudnn", name="framework", number="2.1"):
    """A package whose library NEEDs cuDNN, with a run path to the wheel's folder, as PyTorch's."""
    def break_it(world):
        library = world.root / "libframework.so"
        subprocess.run([compiler("C"), "-shared", "-nostdlib", "-xc", "/dev/null", "-o", str(library),
                        "-Wl,--no-as-needed", f"-Wl,-rpath,$ORIGIN/../nvidia/{folder}/lib", "-L", str(world.lib),
                        "-l:libcudnn.so.9"], check=True)
        package(name, number, *requirements, files=[(library.name, library)])(world)
    return break_it
