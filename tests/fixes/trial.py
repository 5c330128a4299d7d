# SPDX-License-Identifier: BSD-3-Clause
"""Types the first fix of each check of a broken arrangement, and says what came of it.

A check is green if it ends with status 0, or 3 (not known), and has no error and no warning.  Outcomes of a fix, which is typed by sh, the
checks after it in the same shell:

  mended       the check that printed it is green; `doctor` without a folder has a message for each place: what bore
               this fix is gone, and nothing else is wrong
  all green    so is each check that was green before the breaks
  fails        its status is not 0
  not mended   the check is not green
  no command   there is no fix, or it is words

Where all checks are green, the breaks break nothing that was green at first, or they are not seen.

A fix has harmed if one of these is true afterwards, whatever else it did:

  check        a check was green before it, and is not; but for one that another break alone makes red, and that
               was green only because what it looks at was gone, and one that says nothing but what another check had
               said of the same files before it: what was not sound has come into its view
  file         a file outside of the environments in question was written, removed, or changed in content or mode.  In
               question are the environment that the check names, or the one to which the program's run path leads, or
               the one from which it takes its cuDNN because LD_LIBRARY_PATH names it first, and
               for `doctor` without a folder those that were broken; caches, /tmp, and /etc/ld.so.cache where ld.so.conf
               is what was broken, are nobody's
  requirement  of a package of the environment was satisfied before it, and is not; or what it requires was not there,
               and is there in another version
  package      all files of a package were as its record has them, in the version of the sound arrangement, and it is
               gone, or files of it are gone or another's, or it is a cuDNN of another version now
  entry        of LD_LIBRARY_PATH or another list of folders was there on purpose, and is not
"""

import collections
import dataclasses
import hashlib
import json
import os
import pathlib
import re
import shutil
import stat
import subprocess
import typing

import surroundings
from harness import ASK, words_of_command
from installed import packages, requirements
from random_breaks import break_it, is_broken, one_break
from random_environments import Arrangement
from support.environment import tools

MARK = "=== status"
UNKNOWN = 3  # the status of a check that found nothing wrong, and cannot say that all is well


@dataclasses.dataclass
class Seen:
    """What a check says."""

    status: int
    text: str
    findings: typing.Tuple[typing.Tuple[str, str], ...]  # of error and warning: name, severity
    fixes: typing.Dict[str, dict]  # of these, by their text; of the guard, None
    told: typing.FrozenSet[tuple] = frozenset()  # of each finding its name, its severity and all paths of its facts

    @property
    def green(self):
        said = self.status == UNKNOWN and "cudnn-checked: unknown: " in self.text
        return (self.status == 0 or said) and not self.findings

    def is_mended_by(self, check, fix, after):
        """Whether what it said is mended, by what it says after the fix."""
        if check != "cudnn-checked doctor" or after.green:
            return after.green
        others = collections.Counter(self.findings) - collections.Counter((self.fixes.get(fix) or {"of": ()})["of"])
        return not collections.Counter(after.findings) - others

    def first_fix(self):
        """The first line of a fix that is not a note's, and what the report says of it."""
        for line in re.findall(r"^ *(?:fix|try): (.*)$", self.text, re.M):
            if self.fixes is None or line in self.fixes:
                return line, (self.fixes or {}).get(line, {})
        return None, {}


def _findings(tree):
    if isinstance(tree, dict):
        for key, value in tree.items():
            yield from value if key == "findings" else _findings(value)
    elif isinstance(tree, list):
        for value in tree:
            yield from _findings(value)


def seen(check, status, text, report):
    if report is None:  # a program that starts
        names = re.findall(r"^ *\[([a-z0-9-]+)\]", text, re.M)
        return Seen(status, text, tuple((name, "error") for name in names), None)
    try:
        found = [f for f in _findings(json.loads(report)) if f["severity"] in ("error", "warning")]
    except ValueError:
        return Seen(status, text + report, (("no report", "error"),), {})
    fixes = {}
    for f in found:
        for fix in f["fixes"]:
            known = fixes.setdefault(fix["text"].replace("\n", "\\x0a"), {**fix, "of": []})
            known["of"].append((f["name"], f["severity"]))
    told = {(f["name"], f["severity"], *paths_of({**f, "fixes": []})) for f in found}
    return Seen(status, text, tuple((f["name"], f["severity"]) for f in found), fixes, frozenset(told))


def paths_of(f):
    """Without what they are chosen by, which depends on who looks."""
    return sorted(set(re.findall(r'"(/[^"]*?)(?:   chosen by [^"]*)?"', json.dumps(f, ensure_ascii=False))))


