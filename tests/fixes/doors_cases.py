# SPDX-License-Identifier: BSD-3-Clause
"""Situations at random for doors.py: an environment of Python with packages that use cuDNN, or a program.

A case follows from its seed alone.  The sets are small stand-ins with the build ids of real ones (incidents/small.py).
"""

import dataclasses
import functools
import hashlib
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import typing

HERE = pathlib.Path(__file__).resolve().parent
sys.path += [str(folder) for folder in (HERE.parent, HERE.parent / "incidents") if str(folder) not in sys.path]

import small  # noqa: E402
from environments import make_environment  # noqa: E402
from local_index import unpack, unpacked, write, write_wheel  # noqa: E402
from support import simulated_sdk  # noqa: E402
from support.command_line import cudnn_checked_program  # noqa: E402
from support.environment import REPOSITORY, cache_directory, compiler, locked  # noqa: E402

# Package, release, CUDA.  No two of them are the same release for the same CUDA.
CUDNNS = (("nvidia-cudnn-cu12", "9.10.2.21", 12), ("nvidia-cudnn-cu12", "9.13.0.50", 12),
          ("nvidia-cudnn-cu12", "9.14.0.64", 12), ("nvidia-cudnn-cu13", "9.19.0.56", 13),
          ("nvidia-cudnn-cu13", "9.20.0.48", 13))
# engines_tensor_ir and ext are left alone: which releases need them is another question.
ROLES = ("", "graph", "ops", "cnn", "adv", "heuristic", "engines_precompiled", "engines_runtime_compiled")
# Where the wheels have cuDNN and what it opens, as the run paths of frameworks say.
FOLDERS = {12: ("cudnn", "cublas", "cuda_nvrtc"), 13: ("cudnn", "cu13")}
EAGER = "import ctypes, os\nctypes.CDLL(os.path.join(os.path.dirname(__file__), 'lib', 'lib{name}.so'))\n"
LAZY = "import ctypes, os\ndef work(): ctypes.CDLL(os.path.join(os.path.dirname(__file__), 'lib', 'lib{name}.so'))\n"
NAMES = ("acme", "beta")
STUB = '__attribute__((visibility("default"))) unsigned long cudnnGetVersion(void) { return 0; }\n'
SOURCE = """\
#include <stdio.h>
#include <string.h>
#include <unistd.h>
extern unsigned long cudnnGetVersion(void);
#ifdef STAMP /* as tool/guard/linux/stamp_object.h */
__attribute__((section(".note.cudnn_checked"), used, aligned(4))) static const struct {
  unsigned name_size, text_size, type;
  char name[16], text[(sizeof STAMP + 3) / 4 * 4];
} note = {14, sizeof STAMP, 1, "cudnn_checked", STAMP};
#endif
#ifdef PROGRAM
int main(int count, char** words) {
  if (count > 1 && strcmp(words[1], "never") == 0) cudnnGetVersion();
  if (count > 1 && strcmp(words[1], "wait") == 0) {
    char end;
    if (write(1, "ready\\n", 6) != 6 || read(0, &end, 1) < 0) return 1;
  }
  return 7;
}
#else
unsigned long call(void) { return cudnnGetVersion(); }
#endif
"""


@functools.lru_cache(maxsize=None)
def index():
    """The folder of the wheels, made once for a build tree."""
    sources = [HERE.parent / "incidents" / name for name in ("cudnn.c", "small.py")]
    digest = hashlib.sha256(b"".join(p.read_bytes() for p in sources) + repr(CUDNNS).encode()).hexdigest()[:16]
    home = cache_directory() / f"doors-{digest}"
    with locked(home):
        if not (home / "complete").exists():
            shutil.rmtree(home, ignore_errors=True)
            (home / "wheels").mkdir(parents=True)
            for key in small.CUDA:
                if not key[1].startswith("11"):
                    write_wheel(home / "wheels", *key, small.make_cuda(key, home / "build" / "-".join(key)))
            for name, release, _ in CUDNNS:
                write_wheel(home / "wheels", name, release,
                            small.make_cudnn(name, release, home / "build" / f"{name}-{release}"))
            shutil.rmtree(home / "build")
            (home / "complete").touch()
    return home / "wheels"


def run_path(cuda, site="$ORIGIN/../.."):
    return ":".join(f"{site}/nvidia/{folder}/lib" for folder in FOLDERS[cuda])


