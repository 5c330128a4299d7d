# SPDX-License-Identifier: BSD-3-Clause
"""usage: frameworks.py [--keep] [WORD...]

Installs frameworks one after the other, and compares what cudnn-checked reports of each with what the
loader does.  A word selects the rows whose names have it; "unsound" and "sets" are rows too.
"""

import os
import pathlib
import re
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "real"), str(HERE.parent)]

import isolation  # noqa: E402
from catalogue import FRAMEWORKS, SOUND, UNSOUND, UNSOUND_IN  # noqa: E402
from framework_environment import Environment, NotInstalled  # noqa: E402
from home_cache import HOME_CACHE  # noqa: E402
from support.command_line import cudnn_checked_program  # noqa: E402
from truth import ALWAYS, FULL, Opener  # noqa: E402
from verdict import contradictions, doctor, missed, verify, verify_python  # noqa: E402


def progress(text):
    print(f"== {text}", file=sys.stderr, flush=True)


class Run:
    """Everything that the rows share, and what they found."""

    def __init__(self, scratch, keep):
        self.cli, self.keep = cudnn_checked_program(), keep
        self.scratch = pathlib.Path(scratch)
        self.opener = Opener(scratch)
        # No cuDNN of this machine is taken by accident.
        self.cache = isolation.make_cache(scratch, []) if isolation.cache_can_be_chosen() else None
        self.lines, self.wrong = [], []

    def variables(self, environment, more=None):
        return {"PATH": f"{environment.folder}/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                "HOME": str(self.scratch), "VIRTUAL_ENV": str(environment.folder), **(more or {})}

    def verify(self, library, variables):
        return verify(self.cli, library, variables, self.cache, self.scratch)

    def doctor(self, variables):
        return doctor(self.cli, variables, self.cache, self.scratch)

    def row(self, *cells, wrong=()):
        self.lines.append("| " + " | ".join(str(cell).replace("|", "/") for cell in cells) + " |")
        for text in wrong:
            self.wrong.append(f"{cells[0]}: {text}")
            progress(f"WRONG: {text}")


def told(truth, root):
    """A truth in one cell."""
    if not truth.works:
        return "fails: " + re.sub(r"/\S*/", "", truth.failures[0])[:100]
    folders = {os.path.dirname(path) for path in truth.mapped}
    short = sorted(os.path.relpath(folder, root) if folder.startswith(str(root)) else folder
                   for folder in folders)
    number = truth.version
    release = ".".join(map(str, (number // 10000, number // 100 % 100, number % 100) if number >= 90000
                           else (number // 1000, number // 100 % 10, number % 100)))
    return f"{release}, {len(truth.mapped)} files of {', '.join(short)}"


def doctors_contradictions(run, diagnosis, variables):
    """Errors of doctor on cuDNNs that work when a program opens them."""
    wrong = []
    for library, kind, findings in diagnosis.sets:
        alarms = [finding for finding in findings if finding.is_alarm]
        functions = ALWAYS if kind == "JIT-only" else FULL
        truth = run.opener.open(library, "", variables, run.cache, functions)
        if truth.works:
            wrong += [f"doctor, false alarm on {library}: [{f.name}] {f.summary}" for f in alarms]
        elif not alarms:
            wrong.append(f"doctor passes {library}, but: {truth.failures[0]}")
    return wrong


def look_at_framework(run, framework, environment):
    root = environment.site_packages
    library = environment.library(framework.library)
    diagnosis = run.doctor(run.variables(environment))
    wrong = doctors_contradictions(run, diagnosis, run.variables(environment))
    name = framework.requirements[0].split("[")[0].split("=")[0]
    brought = ", ".join(f"{package[len('nvidia-'):]} {version}"
                        for package, version in environment.versions("cudnn").items())
    module = framework.imports.split()[1].split(";")[0]
    title = f"{name} {environment.versions(name)[name]} ({brought or 'no cuDNN'})"
    ways = [("", {})]
    if framework.library_path:
        ways.append((", LD_LIBRARY_PATH", {"LD_LIBRARY_PATH": environment.library_path()}))
    for label, more in ways:
        variables = run.variables(environment, more)
        verdict = run.verify(library, variables)
        plain, prepared = truths_of(run, framework, environment, library, variables)
        found = contradictions(verdict, plain, framework.accepted)
        if plain.works and prepared is not None:
            found += contradictions(verdict, prepared, framework.accepted)
        progress(verdict.sentence)
        run.row(title + label, verdict, told(plain, root), told(prepared, root) if prepared else "",
                f"{len(plain.mapped & verdict.predicted)} of {len(plain.mapped)}", diagnosis,
                f"{verdict.milliseconds:.0f}", wrong=sorted(set(found)) + wrong)
        wrong = []
        imported = verify_python(run.cli, module, environment.python, variables, run.cache, run.scratch)
        # Before it computes, a framework can have no cuDNN in its memory: that is unknown, and no alarm.
        alarms = [f"--python, false alarm: [{alarm.name}] {alarm.summary}" for alarm in imported.alarms]
        run.row(f"{title}{label}, after the import", imported, "", "", "", "", "",
                wrong=alarms if plain.works or (prepared and prepared.works) else [])


def truths_of(run, framework, environment, library, variables):
    """What happens to the library as it lies there, and (None: no difference) as a user's program uses it."""
    def imported(statements):
        return run.opener.imported(environment.python, statements, library, framework.soname, variables,
                                   run.cache)
    if framework.needs_python:
        return imported(framework.imports), imported(framework.preload) if framework.preload else None
    return (run.opener.open(library, framework.soname, variables, run.cache),
            imported(framework.imports))


def look_at_unsound(run, environment, wheels):
    """Replaces files or the package in a sound environment, one arrangement after the other."""
    library = environment.library(next(f.library for f in FRAMEWORKS if f.name == UNSOUND_IN))
    variables = run.variables(environment)
    soname = next(f.soname for f in FRAMEWORKS if f.name == UNSOUND_IN)
    for one in UNSOUND:
        progress(f"{UNSOUND_IN} with {one.name}")
        kept = {}
        if one.roles:
            other = wheels / one.requirement
            if not other.exists():
                environment.install_into(other, one.requirement)
            for role in one.roles:
                name = f"libcudnn_{role}.so.9"
                kept[environment.cudnn / name] = environment.folder / name
                (environment.cudnn / name).rename(environment.folder / name)
                os.link(other / "nvidia/cudnn/lib" / name, environment.cudnn / name)
        else:
            environment.install("--no-deps", "--force-reinstall", one.requirement)
        verdict, diagnosis = run.verify(library, variables), run.doctor(variables)
        truth = run.opener.open(library, soname, variables, run.cache)
        every = [finding for _, _, findings in diagnosis.sets for finding in findings]
        progress(verdict.sentence)
        run.row(f"{UNSOUND_IN} with {one.name}", verdict, told(truth, environment.site_packages), "", "",
                diagnosis, f"{verdict.milliseconds:.0f}",
                wrong=missed(one.verify, verdict.findings) + missed(one.doctor, every))
        for path, original in kept.items():
            path.unlink()
            original.rename(path)
        if not one.roles:
            environment.uninstall("nvidia-cudnn-cu12", "nvidia-cudnn-cu13")
            environment.install("--no-deps", SOUND)


def look_at_sets(run):
    """doctor on each real cuDNN that the tests have fetched."""
    for prefix in sorted(HOME_CACHE.glob("*/complete")):
        for library in sorted(prefix.parent.glob("nvidia/cudnn*/lib/libcudnn.so.*")):
            variables = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "CUDNN_ROOT": str(prefix.parent)}
            diagnosis = run.doctor(variables)
            sets = tuple(one for one in diagnosis.sets if one[0] == str(library))
            truth = run.opener.open(library, "", variables, run.cache,
                                    ALWAYS if sets and sets[0][1] == "JIT-only" else FULL)
            wrong = doctors_contradictions(run, diagnosis, variables)
            wrong += [] if sets else [f"doctor does not list {library}"]
            run.row(f"the set {prefix.parent.name}", "", told(truth, prefix.parent), "", "", diagnosis, "",
                    wrong=wrong)


def check(arguments):
    names = [*(framework.name for framework in FRAMEWORKS), "unsound", "sets"]
    for word in arguments:
        if word != "--keep" and not any(word in name for name in names):
            sys.exit("\n    ".join([f'dev: error: no row has "{word}" in its name\n  The rows:', *names]))


def main(arguments):
    keep = "--keep" in arguments
    words = [argument for argument in arguments if not argument.startswith("-")]

    def wanted(name):
        return not words or any(word in name for word in words)

    os.nice(10)
    home = HOME_CACHE / "frameworks"
    home.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=home) as scratch:
        run = Run(scratch, keep)
        for framework in FRAMEWORKS:
            unsound = framework.name == UNSOUND_IN and wanted("unsound")
            if not wanted(framework.name) and not unsound:
                continue
            progress(f"installing {' '.join(framework.requirements)}")
            with Environment(home / re.sub(r"\W+", "-", framework.name), keep) as environment:
                try:
                    environment.install(*framework.requirements)
                    if wanted(framework.name):
                        look_at_framework(run, framework, environment)
                    if unsound:
                        look_at_unsound(run, environment, pathlib.Path(scratch))
                except NotInstalled as error:
                    run.row(framework.name, "not installed", wrong=[str(error)])
        if wanted("sets"):
            look_at_sets(run)
        print("| what | verify | the loader | after the import | predicted | doctor | ms |")
        print("|---|---|---|---|---|---|---|")
        print("\n".join(run.lines))
        print(f"\n{len(run.lines)} rows, {len(run.wrong)} contradictions")
        print("".join(f"  {text}\n" for text in run.wrong), end="")
        return 1 if run.wrong or not run.lines else 0


if __name__ == "__main__":
    sys.exit(check(sys.argv[2:]) if sys.argv[1:2] == ["--check"] else main(sys.argv[1:]))
