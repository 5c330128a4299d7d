# SPDX-License-Identifier: BSD-3-Clause
"""What the loader of this machine makes of its CPU: its own words, not a prediction."""

import functools
import os
import re
import subprocess

LOADER = next((p for p in ("/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1")
               if os.path.exists(p)), "")


@functools.lru_cache(maxsize=None)
def folders(*emulator):
    """The folders that it looks into before the one in which they are, in its order, under an emulator of another
    CPU if one is given: "glibc-hwcaps/x86-64-v3", "haswell".  None with glibc before 2.33, whose loader does not say it."""
    if not LOADER:
        return []
    said = subprocess.run([*emulator, LOADER, "--help"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                          check=False, env={"PATH": os.environ["PATH"]}).stdout
    names = re.findall(r"(?m)^  (\S+) \((?:AT_PLATFORM; )?supported, searched\)$", said)
    return [f"glibc-hwcaps/{name}" if name.startswith("x86-64-v") else name for name in names]
