# SPDX-License-Identifier: BSD-3-Clause
"""A project that exports a library linked with cuDNN, used where CuDNNChecked is, and where it is not."""

import os
import pathlib
import re
import shutil
import tempfile

from support import cmake_program, errors, relative_output, status_lines, warnings
from support.consumer import Consumer
from support.scratch import ScratchTest
from support.simulated_sdk import simulated_sdk

EXPORTER = """
cmake_minimum_required(VERSION 3.22)
project(filters LANGUAGES CXX)
list(APPEND CMAKE_MODULE_PATH "${CUDNN_CHECKED_SOURCE}/cmake")
set(CuDNNChecked_PROVIDE_CUDNN_TARGETS ON)
find_package(CuDNNChecked REQUIRED COMPONENTS cnn)
add_library(inside STATIC filters.cpp)
target_link_libraries(inside PRIVATE CuDNNChecked::cudnn)
add_library(outside SHARED filters.cpp)
# An alias is exported under the name of its target.
target_link_libraries(outside PUBLIC CUDNN::cudnn_all)
add_library(hidden SHARED filters.cpp)
target_link_libraries(hidden PRIVATE CuDNNChecked::cudnn)
cudnn_checked_guard(inside MANUAL)
install(TARGETS inside outside hidden EXPORT filtersTargets)
install(EXPORT filtersTargets NAMESPACE filters:: DESTINATION lib/cmake/filters)
install(FILES filtersConfig.cmake DESTINATION lib/cmake/filters)
cudnn_checked_export(DESTINATION lib/cmake/filters)
"""

CONFIG = """
include("${CMAKE_CURRENT_LIST_DIR}/CuDNNCheckedDependency.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/filtersTargets.cmake")
"""

LIBRARY = "#include <cudnn.h>\nunsigned long version() { return cudnnGetVersion(); }\n"

CONSUMER = """
cmake_minimum_required(VERSION 3.22)
project(app LANGUAGES CXX)
include("${CMAKE_SOURCE_DIR}/before.cmake" OPTIONAL)
find_package(filters ${REQUEST})
message(STATUS "found ${filters_FOUND}, level ${CuDNNChecked_LEVEL}")
include("${CMAKE_SOURCE_DIR}/after.cmake" OPTIONAL)
if(filters_FOUND)
  foreach(kind IN ITEMS inside outside hidden)
    add_executable(${kind} main.cpp)
    target_link_libraries(${kind} PRIVATE filters::${kind})
  endforeach()
  # What is linked PUBLIC brings the headers.
  target_compile_definitions(outside PRIVATE "HEADER=<cudnn.h>")
endif()
"""

MAIN = """
#ifdef HEADER
#include HEADER
#endif
#include <cstdio>
unsigned long version();
int main() { std::printf("%lu\\n", version()); }
"""


OPTIONS = {"cudnn": "9.14.0", "gpus": ""}


def hints(sdk):
    return f"-DCuDNNChecked_ROOT={sdk.prefix}", f"-DCUDAToolkit_ROOT={sdk.prefix}"


