# SPDX-License-Identifier: BSD-3-Clause
"""Terminals, and what a program sends to one."""

import os
import pty
import unittest


def open_terminal():
    """Both ends of a new one, as pty.openpty()."""
    return _opened(pty.openpty)


def fork_on_terminal():
    """As pty.fork(): 0 in the child, whose terminal it is, and this end of it."""
    return _opened(pty.fork)


def _opened(function):
    try:
        return function()
    except OSError as error:  # a container without /dev/pts
        raise unittest.SkipTest(f"no terminal can be opened here: {error}") from None


def read_until_closed(master):
    """All that is sent until nobody has the terminal's other end open; closes this one."""
    sent = b""
    while True:
        try:
            more = os.read(master, 65536)
        except OSError:  # EIO: the other end is closed
            break
        if not more:
            break
        sent += more
    os.close(master)
    return sent
