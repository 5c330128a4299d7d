# SPDX-License-Identifier: BSD-3-Clause
"""What core predicts of dlopen() in a process, against what the loader of this machine does in it.

The libraries have only their names, so that nothing is fetched.  The truth is the process's own list
of what is mapped, which secure execution has as well, and LD_AUDIT where the loader obeys it.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import isolation
from programs import HERE
from starts import OPS, SHIM, STARTS, put
from support.environment import built, compiler
from support.namespaces import own_mounts, why_no_mounts
from support.patching import patchelf
from support.this_cpu import LOADER

ASK = built("tests/support/ask_loader")
AT_LEAST = 60
USER, OTHER = 1000, 65534
AS_USER = ("setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups")
SECURE = ("set-uid", "set-gid", "capabilities")
COVER = 'mount --bind "$1" /etc && mount --bind "$2" "$3" && shift 3 && exec "$@"'
TWICE = """
import ctypes, os, sys
count = int(sys.argv[1])
array = lambda words: (ctypes.c_char_p * (len(words) + 1))(*[w.encode() for w in words], None)
ctypes.CDLL(None).execve(sys.argv[2 + count].encode(), array(sys.argv[2 + count:]), array(sys.argv[2:2 + count]))
"""


class NotHere(Exception):
    pass


def compiled(folder):
    """The libraries and the auditor."""
    made = {}
    for name in (SHIM, OPS):
        made[name] = folder / name
        subprocess.run([compiler("C"), "-shared", "-fPIC", "-nostdlib", "-x", "c", "/dev/null",
                        f"-Wl,-soname,{name}", "-o", str(made[name])], check=True)
    made["audit"] = folder / "audit.so"
    subprocess.run([compiler("C"), "-O1", "-shared", "-fPIC", "-o", str(made["audit"]),
                    str(HERE / "audit" / "audit.c")], check=True)
    made["cache"] = isolation.make_cache(folder, [])
    return made


def why_etc_stays():
    """Why /etc cannot be covered; empty where it can."""
    return why_no_mounts() if isolation.LDCONFIG else "there is no ldconfig here"


class Started:
    """One arrangement, started; `differences` says where prediction and truth do not agree."""

    def __init__(self, start, root, made):
        self.start, self.root, self.made = start, root, made
        self.cwd = put(start, root, ASK, made)
        self.program = root / "bin" / "ask"
        if start.run_path is not None:
            patchelf(self.program, *(["--force-rpath"] if start.rpath else []), "--set-rpath",
                     self.text(start.run_path))
        self.give_rights()
        self.lines = self.run()

    def text(self, pattern):
        return pattern.format(root=self.root)

    def give_rights(self):
        how = self.start.how
        if how in ("", "ld.so"):
            return
        if os.geteuid() != 0 or not shutil.which("setpriv"):
            raise NotHere("only root can start it as another user")
        os.chown(self.program, OTHER if how == "set-uid" else 0, OTHER)
        self.program.chmod({"set-uid": 0o4755, "set-gid": 0o2755, "set-gid without x": 0o2745 & ~0o010}.get(how, 0o755))
        if how == "capabilities":
            if not shutil.which("setcap"):
                raise NotHere("setcap is not installed")
            subprocess.run(["setcap", "cap_net_raw+ep", str(self.program)], check=True)

    def command(self):
        start = self.start
        words = [self.text(start.program), self.text(start.asks)]
        if start.how == "ld.so":
            words = [LOADER, *map(self.text, start.options), *words]
        if start.twice:
            return [sys.executable, "-c", TWICE, str(len(start.twice)), *map(self.text, start.twice), *words]
        return [*(AS_USER if start.how not in ("", "ld.so") else ()), *words]

    def run(self, **more):
        start, variables = self.start, {}
        for name, value in {**start.variables, **more}.items():
            variables[name] = self.text(value)
        command = self.command()
        if isolation.machine_has_cudnn() or start.preload is not None or start.cache or start.covered:
            if why_etc_stays():
                raise NotHere(f"/etc cannot be covered here: {why_etc_stays()}")
            command = [*own_mounts(), "sh", "-c", COVER, "sh", self.etc(), *self.cover(),
                       "env", "-i", *[f"{n}={v}" for n, v in variables.items()], *command]
            variables = {"PATH": os.environ["PATH"]}
        done = subprocess.run(list(map(str, command)), env={**variables, "PATH": os.environ["PATH"]},
                              cwd=self.cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60)
        if done.returncode != 0:
            raise AssertionError(f"{done.returncode}\n{done.stdout}{done.stderr}")
        return [line.split(" ", 1) for line in done.stdout.splitlines()]

    def etc(self):
        etc = self.root / "etc"
        etc.mkdir(exist_ok=True)
        if not self.start.cache and not self.start.covered:
            shutil.copyfile(self.made["cache"], etc / "ld.so.cache")
        elif not (etc / "ld.so.cache").exists():
            above, covered = self.cover()
            cover = [*own_mounts(), "sh", "-c", 'mount --bind "$1" "$2" && shift 2 && exec "$@"', "sh", above, covered]
            folders = [self.root / folder for folder in self.start.cache]
            isolation.make_cache(etc, folders + [covered] * bool(self.start.covered), cover)
        if self.start.preload is not None:
            (etc / "ld.so.preload").write_text(self.text(self.start.preload))
        return etc

    def cover(self):
        """What is laid over which directory."""
        covered = self.start.covered
        if not covered:
            return self.root, self.root
        if not os.path.isdir(covered):
            raise NotHere(f"there is no {covered} to be covered")
        shutil.copyfile(self.root / OPS, self.root / "b" / OPS)
        return self.root / "b", covered

    def said(self, what):
        return [words for name, words in self.lines if name == what]

    def file(self, path):
        if self.start.covered:
            path = path.replace(self.start.covered, f"{self.root}/b")
        found = os.stat(self.cwd / path)
        return found.st_dev, found.st_ino

    def name_of(self, files):
        return sorted(str(p.relative_to(self.root)) for p in self.root.rglob("libcudnn*")
                      if p.is_file() and self.file(p) in files)

    def differences(self):
        if self.start.how in SECURE and self.said("secure") != ["1"]:
            raise NotHere("programs get no other rights here (nosuid, no_new_privs)")
        if self.start.how not in SECURE and self.said("secure") != ["0"]:
            return "secure execution"
        hits = [words.split(" ", 2) for words in self.said("predicted")]
        taken = {self.file(path) for state, _, path in hits if state == "taken"}
        mapped = {self.file(path) for path in self.said("mapped")}
        if self.said("failed"):
            # What was preloaded stays.
            before = {self.file(path) for state, by, path in hits
                      if state == "taken" and by in ("LD_PRELOAD", "/etc/ld.so.preload")}
            return "" if len(hits) > len(taken) and mapped == before else \
                f"dlopen: {self.said('failed')}; predicted {hits}"
        if mapped != taken or any(state != "taken" for state, _, _ in hits):
            return f"mapped {self.name_of(mapped)}; predicted {hits}"
        return ""

    def differences_from_audit(self):
        """The same as the auditor saw it; empty where it cannot listen."""
        log = self.root / "audit.log"
        self.run(LD_AUDIT=str(self.made["audit"]), CUDNN_ORACLE_LOG=str(log))
        events = [line.split(" ", 2) for line in log.read_text().splitlines()] if log.exists() else []
        opened = {self.file(path) for what, _, path in events if what == "open"}
        opened -= {self.file(path) for what, _, path in events if what == "close"}
        mapped = {self.file(path) for path in self.said("mapped")}
        return "" if opened == mapped else f"LD_AUDIT: {self.name_of(opened)}, mapped {self.name_of(mapped)}"


class AgainstTheRealLoader(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        reason = isolation.why_not_isolated()
        if not ASK.exists():
            reason = "the test tool ask_loader is not built"
        if reason:
            raise unittest.SkipTest(reason)
        cls.folder = pathlib.Path(os.path.realpath(tempfile.mkdtemp(prefix="cudnn-checked-starts-")))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.made = compiled(cls.folder)

    def started(self, start):
        root = pathlib.Path(os.path.realpath(tempfile.mkdtemp(prefix="cudnn-checked-start-")))
        self.addCleanup(shutil.rmtree, root, ignore_errors=True)
        return Started(start, root, self.made)

    def test_every_start(self):
        compared = audited = 0
        for start in STARTS:
            with self.subTest(start.name):
                try:
                    done = self.started(start)
                    self.assertEqual(done.differences(), "")
                except (NotHere, unittest.SkipTest) as why:
                    print(f"not here: {start.name}: {why}")
                    continue
                compared += 1
                if start.how == "" and not start.twice:
                    self.assertEqual(done.differences_from_audit(), "")
                    audited += 1
        print(f"{compared} starts, {audited} of them with LD_AUDIT")
        if os.geteuid() == 0 and shutil.which("patchelf"):
            self.assertGreaterEqual(compared, AT_LEAST)
