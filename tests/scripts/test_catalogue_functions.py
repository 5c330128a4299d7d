# SPDX-License-Identifier: BSD-3-Clause
"""functions.csv: the table is what it says, and no two functions are taken for each other."""

import csv
import re
import subprocess
import sys
import unittest

from support.environment import REPOSITORY

CATALOGUE = REPOSITORY / "tool/data/catalogue"
sys.path.insert(0, str(CATALOGUE))

import functions  # noqa: E402


class Functions(unittest.TestCase):
    def test_a_table_that_is_not_what_the_data_says(self):
        done = subprocess.run([sys.executable, CATALOGUE / "functions.py", "--check"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_each_function_of_the_declarations_that_stand_in_for_cudnn(self):
        """What probe and sweep call by name is known."""
        rows = functions.read_rows()
        text = (REPOSITORY / "tool/opened/cudnn_functions.def").read_text()
        called = {name for name in re.findall(r"\bcudnn[A-Z]\w*", text) if not name.endswith("_t")}
        self.assertGreater(len(called), 20)
        self.assertEqual(sorted(called - set(rows)), [])

    def test_the_data_is_sorted_and_has_each_function_once(self):
        with (CATALOGUE / "functions.csv").open(newline="") as stream:
            names = [row["function"] for row in csv.DictReader(stream)]
        self.assertEqual(names, sorted(set(names)))

    def test_two_names_of_one_hash(self):
        self.assertEqual(functions.gnu_hash("cudnnaZ"), functions.gnu_hash("cudnnb9"))
        with self.assertRaises(SystemExit):
            functions.make_table({"cudnnaZ": "ops", "cudnnb9": "cnn"})
