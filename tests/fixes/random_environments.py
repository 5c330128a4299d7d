# SPDX-License-Identifier: BSD-3-Clause
"""Arrangements at random: environments of Python with cuDNNs in them, what lies around them, and a program.

An arrangement follows from its seed alone.  It is sound: random_breaks.py breaks it, trial.py types the fix.
"""

import dataclasses
import functools
import hashlib
import os
import pathlib
import random
import shutil
import subprocess
import sys
import sysconfig
import typing

import surroundings
from breaking import package
from broken_programs import MAIN, PROJECT
from environments import PYTHON, SITE, World, make_environment, pip_packages, quoted, uv_program
from local_index import local_index, unpack
from support.consumer import Consumer
from support.environment import REPOSITORY, cache_directory, compiler, locked, tools
from support.patching import patchelf

# Name, version, CUDA; JIT-only ones have "-jit" in their names.
CUDNNS = (("nvidia-cudnn-cu13", "9.14.0.64", 13), ("nvidia-cudnn-cu13", "9.19.0.56", 13),
          ("nvidia-cudnn-cu13", "9.24.1.1", 13), ("nvidia-cudnn-jit-cu13", "9.14.0.64", 13),
          ("nvidia-cudnn-jit-cu13", "9.19.0.56", 13), ("nvidia-cudnn-cu12", "9.14.0.64", 12),
          ("nvidia-cudnn-cu12", "9.19.0.56", 12), ("nvidia-cudnn-jit-cu12", "9.14.0.64", 12))
CUDA_WHEELS = {
    13: ("nvidia-cuda-runtime==13.0.96", "nvidia-cublas==13.1.0.3", "nvidia-cuda-nvrtc==13.0.88"),
    12: ("nvidia-cuda-runtime-cu12==12.9.79", "nvidia-cublas-cu12==12.9.1.4", "nvidia-cuda-nvrtc-cu12==12.9.86"),
}
CUDA_FOLDERS = {13: ("nvidia/cu13/lib",),
                12: ("nvidia/cublas/lib", "nvidia/cuda_nvrtc/lib", "nvidia/cuda_runtime/lib")}
# What compiling needs beside them.
HEADER_WHEELS = {13: ("nvidia-cuda-crt==13.0.88",), 12: ("nvidia-cuda-nvcc-cu12==12.9.86",)}
BUILDS = (("nvidia-cudnn-cu13", "9.14.0.64"), ("nvidia-cudnn-cu13", "9.19.0.56"), ("nvidia-cudnn-cu12", "9.14.0.64"),
          ("nvidia-cudnn-jit-cu13", "9.14.0.64"), ("nvidia-cudnn-jit-cu12", "9.14.0.64"))
# How often each kind is drawn.
KINDS = {"venv": 6, "uv": 3, "target": 4, "uv target": 1, "user": 2, "PYTHONPATH": 2, "system": 3, "Debian": 2}
# Nothing but the world can be written, and nothing is read or written that the mode of a file forbids.
PROTECT = """
mount --bind "$1" "$1" && { mount -o remount,bind,ro / || :; } && cd "$2" || exit 97
shift 2
exec setpriv --bounding-set=-dac_override,-dac_read_search "$@"
"""


@dataclasses.dataclass
class Environment:
    """What doctor is asked about, and the wheels in it."""

    kind: str
    folder: pathlib.Path  # as a person names it
    site: pathlib.Path  # where the wheels lie; of a Debian package its libraries
    cudnn: typing.Tuple[str, str, int]
    wheels: typing.Tuple[str, ...] = ()

    @property
    def lib(self):
        if self.kind == "Debian":
            return self.site
        return self.site / "nvidia" / ("cudnn_jit" if "-jit" in self.cudnn[0] else "cudnn") / "lib"

    @property
    def run_path(self):
        folders = () if self.kind == "Debian" else CUDA_FOLDERS[self.cudnn[2]]
        return [str(self.lib), *(str(self.site / folder) for folder in folders)]

    def library(self, role):
        return self.lib / ("libcudnn" + (f"_{role}" if role else "") + ".so.9")

    def __str__(self):
        return f"{self.kind} {self.folder.name}: {' '.join([f'{self.cudnn[0]}=={self.cudnn[1]}', *self.wheels])}"


def has_uv():
    try:
        return bool(uv_program())
    except Exception:
        return False


index = functools.lru_cache(maxsize=None)(local_index)


@functools.lru_cache(maxsize=None)
def system_site():
    """Where a Python of a system, which lies in a prefix, has its packages."""
    base = pathlib.Path(os.path.realpath(sys.executable))
    scheme = sysconfig.get_default_scheme()
    return pathlib.Path(sysconfig.get_path("purelib", scheme, {"base": ".", "platbase": "."})), base


