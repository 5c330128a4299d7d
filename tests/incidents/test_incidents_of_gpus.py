# SPDX-License-Identifier: BSD-3-Clause
"""Incidents: GPUs and drivers."""

import beside  # noqa: F401
import machine
from museum import Museum


class Machine(Museum):
    table = machine.ROWS
