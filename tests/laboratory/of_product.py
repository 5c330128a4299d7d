# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of the laboratory have of those of the command line."""

import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from checked_program import call  # noqa: E402,F401
from test_probe import ProbeTest  # noqa: E402,F401
