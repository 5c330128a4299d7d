#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""usage: dump_reports.py [--tree DIRECTORY] FOLDER

Writes what is reported of every arrangement of real cuDNNs into FOLDER, so that `diff -r` of two
folders shows what a change did to reports and messages: the guard's report and text, those of `verify`,
`doctor` and `inspect`.

--tree takes the tests and the build (build/test) of another checkout, for example of the commit before.
Arrangements whose sets are not in the cache are left out and named.  Paths stand as <root>, <cuda>.
"""

import argparse
import os
import pathlib
import re
import sys

BUILT_ON = ("9.14", "9.19")
ROLES_INSPECTED = ("libcudnn.so.9", "libcudnn_graph.so.9")


def write(folder, name, text, places):
    for path, word in places:
        text = text.replace(str(path), word)
    (folder / name).write_text(text)


def dump(stage, folder, made, cli):
    places = [(stage.root, "<root>"), (made.cuda, "<cuda>")]

    def command(name, *arguments, **more):
        done = stage.run(cli, *arguments, merged=False, **more)
        write(folder, name, f"status {done.status}\n{done.output}{done.errors}", places)

    for built_on in BUILT_ON:
        stage.put(made.app(built_on, stage.arrangement.link))
        report = stage.root / "report.json"
        report.unlink(missing_ok=True)
        done = stage.run(stage.program, CUDNN_CHECKED_REPORT=report)
        write(folder, f"{built_on} guard.txt", f"status {done.status}\n{done.output}", places)
        if report.exists():
            write(folder, f"{built_on} guard.json", report.read_text(), places)
        command(f"{built_on} verify.json", "verify", stage.program, "--json")
        command(f"{built_on} verify.txt", "verify", stage.program)
    stage.put(made.calls(stage.arrangement.link))
    command("unstamped verify.json", "verify", stage.program, "--json")
    root = stage.root / "A" / "cudnn"
    command("doctor.json", "doctor", "--json", CUDNN_ROOT=root)
    command("doctor.txt", "doctor", CUDNN_ROOT=root)
    for name in ROLES_INSPECTED:
        command(f"inspect {name}.json", "inspect", "--json", root / "lib" / name)
        command(f"inspect {name}.txt", "inspect", root / "lib" / name)


def main():
    parser = argparse.ArgumentParser(usage=__doc__.splitlines()[0][len("usage: "):])
    parser.add_argument("--tree", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[2])
    parser.add_argument("folder", type=pathlib.Path)
    given = parser.parse_args()
    tree = given.tree.resolve()
    sys.dont_write_bytecode = True
    sys.path[:1] = [str(tree / "tests" / "real"), str(tree / "tests")]
    os.environ["CUDNN_CHECKED_BUILD"] = str(tree / "build" / "test")

    from arrangements import ARRANGEMENTS
    from places import NotHere
    from programs import programs
    from starting import CLI, Stage

    made = programs(*BUILT_ON)
    count = 0
    for arrangement in ARRANGEMENTS:
        try:
            with Stage(arrangement, made) as stage:
                folder = given.folder / re.sub(r"[^\w. -]", "_", arrangement.name)
                folder.mkdir(parents=True)
                dump(stage, folder, made, CLI)
                count += 1
        except NotHere as why:
            print(f"not here: {arrangement.name}: {why}")
    print(f"{count} arrangements in {given.folder}")


if __name__ == "__main__":
    main()
