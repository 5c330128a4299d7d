# SPDX-License-Identifier: BSD-3-Clause
"""Where a person's commands meet the machine: a private /etc, so that ldconfig works, without the machine's CUDA;
a private package database; stand-ins for sudo and apt-get.

Without mount namespaces, as in many containers, the machine is as it is: rows that need them are skipped.
"""

import functools
import glob
import os
import shutil
import subprocess

LDCONFIG = shutil.which("ldconfig", path="/sbin:/usr/sbin:/usr/bin:/bin")
# The first words are pairs of a folder and what it covers, up to one that is "--".
COVER = """
while [ "$1" != -- ]; do mount --bind "$1" "$2" && shift 2 || exit 98; done
shift
for d in /usr/local/cuda*; do [ -L "$d" ] || [ ! -d "$d" ] || mount -t tmpfs none "$d"; done
exec "$@"
"""
SUDO = '#!/bin/sh\nexec "$@"\n'
# Only names of Debian and Ubuntu, and of NVIDIA's repositories for them, can be installed: `apt-get install [--reinstall]
# NAME[=VERSION]...`, and what is installed lies in the folder `packages` beside it.
APT_GET = """#!/bin/sh
here=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
[ "$1" = install ] || exit 100
shift
for word in "$@"; do
  case $word in -y | --reinstall | --only-upgrade | --allow-downgrades) continue ;; esac
  grep -qxF -- "${word%%=*}" "$here/names" || { echo "E: Unable to locate package $word" >&2; exit 100; }
  [ -d "$here/packages/$word" ] || { echo "E: Version of '$word' was not found" >&2; exit 100; }
  cp -a "$here/packages/$word/." "$here/"
done
"""
# What apt-cache search lists there (developer.download.nvidia.com, debian12/x86_64 and ubuntu2404/x86_64).
NAMES = """
cudnn cudnn9 cudnn9-cuda-12 cudnn9-cuda-13 cudnn9-jit cudnn9-jit-cuda-12 cudnn9-jit-cuda-13
libcudnn9-cuda-12 libcudnn9-cuda-13 libcudnn9-dev-cuda-12 libcudnn9-dev-cuda-13
libcudnn9-headers-cuda-12 libcudnn9-headers-cuda-13 libcudnn9-jit-cuda-12 libcudnn9-jit-cuda-13
libcudnn8 libcudnn8-dev zlib1g libcublas-12-9 libcublas-13-0 cuda-nvrtc-12-9 cuda-nvrtc-13-0 cuda-cudart-13-0
""".split()


def _unshare():
    return ["unshare", "-m"] if os.geteuid() == 0 else ["unshare", "-rm"]


@functools.lru_cache(maxsize=None)
def available():
    """Whether /etc can be covered here."""
    if LDCONFIG is None or not shutil.which("unshare"):
        return False
    return subprocess.run([*within({"/etc": "/etc"}), "true"], stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL).returncode == 0


def within(covers):
    """What to put before a command that is to see these folders: {"/etc": folder}."""
    pairs = [str(word) for covered, folder in covers.items() for word in (folder, covered)]
    return [*_unshare(), "/bin/sh", "-c", COVER, "sh", *pairs, "--"]


def make_etc(folder):
    """A copy of /etc whose ld.so.cache has nothing of this machine's CUDA."""
    secret = {"private", "shadow", "shadow-", "gshadow", "gshadow-", "security"}
    shutil.copytree("/etc", folder, symlinks=True, ignore_dangling_symlinks=True,
                    ignore=lambda _, names: {n for n in names if n in secret or n.endswith((".key", ".pem"))})
    for file in glob.glob(f"{folder}/ld.so.conf.d/*"):
        with open(file, encoding="utf-8", errors="replace") as lines:
            if "cuda" in lines.read():
                os.unlink(file)
    subprocess.run([*within({"/etc": folder}), LDCONFIG, "-X"], check=True, stderr=subprocess.DEVNULL)


def give_programs(world):
    """sudo, ldconfig and apt-get for a world."""
    for name, text in [("sudo", SUDO), ("apt-get", APT_GET)]:
        (world.bin / name).write_text(text)
        (world.bin / name).chmod(0o755)
    if LDCONFIG:
        (world.bin / "ldconfig").symlink_to(LDCONFIG)
    (world.root / "names").write_text("\n".join(NAMES) + "\n")
