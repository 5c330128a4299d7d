# SPDX-License-Identifier: BSD-3-Clause
"""Processes that a test did not start itself, and waiting for what they do."""

import contextlib
import pathlib
import time


def processes(file="cmdline"):
    """{number: strings of that file in /proc} of all processes that may be looked at."""
    found = {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has ended, or belongs to somebody else
            found[int(folder.name)] = (folder / file).read_bytes().split(b"\0")
    return found


def wait_for(condition, seconds=10):
    """What the condition returns, as soon as that is true; after these seconds whatever it is."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value or time.monotonic() > end:
            return value
        time.sleep(0.01)
