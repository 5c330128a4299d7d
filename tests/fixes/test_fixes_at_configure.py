# SPDX-License-Identifier: BSD-3-Clause
"""Fixes of what refuses a configure."""

import shutil

from breaking import (CUDA, CUDNN, JIT, OLDER, OTHER_CUDA, active, all_of, cut, deleted, header, instead,
                      library_path, of_another, of_another_machine, uninstalled, variable, without_code, without_pip,
                      zeroed)
from harness import Fault, FixesTest, advice
from support import simulated_sdk
from support.consumer import cmake_program
from support.environment import REPOSITORY
from support.known_configure import give_configure, keep_configure
from support.known_compilers import compiler_arguments, give_known_compilers

# As typed in the folder beside, after the first time: what was given once is in the cache.
CONFIGURE = ("cmake -S ../src -B ../build",)
PROJECT = """
cmake_minimum_required(VERSION 3.22)
project(app LANGUAGES {languages})
list(APPEND CMAKE_MODULE_PATH "{source}/cmake")
{before}find_package(CuDNNChecked {request})
{after}"""


OTHER_INCLUDE = """
file(WRITE "${CMAKE_BINARY_DIR}/main.cpp" "#include <cudnn.h>\nint main() {}\n")
add_executable(app "${CMAKE_BINARY_DIR}/main.cpp")
target_include_directories(app BEFORE PRIVATE "${CMAKE_SOURCE_DIR}/../other/nvidia/cudnn/include")
target_link_libraries(app PRIVATE CuDNNChecked::cudnn)
cudnn_checked_guard(app)
"""
MISSPELT = """
file(WRITE "${CMAKE_BINARY_DIR}/main.cpp" "int main() {}")
add_executable(app "${CMAKE_BINARY_DIR}/main.cpp")
cudnn_checked_guard(app POLCY exact)
"""


def project(request="REQUIRED", languages="CXX", before="", after=""):
    """A breaking that writes another project."""
    def break_it(world):
        text = PROJECT.format(source=REPOSITORY, request=request, languages=languages, before=before, after=after)
        (world.root / "src" / "CMakeLists.txt").write_text(text)
    return break_it


def cached(*entries):
    """What was given with -D some time ago; {world} is the folder of all."""
    def break_it(world):
        with open(world.root / "build" / "CMakeCache.txt", "a", encoding="utf-8") as cache:
            for entry in entries:
                name, _, value = entry.partition("=")
                cache.write(f"{name}:UNINITIALIZED={value.format(world=world.root)}\n")
    return break_it


def without_headers(world):
    shutil.rmtree(world.site / "nvidia/cudnn/include")


def other_headers(world):
    world.unpack(OLDER, "other")
    cached('CMAKE_CXX_FLAGS=-include "{world}/other/nvidia/cudnn/include/cudnn_version.h"')(world)


def in_the_way(world):
    # Beside it the program that makes the command of the fix is compiled.
    work = world.root / "build" / "CuDNNChecked"
    shutil.rmtree(work / "build", ignore_errors=True)
    work.mkdir(parents=True, exist_ok=True)
    (work / "cudnn_checked.txt").touch()
    (work / "build").write_text("")


def odd_folder(world):
    (world.site / "nvidia/cudnn").rename(world.root / "a[[b")
    cached("CuDNNChecked_ROOT={world}/a[[b")(world)


class Configures(FixesTest):
    """A project, an active environment with cuDNN, and a build tree in which it was configured."""

    wheels = (CUDNN, *CUDA)
    languages, required = "CXX", ""

    def make_world(self):
        world = super().make_world()
        active(world)
        (self.root / "src").mkdir()
        build = self.root / "build"
        generator = "Ninja" if shutil.which("ninja") else "Unix Makefiles"
        arguments = compiler_arguments(generator)[2:]
        give_known_compilers(build, cmake_program(), generator)
        with open(build / "CMakeCache.txt", "a", encoding="utf-8") as cache:
            cache.write(f"CMAKE_GENERATOR:INTERNAL={generator}\n")
        entries = [a[2:] for a in arguments] + ["CMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF"]
        cached(*entries, *([f"CuDNNChecked_REQUIRE={self.required}"] if self.required else []))(world)
        project(languages=self.languages)(world)
        give_configure(build)
        self.addCleanup(keep_configure, build)
        return world


