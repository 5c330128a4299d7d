# SPDX-License-Identifier: BSD-3-Clause
"""Real projects without and with the provider, on cuDNNs that are sound and that are not: one table."""

import dataclasses
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from catalogue import ASKS, MAIN, PROJECTS

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
PROVIDER = REPOSITORY / "cmake" / "CuDNNCheckedProvider.cmake"
# The variables by which people name a cuDNN to projects that do not know this one.
HINTS = ("CUDNN_ROOT", "CUDNN_PATH", "CUDNN_ROOT_DIR", "CUDNN_HOME", "CUDNN_DIR", "cuDNN_DIR", "cuDNN_ROOT",
         "cuDNN_ROOT_DIR")


def fetched(name):
    """site-packages with that cuDNN (scripts/cudnn_sets.txt)."""
    done = subprocess.run(["sh", REPOSITORY / "scripts" / "fetch_cudnn.sh", name], check=True, text=True,
                          stdout=subprocess.PIPE)
    return pathlib.Path(done.stdout.splitlines()[-1])


def copied(site, place):
    """Its files under another name; big ones as links to the same data, which nothing here writes to."""
    shutil.copytree(site, place, symlinks=True,
                    copy_function=lambda a, b: os.link(a, b) if a.endswith(".9") else shutil.copy2(a, b))
    return place


def library(site, role):
    [path] = site.glob("nvidia/cudnn*/lib")
    return path / f"libcudnn_{role}.so.9"


def mixed(site, older):
    library(site, "graph").unlink()
    shutil.copy(library(older, "graph"), library(site, "graph"))


def cut(site, _):
    path = library(site, "graph")
    data = path.read_bytes()
    path.unlink()
    path.write_bytes(data[:len(data) // 2])


def other_headers(site, older):
    [own] = site.glob("nvidia/cudnn*/include")
    [other] = older.glob("nvidia/cudnn*/include")
    for header in other.glob("cudnn*.h"):
        (own / header.name).unlink(missing_ok=True)
        shutil.copy(header, own)


def half(site, _):
    library(site, "engines_runtime_compiled").unlink()


STATES = {"a wheel": None, "mixed": mixed, "cut": cut, "other headers": other_headers, "half": half}


@dataclasses.dataclass
class Outcome:
    """What a configure did: the files that it took, and the finding that it named."""

    status: int
    output: str
    taken: str

    def text(self):
        name = re.search(r"(?m)^ +\[([a-z-]+)\]$", self.output)
        if "cudnn_checked: refused" in self.output and name:
            return f"refused: {name[1]}" + ("" if self.status else " (goes on)")
        return f"takes {self.taken}" if self.status == 0 else "fails: " + first_error(self.output)


def first_error(output):
    text = re.search(r"CMake Error[^\n]*\n+((?:  [^\n]*\n)+)", output)
    return " ".join(text[1].split())[:70] if text else output.strip().splitlines()[-1][:70]


class Attempt:
    """One project, in build trees of its own."""

    def __init__(self, project, checkouts, work):
        self.project, self.work = project, work / project.folder
        self.source = checkouts / project.folder / project.source
        if project.asks:
            modules, self.source = self.source, self.work / "asks"
            self.source.mkdir(parents=True)
            (self.source / "CMakeLists.txt").write_text(ASKS.format(
                modules=modules, asks=project.asks, include=project.include, link=project.link))
            (self.source / "main.cpp").write_text(MAIN)

    def configure(self, tree, site, provided):
        [prefix] = site.glob("nvidia/cudnn*/lib/..")
        prefix = prefix.resolve()
        words = ["cmake", "--no-warn-unused-cli", "-S", self.source, "-B", self.work / tree, "-G", "Ninja",
                 "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CUDA_ARCHITECTURES=90",
                 *(f"-D{option}" for option in self.project.options)]
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("CUDNN", "cuDNN"))}
        if provided:
            words += [f"-DCMAKE_PROJECT_TOP_LEVEL_INCLUDES={PROVIDER}", "-DCuDNNChecked_GUARD=ALL",
                      f"-DCuDNNChecked_ROOT={site}", "-DCuDNNChecked_GPU=OPTIONAL"]
        else:
            words += [f"-D{name}={prefix}" for name in HINTS]
            environment.update({name: str(prefix) for name in HINTS})
        done = subprocess.run([str(word) for word in words], env=environment, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False, errors="replace")
        return Outcome(done.returncode, done.stdout, self.taken(tree, site))

    def taken(self, tree, site):
        """Whose library and header the linker and the compiler get, by build.ninja."""
        path = self.work / tree / "build.ninja"
        text = path.read_text(errors="replace") if path.exists() else ""
        libraries = re.findall(r"(?m)^  LINK_LIBRARIES = .*?(/[^\s;=:,]*/libcudnn\.so[0-9.]*)", text)
        headers = set()
        for line in re.findall(r"(?m)^  INCLUDES = (.*)", text):
            words = re.findall(r"-I(\S+)", line) + re.findall(r"-isystem[ =](\S+)", line)
            headers.update([word + "/cudnn.h" for word in words if os.path.exists(word + "/cudnn.h")][:1])
        found = [self.whose(paths, site) for paths in (libraries, headers)]
        if found[0] == found[1]:
            return found[0]
        return f"library of {found[0]}, header of {found[1]}"

    @staticmethod
    def whose(paths, site):
        own = {os.path.realpath(path).startswith(os.path.realpath(site) + "/") for path in paths}
        return {(True,): "the named one", (False,): "another", (): "none"}.get(tuple(own), "both")

    def guarded(self, tree):
        """How many programs have a stamp."""
        path = self.work / tree / "build.ninja"
        text = path.read_text(errors="replace") if path.exists() else ""
        return len(set(re.findall(r"build (\S*cudnn_checked_stamp_of_\w+)\.dir", text)))


def rows(checkouts, words, work):
    site, older = fetched("jit"), fetched("older-cu13")
    sites = {}
    chosen = [word for word in words if word in STATES]
    words = [word for word in words if word not in STATES]
    for name, change in STATES.items():
        if chosen and name not in chosen:
            continue
        sites[name] = copied(site, work / "sites" / name.replace(" ", "-"))
        if change:
            change(sites[name], older)
    for project in PROJECTS:
        if not (checkouts / project.folder).is_dir() or (words and not any(w in project.folder for w in words)):
            continue
        attempt = Attempt(project, checkouts, work)
        for name, state in sites.items():
            theirs = attempt.configure(f"theirs-{name}", state, provided=False)
            ours = attempt.configure(f"ours-{name}", state, provided=True)
            guarded = f", {attempt.guarded(f'ours-{name}')} guarded" if ours.status == 0 else ""
            print(f"| {project.folder}{' (module)' if project.asks else ''} | {name} | {theirs.text()} | "
                  f"{ours.text()}{guarded} |", flush=True)
            if os.environ.get("CUDNN_CHECKED_KEEP_SCRATCH"):
                for kind, outcome in (("theirs", theirs), ("ours", ours)):
                    (attempt.work / f"{kind}-{name}.log").write_text(outcome.output)


def main():
    work = pathlib.Path(tempfile.mkdtemp(prefix="cudnn-checked-projects-"))
    print("| project | cuDNN | theirs | with the provider |\n|---|---|---|---|")
    try:
        rows(pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:], work)
    finally:
        if os.environ.get("CUDNN_CHECKED_KEEP_SCRATCH"):
            print(f"kept: {work}")
        else:
            shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    main()
