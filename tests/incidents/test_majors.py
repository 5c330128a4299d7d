# SPDX-License-Identifier: BSD-3-Clause
"""Incidents: another major release, another CUDA, packages that were made wrong."""

import beside  # noqa: F401
import majors
from museum import Museum


class Majors(Museum):
    table = majors.ROWS
