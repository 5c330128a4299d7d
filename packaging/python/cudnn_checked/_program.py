# SPDX-License-Identifier: BSD-3-Clause
"""The program cudnn-checked: where it is, and how it is called."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import Iterator

NAME = "cudnn-checked"
FILE = NAME + (".exe" if os.name == "nt" else "")


class ProgramNotFound(FileNotFoundError):
    """This module is here, and its program is not."""

    __module__ = "cudnn_checked"


class Failed(RuntimeError):
    """The program could not answer.  The text is its error."""

    __module__ = "cudnn_checked"


class TimedOut(Failed, TimeoutError):
    """The program did not answer in the time that it was given, and was ended."""

    __module__ = "cudnn_checked"


def _places() -> Iterator[str]:
    """Directories of programs, that of this copy of the module first."""
    import sysconfig  # Not for who imports the module and calls nothing, as pytest does.
    site = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    yield os.path.join(site, "bin")  # pip install --target
    if os.name == "nt":
        yield os.path.normpath(os.path.join(site, "../../Scripts"))  # PREFIX/Lib/site-packages
    else:
        yield os.path.normpath(os.path.join(site, "../../../bin"))  # PREFIX/lib/python3.X/site-packages
    yield sysconfig.get_path("scripts")
    yield sysconfig.get_path("scripts", f"{os.name}_user")


def find_program() -> str:
    """The path of the program.  Raises ProgramNotFound."""
    places = list(dict.fromkeys(_places()))
    for place in places:
        path = os.path.join(place, FILE)
        if os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    on_path = shutil.which(NAME)
    if on_path:
        return on_path
    raise ProgramNotFound(f"the program {NAME} of the Python package {NAME} is not in {', '.join(places)}, nor on PATH")


def answer_of(words: list[str], environment: dict[str, str],
              timeout: float | None = None) -> subprocess.CompletedProcess[str]:
    """Runs the program with these words, and waits for it, for so many seconds at most.  The text is without colours.
    Raises Failed where the system did not start it, or ended it, and TimedOut."""
    program = find_program()
    try:
        done = subprocess.run([program, *words], env={**environment, "NO_COLOR": "1"}, stdin=subprocess.DEVNULL,
                              capture_output=True, encoding="utf-8", errors="replace", timeout=timeout, check=False)
    except subprocess.TimeoutExpired:
        raise TimedOut(f"{program} {words[0]}: no answer within {timeout:g} s") from None
    except OSError as wrong:
        raise Failed(f"{program}: {wrong.strerror}") from wrong
    if done.returncode < 0:
        raise Failed(f"{program}: ended by signal {-done.returncode}")
    return done


def environment_at_start() -> dict[str, str]:
    """The loader has read its variables at the start of this process: what was set since has no effect on what
    an import loads."""
    environment = dict(os.environ)
    started = _variables_at_start()
    if started is None:
        return environment
    for name in ("LD_LIBRARY_PATH", "LD_PRELOAD"):
        environment.pop(name, None)
        if name in started:
            environment[name] = started[name]
    return environment


def _variables_at_start() -> dict[str, str] | None:
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
    pairs = (os.fsdecode(line).split("=", 1) for line in lines)
    return {name: value for name, value in pairs}


def with_this_python(environment: dict[str, str]) -> dict[str, str]:
    """With this Python as the active one, as a shell has it."""
    made = dict(environment)
    made.pop("VIRTUAL_ENV", None)
    if sys.prefix != sys.base_prefix:
        made["VIRTUAL_ENV"] = sys.prefix
    if sys.executable:
        made["PATH"] = os.path.dirname(sys.executable) + os.pathsep + environment.get("PATH", os.defpath)
    return made
