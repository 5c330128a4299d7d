# SPDX-License-Identifier: BSD-3-Clause
"""A measured figure that two documents name comes from docs/measurements.md."""

import collections
import re
import unittest

from support.environment import REPOSITORY

FIGURE = re.compile(r"\d[\d,.]*\d? (?:KiB|MiB|MB|GB|ms|system calls|of \d{3,})\b")
LIMITS = {"4 KiB", "64 KiB"}  # of the code, measured by nobody
SOURCE = "docs/measurements.md"


class Figures(unittest.TestCase):
    def test_each_has_one_source(self):
        documents = collections.defaultdict(set)
        for path in [*REPOSITORY.glob("*.md"), *REPOSITORY.glob("docs/**/*.[mr][ds]*"), *REPOSITORY.glob("examples/*/*.md")]:
            if path.name != "CHANGELOG.md":
                for figure in FIGURE.findall(" ".join(path.read_text().split())):
                    documents[figure].add(str(path.relative_to(REPOSITORY)))
        self.assertIn("187 of 864", documents)
        self.assertEqual({figure: sorted(named) for figure, named in documents.items()
                          if len(named) > 1 and SOURCE not in named and figure not in LIMITS}, {})