def is_of_debian():
    """Whether this Python installs to PREFIX/local, as Debian's does, and has pip in PREFIX/lib/python3."""
    return system_site()[0].parts[0] == "local"


def kind_here(kind):
    """What is made in the place of that kind where it cannot be: the seed gives the same but for that."""
    if not has_uv():
        kind = {"uv": "venv", "uv target": "target"}.get(kind, kind)
    if is_of_debian():  # one with the prefix /usr alone is one of Debian's
        kind = {"system": "venv"}.get(kind, kind)
    return kind


def make_system_python(root, managed):
    """A Python with a prefix of its own: its standard library is that of the Python which runs this.  Returns where pip
    installs to, if it lies in the prefix that its packages are looked for in."""
    relative, base = system_site()
    if is_of_debian():
        relative = pathlib.Path("lib/python3/dist-packages")
    standard = pathlib.Path(sysconfig.get_path("stdlib"))
    own = root / "lib" / PYTHON
    own.mkdir(parents=True)
    # Python looks there first; what is beside it are the landmarks by which it finds its prefix.
    (root / "lib" / f"{PYTHON.replace('.', '')}.zip").symlink_to(standard)
    for landmark in ("os.py", "lib-dynload"):
        (own / landmark).symlink_to(standard / landmark)
    if managed:
        (own / "EXTERNALLY-MANAGED").write_text("[externally-managed]\nError=The system's packages are apt's.\n")
    (root / "bin").mkdir()
    # A copy: through a link, Python would find the prefix of the original.
    shutil.copy(base, root / "bin" / PYTHON)
    (root / "bin" / "python3").symlink_to(PYTHON)
    site = root / relative
    site.mkdir(parents=True, exist_ok=True)
    for path in pip_packages().iterdir():
        if path.name != "complete":
            (site / path.name).symlink_to(path)
    return site


class RandomWorld(World):
    """A world whose commands can change nothing outside of it."""

    def __init__(self, root, etc):
        super().__init__(root, index=index)
        shutil.copytree(etc, self.root / "etc", symlinks=True)
        self.covers = {"/etc": self.root / "etc",
                       surroundings.LISTS: surroundings.make_lists(self.root / "lists")}
        (self.root / "tmp").mkdir()
        self.environment["TMPDIR"] = str(self.root / "tmp")
        self.path = [str(self.bin)]

    def prepend(self, name, *entries):
        self.environment[name] = ":".join([*map(str, entries), *filter(None, [self.environment.get(name)])])

    def sh(self, text, timeout=60):
        variables = {"PATH": ":".join([*self.path, str(tools())]), "HOME": str(self.home), "LANG": "C.UTF-8",
                     "PYTHONDONTWRITEBYTECODE": "1", **self.environment}
        loads = {name: variables.pop(name) for name in list(variables) if name.startswith("LD_")}
        script = "".join(f"export {name}={quoted(value)}\n" for name, value in loads.items()) + text
        command = [*surroundings.within(self.covers), "/bin/sh", "-c", PROTECT, "sh", str(self.root), str(self.home),
                   shutil.which("env"), "-i", *(f"{n}={v}" for n, v in variables.items()), "/bin/sh", "-c", script]
        done = subprocess.run(command, timeout=timeout, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              stdin=subprocess.DEVNULL)
        return done.returncode, done.stdout.decode("utf-8", "replace")


def _sources():
    digest = hashlib.sha256(repr((BUILDS, CUDA_WHEELS, CUDA_FOLDERS, HEADER_WHEELS, PROJECT, MAIN)).encode())
    for room in ("tool/core", "tool/guard", "cmake", "templates"):
        for path in sorted((REPOSITORY / room).rglob("*")):
            if path.is_file():
                digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@functools.lru_cache(maxsize=None)