@functools.lru_cache(maxsize=None)
def user(name, *needed, path="", program=False, stamp=""):
    """A library or program that NEEDs these, made once for each set of words."""
    digest = hashlib.sha256(repr((SOURCE, 3, name, needed, path, program, stamp)).encode()).hexdigest()[:16]
    made = cache_directory() / f"doors-{digest}.so"
    with locked(made):
        if not made.exists():
            stub = made.with_suffix(".d")
            stub.mkdir(exist_ok=True)
            (stub / "stub.c").write_text(STUB)
            for library in needed:
                small.library(stub / library, stub / "stub.c" if "cudnn" in library else None)
            words = [f"-DSTAMP={json.dumps(stamp)}"] if stamp else []
            kind = ["-DPROGRAM"] if program else ["-shared", "-fPIC", f"-Wl,-soname,lib{name}.so"]
            run = [f"-Wl,--disable-new-dtags,-rpath,{path}"] if path else []
            part = made.with_suffix(".part")
            subprocess.run([compiler("C"), *kind, *words, "-xc", "-", "-xnone", "-o", str(part), f"-L{stub}",
                            "-Wl,--no-as-needed,--allow-shlib-undefined", "-Wl,-z,undefs,-z,lazy",
                            *(f"-l:{library}" for library in needed), *run], input=SOURCE, text=True, check=True)
            shutil.rmtree(stub)
            part.rename(made)
    return made


@functools.lru_cache(maxsize=None)
def driver():
    """The folder of a simulated driver."""
    return simulated_sdk(cudnn=None, cuda=None, gpus="sm_86").driver_directory


def stamp_of(release, cuda):
    number = ".".join(release.split(".")[:3])
    return json.dumps({"schema": 1, "package": "0.1.0", "program": "app", "level": "located",
                       "cudnn": {"header": number, "library": "", "cudart": ""},
                       "cuda": {"toolkit": f"{cuda}.0", "runtime": "", "driver": ""},
                       "architectures": {"measured": [], "compiled": []}, "components": [], "sublibraries": [],
                       "operations": [], "policy": "compatible", "gpu": "optional"})


@dataclasses.dataclass
class Package:
    """One that uses cuDNN, and what lies in its directory for it."""

    name: str
    site: pathlib.Path
    cudnn: typing.Tuple[str, str, int]  # that is installed beside it
    requires: str = ""
    needs_driver: bool = False
    lazy: bool = False

    @property
    def library(self):
        return self.site / self.name / "lib" / f"lib{self.name}.so"


