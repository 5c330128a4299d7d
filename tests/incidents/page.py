# SPDX-License-Identifier: BSD-3-Clause
"""docs/incidents.md, made of the tables: python3 tests/incidents/page.py writes it."""

import re

import beside
import tables
from museum import OnWindows
from waiting import NOT_YET

PAGE = beside.TESTS.parent / "docs" / "incidents.md"
HEAD = """\
<!-- SPDX-License-Identifier: BSD-3-Clause -->
<!-- Made by tests/incidents/page.py: change the tables beside it. -->
# Incidents

What happened to people, from their threads: the error as they saw it, what it was, how `cudnn-checked` names it, and
what mends it. Search this page for the words of your error, or give them to `cudnn-checked explain --text FILE`.

{rebuilt} of these {all} incidents are rebuilt by a test, {on_windows} of them under wine: the files lie as they lay, what people typed fails as it
failed for them, and the fix that is printed is typed. Where that needs a GPU, `--as` names it, and only what is reported is tested; so it is of
some under wine. The others need Windows, or their cause was never found. To add one: a row in a table of `tests/incidents`.
"""
ENTRY = "\n### {title}\n\n{lines}\n"
VERIFIED = re.compile(r"^cudnn-checked (verify|doctor)( --(?:as|python) \S+)?(.*)$")


def names(row):
    return ", ".join(f"[`{name}`](findings.md)" for name in row.finding.split("|")[:1])


def typed(row):
    """The command that finds it, without the places of the test."""
    found = VERIFIED.match(row.check)
    if not found:
        return "`find_package(CuDNNChecked)`"
    word, machine, rest = found.groups()
    return f"`cudnn-checked {word}{machine or ''}{' ' + rest.strip().rsplit('/', 1)[-1] if rest.strip() else ''}`"


def named(row):
    """How it is named here, or why not."""
    if row.thread in NOT_YET:
        return f"not yet: {NOT_YET[row.thread]}"
    if row.finds:
        return f"{typed(row)} finds the cuDNN that is there"
    if row.check:
        return f"{typed(row)} reports {names(row)}"
    text = f"{row.thread}: text"
    if row.nobody or not row.text or row.explained == "-" or text in NOT_YET:
        return f"nothing tells before: {(row.nobody or NOT_YET.get(text) or row.why)[0].lower()}" + \
            (row.nobody or NOT_YET.get(text) or row.why)[1:].rstrip(".")
    return f"`explain --text` leads to {names(row)}. {row.why}".rstrip(".")


def entry(row):
    title = f"`{row.text.replace('`', chr(39))}`" if row.text else row.was
    name = row.thread.rsplit("github.com/")[-1]
    name = name.split("/blob/")[0] + ", " + name.rsplit("/", 1)[-1] if "/blob/" in name else name
    lines = [] if title == row.was else [f"- What it was: {row.was}"]
    lines += [f"- Here: {named(row)}.", f"- What mends it: {row.mends}", f"- Thread: [{name}]({row.link})"]
    return ENTRY.format(title=title, lines="\n".join(lines))


def page():
    rebuilt = sum(1 for row in tables.ROWS if row.scene)
    on_windows = sum(1 for row in tables.ROWS if row.scene and isinstance(row, OnWindows))
    text = HEAD.format(rebuilt=rebuilt, on_windows=on_windows, all=len(tables.ROWS))
    for kind in dict.fromkeys(row.kind for row in tables.ROWS):
        text += f"\n## {kind}\n" + "".join(entry(row) for row in tables.ROWS if row.kind == kind)
    return text


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
