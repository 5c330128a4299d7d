# SPDX-License-Identifier: BSD-3-Clause
"""Situations at random for doors.py: an environment of Python with packages that use cuDNN, or a program.

A case follows from its seed alone.  The sets are small stand-ins with the build ids of real ones (incidents/small.py).
"""

import dataclasses
import os
import pathlib
import random
import shutil
import typing

import small
from doors_files import (CUDNNS, RUN_PATHS, driver, folder_of, index, is_jit, number, run_path, stamp_of, user)
from environments import make_environment
from local_index import unpack, unpacked, write
from support.command_line import cudnn_checked_program
from support.environment import REPOSITORY

NAMES = ("acme", "beta")
EAGER = "import ctypes, os\nctypes.CDLL(os.path.join(os.path.dirname(__file__), 'lib', 'lib{name}.so'))\n"
LAZY = "import ctypes, os\ndef work(): ctypes.CDLL(os.path.join(os.path.dirname(__file__), 'lib', 'lib{name}.so'))\n"
# They are left alone: which releases need them is another question.
LEFT_ALONE = ("libcudnn_engines_tensor_ir.so.9", "libcudnn_ext.so.9")


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
        self.cached = []  # folders that ld.so.cache has
        self.carrier = None  # the library that has the stamp in place of the program
        self.is_tree = False  # the cuDNN was copied: no package has a record of it
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
        self.names_in_lib = [path.name for path in self.lib.iterdir()]

    def put(self, cudnn, site):
        for word in (f"{cudnn[0]}=={cudnn[1]}", *small.OF_CUDA[cudnn[2]]):
            unpack(word, site, index=index)
        return site / folder_of(cudnn) / "lib"

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
        for position, name in enumerate(names[:count]):
            overlaid = position == 1 and other is not None
            one = Package(name, self.pythonpath if overlaid else self.site, other if overlaid else cudnn,
                          needs_driver=draw.random() < 0.25, lazy=draw.random() < 0.2)
            self.add_package(one)
        draw.shuffle(self.packages)
        self.words += [f"{p.name}: {name_of(p.cudnn)}{', requires ' + p.requires if p.requires else ''}"
                       f"{', libcuda' if p.needs_driver else ''}{', lazy' if p.lazy else ''}"
                       f"{', overlay' if p.site != self.site else ''}" for p in self.packages]

    def add_package(self, one):
        draw = self.random
        if draw.random() < 0.7:
            one.requires = f"{one.cudnn[0]}=={one.cudnn[1]}" if draw.random() < 0.7 else one.cudnn[0]
        needed = ["libcudnn.so.9"]
        if draw.random() < 0.6:
            needed.append(f"libcublas.so.{one.cudnn[2]}")
        if one.needs_driver:
            needed.append("libcuda.so.1")
        made = user(one.name, *needed, path=run_path(one.cudnn), tag=draw.choice(list(RUN_PATHS)))
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
        cudnn, self.is_tree = draw.choice(CUDNNS), draw.random() < 0.5
        place = self.root / "opt" if self.is_tree else self.site
        self.lib, self.cudnn = self.put(cudnn, place), cudnn
        if self.is_tree:
            for record in place.glob("*.dist-info"):
                shutil.rmtree(record)
        stamped = self.stamped = draw.random() < 0.5
        built = draw.choice([c for c in CUDNNS if c[1] <= cudnn[1] or draw.random() < 0.5] or [cudnn])
        by_variable, tag = draw.random() < 0.3, draw.choice(list(RUN_PATHS))
        path = "" if by_variable else run_path(cudnn, f"$ORIGIN/{os.path.relpath(place, self.venv / 'bin')}")
        same_cuda = built[2] == cudnn[2]
        needed = ["libcudnn.so.9", *([f"libcublas.so.{built[2]}"] if draw.random() < 0.3 and same_cuda else []),
                  *(["libcuda.so.1"] if draw.random() < 0.2 else [])]
        options = {"path": path, "tag": tag, "stamp": stamp_of(built[1], built[2]) if stamped else ""}
        self.program = self.venv / "bin" / "app"
        if stamped and draw.random() < 0.25:
            self.carrier = self.program.with_name("libplug.so")
            write(self.carrier, user("plug", *needed, **options).read_bytes())
            made = user("app", self.carrier.name, path="$ORIGIN", program=True)
        else:
            made = user("app", *needed, program=True, **options)
        write(self.program, made.read_bytes())
        self.program.chmod(0o755)
        if by_variable:
            self.path += run_path(cudnn, place).split(":")
        by = "LD_LIBRARY_PATH" if by_variable else tag
        where = f"{' as a tree' if self.is_tree else ''}{', stamp in a library' if self.carrier else ''}"
        self.words.append(f"program{f' built with {built[1]} cu{built[2]}' if stamped else ''} on {name_of(cudnn)}"
                          f"{where}, by {by}, NEEDs {' '.join(needed[1:])}")

    # What breaks a set.

    def break_it(self):
        if self.random.random() < 0.25:
            return
        name = self.random.choice(["member missing", "member of another release", "cut member", "of another CUDA",
                                   "older than required", "LD_LIBRARY_PATH at another", "all gone",
                                   *(["foreign member"] * 3 if is_jit(self.cudnn) else []),
                                   *(["member lent"] * 2 if self.is_tree else []),
                                   *(["shim lost"] if self.program else [])])
        words = getattr(self, name.replace(" ", "_").lower())()
        if words:
            self.break_name = name
            self.words.append(f"{name}: {words}")

    def member(self):
        return self.random.choice(sorted(p for p in self.lib.glob("libcudnn*.so.9") if p.name not in LEFT_ALONE))

    def member_missing(self):
        path = self.member()
        path.unlink()
        return path.name

    def member_lent(self):
        """The loader's cache has the same release, whole."""
        self.cached = [self.put(self.cudnn, self.root / "machine")]
        return self.member_missing()

    def shim_lost(self):
        """The loader's cache has another cuDNN."""
        other = self.random.choice([c for c in CUDNNS if c != self.cudnn])
        self.cached = [self.put(other, self.root / "machine")]
        (self.lib / "libcudnn.so.9").unlink()
        return f"{name_of(other)} in ld.so.cache"

    def foreign_member(self):
        """What the package never has, of a full one."""
        other = self.random.choice([c for c in CUDNNS if not is_jit(c)])
        source = self.random.choice(sorted(p for p in self.files_of(other).glob("libcudnn*.so.9")
                                           if p.name not in LEFT_ALONE and not (self.lib / p.name).exists()))
        write(self.lib / source.name, source.read_bytes())
        return f"{source.name} of {name_of(other)}"

    def all_gone(self):
        for path in self.lib.iterdir():
            path.unlink()
        return "all"

    def of_others(self, same_cuda, older=False):
        found = [c for c in CUDNNS if (c[2] == self.cudnn[2]) == same_cuda and c != self.cudnn
                 and is_jit(c) == is_jit(self.cudnn)]
        if older:
            found = [c for c in found if number(c) < number(self.cudnn)]
        return self.random.choice(found) if found else None

    def files_of(self, cudnn):
        return unpacked(f"{cudnn[0]}=={cudnn[1]}", index) / folder_of(cudnn) / "lib"

    def member_of_another_release(self):
        path, other = self.member(), self.of_others(True)
        if other is None:
            return ""
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
        return name_of(other)

    def of_another_cuda(self):
        return self.swap(self.of_others(False))

    def older_than_required(self):
        other = self.of_others(True, older=True)
        return self.swap(other) if other else ""

    def ld_library_path_at_another(self):
        other = self.of_others(self.random.random() < 0.5) or self.of_others(False)
        self.path.insert(0, str(self.put(other, self.root / "stale")))
        return name_of(other)

    @property
    def lazy(self):
        return any(package.lazy for package in self.packages)

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


def name_of(cudnn):
    return f"{'jit-' if is_jit(cudnn) else ''}{cudnn[0][-4:]} {cudnn[1]}"