class Case:
    """What a seed gives, below `root`."""

    def __init__(self, seed, root):
        self.seed, self.random, self.root = seed, random.Random(seed), pathlib.Path(root)
        self.root.mkdir(parents=True)
        self.venv = self.root / "venv"
        self.site = make_environment(self.venv, pip=True)
        (self.venv / "bin" / "cudnn-checked").symlink_to(cudnn_checked_program())
        (self.site / "cudnn_checked").symlink_to(REPOSITORY / "packaging/python/cudnn_checked")
        self.path, self.packages, self.program, self.pythonpath = [], [], None, None
        self.words, self.break_name, self.stamped = [], "whole", False
        self.has_driver = self.random.random() < 0.4
        if self.has_driver:
            self.path.append(str(driver()))
        self.words.append("driver" if self.has_driver else "no driver")
        if self.random.random() < 0.72:
            self.add_packages()
        else:
            self.add_program()
        self.break_it()

    def put(self, cudnn, site):
        for word in (f"{cudnn[0]}=={cudnn[1]}", *small.OF_CUDA[cudnn[2]]):
            unpack(word, site, index=index)
        return site / "nvidia" / "cudnn" / "lib"

    def add_packages(self):
        draw = self.random
        cudnn = draw.choice(CUDNNS)
        self.lib, self.cudnn = self.put(cudnn, self.site), cudnn
        count = draw.choice([1, 1, 2, 2])
        names = list(NAMES)
        draw.shuffle(names)
        other = None
        if count == 2 and draw.random() < 0.6:
            # The second lies in a folder of PYTHONPATH, with a cuDNN of its own.
            other, self.pythonpath = draw.choice(CUDNNS), self.root / "overlay"
            self.put(other, self.pythonpath)
        for number, name in enumerate(names[:count]):
            overlaid = number == 1 and other is not None
            one = Package(name, self.pythonpath if overlaid else self.site, other if overlaid else cudnn,
                          needs_driver=draw.random() < 0.25, lazy=draw.random() < 0.2)
            self.add_package(one)
        draw.shuffle(self.packages)
        self.words += [f"{p.name}: {p.cudnn[0][-4:]} {p.cudnn[1]}{', requires ' + p.requires if p.requires else ''}"
                       f"{', libcuda' if p.needs_driver else ''}{', lazy' if p.lazy else ''}"
                       f"{', overlay' if p.site != self.site else ''}" for p in self.packages]

    def add_package(self, one):
        draw, cuda = self.random, one.cudnn[2]
        if draw.random() < 0.7:
            one.requires = f"{one.cudnn[0]}=={one.cudnn[1]}" if draw.random() < 0.7 else one.cudnn[0]
        needed = ["libcudnn.so.9"]
        if draw.random() < 0.6:
            needed.append(f"libcublas.so.{cuda}")
        if one.needs_driver:
            needed.append("libcuda.so.1")
        made = user(one.name, *needed, path=run_path(cuda, "$ORIGIN/../.."))
        one.library.parent.mkdir(parents=True)
        write(one.library, made.read_bytes())
        write(one.site / one.name / "__init__.py", (LAZY if one.lazy else EAGER).format(name=one.name).encode())
        files = {str(p.relative_to(one.site)): p for p in (one.site / one.name).rglob("*") if p.is_file()}
        about = one.site / f"{one.name}-1.0.dist-info"
        about.mkdir()
        write(about / "METADATA", (f"Metadata-Version: 2.1\nName: {one.name}\nVersion: 1.0\n" + (
            f"Requires-Dist: {one.requires}\n" if one.requires else "")).encode())
        write(about / "INSTALLER", b"pip\n")
        write(about / "RECORD", "".join(f"{n},,{p.stat().st_size}\n" for n, p in files.items()).encode())
        self.packages.append(one)

    def add_program(self):
        draw = self.random
        cudnn = draw.choice(CUDNNS)
        self.lib, self.cudnn = self.put(cudnn, self.site), cudnn
        stamped = self.stamped = draw.random() < 0.5
        built = draw.choice([c for c in CUDNNS if c[1] <= cudnn[1] or draw.random() < 0.5] or [cudnn])
        by_variable = draw.random() < 0.3
        path = "" if by_variable else run_path(cudnn[2], f"$ORIGIN/../{self.site.relative_to(self.venv)}")
        same_cuda = built[2] == cudnn[2]
        needed = ["libcudnn.so.9", *([f"libcublas.so.{built[2]}"] if draw.random() < 0.3 and same_cuda else []),
                  *(["libcuda.so.1"] if draw.random() < 0.2 else [])]
        made = user("app", *needed, path=path, program=True,
                    stamp=stamp_of(built[1], built[2]) if stamped else "")
        self.program = self.venv / "bin" / "app"
        write(self.program, made.read_bytes())
        self.program.chmod(0o755)
        if by_variable:
            self.path += run_path(cudnn[2], self.site).split(":")
        self.words.append(f"program{f' built with {built[1]} cu{built[2]}' if stamped else ''} on {cudnn[0][-4:]} "
                          f"{cudnn[1]}{', by LD_LIBRARY_PATH' if by_variable else ''}, NEEDs {' '.join(needed[1:])}")

    # What breaks a set.

    def break_it(self):
        if self.random.random() < 0.25:
            return
        name = self.random.choice(["member missing", "member of another release", "cut member", "of another CUDA",
                                   "older than required", "LD_LIBRARY_PATH at another", "all gone"])
        words = getattr(self, name.replace(" ", "_").lower())()
        if words:
            self.break_name = name
            self.words.append(f"{name}: {words}")

    def member(self):
        return self.lib / ("libcudnn" + (f"_{role}" if (role := self.random.choice(ROLES)) else "") + ".so.9")

    def member_missing(self):
        path = self.member()
        path.unlink()
        return path.name

    def all_gone(self):
        for path in self.lib.iterdir():
            path.unlink()
        return "all"

    def of_others(self, same_cuda, older=False):
        found = [c for c in CUDNNS if (c[2] == self.cudnn[2]) == same_cuda and c != self.cudnn]
        if older:
            found = [c for c in found if number(c) < number(self.cudnn)]
        return self.random.choice(found) if found else None

    def files_of(self, cudnn):
        return unpacked(f"{cudnn[0]}=={cudnn[1]}", index) / "nvidia" / "cudnn" / "lib"

    def member_of_another_release(self):
        path, other = self.member(), self.of_others(True)
        source = self.files_of(other) / path.name
        write(path, source.read_bytes())
        return f"{path.name} of {other[1]}"

    def cut_member(self):
        path = self.member()
        data = path.read_bytes()
        write(path, data[:self.random.choice([0, len(data) // 2])])
        return path.name

    def swap(self, other):
        for folder in ("lib", "include"):
            for path in (self.lib.parent / folder).iterdir():
                path.unlink()
            for path in (self.files_of(other).parent / folder).iterdir():
                write(self.lib.parent / folder / path.name, path.read_bytes())
        return f"{other[0][-4:]} {other[1]}"

    def of_another_cuda(self):
        return self.swap(self.of_others(False))

    def older_than_required(self):
        other = self.of_others(True, older=True)
        return self.swap(other) if other else ""

    def ld_library_path_at_another(self):
        other = self.of_others(self.random.random() < 0.5)
        self.path.insert(0, str(self.put(other, self.root / "stale")))
        return f"{other[0][-4:]} {other[1]}"

    @property
    def environment(self):
        found = {"PATH": f"{self.venv / 'bin'}:/usr/bin:/bin", "HOME": str(self.root), "LANG": "C.UTF-8",
                 "NO_COLOR": "1", "PYTHONDONTWRITEBYTECODE": "1", "VIRTUAL_ENV": str(self.venv)}
        if self.path:
            found["LD_LIBRARY_PATH"] = ":".join(self.path)
        if self.pythonpath:
            found["PYTHONPATH"] = str(self.pythonpath)
        return found

    def __str__(self):
        return "; ".join(self.words)


def number(cudnn):
    return [int(n) for n in cudnn[1].split(".")]