class Located(Configures):
    """Ends at the level LOCATED: nothing is compiled."""

    languages, required = "NONE", "LOCATED"
    faults = (
        Fault("root leads nowhere", "cudnn-not-found", cached("CuDNNChecked_ROOT=/nowhere"), CONFIGURE),
        Fault("root of another variable leads nowhere and there is none", "cudnn-not-found", all_of(
            uninstalled("nvidia-cudnn-cu13"), cached("CUDNN_ROOT=/nowhere")), CONFIGURE),
        Fault("no cuDNN", "cudnn-not-found", uninstalled("nvidia-cudnn-cu13"), CONFIGURE),
        Fault("no cuDNN and no pip", "cudnn-not-found", without_pip(uninstalled("nvidia-cudnn-cu13")),
              CONFIGURE),
        Fault("another release is asked for exactly", "cudnn-not-found", project(
            "9.14.0 EXACT REQUIRED", "NONE"), CONFIGURE, "9.14.0"),
        Fault("an older range is asked for", "cudnn-not-found", project("9.10...<9.15 REQUIRED", "NONE"),
              CONFIGURE),
        Fault("a newer release is asked for", "cudnn-not-found", all_of(instead(OLDER), project(
            "9.19 REQUIRED", "NONE")), CONFIGURE),
        Fault("wheel without its libraries", "library-missing", lambda world: shutil.rmtree(world.lib), CONFIGURE),
        Fault("wheel without its headers", "headers-missing", without_headers, CONFIGURE),
        Fault("no CUDA runtime", "headers-missing", uninstalled("nvidia-cuda-runtime"), CONFIGURE),
        Fault("no headers of the CUDA compiler", "headers-missing", uninstalled(
            "nvidia-cuda-crt"), CONFIGURE),
        Fault("no CUDA 12 runtime for cuDNN for CUDA 12", "headers-missing", instead(OTHER_CUDA), CONFIGURE),
        Fault("CUDA root leads nowhere", "headers-missing", cached("CUDAToolkit_ROOT=/nowhere"), CONFIGURE),
        Fault("component of newer releases", "sublibrary-missing", project("REQUIRED COMPONENTS ext", "NONE"),
              CONFIGURE),
        Fault("misspelt level", "bad-input", cached("CuDNNChecked_REQUIRE=LOCATD"), CONFIGURE),
        Fault("misspelt policy", "bad-input", cached("CuDNNChecked_POLICY=exakt"), CONFIGURE),
        Fault("time limit without a number", "bad-input", cached("CuDNNChecked_PROBE_TIMEOUT=2min"), CONFIGURE),
        Fault("report that is not there", "bad-input", cached("CuDNNChecked_PROBE_REPORT=gone.json"), CONFIGURE),
        Fault("wheel of another machine", "wrong-machine", of_another_machine, CONFIGURE),
    )
    without_command = (
        advice("misspelt component", "bad-input", project("REQUIRED COMPONENTS cn", "NONE"), CONFIGURE,
               "the word stands in the project's own files"),
        advice("second call asks for another release", "cudnn-not-found", project(
            languages="NONE", after="find_package(CuDNNChecked 9.14 EXACT REQUIRED)"), CONFIGURE,
            "which of the two calls of the project is right is not known"),
        advice("folder with a character that CMake cannot have", "bad-input", odd_folder, CONFIGURE,
               "the folder is the person's: to rename it, or to choose another, is a decision"),
    )


