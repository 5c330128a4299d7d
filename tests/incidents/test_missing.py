# SPDX-License-Identifier: BSD-3-Clause
"""Incidents: a library of cuDNN, or one that it uses, is missing."""

import beside  # noqa: F401
import missing
from museum import Museum


class Missing(Museum):
    table = missing.ROWS
