# SPDX-License-Identifier: BSD-3-Clause
"""Breaks at random: each is called with an arrangement and returns what it did, or None where it cannot be."""

import os
import shutil

from breaking import for_another_machine, uninstalled
from local_index import unpack, unpacked, write
from random_environments import CUDA_FOLDERS, CUDNNS, PYTHON, index

BREAKS = {}  # name: (function, how often)


class CannotBe(Exception):
    """What a break needs is not there, or another break has taken it."""


def breaks(name, often=2):
    def add(function):
        BREAKS[name] = (function, often)
        return function
    return add


def requirement_of(cudnn):
    return f"{cudnn[0]}=={cudnn[1]}"


def wheel_file(cudnn, name):
    """A file of a cuDNN's wheel."""
    return next(unpacked(requirement_of(cudnn), index).rglob(name), None)


def others(a, same_cuda, full=True):
    """Other cuDNNs."""
    own = a.subject.cudnn
    return [c for c in CUDNNS if c != own and (c[2] == own[2]) == same_cuda and ("-jit" in c[0]) != full
            and (not same_cuda or c[1] != own[1])]


def draw_role(a, shim=False):
    present = sorted(p.name for p in a.subject.lib.glob("libcudnn*.so.9"))
    present = [n for n in present if shim or n != "libcudnn.so.9"]
    if not present:
        raise CannotBe
    return a.subject.lib / a.random.choice(present)


def record(a):
    found = list(a.subject.site.glob(a.subject.cudnn[0].replace("-", "_") + "-*.dist-info"))
    if not found:
        raise CannotBe
    return found[0]


def remove_package(a):
    record(a)
    uninstalled(a.subject.cudnn[0])(a.world)


@breaks("file deleted", 4)
def deleted(a):
    path = draw_role(a, shim=True)
    path.unlink()
    return path.name


@breaks("two files deleted", 1)
def two_deleted(a):
    if len(list(a.subject.lib.glob("libcudnn*.so.9"))) < 2:
        raise CannotBe
    return f"{deleted(a)}, {deleted(a)}"


@breaks("file truncated", 3)
def truncated(a):
    path = draw_role(a, shim=True)
    if not path.exists():  # a broken link
        raise CannotBe
    size = a.random.choice([0, 9000])
    write(path, path.read_bytes()[:size])
    return f"{path.name} to {size}"


def exchange(a, same_cuda):
    path = draw_role(a)
    if path.is_symlink() or not os.access(path, os.R_OK):
        raise CannotBe
    found = [(c, wheel_file(c, path.name)) for c in others(a, same_cuda)]
    found = [(c, f) for c, f in found if f and f.read_bytes() != path.read_bytes()]
    if not found:
        return None
    cudnn, file = a.random.choice(found)
    write(path, file.read_bytes())
    return f"{path.name} of {cudnn[0]} {cudnn[1]}"


@breaks("file of another release", 4)
def of_another_release(a):
    return exchange(a, same_cuda=True)


@breaks("file of the other CUDA", 2)
def of_another_cuda(a):
    return exchange(a, same_cuda=False)


@breaks("record forgotten", 1)
def forgotten(a):
    shutil.rmtree(record(a))
    return a.subject.cudnn[0]


@breaks("second package over the first", 3)
def second_over_first(a):
    cudnn = a.random.choice([c for c in CUDNNS if c[0] != a.subject.cudnn[0]
                             and ("-jit" in c[0]) == ("-jit" in a.subject.cudnn[0])])
    if a.subject.kind == "Debian":
        return None
    unpack(requirement_of(cudnn), a.subject.site, index=index)
    return requirement_of(cudnn)


@breaks("package uninstalled", 2)
def package_uninstalled(a):
    remove_package(a)
    return a.subject.cudnn[0]


@breaks("another package instead", 3)
def instead(a):
    same_cuda = a.random.random() < 0.6
    cudnn = a.random.choice(others(a, same_cuda))
    remove_package(a)
    unpack(requirement_of(cudnn), a.subject.site, index=index)
    return requirement_of(cudnn)


@breaks("header of another release", 2)
def header(a):
    path = a.subject.lib.parent / "include" / "cudnn_version.h"
    other = wheel_file(a.random.choice(others(a, True)), path.name)
    if not path.exists() or not other:
        return None
    write(path, other.read_bytes())
    return path.name


def older(a):
    return [c for c in others(a, True) if number(c[1]) < number(a.subject.cudnn[1])]


def stale_path(a, choices):
    if not choices:
        return None
    cudnn = a.random.choice(choices)
    lib = a.world.unpack(requirement_of(cudnn), "stale")
    a.world.prepend("LD_LIBRARY_PATH", lib)
    return requirement_of(cudnn)


@breaks("LD_LIBRARY_PATH at an older cuDNN", 3)
def stale(a):
    return stale_path(a, older(a))


@breaks("LD_LIBRARY_PATH at another CUDA's cuDNN", 3)
def stale_cuda(a):
    return stale_path(a, others(a, False))


@breaks("LD_LIBRARY_PATH at a folder that is gone", 1)
def gone(a):
    a.world.prepend("LD_LIBRARY_PATH", a.world.root / "gone")
    return "gone"


