# SPDX-License-Identifier: BSD-3-Clause
"""The table of cuDNN's libraries, tool/core/model/library_roles.def, as the tests read it."""

import re

from support.environment import REPOSITORY

ROWS = re.findall(r"(?m)^ROLE\((\w+), (\d+), (\w+), ",
                  (REPOSITORY / "tool/core/model/library_roles.def").read_text(encoding="utf-8"))
# What COMPONENTS of find_package can name.
COMPONENTS = [name for name, major, _ in ROWS if major == "9"]
# Those that came with later releases.
LATER = [name for name, _, ships in ROWS if ships in ("later", "asked")]
