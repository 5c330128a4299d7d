# SPDX-License-Identifier: BSD-3-Clause
"""The table of findings, tool/core/model/findings.def, as the tests read it."""

import re
from collections import namedtuple

from support.environment import REPOSITORY

TABLE = REPOSITORY / "tool/core/model/findings.def"
Finding = namedtuple("Finding", "identifier name severity about leaves rests_on evidence raised_by")


def findings():
    """The rows in their order; raised_by is the set of "core", "guard", "cli" and "cmake"."""
    rows = re.findall(r"(?m)^FINDING\((.*?)\)$", TABLE.read_text(encoding="utf-8"))
    cells = [[cell.strip().strip('"') for cell in row.split(",")] for row in rows]
    return [Finding(*row[:7], frozenset(row[7:])) for row in cells]
