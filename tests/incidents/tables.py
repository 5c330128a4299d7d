# SPDX-License-Identifier: BSD-3-Clause
"""All rows; python3 tests/incidents/tables.py [TEXT...] counts what is right, unknown and wrong of those whose thread
has one of the texts; --check [TEXT...] only says which text no thread has.  CUDNN_CHECKED_CLI names the command
line."""

import collections
import sys

import beside  # noqa: F401
import building
import defects
import loader_mix
import machine
import majors
import missing
import texts
import windows_threads

TABLES = (loader_mix, missing, majors, machine, building, defects, texts, windows_threads)
ROWS = tuple(row for table in TABLES for row in table.ROWS)


def outcome(part, nothing):
    try:
        part()
    except nothing:
        return "unknown"
    except AssertionError:
        return "wrong"
    return "right"


def check(words):
    for word in words:
        if not any(word in row.thread for row in ROWS):
            sys.exit(f'dev: error: no thread has "{word}" in its name\n  The threads: docs/incidents.md')


def main(words):
    """One line a part of a row, and the sums: of scenes that are checked, of those where all is well because the
    program avoids it, and of texts that are explained."""
    from museum import Museum, NothingFound
    Museum.setUpClass()
    sums = {"checked": collections.Counter(), "avoided": collections.Counter(), "text": collections.Counter()}
    for row in ROWS:
        if words and not any(word in row.thread for word in words):
            continue
        for name, part in Museum().parts(row):
            said = outcome(part, NothingFound)
            sums.get(name.rpartition(": ")[2], sums["checked"])[said] += 1
            print(f"{said:8} {name}", flush=True)
    for kind, count in sums.items():
        print(f"{kind}: " + ", ".join(f"{number} {said}" for said, number in sorted(count.items())))
    Museum.doClassCleanups()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--check"]:
        check(sys.argv[2:])
    else:
        main(sys.argv[1:])
