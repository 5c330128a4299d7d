# SPDX-License-Identifier: BSD-3-Clause
"""usage: compile_alone.py BUILD COMPILER...

Compiles each source of the build tree BUILD alone with each compiler, by its own flags of
compile_commands.json and -Werror; a warning is an error of a compiler that somebody has.  A unity build hides
an include that is absent.  Nothing is written but what was found sound, and of which contents: an unchanged
source is not compiled again.  What a user's build compiles as one unit, of parts that are no sources of their
own, is compiled by ./dev compilers.

Exit status: 0 all are sound, 1 not all.
"""

import concurrent.futures
import functools
import hashlib
import json
import os
import pathlib
import re
import resource
import shlex
import subprocess
import sys
import tempfile

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]
# What a user's compiler is not asked for, and what names an output.
NOT_HERE = {"-c", "-w", "-Werror"}


def arguments_of(entry):
    """The flags of one entry of compile_commands.json: without compiler, source and output."""
    words = shlex.split(entry["command"])[1:]
    while "-o" in words:
        place = words.index("-o")
        del words[place:place + 2]
    return [word for word in words if word not in NOT_HERE and word != entry["file"]]


def sources_of(build):
    """Each source of the build tree, with its flags: those that a file of a unity build includes, too."""
    found = {}
    for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        sources = [entry["file"]]
        if "/Unity/" in entry["file"]:
            text = pathlib.Path(entry["file"]).read_text(encoding="utf-8")
            sources = re.findall(r'^#include "(.*)"', text, re.MULTILINE)
        for source in sources:
            found.setdefault(source, arguments_of(entry))
    return found


@functools.lru_cache(maxsize=None)
def contents(path):
    try:
        return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()
    except OSError:
        return "none"


def dependencies(text):
    """The files that a rule of make names behind its colon."""
    words = re.split(r"(?<!\\)\s+", text.replace("\\\n", " ").split(":", 1)[1].strip())
    return [re.sub(r"\\(.)", r"\1", word).replace("$$", "$") for word in words]


def compile_one(command, known):
    """The files that it depends on, with their contents, and what the compiler said: nothing of a sound one."""
    if known and all(contents(path) == digest for path, digest in known.items()):
        return known, None
    with tempfile.TemporaryDirectory() as folder:
        rule = pathlib.Path(folder) / "rule"
        done = subprocess.run([*command, "-MD", "-MF", rule], text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        if done.returncode != 0:
            return None, done.stdout
        return {path: contents(path) for path in dependencies(rule.read_text())}, ""


def main(arguments):
    build, compilers = pathlib.Path(arguments[0]).resolve(), arguments[1:]
    sources = sources_of(build)
    stamps = build / "compiled_alone.json"
    known = json.loads(stamps.read_text(encoding="utf-8")) if stamps.exists() else {}
    failed = False
    for compiler in compilers:
        version = subprocess.run([compiler, "--version"], text=True, stdout=subprocess.PIPE).stdout.splitlines()[0]
        commands = [[compiler, *flags, *WARNINGS, "-fsyntax-only", source] for source, flags in sources.items()]
        keys = [hashlib.sha256(json.dumps([version, *command]).encode()).hexdigest() for command in commands]
        compiled = 0
        pool = concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0)))
        try:
            for key, (files, said) in zip(keys, pool.map(compile_one, commands, map(known.get, keys))):
                compiled += said is not None
                if files is None:
                    failed = True
                    print(said, end="", file=sys.stderr, flush=True)
                else:
                    known[key] = files
        finally:
            # A run that was ended goes on where it was.
            pool.shutdown(cancel_futures=True)
            stamps.write_text(json.dumps(known), encoding="utf-8")
        print(f"{version}: {len(sources)} sources, {compiled} of them compiled", flush=True)
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"CPU: {usage.ru_utime + usage.ru_stime:.0f} s")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