def look(a, before=""):
    """The checks, in one shell; returns what each says, the status of what was typed before, its output, variables."""
    reports = [check + " --json" if check.startswith("cudnn-checked ") else None for check in a.checks]
    script = before + f"\nprintf '\\n{MARK} %d\\n' $?\nenv -0 >../tmp/variables\n"
    for check, report in zip(a.checks, reports):
        script += f"{check}\nprintf '\\n{MARK} %d\\n' $?\n"
        if report:
            script += f"{report} 2>/dev/null\nprintf '\\n{MARK} %d\\n' $?\n"
    _, output = a.world.sh(script)
    parts = re.split(rf"\n{MARK} (\d+)\n", output)
    pairs = list(zip(map(int, parts[1::2]), parts[0::2]))
    status, typed = pairs.pop(0) if pairs else (99, output)
    result = {}
    for check, report in zip(a.checks, reports):
        code, text = pairs.pop(0) if pairs else (99, "no answer")
        result[check] = seen(check, code, text, pairs.pop(0)[1] if report and pairs else None)
    path = a.world.root / "tmp" / "variables"
    variables = dict(w.split("=", 1) for w in path.read_text(errors="replace").split("\0") if "=" in w) \
        if path.exists() else {}
    return result, status, typed, variables


_digests = {}


def snapshot(root):
    """What lies below: content, mode or target of each path."""
    found = {}
    for folder, names, files in os.walk(root):
        for name in names + files:
            path = os.path.join(folder, name)
            s = os.lstat(path)
            if stat.S_ISLNK(s.st_mode):
                found[path] = os.readlink(path)
            elif stat.S_ISREG(s.st_mode):
                key = (s.st_dev, s.st_ino, s.st_mtime_ns, s.st_ctime_ns, s.st_size)
                if key not in _digests:
                    with open(path, "rb") as file:
                        _digests[key] = hashlib.sha256(file.read()).digest()
                found[path] = (_digests[key], stat.S_IMODE(s.st_mode))
            else:
                found[path] = stat.S_IMODE(s.st_mode)
    return found


def is_command(world, line):
    """As harness.is_command, without starting anything but sh."""
    words = words_of_command(line)
    if not words or subprocess.run(["/bin/sh", "-n", "-c", line], stderr=subprocess.DEVNULL).returncode != 0:
        return False
    path = ":".join([*world.path, str(tools())])
    return words[0] in ("export", "unset", "cd") or bool(shutil.which(words[0], path=path)) or \
        words[0] in ("python3", "uv", "pip", "conda")  # a command that is not there: typed, it fails


@dataclasses.dataclass
class Outcome:
    seed: int
    words: str
    breaks: typing.Dict[str, str]
    check: str = ""
    fix: str = ""
    findings: str = ""
    tried: str = ""
    result: str = ""  # see above; "not seen" and "breaks nothing" are arrangements
    all_green: bool = False
    harm: typing.Tuple[str, ...] = ()
    output: str = ""

    @property
    def has_command(self):
        return self.result in ("mended", "not mended", "fails")


