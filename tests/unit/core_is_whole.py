#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""core.cpp, which other people's programs compile, includes each source file of core once."""

import pathlib
import re
import sys

CORE = pathlib.Path(__file__).resolve().parents[2] / "tool/core"

included = re.findall(r'^#include "(.*\.cpp)"$', (CORE / "core.cpp").read_text(), re.MULTILINE)
present = sorted(str(p.relative_to(CORE)) for p in CORE.rglob("*.cpp") if p.name != "core.cpp")
missing = [f"core.cpp does not include {name}" for name in present if name not in included]
extra = [f"core.cpp includes {name} twice or for nothing" for name in included
         if name not in present or included.count(name) > 1]
sys.exit("\n".join(missing + extra) or 0)
