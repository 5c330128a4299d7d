# SPDX-License-Identifier: BSD-3-Clause
"""What a program sends to a terminal."""

import os


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
