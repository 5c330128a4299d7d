# SPDX-License-Identifier: BSD-3-Clause
"""Sphinx: ./dev docs.  The source directory is docs, so that the Markdown files link to one another."""

import pathlib
import re

from docutils import nodes

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]

project = "CuDNNChecked"
copyright = "the CuDNNChecked developers, BSD-3-Clause"
version = release = re.search(
    r"(\d+\.\d+\.\d+)",
    (REPOSITORY / "cmake/CuDNNChecked/package_version.cmake").read_text(encoding="utf-8"))[1]

extensions = ["myst_parser", "sphinxcontrib.moderncmakedomain"]
# The reference of the module is in CMake's own form, with the roles of CMake's domain.
primary_domain = "cmake"
highlight_language = "cmake"
myst_heading_anchors = 3
nitpicky = True

html_theme = "furo"
html_title = f"CuDNNChecked {release}"
html_static_path = html_css_files = ["narrow.css"]
html_copy_source = False
html_show_sourcelink = False

# Not documented here: size_t; a C type in a C++ signature; the namespace.
nitpick_ignore = [("c:identifier", "size_t"), ("cpp:identifier", "cudnn_checked_report"),
                  ("cpp:identifier", "cudnn_checked")]


def first_page(_app, page, source):
    """index.md names sections of README.md, which are taken as they stand; their links lead from docs."""
    readme = (REPOSITORY / "README.md").read_text(encoding="utf-8")

    def section(match):
        text = re.search(rf"(?ms)^#+ {re.escape(match[1])}\n(.*?)(?=^## |\Z)", readme)[1].strip()
        text = re.sub(r"\]\(docs/", "](", text)
        return re.sub(r"(?<!!)\[([^]]+)\]\([^)]*/[^)]*\)", r"`\1`", text)

    if page == "index":
        source[0] = re.sub(r"<!-- README: (.*) -->", section, source[0])


def mark_long_words(_app, doctree):
    """narrow.css breaks them: a narrow screen has 45 characters of code on a line."""
    for literal in doctree.findall(nodes.literal):
        if any(len(word) > 32 for word in literal.astext().split()):
            literal["classes"].append("long")


def setup(app):
    app.connect("source-read", first_page)
    app.connect("doctree-read", mark_long_words)
