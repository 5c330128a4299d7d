#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Adds the sizes of wheels to sizes.csv and writes the table of core/catalogue anew (README.md, "Sizes").

usage: sizes.py            of the packages that the catalogue has: what the index tells and sizes.csv lacks
       sizes.py --check    writes nothing: exit status 1 where the table is not what the data says

add.py does the same after it has added something.
"""

import csv
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import urllib.error
import urllib.request

import generate

HERE = pathlib.Path(__file__).resolve().parent
DATA = HERE / "sizes.csv"
TABLE = HERE.parents[1] / "core/catalogue/sizes_table.inc"
COLUMNS = ["cudnn", "cuda_major", "set", "machine", "bytes"]
PACKAGES = ["nvidia-cudnn-cu11", "nvidia-cudnn-cu12", "nvidia-cudnn-cu13",
            "nvidia-cudnn-jit-cu12", "nvidia-cudnn-jit-cu13"]
MACHINES = ["manylinux_x86_64", "manylinux_aarch64", "win_amd64"]  # the order of wheel_size::megabytes
WHEEL = re.compile(r"nvidia_cudnn_(jit_)?cu([0-9]+)-([0-9.]+(?:\.post[0-9]+)?)-[^-]+-[^-]+-(\w+)\.whl")
MEGABYTE = 1_000_000
# PEP 691; PEP 700 adds the sizes.
SIMPLE = "application/vnd.pypi.simple.v1+json"


class NoAnswer(Exception):
    """Why an index told nothing, for a person."""


def pip(*words):
    return subprocess.run([sys.executable, "-m", "pip", *words, "--disable-pip-version-check"],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout


def is_on(setting):
    return setting.lower() not in ("", "0", "false", "no", "off")


def index_of_pip():
    """The address of the index that pip asks; empty where it asks none."""
    if is_on(os.environ.get("PIP_NO_INDEX", "")):
        return ""
    if os.environ.get("PIP_INDEX_URL"):
        return os.environ["PIP_INDEX_URL"]
    settings = dict(re.findall(r"^[\w:]+\.(no-index|index-url)='(.*)'$", pip("config", "list"), re.MULTILINE))
    if is_on(settings.get("no-index", "")):
        return ""
    own = re.search(r"--index-url <url>.*?default\s+(\S+?)\)", pip("download", "--help"), re.DOTALL)
    return settings.get("index-url") or (own.group(1) if own else "")


def machine_of(tag):
    """One of MACHINES of a wheel's platform tag, manylinux_2_27_x86_64 and manylinux1_x86_64 alike; None of others."""
    name = re.sub(r"^manylinux[0-9_]*_(?=x86_64|aarch64)", "manylinux_", tag)
    return name if name in MACHINES else None


def told_by_index(index, package):
    """By (release, CUDA major, set, machine): the bytes of each wheel of a package."""
    request = urllib.request.Request(f"{index.rstrip('/')}/{package}/", headers={"Accept": SIMPLE})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            files = json.load(answer)["files"]
    except urllib.error.HTTPError as problem:
        if problem.code == 404:
            return {}
        raise NoAnswer(problem) from None
    except (OSError, ValueError, KeyError) as problem:
        raise NoAnswer(problem) from None
    found = {}
    for file in files:
        name = WHEEL.fullmatch(file["filename"])
        machine = machine_of(name.group(4)) if name else None
        if machine and "size" in file:
            found[name.group(3), name.group(2), "jit" if name.group(1) else "full", machine] = file["size"]
    return found


def known():
    with DATA.open(newline="") as stream:
        return {tuple(row[name] for name in COLUMNS[:4]): int(row["bytes"]) for row in csv.DictReader(stream)}


def catalogued():
    """(release, CUDA major, set) of each package of the catalogue."""
    found = set()
    for platform in generate.PLATFORMS:
        with platform.data.open(newline="") as stream:
            found |= {(row["cudnn"], row["cuda_major"], row["set"]) for row in csv.DictReader(stream)}
    return found


def order(key):
    return tuple(int(part) for part in re.findall(r"[0-9]+", key[0])), int(key[1]), key[2], MACHINES.index(key[3])


def text_of(sizes):
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows([*key, sizes[key]] for key in sorted(sizes, key=order))
    return stream.getvalue()


def make_table(sizes):
    """In megabytes; of two packages of one release (a .post1) the larger."""
    rows = {}
    for (cudnn, cuda, kind, machine), size in sizes.items():
        release = tuple(int(part) for part in cudnn.split(".")[:3])
        row = rows.setdefault((*release, int(cuda), kind == "full"), [0] * len(MACHINES))
        place = MACHINES.index(machine)
        row[place] = max(row[place], round(size / MEGABYTE))
    lines = ["// SPDX-License-Identifier: BSD-3-Clause", "//",
             f"// Written by {pathlib.Path(__file__).name} from {DATA.name}; edit those.", "",
             f"// x, y, z, CUDA major, is it the full package, megabytes: {', '.join(MACHINES)}; 0: there is none."]
    lines += generate.array("wheel_size wheel_sizes", (
        "{%d, %d, %d, %d, %s, {%s}}" % (*key[:4], str(key[4]).lower(), ", ".join(map(str, rows[key])))
        for key in sorted(rows)), 2)
    return "\n".join(lines) + "\n"


def add():
    """Adds what the index tells of catalogued packages; true where it could be asked, or pip asks none."""
    sizes, good = known(), True
    wanted = catalogued() - {key[:3] for key in sizes}
    index = index_of_pip() if wanted else ""
    for package in PACKAGES if index else ():
        try:
            told = told_by_index(index, package)
        except NoAnswer as problem:
            print(f"catalogue: error: {package}: the index tells no sizes: {problem}", file=sys.stderr, flush=True)
            good = False
            continue
        sizes.update((key, size) for key, size in told.items() if key[:3] in wanted)
    text = text_of(sizes)
    if text != DATA.read_text():
        print(f"catalogue: added {len(sizes) - len(known())} sizes", flush=True)
        DATA.write_text(text)
    TABLE.write_text(make_table(sizes))
    return good


def main(arguments):
    if arguments == ["--check"]:
        if not TABLE.exists() or TABLE.read_text() != make_table(known()):
            generate.fail(f"{TABLE.name} is not what {DATA.name} says; run sizes.py")
        return 0
    if arguments:
        sys.exit(__doc__)
    return 0 if add() else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
