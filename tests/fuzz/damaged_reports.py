# SPDX-License-Identifier: BSD-3-Clause
"""python3 tests/fuzz/damaged_reports.py [COUNT [SEED]]: gives damaged reports of the probe to the find module.

Exit status: 0 nothing found, 1 a report was taken that proves something else, or something of one was
executed.  A test of tests/module does the same with fewer.
"""

import pathlib
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support.reports import check_damaged_reports  # noqa: E402


def main(arguments):
    count = int(arguments[0]) if arguments else 1000
    seed = int(arguments[1]) if len(arguments) > 1 else 1
    folder = tempfile.mkdtemp(prefix="cudnn-checked-reports-")
    try:
        taken = check_damaged_reports(seed, count, folder)
    except AssertionError as error:
        print(f"{error}\nwhat was given to it is kept in {folder}", file=sys.stderr)
        return 1
    shutil.rmtree(folder)
    print(f"{count} damaged reports: {count + 1 - taken} refused, "
          f"{taken - 1} taken, which prove the same; nothing executed")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
