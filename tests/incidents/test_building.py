# SPDX-License-Identifier: BSD-3-Clause
"""Incidents: builds that do not find cuDNN, or another one."""

import beside  # noqa: F401
import building
from museum import Museum


class Building(Museum):
    table = building.ROWS
