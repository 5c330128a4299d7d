# SPDX-License-Identifier: BSD-3-Clause
"""One situation, one answer: situations at random, asked at every door."""

import json
import subprocess
import unittest

import doors

# Among them is each kind of break, and each difference that is allowed; ./dev doors asks 200.
FIRST, COUNT, ALSO = 1, 30, (35, 36, 41, 42, 63, 1052, 1087, 1122, 2041)


class Doors(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        started, kept = doors.command("--json", "--seed", str(FIRST), "--count", str(COUNT), "--also", *map(str, ALSO))
        with kept:
            done = subprocess.run(started, stdout=subprocess.PIPE, text=True)
        cls.figures = json.loads(done.stdout)
        cls.text = "\n".join(cls.figures["text"])

    def test_every_door_says_the_same(self):
        self.assertEqual(self.figures["kinds"], [], self.text)

    def test_each_kind_of_break_is_among_them(self):
        """Else other seeds are to be chosen."""
        self.assertEqual(len(self.figures["breaks"]), 11, self.text)

    def test_what_is_allowed_comes_up(self):
        """A row of the table that no seed needs hides what is to come."""
        self.assertEqual(self.figures["not allowed"], [], self.text)


if __name__ == "__main__":
    unittest.main()
