# SPDX-License-Identifier: BSD-3-Clause
"""What a terminal shows while something takes long, as with_progress of scripts/common.sh does for a shell."""

import contextlib
import sys
import threading
import time

CLEAR = "\r\x1b[K"
AFTER = 3  # seconds


def last_line(log):
    """Of what a program is just writing."""
    with open(log, "rb") as file:
        file.seek(0, 2)
        file.seek(max(file.tell() - 4096, 0))
        lines = file.read().decode("utf-8", "replace").splitlines()
    return "".join(c for c in lines[-1] if c.isprintable())[:68] if lines else ""


@contextlib.contextmanager
def shown(line):
    """Until it ends, how long it has taken, and what line() gives: after three seconds, on a terminal alone."""
    terminal = sys.stderr
    if not terminal.isatty():
        yield
        return
    began, ended = time.monotonic(), threading.Event()

    def show():
        while not ended.wait(1):
            seconds = int(time.monotonic() - began)
            if seconds > AFTER:
                terminal.write(f"{CLEAR}   {seconds} s  {line()}")
                terminal.flush()

    thread = threading.Thread(target=show, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
        terminal.write(CLEAR)
        terminal.flush()
