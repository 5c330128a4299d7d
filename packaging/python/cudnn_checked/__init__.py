# SPDX-License-Identifier: BSD-3-Clause
"""Checks the cuDNN of this Python before a framework is imported.

    import cudnn_checked
    cudnn_checked.check("torch")    # raises cudnn_checked.Refused
    import torch

All of it is done by the program cudnn-checked, which pip installs with this module.
"""

import importlib.util
import json
import os
import subprocess
import sys
from typing import Any, Dict, List, Optional, Tuple

from ._program import ProgramNotFound, call, environment_of_this_python, find_program

__all__ = ["Failed", "ProgramNotFound", "Refused", "check", "doctor", "find_program"]

REFUSED = 78  # exit status of the program


class Refused(ImportError):
    """What is to be imported has no cuDNN that works.  The text is the message of the program.

    report: the report of `cudnn-checked run --json`; None if there is none.
    """

    # With a default: a copy, and one that came from another process, is made of the text, and gets the rest behind.
    def __init__(self, text: str, report: Optional[Dict[str, Any]] = None):
        super().__init__(text)
        self.report = report


class Failed(RuntimeError):
    """The program could not answer.  The text is its error."""


def check(module: str, *more: str) -> None:
    """Checks what the import of these modules would load, one after the other, where what this process has in its
    memory counts.  Nothing is imported.  Of what has loaded its cuDNN before, and is wrong, is warned.

    Raises Refused where one of them would not get a right cuDNN, ModuleNotFoundError where there is no such
    module, Failed where the program could not answer.  CUDNN_CHECKED=warn prints the message instead, off
    checks nothing, and CUDNN_CHECKED_REPORT names a file for the report.  Of a module in an archive it says
    that it cannot be told.
    """
    words = ["run", "--json", "--pid", str(os.getpid())]
    path = _directories_of_path()
    for name in (module, *more):
        places, archive = _places_of(name)
        if archive and os.environ.get("CUDNN_CHECKED") != "off":
            print(f"cudnn-checked: unknown: {name} is in the archive {archive!r}: what it would load was not looked at",
                  file=sys.stderr)
        # What is built into Python has no library.
        if places:
            words += ["--python", name]
        # Only a finder of its own knows it: an editable install.
        path[:0] = [place for place in places if place not in path]
    if "--python" not in words:
        return
    for directory in path:
        words += ["--from", directory]
    done = _answer(words)
    text = done.stderr.rstrip("\n")
    if done.returncode == REFUSED:
        raise Refused(text, json.loads(done.stdout) if done.stdout else None)
    if done.returncode != 0:
        raise Failed(text)
    if text:
        print(text, file=sys.stderr)


def doctor(*directories: str, hash: bool = False) -> Dict[str, Any]:
    """What `cudnn-checked doctor --json` prints: every cuDNN, toolkit, driver and GPU here, or the cuDNNs of
    the directories, and what is wrong.  With hash all bytes of each library are compared with its record."""
    words = ["doctor", "--json", *(["--hash"] if hash else []), "--", *map(os.fspath, directories)]
    done = _answer(words, environment_of_this_python())
    result: Dict[str, Any] = json.loads(done.stdout)
    if "error" in result:
        raise Failed(done.stderr.rstrip("\n"))
    return result


def _directories_of_path() -> List[str]:
    """Those of sys.path.  Python ignores what is no text, and "" where the working directory was removed."""
    found = []
    for entry in sys.path:
        if isinstance(entry, str):
            try:
                found.append(os.path.abspath(entry))
            except FileNotFoundError:
                continue
    return [directory for directory in found if os.path.isdir(directory)]


def _answer(words: List[str], environment: Optional[Dict[bytes, bytes]] = None) -> "subprocess.CompletedProcess[str]":
    """What the program answered.  Raises Failed where the system did not start it, or ended it."""
    try:
        done = call(words, environment)
    except ProgramNotFound:
        raise
    except OSError as wrong:
        raise Failed(f"{wrong.filename}: {wrong.strerror}") from wrong
    if done.returncode < 0:
        raise Failed(f"{done.args[0]}: ended by signal {-done.returncode}")
    return done


def _places_of(name: str) -> Tuple[List[str], Optional[str]]:
    """The directories that have the module; the archive that it lies in."""
    top = name.partition(".")[0]
    spec = importlib.util.find_spec(top)
    if spec is None:
        raise ModuleNotFoundError(f"No module named {top!r}", name=top)
    files = spec.submodule_search_locations or [spec.origin or ""]
    places = [os.path.dirname(os.path.abspath(file)) for file in files if os.path.exists(file)]
    # "built-in" and "frozen" have no directory.
    above = "" if places else os.path.dirname(list(files)[0])
    while above and not os.path.exists(above):
        above = os.path.dirname(above)
    return places, above if os.path.isfile(above) else None
