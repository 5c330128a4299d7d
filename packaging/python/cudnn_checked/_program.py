# SPDX-License-Identifier: BSD-3-Clause
"""The program cudnn-checked: where it is, and how it is called."""

import os
import shutil
import subprocess
import sys
import sysconfig
from typing import Dict, Iterator, List, Optional

NAME = "cudnn-checked"


class ProgramNotFound(FileNotFoundError):
    """This module is here, and its program is not."""


def _places() -> Iterator[str]:
    """Directories of programs, that of this copy of the module first."""
    site = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    yield os.path.join(site, "bin")  # pip install --target
    yield os.path.normpath(os.path.join(site, "../../../bin"))  # PREFIX/lib/python3.X/site-packages
    yield sysconfig.get_path("scripts")
    yield sysconfig.get_path("scripts", "posix_user")


def find_program() -> str:
    """The path of the program.  Raises ProgramNotFound."""
    places = list(dict.fromkeys(_places()))
    for place in places:
        path = os.path.join(place, NAME)
        if os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    on_path = shutil.which(NAME)
    if on_path:
        return on_path
    raise ProgramNotFound(f"the program {NAME} of the Python package {NAME} is not in {', '.join(places)}, nor on PATH")


def call(words: List[str], environment: Optional[Dict[bytes, bytes]] = None) -> "subprocess.CompletedProcess[str]":
    """Runs the program with these words and waits for it.  The text is without colours."""
    environment = environment or _environment()
    environment[b"NO_COLOR"] = b"1"
    return subprocess.run([find_program(), *words], env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", errors="replace")


def _environment() -> Dict[bytes, bytes]:
    """The loader has read its variables at the start of this process: what was set since has no effect on what
    an import loads."""
    environment = dict(os.environb)
    started = _environment_at_start()
    if started is None:
        return environment
    for name in (b"LD_LIBRARY_PATH", b"LD_PRELOAD"):
        environment.pop(name, None)
        if name in started:
            environment[name] = started[name]
    return environment


def _environment_at_start() -> Optional[Dict[bytes, bytes]]:
    """None where it is not known: what changes the title of a process (setproctitle) writes it over that text, and
    fills the rest with zeros."""
    try:
        with open("/proc/self/environ", "rb") as file:
            text = file.read()
    except OSError:
        return None
    if not text:
        return {}
    lines = text.split(b"\0")
    # The text ends with a zero; a variable has a name and a value.
    if lines.pop() or any(line.find(b"=") < 1 for line in lines):
        return None
    return dict(line.split(b"=", 1) for line in lines)


def environment_of_this_python() -> Dict[bytes, bytes]:
    """With this Python as the active one, as a shell has it."""
    environment = _environment()
    environment.pop(b"VIRTUAL_ENV", None)
    if sys.prefix != sys.base_prefix:
        environment[b"VIRTUAL_ENV"] = os.fsencode(sys.prefix)
    if sys.executable:
        directory = os.fsencode(os.path.dirname(sys.executable))
        environment[b"PATH"] = directory + b":" + environment.get(b"PATH", os.fsencode(os.defpath))
    return environment
