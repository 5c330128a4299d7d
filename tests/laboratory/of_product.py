# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of the laboratory have of those of the command line, and of those with real cuDNNs."""

import pathlib
import sys

sys.path += [str(pathlib.Path(__file__).resolve().parents[1] / name) for name in ("cli", "real")]
from checked_program import call  # noqa: E402,F401
from test_probe import ProbeTest  # noqa: E402,F401
from real_cudnn import FETCH, fetched  # noqa: E402,F401
