# SPDX-License-Identifier: BSD-3-Clause
"""The program that says what to type, compiled once for all build trees: its signature says whether it is that of
these sources."""

import os
import pathlib
import shutil

from support.environment import cache_directory, locked

NAMES = ("cudnn_checked_adviser", "cudnn_checked_adviser.signature")


def _copy(source, target):
    """Both files or none."""
    if target.is_file() or not all((source / name).is_file() for name in NAMES):
        return
    target.mkdir(parents=True, exist_ok=True)
    for name in NAMES:
        shutil.copy2(source / name, target / name)


def give_adviser(build):
    """Puts the program into the new build tree <build>, where one is known."""
    home = cache_directory() / "adviser"
    with locked(home):
        _copy(home, pathlib.Path(build) / "CuDNNChecked")


def keep_adviser(build):
    """Takes the program of the build tree, where it was compiled there."""
    home = cache_directory() / "adviser"
    made = pathlib.Path(build) / "CuDNNChecked"
    known = home / NAMES[1]
    try:
        signature = (made / NAMES[1]).read_bytes()
    except OSError:
        return
    if known.exists() and known.read_bytes() == signature:
        return
    # One that a test has made unable to start is none.
    if os.access(made / NAMES[0], os.X_OK):
        with locked(home):
            _copy(made, home)
