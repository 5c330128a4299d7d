# SPDX-License-Identifier: BSD-3-Clause
"""Incidents: releases of cuDNN with a defect."""

import beside  # noqa: F401
import defects
from museum import Museum


class Defects(Museum):
    table = defects.ROWS
