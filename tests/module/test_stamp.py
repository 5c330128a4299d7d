# SPDX-License-Identifier: BSD-3-Clause
"""The stamped header and the stamp of a program: what is in them, and that they stay the same."""

import hashlib

from support import bare_cuda, bare_cudnn, stamps
from support.environment import RELEASE
from support.scratch import ScratchTest

PROJECT = """
cmake_minimum_required(VERSION 3.22)
project(app LANGUAGES C CXX)
list(APPEND CMAKE_MODULE_PATH "${CUDNN_CHECKED_SOURCE}/cmake")
set(CuDNNChecked_REQUIRE LOCATED)
find_package(CuDNNChecked REQUIRED)
add_executable(app main.c)
target_link_libraries(app PRIVATE CuDNNChecked::guard)
cudnn_checked_guard(app)
"""

MAIN = """
#include <stdio.h>
#include <cudnn_checked/guard.h>
#include <cudnn_checked/stamp.h>
int main(void) {
  printf("%d|%s|%s|%d|%s|%s|%s|%s|%s|%s|%s|%s|%s\\n", CUDNN_CHECKED_SCHEMA,
         CUDNN_CHECKED_PACKAGE_VERSION, CUDNN_CHECKED_LEVEL, CUDNN_CHECKED_CUDNN_VERSION,
         CUDNN_CHECKED_CUDNN_VERSION_STRING, CUDNN_CHECKED_CUDNN_LIBRARY_VERSION_STRING,
         CUDNN_CHECKED_CUDART_VERSION_STRING, CUDNN_CHECKED_CUDA_TOOLKIT_VERSION_STRING,
         CUDNN_CHECKED_CUDA_RUNTIME_VERSION_STRING, CUDNN_CHECKED_CUDA_DRIVER_VERSION_STRING,
         CUDNN_CHECKED_ARCHITECTURES, CUDNN_CHECKED_COMPONENTS, CUDNN_CHECKED_POLICY);
  return 0;
}
"""


class Stamp(ScratchTest):
    def setUp(self):
        super().setUp()
        bare_cuda(bare_cudnn(self.scratch / "sdk"))

    def project(self, name="app", text=PROJECT):
        return self.consumer(name, cmake_lists=text, **{"main.c": MAIN})

    def configure(self, app, *arguments):
        done = app.configure(f"-DCuDNNChecked_ROOT={self.scratch}/sdk",
                             f"-DCUDAToolkit_ROOT={self.scratch}/sdk", *arguments)
        self.assertEqual(done.status, 0, done.output)

    def built(self, app, *arguments):
        self.configure(app, *arguments)
        done = app.build()
        self.assertEqual(done.status, 0, done.output)

    def test_the_header(self):
        app = self.project()
        self.built(app, "-DCuDNNChecked_POLICY=major")
        done = app.run(app.path("app"), environment={"CUDNN_CHECKED": "off"})
        self.assertEqual(done.output,
                         f"1|{RELEASE}|located|91400|9.14.0|||13.0||||" + "|major\n")

    def test_the_note(self):
        app = self.project()
        self.built(app)
        self.assertEqual(stamps(app.path("app")), [{
            "schema": 1, "package": RELEASE, "program": "app", "level": "located",
            "cudnn": {"header": "9.14.0", "library": "", "cudart": ""},
            "cuda": {"toolkit": "13.0", "runtime": "", "driver": ""},
            "architectures": {"measured": [], "compiled": []}, "components": [],
            "sublibraries": [], "operations": [], "policy": "compatible", "gpu": "optional"}])

    def test_configuring_again_rebuilds_nothing(self):
        app = self.project()
        self.built(app)
        (app.source / "CMakeLists.txt").touch()
        self.configure(app)
        done = app.build()
        self.assertNotIn("Building", done.output)
        self.assertNotIn("Linking", done.output)

    def test_another_cudnn_rebuilds_the_stamp(self):
        app = self.project()
        self.built(app)
        bare_cudnn(self.scratch / "sdk", "9.15.1")
        self.built(app)
        self.assertEqual(stamps(app.path("app"))[0]["cudnn"]["header"], "9.15.1")

    def test_two_build_trees_give_the_same_bytes(self):
        digests = set()
        for name in ["one", "two"]:
            app = self.project()
            app.build_directory = self.scratch / name / "build"
            self.built(app, "-DCMAKE_BUILD_TYPE=Release")
            digests.add(hashlib.sha256(app.path("app").read_bytes()).hexdigest())
        self.assertEqual(len(digests), 1)

    def test_components_of_two_calls_are_one_header(self):
        app = self.project(text=PROJECT.replace(
            "find_package(CuDNNChecked REQUIRED)",
            "find_package(CuDNNChecked OPTIONAL_COMPONENTS adv COMPONENTS ops REQUIRED)\n"
            "find_package(CuDNNChecked REQUIRED COMPONENTS cnn)"))
        for role in ["ops", "cnn", "adv"]:
            (self.scratch / "sdk" / "lib" / f"libcudnn_{role}.so.9").write_text("")
        self.configure(app)
        header = app.path("CuDNNChecked/include/cudnn_checked/stamp.h")
        self.assertIn('#define CUDNN_CHECKED_COMPONENTS "cnn;ops"\n', header.read_text())
        before = header.stat().st_mtime_ns
        self.configure(app)
        self.assertEqual(header.stat().st_mtime_ns, before)
