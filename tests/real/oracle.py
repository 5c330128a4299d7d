# SPDX-License-Identifier: BSD-3-Clause
"""What the real loader does: the log of audit/audit.c, and which file of it is the answer."""

import os
import pathlib

import isolation
from places import SETS, files_of, role_of, NotHere

# Orders of calls: the name is the sub-library whose function comes first.  The engines come in a
# process of their own, because in an incomplete set the checks end the process.
ORDERS = {
    "graph": (("graph", "ops", "cnn", "adv"), ("graph", "engines")),
    "graph, cnn": (("graph", "cnn", "ops", "adv"),),
    "graph, adv": (("graph", "adv", "ops", "cnn"),),
    "ops": (("ops", "graph", "cnn", "adv"),),
    "cnn": (("cnn", "graph", "ops", "adv"),),
    "adv": (("adv", "graph", "ops", "cnn"),),
}

# rtld-audit's word for the place -> what chosen_by may begin with.  "orig" is a name with a slash, or
# one that is loaded already.
PLACES = {
    "path": ("LD_LIBRARY_PATH",),
    "run": ("RUNPATH", "RPATH"),
    "cache": ("ld.so.cache",),
    "default": ("default path",),
    "orig": ("LD_PRELOAD", "already loaded"),
}


class Answer:
    """What happened to one role."""

    def __init__(self):
        self.asked = False
        self.opened = []   # paths, in order
        self.kept = []     # of them those that were not closed again
        self.place = None  # of the first
        self.last_tried = None
        self.aborted = False  # the process ended itself before it asked again


class Told:
    """The log of one process."""

    def __init__(self, outcome, lines):
        self.outcome = outcome
        self.roles = {}
        self.died_at = None
        last = None
        for what, why, path in lines:
            answer = self.roles.setdefault(role_of(path.rsplit("/", 1)[-1]), Answer())
            if what == "search":
                answer.asked = True
                if "/" in path:
                    last = path
                    answer.last_tried = (path, why)
            elif what == "open":
                if not answer.opened:
                    answer.place = answer.last_tried[1] if answer.last_tried else None
                answer.opened.append(path)
                answer.kept.append(path)
                last = None
            elif path in answer.kept:
                answer.kept.remove(path)
        if outcome.signal_name in ("SIGBUS", "SIGSEGV"):
            self.died_at = last
        for answer in self.roles.values():
            answer.aborted = outcome.signal_name == "SIGABRT"


def listen(programs, program, arguments, variables, cwd, cache=None):
    """Runs a program under the auditor."""
    log = pathlib.Path(cwd) / f"oracle-{os.getpid()}.log"
    log.unlink(missing_ok=True)
    outcome = isolation.run([program, *arguments],
                            {**variables, "LD_AUDIT": programs.audit, "CUDNN_ORACLE_LOG": log},
                            cwd=cwd, cache=cache)
    text = log.read_text() if log.exists() else ""
    log.unlink(missing_ok=True)
    return Told(outcome, [line.split(" ", 2) for line in text.splitlines()])


def merged(told):
    """The answers of several processes that began with the same call."""
    roles, died_at = {}, None
    for one in told:
        died_at = died_at or one.died_at
        for role, answer in one.roles.items():
            if role not in roles or (answer.opened and not roles[role].opened):
                roles[role] = answer
    return roles, died_at


class Owners:
    """Which set a file is from, told by its inode: arranged files are hard links (or copies)."""

    def __init__(self):
        self._known = {}
        for name in SETS:
            try:
                for path in files_of(name).values():
                    self._known[self._key(path)] = SETS[name][1] + (" cu12" if "cu12" in name else "")
            except NotHere:
                pass

    @staticmethod
    def _key(path):
        found = os.stat(path)
        return found.st_size, found.st_dev, found.st_ino

    def release(self, path):
        """The release of a mapped file; None where it is a changed copy."""
        return self._known.get(self._key(path))


def place_of_file(path, cwd):
    """A path with its folder resolved and its own name kept: a link's name is not its target's."""
    path = os.path.join(cwd, path)
    return os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))
