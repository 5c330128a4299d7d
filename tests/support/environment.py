# SPDX-License-Identifier: BSD-3-Clause
"""An environment in which no CUDA, cuDNN or Python of this machine can be found by accident."""

import fcntl
import os
import pathlib
import re
import shutil
import tempfile

from home_cache import HOME_CACHE

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
# The release of this package, of the one place that has it.
RELEASE = re.search(r"(?m)^set\(_cudnn_checked_package_version (\d+\.\d+\.\d+)\)$",
                    (REPOSITORY / "cmake/CuDNNChecked/package_version.cmake").read_text(encoding="utf-8"))[1]

# A compiler starts as and ld through PATH; CMake looks for the binutils there.
TOOLS = [
    "addr2line", "ar", "as", "cat", "cp", "env", "ld", "ld.bfd", "ld.gold", "ld.lld", "mkdir", "mv",
    "nm", "objcopy", "objdump", "ranlib", "readelf", "rm", "sh", "strip", "touch",
]


def built(path):
    """A program of this project's own build tree; ctest says which that is."""
    return pathlib.Path(os.environ.get("CUDNN_CHECKED_BUILD") or REPOSITORY / "build" / "test") / path


def cache_directory():
    """Where what is expensive to build is kept, in the build tree; shared by tests that run together."""
    path = pathlib.Path(os.environ.get("CUDNN_CHECKED_TEST_CACHE") or built("tests/cache"))
    path.mkdir(parents=True, exist_ok=True)
    return path


class locked:
    """Holds <path>.lock while one process builds <path>."""

    def __init__(self, path):
        self._path = pathlib.Path(str(path) + ".lock")

    def __enter__(self):
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._file = open(self._path, "w")
        fcntl.flock(self._file, fcntl.LOCK_EX)

    def __exit__(self, *_):
        self._file.close()


def tools():
    """A directory with the programs that compiling needs, and no nvcc and no python3."""
    directory = cache_directory() / "tools"
    with locked(directory):
        directory.mkdir(exist_ok=True)
        for name in TOOLS:
            program = shutil.which(name)
            link = directory / name
            if program and not link.is_symlink():
                link.symlink_to(program)
    return directory


def with_installers(directory, *names):
    """Variables of somebody who has these programs (pip, uv), which are found and never started: they are created in
    the new folder `directory`."""
    directory.mkdir(parents=True)
    for name in names:
        (directory / name).touch()
    return {"PATH": f"{tools()}:{directory}"}


def add_pip(site):
    """A pip that is found there, and never started."""
    (site / "pip").mkdir(parents=True)
    (site / "pip" / "__main__.py").touch()


def compiler(language="CXX"):
    """The compiler that CMake would take, as an absolute path."""
    variable, names = {"CXX": ("CXX", ["c++", "g++", "clang++"]),
                       "C": ("CC", ["cc", "gcc", "clang"])}[language]
    for name in [os.environ.get(variable), *names]:
        if name and shutil.which(name):
            return shutil.which(name)
    raise RuntimeError(f"no {language} compiler on PATH")


def compiler_cache(home):
    """Variables that let CMake compile through ccache, where there is one: tests compile the same probe
    and the same guard in many folders below `home`."""
    program = shutil.which("ccache")
    if program is None:
        return {}
    shared = cache_directory().resolve()
    in_cache = shared in pathlib.Path(home).resolve().parents
    return {
        "CMAKE_C_COMPILER_LAUNCHER": program,
        "CMAKE_CXX_COMPILER_LAUNCHER": program,
        "CMAKE_CUDA_COMPILER_LAUNCHER": program,
        "CCACHE_DIR": str(HOME_CACHE / "ccache"),
        # Paths below it are hashed relative to where the compiler runs.
        "CCACHE_BASEDIR": str(shared) if in_cache else os.path.realpath(tempfile.gettempdir()),
        "CCACHE_NOHASHDIR": "1",
    }


def put_compiler(path, program=None):
    """The compiler `program`, or CMake's own, for somebody's PATH: it compiles through the cache."""
    program, cache = program or compiler(), shutil.which("ccache")
    if cache is None:
        path.symlink_to(program)
        return
    path.write_text(f'#!/bin/sh\nexec {cache} {program} "$@"\n')
    path.chmod(0o755)


def clean_environment(home, **more):
    """The environment of a fresh user in <home>; <more> is added to it."""
    environment = {
        "PATH": str(tools()),
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "PYTHONDONTWRITEBYTECODE": "1",
        "TMPDIR": tempfile.gettempdir(),
        **compiler_cache(home),
    }
    environment.update({name: str(value) for name, value in more.items()})
    return environment
