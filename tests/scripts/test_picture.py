# SPDX-License-Identifier: BSD-3-Clause
"""docs/terminal.svg and docs/sweep.svg against what the programs print now."""

import re
import sys
import unittest
import xml.etree.ElementTree

from support import REPOSITORY
from support.matplotlib import NOT_FETCHED, python_with_matplotlib

sys.path.insert(0, str(REPOSITORY / "docs"))
import make_picture  # noqa: E402


class Picture(unittest.TestCase):
    maxDiff = None

    def test_it_shows_what_the_programs_print(self):
        self.assertEqual(make_picture.PICTURE.read_text(encoding="utf-8"),
                         make_picture.picture(make_picture.session()), "run docs/make_picture.py")

    @unittest.skipIf(python_with_matplotlib() is None, NOT_FETCHED)
    def test_engines_by_problems(self):
        # No difference of 700 KB is printed.
        drawn = make_picture.sweep_picture(python_with_matplotlib())
        self.assertTrue(make_picture.SWEEP_PICTURE.read_text(encoding="utf-8") == drawn, "run docs/make_picture.py")

    def test_they_stand_alone(self):
        for picture in (make_picture.PICTURE, make_picture.SWEEP_PICTURE):
            text = picture.read_text(encoding="utf-8")
            xml.etree.ElementTree.fromstring(text)
            text = re.sub(r'<!DOCTYPE [^>]*>| xmlns(:\w+)?="[^"]*"', "", text)
            self.assertNotRegex(text, r"https?:|href=\"[^#]|url\([^#]|@import|<image|<script")

    def test_colours_become_classes(self):
        self.assertEqual(make_picture.spans("a: \x1b[1;31mrefused:\x1b[0m <b> & \"c\""),
                         'a: <tspan class="red">refused:</tspan> &lt;b&gt; &amp; "c"')
        words = re.findall(r"\.(\w+) \{", make_picture.STYLE)
        self.assertLessEqual(set(filter(None, make_picture.CLASSES.values())), set(words))
