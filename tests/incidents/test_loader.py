# SPDX-License-Identifier: BSD-3-Clause
"""Incidents: several cuDNNs, or one where the loader does not look."""

import pathlib
import sys

sys.path.insert(1, str(pathlib.Path(__file__).resolve().parents[1] / "fixes"))

import loader_mix  # noqa: E402
from museum import Museum  # noqa: E402


class LoaderMix(Museum):
    table = loader_mix.ROWS
