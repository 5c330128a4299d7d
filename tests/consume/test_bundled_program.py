# SPDX-License-Identifier: BSD-3-Clause
"""A program that brings its cuDNN: what is mapped is that one, whatever variables and caches lead to."""

import json
import os
import re
import shutil
import subprocess

from support import cmake_program, errors, relative_output
from support.scratch import ScratchTest
from support.simulated_sdk import simulated_sdk

PROJECT = """
cmake_minimum_required(VERSION 3.22)
project(app LANGUAGES CXX)
list(APPEND CMAKE_MODULE_PATH "${CUDNN_CHECKED_SOURCE}/cmake")
find_package(CuDNNChecked REQUIRED)
add_executable(app main.cpp)
target_link_libraries(app PRIVATE CuDNNChecked::cudnn)
cudnn_checked_guard(app GPU OPTIONAL)
cudnn_checked_bundle(app DIRECTORY ../lib/app DESTINATION bin ${MORE})
# The same run path, and nothing else.
add_executable(near main.cpp)
target_link_libraries(near PRIVATE CuDNNChecked::cudnn)
target_link_options(near PRIVATE LINKER:--disable-new-dtags)
set_property(TARGET near PROPERTY INSTALL_RPATH "$ORIGIN/../lib/app")
install(TARGETS app near DESTINATION bin)
"""

# Sub-libraries NEED others: cnn first brings in ops.
MAIN = """
#include <cudnn.h>
#include <cstdio>
#include <cstring>
int main() {
  std::printf("%zu, cnn %d\\n", cudnnGetVersion(), static_cast<int>(cudnnCnnVersionCheck()));
  std::FILE* const maps = std::fopen("/proc/self/maps", "r");
  char line[4096];
  char last[4096] = "";
  while (std::fgets(line, sizeof line, maps) != nullptr) {
    const char* const path = std::strchr(line, '/');
    if (path == nullptr || std::strstr(path, "/libcudnn") == nullptr || !std::strcmp(path, last)) continue;
    std::printf("%s", std::strcpy(last, path));
  }
}
"""
ROLES = ("adv", "cnn", "engines_precompiled", "engines_runtime_compiled", "graph", "heuristic", "ops")
USAGE = ("\n  fix: cudnn_checked_bundle(<target> [DIRECTORY <directory>] [CUDA] "
         "[DESTINATION <directory> [COMPONENT <component>]])\n  [bad-input]\n")


def dynamic(path):
    """NEEDED entries of cuDNN, and run paths by their tags."""
    out = subprocess.run(["readelf", "-d", path], stdout=subprocess.PIPE, text=True, check=True).stdout
    return re.findall(r"\[(libcu[^]]*)\]", out), dict(re.findall(r"\((RPATH|RUNPATH)\).*\[(.*)\]", out))


class BundleTest(ScratchTest):
    def setUp(self):
        super().setUp()
        self.use()
        self.other = simulated_sdk(cudnn="9.19.0", gpus="")

    def use(self, **options):
        """Of this cuDNN programs bring a copy."""
        shutil.rmtree(self.scratch / "sdk", ignore_errors=True)
        self.sdk = simulated_sdk(gpus="", **options).copy(self.scratch / "sdk")
        self.hints = (f"-DCuDNNChecked_ROOT={self.sdk.prefix}", f"-DCUDAToolkit_ROOT={self.sdk.prefix}")

    def project(self, name="app", text=PROJECT):
        return self.consumer(name, cmake_lists=text, **{"main.cpp": MAIN})

    def configure(self, app, *arguments):
        return app.configure("-DCMAKE_EXECUTABLE_FORMAT=ELF", *self.hints, *arguments,
                             environment=self.sdk.environment)

    def built(self, app, *arguments):
        """The text of the build."""
        done = self.configure(app, *arguments)
        self.assertEqual(done.status, 0, done.output)
        done = app.build()
        self.assertEqual(done.status, 0, done.output)
        return done.output

    def installed(self, app, name="there"):
        done = app.run(cmake_program(), "--install", app.build_directory, "--prefix", self.scratch / name)
        self.assertEqual(done.status, 0, done.output)
        return self.scratch / name

    def mapped(self, app, program, *directories):
        path = ":".join(map(str, [*directories, self.sdk.driver_directory]))
        report = self.scratch / "report.json"
        done = app.run(program, environment={"LD_LIBRARY_PATH": path, "CUDNN_CHECKED_REPORT": report})
        self.findings = []
        if report.exists():
            self.findings = [finding["name"] for finding in json.loads(report.read_text())["findings"]]
            report.unlink()
        text = relative_output(done.output, scratch=self.scratch, other=self.other.library_directory)
        first, *files = text.splitlines()
        return [first, *sorted(files)]

    def relative(self, text):
        return relative_output(text, scratch=self.scratch)


