# SPDX-License-Identifier: BSD-3-Clause
"""Incidents: a library of cuDNN, or one that it uses, is missing."""

import pathlib
import sys

sys.path.insert(1, str(pathlib.Path(__file__).resolve().parents[1] / "fixes"))

import missing  # noqa: E402
from museum import Museum  # noqa: E402


class Missing(Museum):
    table = missing.ROWS
