# SPDX-License-Identifier: BSD-3-Clause
"""Whether this machine lets a test have mounts of its own, and why not."""

import functools
import os
import shutil
import subprocess
import tempfile


def own_mounts():
    """What to put before a command that is to have mounts of its own."""
    return ["unshare", "-m"] if os.geteuid() == 0 else ["unshare", "-rm"]


def _root_is_mount_point():
    with open("/proc/self/mountinfo", encoding="utf-8", errors="replace") as file:
        return any(line.split()[4] == "/" for line in file)


@functools.lru_cache(maxsize=None)
def why_no_mounts(*command):
    """Why `command`, or own_mounts(), gives no mounts here; empty where it does.

    In a plain chroot, whose root is no mount point, the kernel makes no user namespace, and unshare(1) cannot
    keep the mounts from the rest of the machine.
    """
    if not shutil.which("unshare"):
        return "there is no unshare here"
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([*(command or own_mounts()), "sh", "-c", 'mount -t tmpfs none "$1"', "sh", folder],
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False,
                              env={"PATH": f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C"})
    if done.returncode == 0:
        return ""
    if not _root_is_mount_point():
        return "no mount namespaces: the root directory is no mount point, as in a plain chroot"
    return f"no mount namespaces: {done.stderr.strip() or 'exit status %d' % done.returncode}"
