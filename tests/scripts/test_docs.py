# SPDX-License-Identifier: BSD-3-Clause
"""./dev docs, where its Sphinx is in the cache: a warning is an error.  test_reference.py needs none."""

import re
import subprocess
import unittest

from home_cache import HOME_CACHE
from support import REPOSITORY


def has_sphinx():
    """As build.sh looks for it: the folder's name has the checksum of the requirements."""
    requirements = (REPOSITORY / "docs/reference/requirements.txt").read_bytes()
    done = subprocess.run(["cksum"], input=requirements, stdout=subprocess.PIPE, check=True)
    name = "docs-" + done.stdout.decode().split()[0]
    tools = HOME_CACHE / name
    if not (tools / "complete").exists():
        return False
    try:  # a cache that several machines share may have it for another Python
        return subprocess.run([tools / "bin/sphinx-build", "--version"], stdout=subprocess.DEVNULL).returncode == 0
    except OSError:
        return False


@unittest.skipUnless(has_sphinx(), "./dev docs has not been run on this machine")
class Docs(unittest.TestCase):
    def test_the_html_is_made_without_a_warning(self):
        done = subprocess.run([str(REPOSITORY / "dev"), "docs"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout, re.sub(r"\A== docs: .*\n", "", done.stderr)),
                         (0, "== the documentation: build/docs/html/index.html\n", ""))
        html = REPOSITORY / "build/docs/html"
        for page, text in (("index.html", "find_package"), ("index.html", "187 of 864"), ("index.html", "terminal.svg"),
                           ("index.html", "narrow.css"),
                           ("glossary.html", "cudnn_files.svg"),
                           ("reference/module.html", "CuDNNChecked_PROBE_TIMEOUT"),
                           ("reference/functions.html", 'id="command:cudnn_checked_guard"'),
                           ("findings.html", "mixed-sublibraries")):
            self.assertIn(text, (html / page).read_text(encoding="utf-8"), page)
