# SPDX-License-Identifier: BSD-3-Clause
"""Real projects without and with the provider, on cuDNNs that are sound and that are not, as a table: what each
configure does, and with --build what the programs do that are built on the sound one and started on each."""

import dataclasses
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

from project_table import ASKS, MAIN, PROJECTS

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
# An installed one compiles less than this source tree.
PROVIDER = os.environ.get("CUDNN_CHECKED_PROVIDER") or REPOSITORY / "cmake" / "CuDNNCheckedProvider.cmake"
# The variables by which people name a cuDNN to projects that do not know this one.
HINTS = ("CUDNN_ROOT", "CUDNN_PATH", "CUDNN_ROOT_DIR", "CUDNN_HOME", "CUDNN_DIR", "cuDNN_DIR", "cuDNN_ROOT",
         "cuDNN_ROOT_DIR")
GUARDS = ("ALL", "WARN", "OFF")
# Where the linker searches for -lcudnn by itself.
DEFAULT_LIBRARIES = (*os.environ.get("LIBRARY_PATH", "").split(":"), "/usr/local/lib64", "/usr/local/lib",
                     "/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib")


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


def linked(site, _):
    """With the names that an install has for the linker."""
    for path in library(site, "graph").parent.glob("libcudnn*.so.9"):
        path.with_suffix("").symlink_to(path.name)


# All but the first lack libcudnn.so, as wheels do.
STATES = {"sound": linked, "a wheel": None, "mixed": mixed, "cut": cut, "other headers": other_headers, "half": half}
STARTED_ON = ("a wheel", "mixed", "cut")


@dataclasses.dataclass
class Done:
    """How a command ended, and what it printed."""

    status: int
    output: str

    def findings(self):
        found = re.search(r"(?m)^ +((?:\[[a-z-]+\] ?)+)", self.output)
        return found[1].strip(" []").replace("] [", ", ") if found else ""

    def ended(self):
        """Of a program: its status and the first line that is not the guard's."""
        lines = [line for line in self.output.splitlines() if line and not re.match(r"cudnn_checked: |and: |  ", line)]
        end = f"ends with {self.status}" if self.status >= 0 else f"ended by {signal.Signals(-self.status).name}"
        said = end + (f": {lines[0][:80]}" if lines else "")
        word = re.search(r"(?m)^cudnn_checked: (\w+): ", self.output)
        return f"{word[1]}: {self.findings()}; {said}" if word else said


def run(words, **more):
    done = subprocess.run([str(word) for word in words], **more, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, check=False, errors="replace")
    return Done(done.returncode, done.stdout)


def first_error(output):
    text = re.search(r"CMake Error[^\n]*\n+((?:  [^\n]*\n)+)", output)
    return " ".join(text[1].split())[:70] if text else output.strip().splitlines()[-1][:70]


