# SPDX-License-Identifier: BSD-3-Clause
"""What CMake finds out about the compilers, once: of a configure without it, that is half the cost.

CMake reads its own findings of an earlier run from CMakeFiles/VERSION of the build tree, and asks no
compiler then (cmGlobalGenerator::EnableLanguage).  They are made in the cache and copied.
"""

import hashlib
import re
import shutil
import subprocess
import unittest

from support.environment import cache_directory, clean_environment, compiler, locked

# Findings depend on these, so a build tree that has one of them of its own asks the compilers itself.
OF_THE_COMPILER = re.compile(r"-DCMAKE_((C|CXX|CUDA)_(COMPILER|FLAGS)|CUDA_HOST|TOOLCHAIN|SYSROOT|SYSTEM|"
                             r"CROSSCOMPILING|EXE_LINKER|OSX|GENERATOR|TRY_COMPILE|C_|CXX_)|--toolchain|"
                             r"-[CGTA]")
VARIABLES = {"CC", "CXX", "CFLAGS", "CXXFLAGS", "LDFLAGS", "LD_PRELOAD", "CMAKE_TOOLCHAIN_FILE"}

PROJECT = "cmake_minimum_required(VERSION 3.22)\nproject(compilers LANGUAGES {})\n"


def nvcc():
    """The real nvcc of this machine; without one the test is skipped."""
    found = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")
    if not found:
        raise unittest.SkipTest("there is no nvcc")
    return found


def cuda_arguments():
    """How every build tree with CUDA names nvcc, and the host compiler, which is not on its PATH."""
    return [f"-DCMAKE_CUDA_COMPILER={nvcc()}", f"-DCMAKE_CUDA_HOST_COMPILER={compiler('CXX')}"]


def compiler_arguments(generator):
    """How every build tree of the tests names its generator and its compilers."""
    make = shutil.which("ninja" if generator.startswith("Ninja") else "make")
    return ["-G", generator, f"-DCMAKE_CXX_COMPILER={compiler('CXX')}",
            f"-DCMAKE_C_COMPILER={compiler('C')}", f"-DCMAKE_MAKE_PROGRAM={make}"]


def give_known_compilers(build, cmake, generator, arguments=(), environment=(), cuda=False):
    """Puts the findings into the new build tree <build>, unless the caller's arguments change them.

    With `cuda` they include those about nvcc; its flags may then be anything that it compiles with.  With a host compiler
    of the caller's, nvcc alone is asked.  Findings are the same for each generator, and made for each system that is named.
    """
    arguments = [str(argument) for argument in arguments]
    if cuda:
        arguments = [a for a in arguments if not re.match("-DCMAKE_CUDA_(FLAGS|ARCH)", a)]
        others = [a for a in arguments if not a.startswith("-DCMAKE_CUDA_HOST_COMPILER=")]
        cuda, arguments = others == arguments, others
    system = [a for a in arguments if re.match("-DCMAKE_SYSTEM_(NAME|PROCESSOR)=", a)]
    if any(OF_THE_COMPILER.match(a) for a in arguments if a not in system) or VARIABLES & set(environment):
        return
    program = shutil.which(cmake)
    named = [*compiler_arguments(generator), *(cuda_arguments() if cuda else []), *system]
    independent = [a for a in named if a not in ("-G", generator) and not a.startswith("-DCMAKE_MAKE_PROGRAM=")]
    key = hashlib.sha256(repr((program, independent)).encode()).hexdigest()[:16]
    home = cache_directory() / f"compilers-{key}"
    with locked(home):
        if not (home / "complete").exists():
            shutil.rmtree(home, ignore_errors=True)
            home.mkdir()
            (home / "CMakeLists.txt").write_text(PROJECT.format("C CXX CUDA" if cuda else "C CXX"))
            done = subprocess.run([program, "-S", home, "-B", home / "build", *named], cwd=home,
                                  env=clean_environment(home), text=True, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT)
            if done.returncode != 0:
                raise RuntimeError("the compilers do not work:\n" + done.stdout)
            (home / "complete").touch()
    for findings in (home / "build" / "CMakeFiles").glob("[0-9]*"):
        target = build / "CMakeFiles" / findings.name
        target.mkdir(parents=True, exist_ok=True)
        for file in [*findings.glob("*.cmake"), *findings.glob("*.bin")]:
            shutil.copy2(file, target)
    # Without it CMake takes the folder for leftovers, and removes it.
    (build / "CMakeCache.txt").write_text("CMAKE_PLATFORM_INFO_INITIALIZED:INTERNAL=1\n")
