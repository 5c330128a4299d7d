# SPDX-License-Identifier: BSD-3-Clause
"""Ways to break an environment: each function returns one that is called with the world."""

import importlib.util
import struct
import unittest
import zipfile

import surroundings
from local_index import write, write_wheel
from support import this_cpu

CUDNN, OLDER = "nvidia-cudnn-cu13==9.19.0.56", "nvidia-cudnn-cu13==9.14.0.64"
JIT = "nvidia-cudnn-jit-cu13==9.14.0.64"
OTHER_CUDA, OTHER_MAJOR = "nvidia-cudnn-cu12==9.14.0.64", "nvidia-cudnn-cu12==8.9.7.29"
CUDA = ("nvidia-cuda-runtime==13.0.96", "nvidia-cuda-crt==13.0.88", "nvidia-cublas==13.1.0.3",
        "nvidia-cuda-nvrtc==13.0.88")


def library_path(*wheels):
    """LD_LIBRARY_PATH leads to these wheels, each in a folder of its own; a path is an entry as it is."""
    def break_it(world):
        entries = [w if w.startswith("/") else str(world.unpack(w, f"stale's {i}")) for i, w in enumerate(wheels)]
        world.environment["LD_LIBRARY_PATH"] = ":".join(entries)
    return break_it


def preloaded(wheel):
    def break_it(world):
        # The loader takes a space for the end of an entry.
        world.environment["LD_PRELOAD"] = "$ORIGIN/../preloaded/nvidia/cudnn/lib/libcudnn.so.9"
        world.unpack(wheel, "preloaded")
    return break_it


def variable(name, value):
    def break_it(world):
        world.environment[name] = value
    return break_it


def deleted(*roles, record=True):
    def break_it(world):
        for role in roles:
            world.library(role).unlink()
        if not record:
            world.forget("nvidia-cudnn-cu13")
    return break_it


def of_another(*roles, wheel=OLDER, record=True):
    def break_it(world):
        other = world.unpack(wheel, "other")
        for role in roles:
            write(world.library(role), (other / world.library(role).name).read_bytes())
        if not record:
            world.forget("nvidia-cudnn-cu13")
    return break_it


def for_this_cpu(role):
    """That of another release in the folder that the loader searches first on a CPU such as this."""
    def break_it(world):
        if not this_cpu.folders():
            raise unittest.SkipTest("the loader has no folder for this CPU")
        other = world.unpack(OLDER, "other")
        name = world.library(role).name
        folder = world.lib / this_cpu.folders()[0]
        folder.mkdir(parents=True)
        write(folder / name, (other / name).read_bytes())
    return break_it


def cut(role, size):
    def break_it(world):
        write(world.library(role), world.library(role).read_bytes()[:size])
    return break_it


def zeroed(role, begin):
    def break_it(world):
        data = world.library(role).read_bytes()
        write(world.library(role), data[:begin] + bytes(len(data) - begin))
    return break_it


def without_code(role):
    """A library whose headers and tables are right and whose functions are not."""
    def break_it(world):
        data = bytearray(world.library(role).read_bytes())
        table, = struct.unpack_from("<Q", data, 40)
        size, count = struct.unpack_from("<HH", data, 58)
        executable = 4
        for at in range(table, table + size * count, size):
            kind, flags, _, offset, length = struct.unpack_from("<IQQQQ", data, at + 4)
            if kind == 1 and flags & executable and length > 1000:
                data[offset:offset + length] = b"\xcc" * length
        write(world.library(role), data)
    return break_it


def uninstalled(name):
    """What pip uninstall leaves."""
    def break_it(world):
        for record in world.site.glob(name.replace("-", "_") + "-*.dist-info/RECORD"):
            for line in record.read_text().splitlines():
                (world.site / line.split(",")[0]).unlink(missing_ok=True)
        world.forget(name)
    return break_it


def instead(wheel, name="nvidia-cudnn-cu13"):
    """What pip uninstall of one and pip install of the other leave."""
    def break_it(world):
        uninstalled(name)(world)
        world.unpack(wheel, world.site)
    return break_it


def added(wheel):
    def break_it(world):
        world.unpack(wheel, world.site)
    return break_it


def in_cache(folder):
    """ld.so.cache of the machine has that folder of the world."""
    def break_it(world):
        world.own_etc()
        world.add_to_loader_cache("cudnn", folder(world))
    return break_it


def broken_link(role):
    def break_it(world):
        world.library(role).unlink()
        world.library(role).symlink_to("gone.so")
    return break_it


def unlinked(*names):
    def break_it(world):
        for name in names:
            (world.site / "nvidia" / name).unlink()
    return break_it


def without_pip(break_it, uv=True):
    """The same in an environment of uv, which brings no pip."""
    def both(world):
        for path in world.site.glob("pip*"):
            path.unlink()
        if uv:
            world.add_uv()
        elif importlib.util.find_spec("ensurepip") is None:
            raise unittest.SkipTest("this Python has no ensurepip (Debian: python3-venv)")
        break_it(world)
    return both


def all_of(*breakings):
    def break_it(world):
        for one in breakings:
            one(world)
    return break_it


def active(world):
    """As after `. bin/activate`, but python3 is not on PATH: a fix names the right one."""
    world.environment["VIRTUAL_ENV"] = str(world.root / "venv")


def for_another_machine(lib):
    """Makes the libraries of a folder those of aarch64."""
    for path in lib.glob("libcudnn*"):
        data = bytearray(path.read_bytes() if path.exists() else b"")
        if len(data) > 18:
            data[18:20] = (183).to_bytes(2, "little")
            write(path, bytes(data))


def of_another_machine(world):
    """An aarch64 wheel, as pip installs it with --platform."""
    for_another_machine(world.lib)


def header(name, old, new):
    def break_it(world):
        path = world.site / "nvidia/cudnn/include" / name
        write(path, path.read_text().replace(old, new).encode())
    return break_it


def debian(world):
    """The same files as a Debian package; returns the folder of the libraries."""
    if not world.covers:
        raise unittest.SkipTest(f"/var/lib/dpkg cannot be covered here: {surroundings.why_not()}")
    return world.add_debian_package("libcudnn9-cuda-13", CUDNN, world.root / "usr/lib")


def package(name, version, *requirements, files=()):
    """A package of the environment that needs others: a framework, for example."""
    def break_it(world):
        wheel = write_wheel(world.root, name, version, {f"{name}/{n}": data for n, data in files}, requirements)
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(world.site)
        (world.site / f"{name}-{version}.dist-info" / "INSTALLER").write_text("pip\n")
    return break_it