class Proved(Configures):
    """The probe is compiled, linked and run; no GPU."""

    faults = (
        Fault("wheel without one library", "library-missing|sublibrary-missing", deleted("heuristic"), CONFIGURE),
        Fault("NVRTC that a program would not find", "dependency-missing", all_of(
            instead(JIT), uninstalled("nvidia-cuda-nvrtc")), CONFIGURE),
        Fault("empty library in a wheel", "library-corrupt", cut("ops", 0), CONFIGURE),
        Fault("truncated library in a wheel", "library-corrupt", cut("graph", 9000), CONFIGURE),
        Fault("zeros in a library of a wheel", "library-corrupt", zeroed("cnn", 4096), CONFIGURE),
        Fault("library of another release in a wheel", "mixed-sublibraries", of_another("heuristic"), CONFIGURE),
        Fault("half an upgrade of a wheel", "mixed-sublibraries", of_another("ops", "cnn", "adv", "heuristic"),
              CONFIGURE),
        Fault("library path leads to an older cuDNN", "mixed-sublibraries|header-library-mismatch",
              library_path(OLDER), CONFIGURE),
        Fault("header of another release", "header-library-mismatch", header(
            "cudnn_version.h", "CUDNN_MINOR 19", "CUDNN_MINOR 18"), CONFIGURE),
        Fault("header without another one", "header-mixed", lambda world: (
            world.site / "nvidia/cudnn/include/cudnn_ops.h").unlink(), CONFIGURE),
        Fault("JIT-only cuDNN where cnn is asked for", "sublibrary-missing", all_of(
            instead(JIT), project("REQUIRED COMPONENTS cnn")), CONFIGURE),
        Fault("misspelt convolution", "bad-input", cached("CuDNNChecked_CONVOLUTIONS=graph/fp8"), CONFIGURE),
        Fault("misspelt operation", "bad-input", cached("CuDNNChecked_OPERATIONS=atention"), CONFIGURE),
        Fault("only flag of the compiler", "probe-not-compiled", cached("CMAKE_CXX_FLAGS=-include nowhere.h"),
              CONFIGURE),
        Fault("one of the compiler's flags", "probe-not-compiled", cached(
            "CMAKE_CXX_FLAGS=-include nowhere.h -O1"), CONFIGURE),
        Fault("code of a library overwritten", "probe-crashed", without_code("graph"), CONFIGURE),
        Fault("something in the place of the build directory", "bad-input", in_the_way, CONFIGURE),
        Fault("report that is cut", "bad-input", all_of(
            lambda world: (world.root / "report.json").write_text('{"schema": 1, "level"'),
            cached("CuDNNChecked_PROBE_REPORT={world}/report.json")), CONFIGURE),
    )
    without_command = (
        advice("GPU required on a machine without one", "driver-missing", cached("CuDNNChecked_REQUIRE=RAN"),
               CONFIGURE, "that it must run was asked for by name: to require less is a decision"),
        advice("no language", "bad-input|probe-not-compiled", project(languages="NONE"), CONFIGURE,
               "the word stands in the project's own files"),
        advice("flag leads to headers of another release", "header-library-mismatch", other_headers, CONFIGURE,
               "what else the flag is for is not known"),
        advice("target with headers of another release", "header-library-mismatch", all_of(
            lambda world: world.unpack(OLDER, "other"), project(after=OTHER_INCLUDE)),
            (f"{CONFIGURE[0]} && cmake --build ../build",), "the folder stands in the project's own files"),
        advice("flag of the project", "probe-not-compiled", project(
            before='set(CMAKE_CXX_FLAGS "-include nowhere.h")\n'), CONFIGURE,
               "the word stands in the project's own files"),
        advice("misspelt word of a guard", "bad-input", project(after=MISSPELT), CONFIGURE, "the word stands in the project's own files"),
    )


class WithGpu(Configures):
    """Convolutions run on a simulated GPU, as a driver on the library path shows it."""

    without_command = (
        advice("wrong numbers", "wrong-numbers", variable("SIMULATED_FAULT", "wrong:graph/fp16/nchw"), CONFIGURE,
               "the set is whole: which other release is right for the project is a decision"),
        advice("memory of the GPU is full", "convolution-failed", variable(
            "SIMULATED_FAULT", "fail:cudnnCreate:1001,full:gpu"), CONFIGURE,
               "which of the processes on the GPU may end is a decision"),
    )

    def make_world(self):
        world = super().make_world()
        world.environment.update(simulated_sdk(cudnn=None, cuda=None, gpus="sm_86").environment)
        return world


class WithFourGpus(Configures):
    """Four alike, all of which compute, and one of them wrong."""

    faults = (
        Fault("one GPU of four computes wrong", "wrong-numbers", all_of(
            variable("SIMULATED_FAULT", "wrong:graph/fp16/nchw:gpu=1"), cached("CuDNNChecked_DEVICES=all")), CONFIGURE),
    )
    without_command = ()

    def make_world(self):
        world = super().make_world()
        world.environment.update(simulated_sdk(cudnn=None, cuda=None, gpus="sm_86;sm_86;sm_86;sm_86").environment)
        return world
