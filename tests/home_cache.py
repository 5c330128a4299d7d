# SPDX-License-Identifier: BSD-3-Clause
"""HOME_CACHE: where what was fetched or compiled is kept for the next run, as scripts/common.sh has it."""

import os
import pathlib

HOME_CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "cudnn-checked"
