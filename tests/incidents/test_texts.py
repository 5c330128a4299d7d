# SPDX-License-Identifier: BSD-3-Clause
"""Incidents: those of which only the text is known here."""

import beside  # noqa: F401
import texts
from museum import Museum


class Texts(Museum):
    table = texts.ROWS