class Bundle(BundleTest):
    def own(self, directory):
        """What is printed where all of it is mapped from there."""
        return ["91400, cnn 0", f"{directory}/libcudnn.so.9",
                *[f"{directory}/libcudnn_{role}.so.9.14.0" for role in ROLES]]

    def test_it_is_mapped_whatever_variables_say(self):
        app = self.project("an app")
        (self.sdk.prefix / "LICENSE").write_text("terms\n")
        text = self.built(app)
        self.assertIn("cuDNN 9.14.0 copied to <scratch>/an app-build/CuDNNChecked/"
                      "cudnn_checked_bundle/cudnn: 8 libraries, ", self.relative(text))
        home = self.installed(app)
        # Neither the build tree nor the cuDNN that was copied is there any more, and it is moved.
        self.assertEqual(self.mapped(app, app.path("app")),
                         self.own("<scratch>/an app-build/CuDNNChecked/cudnn_checked_bundle/cudnn"))
        shutil.rmtree(app.build_directory)
        for file in self.sdk.library_directory.glob("libcudnn*"):
            file.unlink()
        home = home.rename(self.scratch / "moved")
        names = home / "names"
        names.mkdir()
        for role in ROLES:  # by the names that this cuDNN asks for first
            (names / f"libcudnn_{role}.so.9.14.0").symlink_to(self.other.library(role).resolve())
        for directories in ((), (self.other.library_directory,), (names, self.other.library_directory)):
            with self.subTest(directories=directories):
                self.assertEqual(self.mapped(app, home / "bin/app", *directories),
                                 self.own("<scratch>/moved/lib/app"))
                self.assertEqual(self.findings, ["no-device"])
        with self.subTest("the run path alone"):
            near = self.mapped(app, home / "bin/near", self.other.library_directory)
            self.assertIn("<other>/libcudnn_ops.so.9.19.0", near)
            self.assertIn("<scratch>/moved/lib/app/libcudnn_graph.so.9.14.0", near)
        needed, paths = dynamic(home / "bin/app")
        self.assertEqual(needed, ["libcudnn.so.9", *[f"libcudnn_{role}.so.9.14.0" for role in (
            "graph", "ops", "cnn", "adv", "engines_precompiled", "engines_runtime_compiled", "heuristic")]])
        self.assertEqual(paths, {"RPATH": "$ORIGIN/../lib/app"})
        bundle = home / "lib/app"
        self.assertEqual(os.readlink(bundle / "libcudnn_ops.so.9"), "libcudnn_ops.so.9.14.0")
        self.assertEqual((bundle / "licenses/sdk/LICENSE").read_text(), "terms\n")

    def test_with_the_libraries_of_cuda(self):
        self.use(build_ids="catalogue")
        self.sdk.add_cuda_libraries(self.sdk.library_directory)
        app = self.project()
        text = self.built(app, "-DMORE=CUDA", "-DCMAKE_EXE_LINKER_FLAGS=-Wl,--enable-new-dtags")
        self.assertIn("cudnn_checked_bundle_with_cuda/cudnn: 10 libraries, ", text)
        self.assertIn("\n  no license:   none was found for libcudnn.so.9\n", text)
        home = self.installed(app)
        for name in ("libnvrtc.so.13", "libcublasLt.so.13"):
            self.assertTrue((home / "lib/app" / name).is_file(), name)
        self.assertEqual(dynamic(home / "bin/app")[1], {"RPATH": "$ORIGIN/../lib/app"})

    def test_it_is_made_again_where_cudnn_changes(self):
        app = self.project()
        self.built(app)
        self.assertNotIn("copied to", app.build().output)
        self.use(cudnn="9.19.0")
        text = self.built(app)
        self.assertIn("cuDNN 9.19.0 copied to", text)
        own = "<scratch>/app-build/CuDNNChecked/cudnn_checked_bundle/cudnn"
        self.assertIn(f"{own}/libcudnn_ops.so.9.19.0", self.mapped(app, app.path("app")))

    def test_what_a_jit_only_set_asks_for(self):
        """No run path keeps it out; the guard refuses what does not fit, and what the loader rejects is none."""
        self.use(cudnn="9.20.0", sublibraries="jit", build_ids="catalogue")
        self.sdk.add_cuda_libraries(self.sdk.library_directory)
        app = self.project()
        text = self.built(app)
        self.assertIn("""
  not in it:    libcudnn_ops.so.9.20.0 libcudnn_cnn.so.9.20.0 libcudnn_adv.so.9.20.0 \
libcudnn_engines_precompiled.so.9.20.0 libcudnn_heuristic.so.9.20.0 libcudnn_engines_tensor_ir.so.9.20.0
  cuDNN asks for these as well. If LD_LIBRARY_PATH or ld.so.cache lead to one, the run path cannot keep
  it out; a guarded program refuses one that does not fit.
""", text)
        home = self.installed(app)
        stray = self.scratch / "stray"
        stray.mkdir()
        shutil.copy(simulated_sdk(gpus="", cudnn="9.23.2", build_ids="catalogue").library("engines_tensor_ir").resolve(),
                    stray / "libcudnn_engines_tensor_ir.so.9")
        done = app.run(home / "bin/app", environment={
            "LD_LIBRARY_PATH": f"{stray}:{self.sdk.driver_directory}"})
        self.assertEqual(done.status, 78, done.output)
        self.assertIn("\n  [mixed-sublibraries]", done.output)


