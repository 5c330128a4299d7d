# SPDX-License-Identifier: BSD-3-Clause
"""The help of Windows is that of Linux with other words: each row of the table finds the words that it replaces."""

import ast
import re
import unittest

from support.environment import REPOSITORY

TABLE = REPOSITORY / "tool" / "cli" / "windows" / "help_words.cpp"
LITERALS = r'(?:"(?:[^"\\\n]|\\.)*"\s*)+'


def joined(literals):
    return "".join(map(ast.literal_eval, re.findall(r'"(?:[^"\\\n]|\\.)*"', literals)))


class HelpWords(unittest.TestCase):
    def test_each_row_replaces_something(self):
        texts = [joined(literals) for source in (REPOSITORY / "tool" / "cli" / "words").glob("*.[cd]*")
                 for literals in re.findall(LITERALS, source.read_text(encoding="utf-8"))]
        rows = re.findall(r"\{(" + LITERALS + r"),\s*" + LITERALS + r"\}", TABLE.read_text(encoding="utf-8"))
        self.assertGreater(len(rows), 10)
        for row in rows:
            # An earlier row has made "$ " of a line to "> ".
            words = re.sub("(?m)^> ", "$ ", joined(row))
            with self.subTest(words):
                self.assertTrue(any(words in text for text in texts))


if __name__ == "__main__":
    unittest.main()
