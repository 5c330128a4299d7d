# SPDX-License-Identifier: BSD-3-Clause
"""One situation, one answer: situations at random, asked at every door."""

import json
import subprocess
import unittest

import doors
import surroundings
from support.command_line import cudnn_checked_program
from support.environment import REPOSITORY

# Among them is each kind of break, and each difference that is allowed; ./dev doors asks 200.
FIRST, COUNT, ALSO = 1, 30, (35, 41, 42, 63, 1052, 1087, 1122, 3540, 4698, 4910, 5525, 6585, 9127, 9660, 10833)


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
        if not surroundings.available():
            self.skipTest(f"what ld.so.cache has cannot be made up here: {surroundings.why_not()}")
        self.assertEqual(self.figures["not allowed"], [], self.text)


class LeftOut(unittest.TestCase):
    maxDiff = None

    def test_each_row_is_allowed_somewhere(self):
        self.assertEqual({one.row for one in doors.ALLOWED}, set(doors.left_out()))

    def test_docs(self):
        text = (REPOSITORY / "docs/command_line.md").read_text(encoding="utf-8")
        rows = [tuple(cell.strip() for cell in line.split("|")[1:-1])
                for line in text.partition("## What a command leaves out")[2].splitlines() if line.startswith("| `")]
        self.assertEqual(rows, [(", ".join(f"`{word}`" for word in who.split()), what, f"`{asked}`")
                                for who, what, asked in doors.left_out().values()])

    def test_help(self):
        for command in ("doctor", "run", "verify", "probe", "bundle"):
            told = subprocess.run([cudnn_checked_program(), command, "--help"], stdout=subprocess.PIPE, text=True)
            words = " ".join(told.stdout.partition("not looked at:")[2].split())
            for who, what, asked in doors.left_out().values():
                self.assertEqual(f"{what}: cudnn-checked {asked}" in words, command in who.split(), (command, what))


if __name__ == "__main__":
    unittest.main()
