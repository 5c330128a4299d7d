# SPDX-License-Identifier: BSD-3-Clause
"""Where a person's commands meet the machine: a private /etc, so that ldconfig works, without the machine's CUDA;
a private package database; stand-ins for sudo and apt-get.

Without mount namespaces, as in many containers, the machine is as it is: rows that need them are skipped.
"""

import contextlib
import functools
import pathlib
import shutil
import subprocess

from support.environment import cache_directory, locked
from support.namespaces import own_mounts, why_no_mounts

LISTS = "/var/lib/apt/lists"
LDCONFIG = shutil.which("ldconfig", path="/sbin:/usr/sbin:/usr/bin:/bin")
ETC = ("ca-certificates.conf", "group", "host.conf", "hosts", "ld.so.cache", "ld.so.conf", "ld.so.conf.d",
       "nsswitch.conf", "passwd", "pip.conf", "resolv.conf")
OWN = "of-cudnn-checked-tests"  # a file in an /etc of its own
# Hundreds of links that no row changes: one copy is there for all.
ETC_SHARED = ("alternatives", "ssl/certs")
# The first words are pairs of a folder and what it covers, up to one that is "--".
COVER = """
while [ "$1" != -- ]; do mount --bind "$1" "$2" && shift 2 || exit 98; done
shift
for d in /usr/local/cuda*; do [ -L "$d" ] || [ ! -d "$d" ] || mount -t tmpfs none "$d"; done
exec "$@"
"""
SUDO = '#!/bin/sh\nexec "$@"\n'
# `apt-get install [--reinstall] NAME[=VERSION]...`: only what is listed below can be installed, and lies in the folder
# `packages` beside it.
APT_GET = """#!/bin/sh
here=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
[ "$1" = install ] || exit 100
shift
for word in "$@"; do
  case $word in -y | --reinstall | --only-upgrade | --allow-downgrades) continue ;; esac
  grep -qxF -- "${word%%=*}" "$here/names" || { echo "E: Unable to locate package $word" >&2; exit 100; }
  [ -d "$here/packages/$word" ] || { echo "E: Version of '$word' was not found" >&2; exit 100; }
  cp -a --remove-destination "$here/packages/$word/." "$here/"
done
"""
# Names of NVIDIA's documents ("Installing cuDNN on Linux", package manager; "CUDA Installation Guide for Linux", meta
# packages) and of Debian.  No repository was asked for them.
NAMES = """
cudnn cudnn9 cudnn9-cuda-12 cudnn9-cuda-13 cudnn9-jit cudnn9-jit-cuda-12 cudnn9-jit-cuda-13
libcudnn9-cuda-12 libcudnn9-cuda-13 libcudnn9-dev-cuda-12 libcudnn9-dev-cuda-13
libcudnn9-headers-cuda-12 libcudnn9-headers-cuda-13 libcudnn9-jit-cuda-12 libcudnn9-jit-cuda-13
libcudnn8 libcudnn8-dev zlib1g libcublas-12-9 libcublas-13-0 cuda-nvrtc-12-9 cuda-nvrtc-13-0 cuda-cudart-13-0
""".split()


@functools.lru_cache(maxsize=None)
def why_not():
    """Why nothing of the machine can be covered here; empty where it can."""
    if LDCONFIG is None:
        return "there is no ldconfig here"
    why = why_no_mounts()
    if why:
        return why
    done = subprocess.run([*within({"/etc": "/etc"}), "/bin/true"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          text=True)
    return (done.stderr.strip() or f"exit status {done.returncode}") if done.returncode else ""


def available():
    return not why_not()


def has_cuda():
    """Whether the loader of this machine finds libraries that rows take away."""
    if LDCONFIG is None:
        return False
    known = subprocess.run([LDCONFIG, "-p"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    return any(name in known for name in ("libcudnn", "libcublas", "libnvrtc"))


def within(covers):
    """What to put before a command that is to see these folders: {"/etc": folder}."""
    pairs = [str(word) for covered, folder in covers.items() for word in (folder, covered)]
    return [*own_mounts(), "/bin/sh", "-c", COVER, "sh", *pairs, "--"]


def _shared_etc():
    """The folder with copies of these, made once for a build tree and again when the machine's have changed."""
    sources = [path for path in (pathlib.Path("/etc") / name for name in ETC_SHARED) if path.is_dir()]
    home = cache_directory() / ("etc-" + "-".join(str(path.stat().st_mtime_ns) for path in sources))
    with locked(home):
        if not home.exists():
            part = home.with_suffix(".part")
            shutil.rmtree(part, ignore_errors=True)
            part.mkdir()
            for path in sources:
                shutil.copytree(path, part / path.relative_to("/etc"), symlinks=True)
            part.rename(home)
    return home


def run_ldconfig(covers):
    subprocess.run([*within(covers), LDCONFIG, "-X"], check=True, stderr=subprocess.DEVNULL)


@contextlib.contextmanager
def cached(folders):
    """ld.so.cache with these folders meanwhile, where /etc is one that make_etc() has made."""
    if folders and pathlib.Path("/etc", OWN).exists():
        cache = pathlib.Path("/etc/ld.so.cache")
        before = cache.read_bytes()
        subprocess.run([LDCONFIG, "-X", *map(str, folders)], check=True, stderr=subprocess.DEVNULL)
        try:
            yield
        finally:
            cache.write_bytes(before)
    else:
        yield


def make_etc(folder):
    """An /etc with what the loader, compilers and pip read, whose ld.so.cache has nothing of this machine's CUDA."""
    folder.mkdir()
    for name in ETC:
        source = pathlib.Path("/etc") / name
        if source.is_dir():
            shutil.copytree(source, folder / name, symlinks=True)
        elif source.exists():
            shutil.copy(source, folder / name)
    for source in _shared_etc().iterdir():
        (folder / source.name).symlink_to(source)
    for file in folder.glob("ld.so.conf.d/*"):
        if "cuda" in file.read_text(errors="replace"):
            file.unlink()
    run_ldconfig({"/etc": folder})


def make_lists(folder):
    """apt's, of a machine that has NVIDIA's repository."""
    folder.mkdir()
    (folder / "x_Packages").write_text("".join(f"Package: {name}\nVersion: 1\n\n" for name in NAMES))
    return folder


def give_programs(world):
    """sudo, ldconfig and apt-get for a world."""
    world.add_script(SUDO, "sudo")
    world.add_script(APT_GET, "apt-get")
    if LDCONFIG:
        (world.bin / "ldconfig").symlink_to(LDCONFIG)
    (world.root / "names").write_text("\n".join(NAMES) + "\n")
    if world.covers:
        world.covers[LISTS] = make_lists(world.root / "lists")
