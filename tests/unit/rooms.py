#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A room of tool/ includes only rooms below it in the table of CONTRIBUTING.md, "Where things are"; and what is outside
tool/laboratory includes nothing of it, in whatever spelling."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Folders of rooms, which are no rooms themselves.
HOUSES = ("core", "laboratory")

table = re.findall(rf"(?m)^\| `tool/(?:(?:{'|'.join(HOUSES)})/)?(\w+)` \|", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"))
tops = [ROOT / "tool", *(ROOT / "tool" / house for house in HOUSES)]
places = {room: next(top / room for top in tops if (top / room).is_dir()) for room in table}
present = {p.name for top in tops for p in top.iterdir() if p.is_dir()}
wrong = [f"{room} has no row in CONTRIBUTING.md" for room in sorted(present - set(table) - set(HOUSES))]
for room, place in places.items():
    for path in sorted(p for p in place.rglob("*") if p.suffix in {".cpp", ".h"}):
        for name in re.findall(r'(?m)^#include "(\.\./.*)"$', path.read_text(encoding="utf-8")):
            parents = (path.parent / name).resolve().parents
            there = next((other for other, its in places.items() if its in parents), room)
            own = str(path.relative_to(place.parent))
            if table.index(there) < table.index(room):
                wrong.append(f"{own} includes {name}: {there} stands above {room}")

# The wall.  Tables, texts that become sources and sources of CUDA count, and a path from tool/ as well.
laboratory = ROOT / "tool/laboratory"
for path in sorted((ROOT / "tool").rglob("*")):
    if laboratory in path.parents or path.suffix not in {".cpp", ".h", ".def", ".inc", ".in", ".cu"}:
        continue
    for name in re.findall(r'(?m)^\s*#\s*include\s*[<"](.*)[>"]', path.read_text(encoding="utf-8")):
        found = (folder / name for folder in (path.parent, ROOT / "tool") if (folder / name).is_file())
        if laboratory in next(found, path).resolve().parents:
            wrong.append(f"{path.relative_to(ROOT)} includes {name}: tool/laboratory is behind a wall")

# What is linked with somebody's cuDNN tells, and judges nothing.
for room in ("probe", "convolution", "facts"):
    for path in sorted(p for p in (ROOT / "tool" / room).rglob("*") if p.suffix in {".cpp", ".h", ".def"}):
        if re.search(r'(?m)^\s*#\s*include\s*"[./]*core/', path.read_text(encoding="utf-8")):
            wrong.append(f"{path.relative_to(ROOT)} includes core: what calls cuDNN tells facts alone")

# Rooms within a room, in the order of their own table.
for outer in ("laboratory/sweep", "cli"):
    home = ROOT / "tool" / outer
    section = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = section.split(f"| room of `tool/{outer}` |")[1].split("\n\n")[0]
    rooms = re.findall(r"(?m)^\| `(\w+)` \|", section)
    folders = {path.name for path in home.iterdir() if path.is_dir()}
    wrong += [f"tool/{outer}/{room} has no row in CONTRIBUTING.md" for room in sorted(folders - set(rooms))]
    wrong += [f"CONTRIBUTING.md: there is no tool/{outer}/{room}" for room in rooms if room not in folders]
    for room in folders & set(rooms):
        for path in sorted(p for p in (home / room).rglob("*") if p.is_file()):
            # A room can have a folder for a platform.
            up = "../" * len(path.relative_to(home / room).parts)
            for name in re.findall(rf'(?m)^#include "{re.escape(up)}(\w+)/.*"$', path.read_text(encoding="utf-8")):
                if name not in rooms or rooms.index(name) <= rooms.index(room):
                    wrong.append(f"tool/{outer}/{path.relative_to(home)} includes {name}, which stands above it")
sys.exit("\n".join(wrong) or 0)
