# SPDX-License-Identifier: BSD-3-Clause
"""docs/incidents.md is what the tables say, and the lists are true."""

import unittest

import beside  # noqa: F401
import page
import tables
from support.findings import findings
from waiting import NOT_YET


class Page(unittest.TestCase):
    def test_it_is_up_to_date(self):
        self.assertEqual(page.PAGE.read_text(encoding="utf-8"), page.page(), "python3 tests/incidents/page.py")

    def test_each_thread_has_one_row(self):
        threads = [row.thread for row in tables.ROWS]
        self.assertEqual(sorted(set(threads)), sorted(threads))
        self.assertGreaterEqual(len(threads), 90)

    def test_findings_exist(self):
        known = {finding.name for finding in findings()} | {"", "-"}
        for row in tables.ROWS:
            for name in (*row.finding.split("|"), *row.explained.split("|")):
                self.assertIn(name, known, row.thread)

    def test_who_is_not_checked_says_why(self):
        for row in tables.ROWS:
            self.assertTrue((row.scene and row.check) or row.why, row.thread)

    def test_what_waits_is_a_row(self):
        parts = {row.thread for row in tables.ROWS} | {f"{row.thread}: text" for row in tables.ROWS if row.text}
        self.assertLessEqual(set(NOT_YET), parts)
