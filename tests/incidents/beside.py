# SPDX-License-Identifier: BSD-3-Clause
"""Makes the helpers of tests/fixes and tests/real importable."""

import pathlib
import sys

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path += [str(TESTS / name) for name in ("", "fixes", "real") if str(TESTS / name) not in sys.path]
