# SPDX-License-Identifier: BSD-3-Clause
"""The table of findings, tool/core/model/findings.def, as the tests read it."""

import re
from collections import namedtuple

from support.environment import REPOSITORY

TABLE = REPOSITORY / "tool/core/model/findings.def"
Finding = namedtuple("Finding", "identifier name severity about leaves rests_on evidence why raised_by")


def findings():
    """The rows in their order; raised_by is the set of "core", "guard", "cli", "sweep", "cmake", "configure", "prove"."""
    rows = re.findall(r'(?m)^FINDING\(([^"]*"[^"]*"[^"]*?),\n((?: *"(?:[^"\\]|\\.)*"\n?)+), (.*)\)$',
                      TABLE.read_text(encoding="utf-8"))
    table = []
    for row, why, raised_by in rows:
        sentence = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', why)).replace('\\"', '"')
        table.append(Finding(*(cell.strip().strip('"') for cell in row.split(",")), sentence,
                             frozenset(raised_by.split(", "))))
    return table
