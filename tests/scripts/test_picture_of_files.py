# SPDX-License-Identifier: BSD-3-Clause
"""docs/cudnn_files.svg against the catalogue: which files cuDNN 9 has, since when, and which opens which."""

import csv
import re
import unittest

from support.environment import REPOSITORY

PICTURE = (REPOSITORY / "docs/cudnn_files.svg").read_text(encoding="utf-8")


def rows():
    """(release, row) of each library of cuDNN 9."""
    with open(REPOSITORY / "tool/data/catalogue/build_ids.csv", encoding="utf-8") as table:
        for row in csv.DictReader(line for line in table if not line.startswith("#")):
            if row["file"].endswith(".so.9"):
                yield tuple(int(part) for part in row["cudnn"].split(".")), row


class PictureOfFiles(unittest.TestCase):
    def test_the_files(self):
        first = {}
        for release, row in rows():
            first[row["file"]] = min(release[:2], first.get(row["file"], release[:2]))
        drawn = dict(re.findall(r'class="name"[^>]*>(lib[^<]*)</text>\n<text class="role"[^>]*>([^<]*)<', PICTURE))
        self.assertEqual(set(drawn), set(first))
        for name, (major, minor) in first.items():
            self.assertEqual(f"since {major}.{minor}" == drawn[name], (major, minor) > (9, 0), name)

    def test_which_opens_which(self):
        newest = max(release for release, _ in rows())
        real = {(row["file"], f"libcudnn_{name}.so.9") for release, row in rows() if release == newest
                for name in row["asks_for"].split()}
        self.assertEqual(set(re.findall(r"<title>(libcudnn\S*) opens (libcudnn\S*)</title>", PICTURE)), real)
