# SPDX-License-Identifier: BSD-3-Clause
"""Checks the cuDNN of this Python before a framework is imported.

    import cudnn_checked
    cudnn_checked.check("torch")    # raises cudnn_checked.Refused
    import torch

All of it is done by the program cudnn-checked, which pip installs with this module.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any, Union

from ._program import Failed, ProgramNotFound, TimedOut, answer_of, environment_at_start, find_program, with_this_python

if TYPE_CHECKING:
    from .reports import Doctor, Report

__all__ = ["Failed", "ProgramNotFound", "Refused", "TimedOut", "check", "doctor", "find_program", "probe", "verify"]

__version__: str

Path = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]
REFUSED = 78  # exit status of the program


class Refused(ImportError):
    """What is to be imported has no cuDNN that works.  The text is the message of the program.

    report: the report of `cudnn-checked run --json`; None if there is none.
    """

    # With a default: a copy, and one that came from another process, is made of the text, and gets the rest behind.
    def __init__(self, text: str, report: Report | None = None):
        super().__init__(text)
        self.report = report


def check(module: str, *more: str, timeout: float | None = None) -> None:
    """Checks what the import of these modules would load, one after the other, where what this process has in its
    memory counts.  Nothing is imported.  Of what has loaded its cuDNN before, and is wrong, is warned.

    Raises Refused where one of them would not get a right cuDNN, ModuleNotFoundError where there is no such
    module, Failed where the program could not answer, TimedOut where it took longer than so many seconds.
    CUDNN_CHECKED=warn prints the message instead, off checks nothing, and CUDNN_CHECKED_REPORT names a file for the
    report.  Of a module in an archive it says that it cannot be told.
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
    done = answer_of(words, environment_at_start(), timeout)
    text = done.stderr.rstrip("\n")
    if done.returncode == REFUSED:
        raise Refused(text, json.loads(done.stdout) if done.stdout else None)
    if done.returncode != 0:
        raise Failed(text)
    if text:
        print(text, file=sys.stderr)


def doctor(*directories: Path, hash: bool = False, timeout: float | None = None) -> Doctor:
    """What `cudnn-checked doctor --json` prints: every cuDNN, toolkit, driver and GPU here, or the cuDNNs of
    the directories, and what is wrong.  With hash all bytes of each library are compared with its record."""
    words = ["doctor", "--json", *(["--hash"] if hash else []), "--", *map(os.fsdecode, directories)]
    result: Doctor = _report_of(answer_of(words, with_this_python(environment_at_start()), timeout))
    return result


def verify(path: Path, *, timeout: float | None = None) -> Report:
    """What `cudnn-checked verify --json` prints: what this program, or shared library, would get if this process
    started it now, and what is wrong with that.  It is read, not run.  A program that would be refused raises
    nothing: its verdict is "refused"."""
    words = ["verify", "--json", "--", os.fsdecode(path)]
    result: Report = _report_of(answer_of(words, with_this_python(dict(os.environ)), timeout))
    return result


def probe(directory: Path | None = None, *, timeout: float | None = None) -> Report:
    """What `cudnn-checked probe --json` prints: a cuDNN is opened in a process of its own, and computes if there is a
    GPU.  It is that of the directory, else the one that the loader takes for a program without a run path."""
    words = ["probe", "--json", "--", *([] if directory is None else [os.fsdecode(directory)])]
    result: Report = _report_of(answer_of(words, with_this_python(environment_at_start()), timeout))
    return result


def _report_of(done: subprocess.CompletedProcess[str]) -> Any:
    """The object that the program has printed."""
    try:
        result = json.loads(done.stdout)
    except ValueError:
        raise Failed(done.stderr.rstrip("\n") or f"{done.args[0]} {done.args[1]}: it printed no report") from None
    if "error" in result:
        raise Failed(done.stderr.rstrip("\n"))
    return result


def _directories_of_path() -> list[str]:
    """Those of sys.path.  Python ignores what is no text, and "" where the working directory was removed."""
    found = []
    for entry in sys.path:
        if isinstance(entry, str):
            try:
                found.append(os.path.abspath(entry))
            except FileNotFoundError:
                continue
    return [directory for directory in found if os.path.isdir(directory)]


def _places_of(name: str) -> tuple[list[str], str | None]:
    """The directories that have the module; the archive that it lies in."""
    top = name.partition(".")[0]
    spec = importlib.util.find_spec(top)
    if spec is None:
        raise ModuleNotFoundError(f"No module named {top!r}", name=top)
    files = spec.submodule_search_locations or [spec.origin or ""]
    places = [os.path.dirname(os.path.abspath(file)) for file in files if os.path.exists(file)]
    # "built-in" and "frozen" have no directory.
    above = "" if places else os.path.dirname(next(iter(files)))
    while above and not os.path.exists(above):
        above = os.path.dirname(above)
    return places, above if os.path.isfile(above) else None


if not TYPE_CHECKING:
    def __getattr__(name):
        """__version__ is that of the package's metadata, which are looked for when somebody asks."""
        if name == "__version__":
            import importlib.metadata
            try:
                return importlib.metadata.version("cudnn-checked")
            except importlib.metadata.PackageNotFoundError:
                pass  # This is no installed package.
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
