# SPDX-License-Identifier: BSD-3-Clause
"""Incidents: those of Windows, under wine."""

import beside  # noqa: F401
import windows_threads
from windows_machine import WindowsMuseum


class WindowsThreads(WindowsMuseum):
    table = windows_threads.ROWS