@breaks("LD_PRELOAD of an older cuDNN", 1)
def preloaded(a):
    if not older(a) or "LD_PRELOAD" in a.world.environment:
        return None
    cudnn = a.random.choice(older(a))
    lib = a.world.unpack(requirement_of(cudnn), "preloaded")
    # The loader takes a space for the end of an entry: the world's root has none.
    a.world.environment["LD_PRELOAD"] = str(lib / "libcudnn.so.9")
    return requirement_of(cudnn)


@breaks("wheel of another machine", 1)
def of_another_machine(a):
    for_another_machine(a.subject.lib)
    return "aarch64"


@breaks("broken link", 1)
def broken_link(a):
    path = draw_role(a)
    path.unlink()
    path.symlink_to("gone.so")
    return path.name


@breaks("stray library in ld.so.cache", 2)
def stray_in_cache(a):
    name = draw_role(a).name
    cudnn = a.random.choice([c for c in CUDNNS[:3] if c[1] != a.subject.cudnn[1]])
    folder = a.world.root / "stray"
    folder.mkdir(exist_ok=True)
    file = wheel_file(cudnn, name)
    if not file:
        return None
    shutil.copy(file, folder / name)
    a.world.add_to_loader_cache("stray", folder)
    return f"{name} of {cudnn[1]}"


@breaks("stray file of another release beside the set", 2)
def stray_beside(a):
    name = "libcudnn_engines_tensor_ir.so.9"
    file = wheel_file(CUDNNS[2], name)
    if a.subject.cudnn == CUDNNS[2] or not file:
        return None
    write(a.subject.lib / name, file.read_bytes())
    return name


@breaks("CUDA library lost", 3)
def cuda_lost(a):
    site = a.world.root / "toolkit" if a.subject.kind == "Debian" else a.subject.site
    found = [p for folder in CUDA_FOLDERS[a.subject.cudnn[2]] for p in sorted((site / folder).glob("lib*.so.*"))
             if "cublasLt" in p.name or "nvrtc.so" in p.name]
    if not found:
        return None
    path = a.random.choice(found)
    path.unlink()
    return path.name


@breaks("unreadable file", 2)
def unreadable(a):
    path = draw_role(a, shim=True)
    if not path.exists():
        raise CannotBe  # a link to what another break took
    write(path, path.read_bytes())
    path.chmod(0)
    return path.name


@breaks("read-only environment", 1)
def read_only(a):
    if a.subject.kind == "Debian":
        raise CannotBe  # apt-get is root's
    for folder, _, _ in os.walk(a.subject.folder):
        os.chmod(folder, 0o555)
    return a.subject.folder.name


@breaks("no pip, no uv", 1)
def without_installer(a):
    (a.world.bin / "uv").unlink(missing_ok=True)
    for site in {a.subject.site, *(p for p in a.world.root.glob(f"usr/**/{PYTHON}/*-packages"))}:
        for path in site.glob("pip*"):
            path.unlink() if path.is_symlink() else None
    return "removed"


def break_it(a):
    """One to three breaks; returns their names and words."""
    done = {}
    count = a.random.choice([1, 1, 1, 2, 2, 3])
    tries = 0
    while len(done) < count and tries < 50:
        tries += 1
        name = a.random.choices(list(BREAKS), [often for _, often in BREAKS.values()])[0]
        if name in done:
            continue
        # Who works on files comes before who forbids it.
        state = a.random.getstate()
        words = one_break(a, name)
        if words is not None:
            done[name] = words
            a.drawn[name] = state
    return done


def one_break(a, name, state=None):
    """One break, as it was drawn in that state of the generator; returns its words, or None where it cannot be."""
    if state:
        a.random.setstate(state)
    try:
        return BREAKS[name][0](a)
    except CannotBe:
        return None


def contents(cudnn):
    return {p.name: p.read_bytes() for p in unpacked(requirement_of(cudnn), index).rglob("libcudnn*.so.9")}


def is_broken(a, done):
    """Whether something is wrong with the subject's files, and with what the program takes: read as it is written, by
    no rule of the product."""
    files = {p.name: p.read_bytes() if p.exists() and p.stat().st_mode & 0o400 else None
             for p in a.subject.lib.glob("libcudnn*.so.9")}
    # Older releases never open it.
    found = [c for c in CUDNNS if contents(c) in (files, {n: b for n, b in files.items() if "tensor_ir" not in n})]
    damaged = bool(files and not found or {"header of another release", "second package over the first"} & {*done})
    if not a.program:
        return damaged, False
    lost = "CUDA library lost" in done and a.program.name != "libframework.so"
    taken = [next(c for c in CUDNNS if requirement_of(c) == done[name]) for name in done if name.startswith((
        "LD_LIBRARY_PATH at an", "LD_PRELOAD"))] + found[:1]
    unfit = any(c[2] != cuda or release and number(c[1]) < number(release) for c in taken for cuda, release in a.needs)
    return damaged, damaged or lost or not files or unfit


def number(version):
    return [int(n) for n in version.split(".")]
