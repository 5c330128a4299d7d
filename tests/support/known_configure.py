# SPDX-License-Identifier: BSD-3-Clause
"""The programs that write messages and say what to type, compiled once for all build trees of these sources."""

import functools
import hashlib
import os
import pathlib
import platform
import shutil

from support.environment import REPOSITORY, cache_directory, locked

PROGRAMS = ("cudnn_checked_configure", "cudnn_checked_judge")


@functools.lru_cache(maxsize=None)
def _home():
    content = hashlib.sha256()
    for path in [*sorted((REPOSITORY / "cmake/CuDNNChecked/build").iterdir()), *sorted((REPOSITORY / "tool").rglob("*"))]:
        if path.is_file():
            content.update(path.read_bytes())
    return cache_directory() / f"configure-{content.hexdigest()[:16]}"


def _copy(source, target):
    """Each program with its signature, or not at all."""
    for program in PROGRAMS:
        names = (program, f"{program}.signature")
        if not (target / names[1]).exists() and all((source / name).is_file() for name in names):
            target.mkdir(parents=True, exist_ok=True)
            for name in names:
                shutil.copy2(source / name, target / name)


def own_work_directory(build):
    """The directory in which the find module works, which is its own by this file."""
    directory = pathlib.Path(build) / "CuDNNChecked"
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "cudnn_checked.txt").touch()
    return directory


def give_configure(build):
    """Puts the programs into the new build tree <build>, where they are known."""
    with locked(_home()):
        if _home().is_dir() and not os.path.lexists(os.path.join(build, "CuDNNChecked")):
            _copy(_home(), own_work_directory(build))


def keep_configure(build):
    """Takes the programs of the build tree, where they were compiled there and are not known."""
    build = pathlib.Path(build)
    made = build / "CuDNNChecked"
    # One for another machine, or that a test has made unable to start, is not for others.
    systems = [file.read_text(encoding="utf-8") for file in build.glob("CMakeFiles/[0-9]*/CMakeSystem.cmake")]
    here = [f'set(CMAKE_SYSTEM_{name} "{value}")' for name, value in (("NAME", "Linux"), ("PROCESSOR", platform.machine()))]
    elsewhere = any(line not in text for text in systems for line in here)
    if elsewhere or not all(os.access(made / name, os.X_OK) for name in PROGRAMS if (made / name).exists()):
        return
    if all((_home() / name).exists() or not (made / f"{name}.signature").exists() for name in PROGRAMS):
        return
    for of_other_sources in cache_directory().glob("configure-*"):
        if of_other_sources.is_dir() and of_other_sources != _home():
            shutil.rmtree(of_other_sources, ignore_errors=True)
    with locked(_home()):
        _copy(made, _home())