class Refused(BundleTest):
    def test_wrong_calls(self):
        app = self.project(text="""
cmake_minimum_required(VERSION 3.22)
project(app LANGUAGES CXX)
list(APPEND CMAKE_MODULE_PATH "${CUDNN_CHECKED_SOURCE}/cmake")
set(CuDNNChecked_REQUIRE LOCATED)
if(ASKED)
  find_package(CuDNNChecked REQUIRED)
else()
  find_package(CuDNNChecked 99 QUIET)
endif()
add_executable(app main.cpp)
add_library(parts STATIC main.cpp)
if(PROPERTY)
  set_property(TARGET app PROPERTY ${PROPERTY} ON)
endif()
if(TWICE)
  cudnn_checked_bundle(app)
endif()
cudnn_checked_bundle(${ARGUMENTS})
""")
        for arguments, more, text in [
                ("app", "ASKED=", "app): no cuDNN was proved yet\n"
                                  "  fix: find_package(CuDNNChecked REQUIRED), before this call\n"),
                ("apt", "", "apt): there is no target of this name; did you mean app?\n"
                            "  fix: call it after add_executable(apt ...)\n  [bad-input]\n"),
                ("app;OFF", "", "app): unknown argument: OFF" + USAGE),
                ("app;DIRECTORY", "", "app): no value after DIRECTORY" + USAGE),
                ("app;DIRECTORI;a", "", "app): unknown argument: DIRECTORI a; did you mean DIRECTORY?" + USAGE),
                ("app;DIRECTORY;/opt", "", "app): DIRECTORY is /opt, and can be a path that is seen from the target, "
                                           "as ../lib" + USAGE),
                ("parts", "", "parts): only what this project links has a run path\n"
                              "  fix: name an executable, a shared library or a module of this project\n  [bad-input]\n"),
                ("app", "TWICE=ON", "app): the target has its bundle already\n"
                                    "  fix: call it once for a target\n  [bad-input]\n"),
                ("app", "CMAKE_SKIP_RPATH=ON", "app): CMAKE_SKIP_RPATH is on, so the target would have no run path\n"
                                               "  fix: -D CMAKE_SKIP_RPATH=OFF\n  [bad-input]\n"),
                ("app", "PROPERTY=BUILD_WITH_INSTALL_RPATH",
                 "app): with BUILD_WITH_INSTALL_RPATH it would not find the bundle in the build tree\n"
                 "  fix: set_property(TARGET app PROPERTY BUILD_WITH_INSTALL_RPATH OFF)\n  [bad-input]\n")]:
            with self.subTest(arguments=arguments, more=more):
                options = {"ASKED": "ON", "CMAKE_SKIP_RPATH": "OFF", "PROPERTY": "", "TWICE": "",
                           **dict([more.split("=")] if more else [])}
                done = self.configure(app, f"-DARGUMENTS={arguments}",
                                      *[f"-D{name}={value}" for name, value in options.items()])
                self.assertNotEqual(done.status, 0, done.output)
                self.assertEqual(errors(done.output)[0], "cudnn_checked_bundle(" + text)

    def test_a_set_that_was_mixed_after_it_was_proved(self):
        app = self.project()
        done = self.configure(app)
        self.assertEqual(done.status, 0, done.output)
        home = self.scratch / "app-build/CuDNNChecked"
        self.sdk.take_from(self.other, "ops")
        done = app.run(home / "cudnn_checked_configure", "configure", "bundle", f"library={self.sdk.library()}",
                       f"into={self.scratch}/b", f"link={self.scratch}/l")
        self.assertEqual(done.status, 1)
        self.assertTrue(done.output.startswith(
            "cudnn_checked: refused: the files of cuDNN are of more than one release\n"), done.output)
        self.assertFalse((self.scratch / "b").exists())
