#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What only one platform has is used in folders that are called after it, and nowhere else in what is compiled."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PLATFORMS = {"linux", "windows"}
HEADERS = ("dirent", "dlfcn", "elf", "fcntl", "ftw", "grp", "io", "link", "netdb", "poll", "pthread", "pwd", "sched",
           "signal", "spawn", "syslog", "termios", "unistd", "wait", "windows", r"(?:arpa|gnu|linux|net|netinet|sys)/[\w.-]+")
USES = re.compile(rf'(?m)^[ \t]*#[ \t]*include[ \t]*<(?:{"|".join(HEADERS)})\.h>|\b(?:_WIN32|_WIN64|__MINGW32__|__linux__)\b')
# What mingw-w64 brings beside that, and Microsoft's C runtime has not.
POSIX = re.compile(r"\b(?:CLOCK_MONOTONIC|(?:clock_gettime|gettimeofday|nanosleep|usleep|strcasecmp|strncasecmp|strndup|localtime_r"
                   r"|gmtime_r|setenv|unsetenv)(?= ?\()|ssize_t(?= \w))")
# Without NOMINMAX it has macros min() and max(), but for mingw-w64.
BARE_WINDOWS = re.compile(r"(?m)^[ \t]*#[ \t]*include[ \t]*<[Ww]indows\.h>")

# Rooms that are for Linux as a whole until somebody takes them apart.  None is added.
NOT_YET = {
    "laboratory/sweep",
}


def uses_of(text, folders):
    """What a source in these folders uses, and must not."""
    found = [] if PLATFORMS & folders else USES.findall(text)
    found += [] if "linux" in folders else POSIX.findall(text)
    return found + (BARE_WINDOWS.findall(text) if "windows" in folders and "#define NOMINMAX" not in text else [])


used_in = {}
for path in sorted((ROOT / "tool").rglob("*")):
    parts = path.relative_to(ROOT / "tool").parts
    if not path.is_file() or path.suffix not in {".c", ".cpp", ".h", ".def", ".inc", ".in"}:
        continue
    for use in uses_of(path.read_text(encoding="utf-8"), set(parts[:-1])):
        room = "/".join(parts[:2]) if parts[0] == "laboratory" else parts[0]
        used_in.setdefault(room, []).append(f"{path.relative_to(ROOT)}: {use.strip()}")

wrong = [use for room, uses in sorted(used_in.items()) if room not in NOT_YET for use in uses]
for text, folders, uses in (("clock_gettime(CLOCK_MONOTONIC, &now);", {"core"}, ["clock_gettime", "CLOCK_MONOTONIC"]),
                            ("clock_gettime(CLOCK_MONOTONIC, &now);", {"core", "linux"}, []),
                            ("ssize_t n = 0; // a_setenv and setenv", {"cli", "windows"}, ["ssize_t"]),
                            ("#include <windows.h>\n", {"cli", "windows"}, ["#include <windows.h>"]),
                            ("#define NOMINMAX\n#include <windows.h>\n", {"cli", "windows"}, [])):
    if uses_of(text, folders) != uses:
        wrong.append(f"of {text!r} in {folders}: {uses_of(text, folders)}")
wrong += [f"tool/{room} needs no row in NOT_YET any more" for room in sorted(NOT_YET - set(used_in))]
# What these declare, each platform defines, in files of the same names.
for room in ("bundle", "cli", "configure", "opened", "repair", "spawn"):
    names = {platform: {path.name for path in (ROOT / "tool" / room / platform).glob("*.cpp")} for platform in PLATFORMS}
    wrong += [f"tool/{room}/windows has no {name}" for name in sorted(names["linux"] - names["windows"])]
sys.exit("\n".join(wrong) or 0)