class Attempt:
    """One project, in build trees of its own."""

    def __init__(self, project, checkouts, work):
        self.project, self.work, self.provider = project, work / project.folder, PROVIDER
        self.places = {"checkouts": checkouts, "stubs": work / "stubs",
                       "cuda": pathlib.Path(shutil.which("nvcc")).resolve().parents[1]}
        self.options = [f"-D{option.format(**self.places)}" for option in project.options]
        self.checkout = checkouts / project.folder
        self.source = self.checkout / project.source
        self.work.mkdir()
        if project.asks:
            modules, self.source = self.source, self.work / "asks"
            self.source.mkdir()
            (self.source / "CMakeLists.txt").write_text(ASKS.format(
                modules=modules, asks=project.asks, include=project.include, link=project.link))
            (self.source / "main.cpp").write_text(MAIN)

    def configure(self, tree, site, guard=""):
        """Without the provider if there is no guard."""
        [prefix] = site.glob("nvidia/cudnn*/lib/..")
        prefix = prefix.resolve()
        words = ["cmake", "--no-warn-unused-cli", "-S", self.source, "-B", self.work / tree, "-G", "Ninja",
                 "-DCMAKE_BUILD_TYPE=None", "-DCMAKE_CUDA_ARCHITECTURES=90", *self.options]
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("CUDNN", "cuDNN"))}
        if guard:
            words += [f"-DCMAKE_PROJECT_TOP_LEVEL_INCLUDES={self.provider}", f"-DCuDNNChecked_GUARD={guard}",
                      f"-DCuDNNChecked_ROOT={site}", "-DCuDNNChecked_GPU=OPTIONAL"]
        else:
            words += [f"-D{name}={prefix}" for name in HINTS]
            environment.update({name: str(prefix) for name in HINTS})
        for variable in self.project.environment:
            name, value = variable.format(cudnn=prefix, **self.places).split("=", 1)
            environment[name] = value
        return self.kept(tree, run(words, env=environment, cwd=self.checkout))  # one calls git where cmake runs

    def kept(self, tree, done):
        if os.environ.get("CUDNN_CHECKED_KEEP_SCRATCH"):
            with open(self.work / f"{tree}.log", "a", encoding="utf-8") as log:
                log.write(done.output)
        return done

    def outcome(self, tree, site, done):
        """Of a configure: whose files it took, or why not."""
        if "cudnn_checked: refused" in done.output and done.findings():
            return f"refused: {done.findings()}" + ("" if done.status else f"; goes on, takes {self.taken(tree, site)}")
        if done.status:
            return "fails: " + first_error(done.output)
        warned = "; warning: " + done.findings() if "cudnn_checked: warning" in done.output else ""
        return f"takes {self.taken(tree, site)}{warned}"

    def ninja(self, tree):
        path = self.work / tree / "build.ninja"
        return path.read_text(errors="replace") if path.exists() else ""

    def taken(self, tree, site):
        """Whose library and header the linker and the compiler get, by build.ninja."""
        libraries, headers = set(), set()
        for line, path in re.findall(r"(?m)^  LINK_LIBRARIES = (.*)(?:\n  LINK_PATH = (.*))?", self.ninja(tree)):
            libraries.update(re.findall(r"(/[^\s;=:,]*/libcudnn(?:_[a-z_]+)?\.(?:so[0-9.]*|a))(?=[\s;,]|$)", line))
            directories = [*re.findall(r"-L(\S+)", path), *DEFAULT_LIBRARIES]
            for name in re.findall(r"-l(cudnn(?:_[a-z_]+)?)(?=\s|$)", line):
                libraries.update([f"{place}/lib{name}.so" for place in directories
                                  if os.path.exists(f"{place}/lib{name}.so")][:1] or {f"/none/{name}"})
        lines = re.findall(r"(?m)^  INCLUDES = (.*)", self.ninja(tree))
        # A directory with another one may be there for another library's sake.
        for line in [line for line in lines if os.path.realpath(site) in line] or lines:
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
        return len(set(re.findall(r"build (\S*cudnn_checked_stamp_of_\w+)\.dir", self.ninja(tree))))

    def configured(self, sites):
        theirs, ours = {}, []
        for name, site in sites.items():
            tree = f"theirs-{name}"
            theirs.setdefault(self.outcome(tree, site, self.configure(tree, site)), []).append(name)
            tree = f"ours-{name}"
            done = self.configure(tree, site, "ALL")
            guarded = self.guarded(tree)
            ours.append(self.outcome(tree, site, done) + (f", {guarded} guarded" if guarded else "")
                        + self.lines(done))
        if len(theirs) > 1:
            theirs = {f"{', '.join(names)}: {text}": names for text, names in theirs.items()}
        print(f"| {self.project.folder}{' (module)' if self.project.asks else ''} | {'; '.join(theirs)} | "
              f"{' | '.join(ours)} |", flush=True)

    @staticmethod
    def lines(done):
        """Of a configure that succeeds: how many lines are this package's, if it is not the one."""
        lines = re.findall(r"(?m)^-- cuDNN \d|^.*(?:cudnn_checked|CuDNNChecked)", done.output)
        return "" if done.status or len(lines) == 1 else f", {len(lines)} lines"

    def started(self, sites):
        ends = {name: [] for name in STARTED_ON}
        for guard in ("", *GUARDS):
            tree = "built-ours" if guard else "built-theirs"
            done = self.configure(tree, sites["a wheel"], guard)
            if done.status == 0:
                done = self.kept(tree, run(["cmake", "--build", self.work / tree, "-j", os.cpu_count(),
                                            "--target", self.project.target]))
            for name in STARTED_ON:
                ends[name].append(self.start(tree, sites[name]).ended() if done.status == 0 else "not built")
        for name, texts in ends.items():
            print(f"| {self.project.folder}: {' '.join(self.project.program)} | {name} | {' | '.join(texts)} |",
                  flush=True)

    def start(self, tree, site):
        program, *arguments = self.project.program
        paths = f"{library(site, 'graph').parent}:{self.work.parent / 'driver'}"
        return run([f"./{program}", *arguments], cwd=self.work / tree, env={**os.environ, "LD_LIBRARY_PATH": paths})


def commit(checkout):
    done = run(["git", "-C", checkout, "rev-parse", "--short=8", "HEAD"])
    return f"{checkout.name} {done.output.strip()}" if done.status == 0 else f"{checkout.name} (no repository)"


def prepared(work, states):
    """The cuDNNs, and what stands for other things that a configure needs."""
    site, older = fetched("jit"), fetched("older-cu13")
    (work / "stubs").mkdir()
    (work / "stubs" / "nccl.h").write_text("#define NCCL_MAJOR 2\n#define NCCL_MINOR 27\n#define NCCL_PATCH 0\n")
    sites = {}
    for name in states:
        sites[name] = copied(site, work / "sites" / name.replace(" ", "-"))
        if STATES[name]:
            STATES[name](sites[name], older)
    return sites


def tables(checkouts, words, work):
    build = "--build" in words
    states = [word for word in STATES if word in words]
    words = [word for word in words if word not in ("--build", *STATES)]
    if build and not os.path.exists("/proc/driver/nvidia/version"):
        # The toolkit's stub: what links the driver starts without one.
        [stub, *_] = pathlib.Path(shutil.which("nvcc")).resolve().parents[1].glob("lib64/stubs/libcuda.so")
        (work / "driver").mkdir()
        (work / "driver" / "libcuda.so.1").symlink_to(stub)
    sites = prepared(work, list(STATES) if build else states or list(STATES))
    projects = [project for project in PROJECTS
                if (checkouts / project.folder).is_dir() and (project.target or not build)
                and (not words or any(word in project.folder for word in words))]
    heads = ["project", "theirs", *(f"ours: {name}" for name in sites)]
    if build:
        heads = ["program", "started on", "theirs", *(f"ours: {guard}" for guard in GUARDS)]
    print(f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}")
    for project in projects:
        attempt = Attempt(project, checkouts, work)
        if build:
            attempt.started(sites)
        else:
            attempt.configured(sites)
    print("\n" + ", ".join(commit(checkouts / project.folder) for project in projects))


def main():
    work = pathlib.Path(tempfile.mkdtemp(prefix="cudnn-checked-projects-"))
    try:
        tables(pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:], work)
    finally:
        if os.environ.get("CUDNN_CHECKED_KEEP_SCRATCH"):
            print(f"kept: {work}")
        else:
            shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    main()