def programs():
    """A folder with a guarded and a plain program for each of BUILDS, and libraries that NEED a cuDNN; made once."""
    home = cache_directory() / f"programs-{_sources()}"
    with locked(home):
        if (home / "complete").exists():
            return home
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir()
        for name, version in BUILDS:
            cuda = int(name[-2:])
            # A long path, because patchelf moves what has to grow.
            root = home / f"{name}-{version}-{'a' * 60}"
            site = make_environment(root, f"{name}=={version}", *CUDA_WHEELS[cuda], *HEADER_WHEELS[cuda], pip=False)
            project = PROJECT + "add_executable(plain main.cpp)\ntarget_link_libraries(plain CuDNNChecked::cudnn)\n"
            app = Consumer(root / "app", home=home, cmake_lists=project, **{"main.cpp": MAIN})
            for done in [app.configure(f"-DCuDNNChecked_ROOT={site}", "-DGUARD=GPU;OPTIONAL"), app.build()]:
                if done.status != 0:
                    raise RuntimeError(done.output)
            for program in ("app", "plain"):
                shutil.copy(app.path(program), home / f"{program}-{name}-{version}")
            if not (home / "libframework.so").exists():
                # As PyTorch's library: its run path leads to the wheels beside it.
                folders = ["nvidia/cudnn/lib", *CUDA_FOLDERS[13], *CUDA_FOLDERS[12]]
                for jit in ("", "_jit"):
                    subprocess.run([compiler("C"), "-shared", "-nostdlib", "-xc", "/dev/null", "-Wl,--no-as-needed",
                                    "-o", str(home / f"libframework{jit}.so"), "-L", str(site / "nvidia/cudnn/lib"),
                                    "-l:libcudnn.so.9", "-Wl,-rpath," + ":".join(
                                        f"$ORIGIN/../{f.replace('cudnn/', f'cudnn{jit}/')}" for f in folders)],
                                   check=True)
            shutil.rmtree(root)
        (home / "complete").touch()
    return home


