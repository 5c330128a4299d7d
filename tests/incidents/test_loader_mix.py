# SPDX-License-Identifier: BSD-3-Clause
"""Incidents: several cuDNNs, or one where the loader does not look."""

import beside  # noqa: F401
import loader_mix
from museum import Museum


class LoaderMix(Museum):
    table = loader_mix.ROWS
