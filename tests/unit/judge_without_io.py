#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""usage: judge_without_io.py NM LIBRARY

The judge must be pure: none of its objects may ask for a function of the system, or for a variable that
changes.  Everything that it takes from outside is named here; anything else is a failure.
"""

import subprocess
import sys

# Memory, strings and numbers; what the compiler adds itself (stack protector, exceptions, sanitizers).
ALLOWED = {
    "malloc", "free", "bcmp", "memchr", "memcmp", "memcpy", "memmove", "memset", "strcmp", "strlen", "strncmp", "strchr",
    "strcspn", "snprintf", "vsnprintf", "strtod", "strtol", "strtoll", "strtoull", "abort",
}
ALLOWED_PREFIXES = ("_Z", "__cxa_", "__gxx_", "_Unwind_", "__stack_chk", "__dso_handle", "_GLOBAL_OFFSET_TABLE_",
                    "__asan_", "__ubsan_", "__isoc", "__snprintf_chk", "__vsnprintf_chk", "__mem", "__odr_asan", "DW.ref.")


def main(nm, library):
    lines = subprocess.run([nm, "--undefined-only", "--format=posix", library], check=True,
                           capture_output=True, text=True).stdout.splitlines()
    asked = {line.split()[0] for line in lines if " U" in line or " w" in line}
    if not asked:
        sys.exit(f"judge_without_io.py: error: {nm} finds nothing in {library}")
    # C++ names of namespaces other than std and core would be a platform layer's.
    foreign = sorted(name for name in asked
                     if name not in ALLOWED and not name.startswith(ALLOWED_PREFIXES))
    platform = sorted(name for name in asked if "linux_system" in name or "system_interface" in name
                      or "basic_ifstream" in name or "basic_ofstream" in name)
    if foreign or platform:
        sys.exit("the judge asks the system for: " + " ".join(foreign + platform))


if __name__ == "__main__":
    main(*sys.argv[1:])
