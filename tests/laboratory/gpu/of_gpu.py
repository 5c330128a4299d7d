# SPDX-License-Identifier: BSD-3-Clause
"""Makes the helpers of tests/gpu importable."""

import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "gpu"))
