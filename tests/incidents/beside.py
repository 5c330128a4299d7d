# SPDX-License-Identifier: BSD-3-Clause
"""Makes the helpers of tests/fixes, tests/real and tests/windows importable."""

import pathlib
import sys

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path += [str(TESTS / name) for name in ("", "fixes", "real", "windows") if str(TESTS / name) not in sys.path]