class Arrangement:
    """What a seed gives, at a root: `environments` (the first is the one that is asked about), `checks`, `words`."""

    def __init__(self, seed, root, etc):
        self.seed, self.random = seed, random.Random(seed)
        self.world = RandomWorld(root, etc)
        self.environments, self.words, self.sound_entries = [], [], {}
        self.framework_asks = False
        self.needs = []  # CUDA and release of who asks for a cuDNN; the release may be ""
        self.checks, self.program = [], None
        self.drawn = {}  # of each break: the state of the generator that it was drawn in
        self.draw()
        self.words = [str(e) for e in self.environments] + self.words

    def draw(self):
        draw, world = self.random, self.world
        kind = kind_here(draw.choices(list(KINDS), KINDS.values())[0])
        self.subject = self.add(kind, "env", draw.choice(CUDNNS[:3] if kind == "Debian" else CUDNNS))
        world.site = self.subject.site
        self.add_python()
        self.checks = [f"cudnn-checked doctor {quoted(os.path.relpath(self.subject.folder, world.home))}",
                       "cudnn-checked doctor"]
        self.add_program()
        self.add_others()

    def add(self, kind, name, cudnn):
        world, draw, root = self.world, self.random, self.world.root
        requirement = f"{cudnn[0]}=={cudnn[1]}"
        wheels = list(CUDA_WHEELS[cudnn[2]])
        if draw.random() < 0.1:
            wheels.remove(draw.choice(wheels))
        if "-jit" not in cudnn[0] and draw.random() < 0.07:
            wheels.append(f"nvidia-cudnn-jit-cu{cudnn[2]}==9.14.0.64")
        installer = "uv" if kind.startswith("uv") else "pip"
        if kind == "uv":
            world.add_uv() if not (world.bin / "uv").is_symlink() else None
        folder = root / name
        if kind in ("venv", "uv"):
            site = make_environment(folder, pip=kind == "venv")
            if not any(e.kind in ("venv", "uv") for e in self.environments) and draw.random() < 0.7:
                world.environment["VIRTUAL_ENV"] = str(folder)
                world.path.insert(0, str(folder / "bin"))
                self.words.append(f"{name} is active")
        elif kind == "system":
            site = make_system_python(folder, managed=draw.random() < 0.7)
            world.path.insert(0, str(folder / "bin"))
        elif kind == "user":
            site = world.home / ".local" / SITE
            folder = world.home / ".local"
            site.mkdir(parents=True)
        elif kind == "Debian":
            return self.add_debian(cudnn)
        else:
            site = folder
            site.mkdir()
            if kind == "uv target" and not (world.bin / "uv").is_symlink():
                world.add_uv()
            if kind == "PYTHONPATH":
                world.environment["PYTHONPATH"] = str(folder)
        for wheel in [requirement, *wheels]:
            unpack(wheel, site, installer, index)
        self.environments.append(Environment(kind, folder, site, cudnn, tuple(wheels)))
        return self.environments[-1]

    def add_debian(self, cudnn):
        world = self.world
        lib = world.add_debian_package(f"libcudnn9-cuda-{cudnn[2]}", f"{cudnn[0]}=={cudnn[1]}",
                                       world.root / "deb" / "usr" / "lib")
        # Its CUDA comes by ld.so.cache, as a toolkit's does.
        toolkit = world.root / "toolkit"
        for wheel in CUDA_WHEELS[cudnn[2]]:
            unpack(wheel, toolkit, index=index)
            part = "libcublas" if "cublas" in wheel else "cuda-nvrtc" if "nvrtc" in wheel else "cuda-cudart"
            name = f"{part}-{'13-0' if cudnn[2] == 13 else '12-9'}"
            unpack(wheel, world.root / "packages" / name / "toolkit", index=index)
        world.add_to_loader_cache("cudnn", "\n".join(map(str, [lib, *(toolkit / f for f in CUDA_FOLDERS[cudnn[2]])])))
        self.environments.append(Environment("Debian", lib, lib, cudnn))
        return self.environments[-1]

    def add_python(self):
        """The python3 of the machine, which has no cuDNN of its own."""
        if self.subject.kind == "system" or self.subject.kind in ("venv", "uv", "Debian") and self.random.random() < 0.4:
            return
        managed = self.random.random() < 0.5
        make_system_python(self.world.root / "usr", managed)
        self.world.path.append(str(self.world.root / "usr" / "bin"))
        self.words.append("python3 of the system" + (", managed" if managed else ""))

    def add_program(self):
        draw, subject, world = self.random, self.subject, self.world
        name, version, cuda = subject.cudnn
        number = [int(n) for n in version.split(".")]
        builds = [b for b in BUILDS if b[0] == name and [int(n) for n in b[1].split(".")] <= number]
        kind = draw.choices(["app", "plain", "library", None], [5, 2, 3, 3])[0]
        pinned = draw.random() < 0.6
        if subject.kind != "Debian" and (kind == "library" or draw.random() < 0.3):
            files = []
            if kind == "library":
                jit = "_jit" if "-jit" in name else ""
                files = [("libframework.so", programs() / f"libframework{jit}.so")]
            requirement = f"{name}=={version}" if pinned else name
            package("framework", "2.1", requirement, files=files)(world)
            self.words.append(f"framework requires {requirement}" + (" and has a library" if files else ""))
            self.needs.append((cuda, version if pinned else ""))
            self.framework_asks = True
        if kind == "library" and subject.kind != "Debian":
            self.program = subject.site / "framework" / "libframework.so"
        elif kind in ("app", "plain"):
            build = draw.choice(builds)
            self.program = world.root / "app" / kind
            self.program.parent.mkdir()
            shutil.copy(programs() / f"{kind}-{build[0]}-{build[1]}", self.program)
            patchelf(self.program, "--set-rpath", ":".join(subject.run_path))
            if kind == "app":
                self.needs.append((cuda, build[1]))
            self.words.append(f"{'guarded' if kind == 'app' else 'plain'} program built with {build[1]}")
        if self.program:
            path = quoted(os.path.relpath(self.program, world.home))
            self.checks.append(f"cudnn-checked verify {path}")
            if kind == "app":
                self.checks.append(path)

    def add_others(self):
        """None to two other things that are as they should be."""
        draw, world = self.random, self.world
        for _ in range(draw.choice([0, 0, 1, 1, 2])):
            what = draw.choice(["venv", "target", "loader cache", "library path", "entries"])
            if what in ("venv", "target") and all(e.folder.name != f"other-{what}" for e in self.environments):
                other = self.add(what, f"other-{what}", draw.choice(CUDNNS))
                self.checks.append(f"cudnn-checked doctor {quoted(os.path.relpath(other.folder, world.home))}")
            elif what == "loader cache" and self.subject.kind != "Debian" and not (world.root / "opt/cudnn").exists():
                cudnn = draw.choice(CUDNNS)
                site = world.root / "opt" / "cudnn"
                for wheel in [f"{cudnn[0]}=={cudnn[1]}", *CUDA_WHEELS[cudnn[2]]]:
                    unpack(wheel, site, index=index)
                    shutil.rmtree(next(site.glob("*.dist-info")))
                other = Environment("loader cache", site, site, cudnn)
                world.add_to_loader_cache("other", "\n".join(other.run_path))
                self.words.append(f"ld.so.cache has {cudnn[0]}=={cudnn[1]}")
            elif what == "library path":
                newer = [c for c in CUDNNS if c[2] == self.subject.cudnn[2] and "-jit" not in c[0] and
                         c[1].split(".") >= self.subject.cudnn[1].split(".")]
                cudnn = draw.choice(newer)
                lib = world.unpack(f"{cudnn[0]}=={cudnn[1]}", "opt/newer")
                self.add_entry("LD_LIBRARY_PATH", lib)
            else:
                (world.root / "opt" / "mkl" / "lib").mkdir(parents=True, exist_ok=True)
                self.add_entry("LD_LIBRARY_PATH", world.root / "opt" / "mkl" / "lib")

    def add_entry(self, name, folder):
        self.world.prepend(name, folder)
        self.sound_entries.setdefault(name, []).append(str(folder))
        self.words.append(f"{name} has {folder.relative_to(self.world.root)}")