class Exported(ScratchTest):
    @classmethod
    def setUpClass(cls):
        """Installs the exporter and moves it: neither its build tree nor the first place is there."""
        super().setUpClass()
        cls.home = pathlib.Path(os.path.realpath(tempfile.mkdtemp(prefix="cudnn-checked-")))
        cls.addClassCleanup(shutil.rmtree, cls.home, ignore_errors=True)
        sdk = simulated_sdk(**OPTIONS)
        exporter = Consumer(cls.home / "exporter", cls.home, cmake_lists=EXPORTER,
                            **{"filtersConfig.cmake": CONFIG, "filters.cpp": LIBRARY})
        for command in [
                lambda: exporter.configure("-DCMAKE_EXECUTABLE_FORMAT=ELF", *hints(sdk),
                                           environment=sdk.environment),
                exporter.build,
                lambda: exporter.run(cmake_program(), "--install", exporter.build_directory,
                                     "--prefix", cls.home / "before")]:
            done = command()
            if done.status != 0:
                raise AssertionError(done.output)
        (cls.home / "before").rename(cls.home / "after")
        shutil.rmtree(exporter.build_directory)

    def setUp(self):
        super().setUp()
        self.sdk = simulated_sdk(**OPTIONS).copy(self.scratch / "sdk")
        self.app = self.consumer(cmake_lists=CONSUMER, **{"main.cpp": MAIN})

    def configure(self, *arguments, request="REQUIRED", sdk=None):
        return self.app.configure(f"-DCMAKE_PREFIX_PATH={self.home}/after",
                                  f"-DREQUEST={request}", *hints(sdk or self.sdk), *arguments,
                                  environment=self.sdk.environment)

    def assert_it_works(self):
        done = self.app.build()
        self.assertEqual(done.status, 0, done.output)
        for kind in ["inside", "outside", "hidden"]:
            with self.subTest(kind=kind):
                done = self.app.run(self.app.path(kind), environment={
                    "LD_LIBRARY_PATH": f"{self.sdk.library_directory}"})
                self.assertEqual(done.output, "91400\n")

    def relative(self, text):
        return relative_output(text, scratch=self.scratch, home=self.home)

    def test_where_cudnnchecked_is_not(self):
        file = self.home / "after" / "lib" / "cmake" / "filters" / "CuDNNCheckedDependency.cmake"
        self.assertNotIn("@", file.read_text())
        done = self.configure()
        self.assertEqual(done.status, 0, done.output)
        self.assertEqual(status_lines(self.relative(done.output)), [
            "filters uses cuDNN 9.14.0 for CUDA 13, which was not checked: <scratch>/sdk/lib/libcudnn.so.9",
            "found 1, level "])
        self.assertEqual(warnings(done.output), [])
        self.assert_it_works()
        with self.subTest("it is used afterwards, and gives the targets what it found"):
            self.app.write("after.cmake", """
list(APPEND CMAKE_MODULE_PATH "${CUDNN_CHECKED_SOURCE}/cmake")
find_package(CuDNNChecked REQUIRED)
get_target_property(left CuDNNChecked::cudnn _CUDNN_CHECKED_NOT_PROVED)
message(STATUS "then ${CuDNNChecked_LEVEL}, left ${left}")
""")
            done = self.configure()
            self.assertEqual(done.status, 0, done.output)
            self.assertEqual(status_lines(done.output)[-1], "then LOADED, left left-NOTFOUND")
            self.assert_it_works()

    def test_where_cudnnchecked_is(self):
        self.app.write("before.cmake",
                       'list(APPEND CMAKE_MODULE_PATH "${CUDNN_CHECKED_SOURCE}/cmake")')
        done = self.configure()
        self.assertEqual(done.status, 0, done.output)
        lines = status_lines(done.output)
        self.assertEqual(len(lines), 2)
        self.assertRegex(lines[0], r"^cuDNN 9\.14\.0 · CUDA 13\.0 · loaded, no convolution was run")
        self.assertEqual(lines[1], "found 1, level LOADED")
        self.assert_it_works()
        with self.subTest("a cuDNN that it refuses"):
            shutil.rmtree(self.app.build_directory)
            (self.sdk.library_directory / "libcudnn_cnn.so.9").unlink()
            for file in self.sdk.library_directory.glob("libcudnn_cnn.so.9*"):
                file.unlink()
            done = self.configure()
            self.assertNotEqual(done.status, 0, done.output)
            self.assertIn("cudnn_checked: refused: ", "".join(errors(done.output)))
            # Where ld.so.cache has another cuDNN, the loader would take the missing file from there.
            self.assertRegex(done.output, r"\[(sublibrary-missing|mixed-sublibraries)\]")

    def test_an_older_cudnn(self):
        older = simulated_sdk(cudnn="9.13.0", gpus="").copy(self.scratch / "older")
        done = self.configure(sdk=older)
        self.assertNotEqual(done.status, 0, done.output)
        [text] = errors(done.output)
        self.assertEqual(self.relative(text), """\
Found package configuration file:

  <home>/after/lib/cmake/filters/filtersConfig.cmake

but it set filters_FOUND to FALSE so package "filters" is considered to be
NOT FOUND.  Reason given by package:

 it needs cuDNN 9.14 or a newer release of cuDNN 9 for CUDA 13, and <scratch>/older/include has cuDNN 9.13.0
 fix: name the directory above include and lib of such a cuDNN: -D CuDNNChecked_ROOT=DIRECTORY
""")
        with self.subTest("another root counts at once"):
            done = self.configure()
            self.assertEqual(done.status, 0, done.output)
        with self.subTest("not required"):
            done = self.configure(request="QUIET", sdk=older)
            self.assertEqual(done.status, 0, done.output)
            self.assertEqual(status_lines(done.output), ["found 0, level "])

    def test_a_root_without_one_or_for_another_cuda(self):
        """S54: an error, and not the cuDNN of another place."""
        simulated_sdk(cudnn="9.14.0", cuda="12.9", gpus="").copy(self.scratch / "other")
        site = self.sdk.copy(self.scratch / "site").prefix
        wheel = site / "nvidia" / "cudnn"
        wheel.mkdir(parents=True)
        for name in ("lib", "include"):
            (site / name).rename(wheel / name)
        record = site / "nvidia_cudnn_cu12-9.14.0.64.dist-info"
        record.mkdir()
        needs = "it needs cuDNN 9.14 or a newer release of cuDNN 9 for CUDA 13, and "
        for root, name, text in [
                ("none", "", f"{needs}there is no libcudnn.so.9 in <scratch>/none"),
                ("other", "", f"{needs}<scratch>/other/include/cuda_runtime_api.h is for another CUDA"),
                ("site", "", f"{needs}<scratch>/site/nvidia/cudnn/lib/libcudnn.so.9 is for another CUDA"),
                ("other", "before.cmake", "it was built for CUDA 13, and CuDNNChecked found CUDA 12.9"),
                ("site", "", "")]:
            with self.subTest(root=root, file=name):
                if name:
                    self.app.write(name, 'list(APPEND CMAKE_MODULE_PATH "${CUDNN_CHECKED_SOURCE}/cmake")')
                if not text:
                    (self.app.source / "before.cmake").unlink()
                    record.rename(site / "nvidia_cudnn_cu13-9.14.0.64.dist-info")
                root = self.scratch / root
                done = self.configure(f"-DCuDNNChecked_ROOT={root}", f"-DCUDAToolkit_ROOT={root}")
                self.assertEqual((done.status == 0, text), (text == "", text), done.output)
                if text:
                    self.assertRegex(self.relative(errors(done.output)[0]), rf"\n ?{re.escape(text)}\n")

    def test_wrong_arguments(self):
        self.app.write("CMakeLists.txt", """
cmake_minimum_required(VERSION 3.22)
project(app LANGUAGES NONE)
list(APPEND CMAKE_MODULE_PATH "${CUDNN_CHECKED_SOURCE}/cmake")
set(CuDNNChecked_REQUIRE LOCATED)
if(ASKED)
  find_package(CuDNNChecked REQUIRED)
else()
  find_package(CuDNNChecked 99 QUIET)
endif()
cudnn_checked_export(${ARGUMENTS})
""")
        usage = "\n  fix: cudnn_checked_export(DESTINATION <directory> [COMPONENT <component>])" \
                "\n  [bad-input]\n"
        for asked, arguments, text in [
                ("", "DESTINATION;lib", "no cuDNN was proved yet\n  fix: find_package(CuDNNChecked "
                                        "REQUIRED), before this call\n"),
                ("ON", "", "DESTINATION is missing" + usage),
                ("ON", "DESTINATION;a;EXPORT;b", "unknown argument: EXPORT b" + usage),
                ("ON", "DESTINATION;a;OFF", "unknown argument: OFF" + usage),
                ("ON", "DESTINATION;a;b-NOTFOUND", "unknown argument: b-NOTFOUND" + usage),
                ("ON", "DESTINATON;a", "unknown argument: DESTINATON a; did you mean DESTINATION?"
                                       + usage),
                ("ON", "DESTINATION", "no value after DESTINATION" + usage)]:
            with self.subTest(arguments=arguments):
                done = self.app.configure(f"-DARGUMENTS={arguments}", f"-DASKED={asked}",
                                          *hints(self.sdk))
                self.assertNotEqual(done.status, 0, done.output)
                self.assertEqual(errors(done.output)[0], "cudnn_checked_export: " + text)