class Trial:
    """One seed; its root is removed and made again for each fix."""

    arrangement, break_it = Arrangement, staticmethod(break_it)

    def __init__(self, seed, root, etc):
        self.seed, self.root, self.etc = seed, root, etc

    def make(self, broken):
        remove(self.root)
        a = self.arrangement(self.seed, self.root, self.etc)
        self.sound = {e.site: packages(e.site) for e in a.environments} if broken else {}
        done = self.break_it(a) if broken else {}
        return a, done

    def outcomes(self):
        a, _ = self.make(broken=False)
        at_first, _, _, _ = look(a)
        self.green_at_first = [check for check, s in at_first.items() if s.green]
        a, done = self.make(broken=True)
        now, _, _, _ = look(a)
        words = "; ".join(a.words)
        self.alarms = [(check, at_first[check].findings) for check in at_first if not at_first[check].green]
        red = {check: s for check, s in now.items() if check in self.green_at_first and not s.green}
        # "There is no cuDNN in DIR" is no more than that where nothing in DIR asks for one.
        asked = a.framework_asks or a.subject.kind == "Debian"
        red = {check: s for check, s in red.items() if s.status != 3 or s.findings or asked}
        if not red:
            shown = any(broken and any(check in self.green_at_first for check in checks)
                        for broken, checks in zip(is_broken(a, done), (a.checks[:1], a.checks[2:])))
            return [Outcome(self.seed, words, done, result="not seen" if shown else "breaks nothing")]
        fixes = {}
        for check, s in red.items():
            if s.fixes is None and not s.findings:  # it ended before its guard: verify speaks for it
                continue
            line, told = s.first_fix()
            # A program that starts names the check that has the command.
            if (line or "").startswith(ASK) and any(c.startswith("cudnn-checked verify ") for c in red):
                continue
            fixes.setdefault((line, told.get("tried", "")), []).append(check)
        results = []
        fresh = True
        for (line, tried), checks in fixes.items():
            s = red[checks[0]]
            o = Outcome(self.seed, words, done, checks[0], line or "", " ".join(sorted({n for n, _ in s.findings})),
                        output=f"--- {checks[0]}\n{s.text}")
            o.tried = tried
            if line is None or not is_command(a.world, line):
                o.result = "no command"
            else:
                if not fresh:
                    a, _ = self.make(broken=True)
                fresh = False
                self.type_it(a, o, checks, now)
            results.append(o)
        return results

    def type_it(self, a, o, checks, now):
        before = snapshot(self.root)
        installed = {e.site: packages(e.site) for e in a.environments}
        after, status, typed, variables = look(a, o.fix)
        o.output += f"--- {o.fix}\n{typed}\n--- status {status}\n" + \
            "".join(f"--- {c}\n{after[c].text}\n" for c in after if not after[c].green)
        if status != 0:
            o.result = "fails"
        else:
            o.result = "mended" if all(now[c].is_mended_by(c, o.fix, after[c]) for c in checks) else "not mended"
        o.all_green = status == 0 and all(after[c].green for c in self.green_at_first)
        harm = list(self.harm(a, o, checks, now, after, before, installed, variables))
        drawn = dict(a.drawn)
        o.harm = tuple(h for h in harm if not h.startswith("check: ") or not self.is_red_alone(drawn, o.breaks, h[7:]))

    def is_red_alone(self, drawn, done, check):
        """Whether one of the breaks alone makes that check red.  The arrangement is made anew."""
        for name, state in drawn.items():
            a, _ = self.make(broken=False)
            if one_break(a, name, state) == done[name] and not look(a)[0][check].green:
                return True
        return False

    def harm(self, a, o, checks, now, after, before, installed, variables):
        for check in self.green_at_first:
            told = after[check].told
            was_told = told and any(told <= s.told for c, s in now.items() if c != check)
            if now[check].green and not after[check].green and not was_told:
                yield f"check: {check}"
        in_question = self.in_question(a, o, checks)
        lost = 0
        current = snapshot(self.root)
        for path in sorted({*before, *current}):
            if before.get(path) != current.get(path) and not any(
                    path == str(f) or path.startswith(f"{f}/") for f in in_question):
                lost += 1
                if lost == 1:
                    yield f"file: {os.path.relpath(path, self.root)}"
        for e in a.environments:
            now_installed = packages(e.site)
            held = requirements(installed[e.site])
            for requirement, holds in requirements(now_installed).items():
                if (held.get(requirement), holds) in ((True, None), (True, False), (None, False)):
                    yield f"requirement: {requirement} in {e.folder.name}"
            for name, package in installed[e.site].items():
                sound, now_there = self.sound[e.site].get(name), now_installed.get(name)
                if not package.whole or sound is None or sound.version != package.version:
                    continue
                if now_there is None:
                    yield f"package: {name} of {e.folder.name} is gone"
                elif not now_there.whole:
                    yield f"package: {name} of {e.folder.name} is no longer whole"
                elif "cudnn" in name and now_there.version != package.version:
                    yield f"package: {name} of {e.folder.name} is {now_there.version} now"
        for name, entries in a.sound_entries.items():
            for entry in entries:
                if entry not in variables.get(name, "").split(":"):
                    yield f"entry: {os.path.relpath(entry, self.root)} of {name}"

    def in_question(self, a, o, checks):
        folders = [self.root / "tmp", a.world.home / ".cache"]
        if any("ld.so.cache" in name for name in o.breaks) or a.subject.kind == "Debian":
            folders.append(self.root / "etc" / "ld.so.cache")
        if any("stray" in name for name in o.breaks):
            folders += [self.root / "stray", self.root / "etc" / "ld.so.conf.d"]
        named = [e.folder for e in a.environments[1:] for c in checks
                 if c.startswith("cudnn-checked doctor ") and c.endswith(f"/{e.folder.name}")]
        if a.subject.kind == "Debian":
            folders.append(self.root / "toolkit")
        return folders + (named or [a.subject.folder, *self.named_by_variable(a)])

    def named_by_variable(self, a):
        """The folder of the wheels whose cuDNN LD_LIBRARY_PATH names first."""
        for entry in a.world.environment.get("LD_LIBRARY_PATH", "").split(":"):
            if os.path.exists(f"{entry}/libcudnn.so.9"):
                return [f.parent for f in pathlib.Path(entry).parents if f.name == "nvidia"][:1]
        return []


def remove(root):
    if not root.exists():
        return
    for folder, _, _ in os.walk(root):
        os.chmod(folder, 0o755) if not os.access(folder, os.W_OK) or os.stat(folder).st_mode & 0o200 == 0 else None
    shutil.rmtree(root)


def place(folder):
    """For this process, below a folder: /etc, and the root of its worlds.  Neither has a space: LD_PRELOAD ends at one."""
    own = pathlib.Path(folder) / str(os.getpid())
    if not own.exists():
        own.mkdir()
        surroundings.make_etc(own / "etc")
    return own / "it's", own / "etc"


def outcomes_of(folder, seed):
    """The outcomes of a seed, and what checks say of it before it is broken."""
    trial = Trial(seed, *place(folder))
    try:
        result = trial.outcomes()
        for o in result:
            for name in ("words", "check", "fix", "output"):
                text = getattr(o, name).replace(str(trial.root), "W")
                setattr(o, name, text.replace(str(trial.root).replace("'", "'\\''"), "W"))
        return result, trial.alarms
    finally:
        remove(trial.root)
