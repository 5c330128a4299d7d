# SPDX-License-Identifier: BSD-3-Clause
"""Where a person's commands meet the machine: a private /etc, so that ldconfig works, without the machine's CUDA.

Without mount namespaces, as in many containers, the machine is as it is: rows that need them are skipped.
"""

import functools
import glob
import os
import shutil
import subprocess

LDCONFIG = shutil.which("ldconfig", path="/sbin:/usr/sbin:/usr/bin:/bin")
# The first word is the folder that becomes /etc.
COVER = ('mount --bind "$1" /etc && shift && for d in /usr/local/cuda*; do [ -L "$d" ] || [ ! -d "$d" ] || '
         'mount -t tmpfs none "$d"; done && exec "$@"')


def _unshare():
    return ["unshare", "-m"] if os.geteuid() == 0 else ["unshare", "-rm"]


@functools.lru_cache(maxsize=None)
def available():
    """Whether /etc can be covered here."""
    if LDCONFIG is None or not shutil.which("unshare"):
        return False
    return subprocess.run([*_unshare(), "sh", "-c", COVER, "sh", "/etc", "true"], stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL).returncode == 0


def make_etc(folder):
    """A copy of /etc whose ld.so.cache has nothing of this machine's CUDA."""
    shutil.copytree("/etc", folder, symlinks=True, ignore=lambda _, names: {
        n for n in names if n in ("ssl", "ca-certificates", "shadow", "gshadow", "security")
        or n.endswith((".key", ".pem"))}, ignore_dangling_symlinks=True)
    for file in glob.glob(f"{folder}/ld.so.conf.d/*"):
        with open(file, encoding="utf-8", errors="replace") as lines:
            if "cuda" in lines.read():
                os.unlink(file)
    subprocess.run([*within(folder), LDCONFIG, "-X"], check=True, stderr=subprocess.DEVNULL)


def within(etc):
    """What to put before a command that is to see that folder as /etc."""
    return [*_unshare(), "sh", "-c", COVER, "sh", str(etc)]
