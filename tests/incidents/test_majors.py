# SPDX-License-Identifier: BSD-3-Clause
"""Incidents: another major release, another CUDA, packages that were made wrong."""

import pathlib
import sys

sys.path.insert(1, str(pathlib.Path(__file__).resolve().parents[1] / "fixes"))

import majors  # noqa: E402
from museum import Museum  # noqa: E402


class Majors(Museum):
    table = majors.ROWS
