# SPDX-License-Identifier: BSD-3-Clause
"""usage: without_gpu.py PROGRAM.py [ARGUMENTS...]

Runs a Python program as on a machine that has no NVIDIA GPU, no driver, and no cuDNN in the loader's default
directories: the tests outside tests/gpu and tests/laboratory/gpu describe one.  Where the machine is like that, nothing is done.  Elsewhere
the program gets a mount namespace of its own, in which these are hidden:

- libcuda, libnvidia-ml and cuDNN, by an overlay in which they are deleted, and an ld.so.cache that lacks them;
- cuDNN's headers in the compiler's default directories, in the same way;
- /proc/driver/nvidia, NVIDIA's devices in /sys/bus/pci, and /dev/nvidia*;
- what WSL2 has in their place: /usr/lib/wsl and /dev/dxg;
- the packages of an active Python environment, which often has a cuDNN there: its base interpreter is started.

Exit status: the program's; 77, with the reason, where there is something to hide and no such namespace can be made.
"""

import collections
import ctypes
import os
import pathlib
import shutil
import stat
import subprocess
import sys
import tempfile

SKIPPED = 77
CLONE_NEWNS, CLONE_NEWUSER = 0x20000, 0x10000000
MS_RDONLY, MS_BIND, MS_REC, MS_PRIVATE = 0x1, 0x1000, 0x4000, 0x40000
MNT_DETACH = 2

DRIVER = ("libcuda.so*", "libnvidia-ml.so*")
CUDNN = ("libcudnn.so*", "libcudnn_*.so*", "libcudnn*.a")
MULTIARCH = os.uname().machine + "-linux-gnu"
DEFAULT_DIRECTORIES = [f"{root}{name}" for root in ("/lib", "/usr/lib") for name in ("", "64", f"/{MULTIARCH}")]
INCLUDES = ["/usr/include", f"/usr/include/{MULTIARCH}"]
PCI = pathlib.Path("/sys/bus/pci")
LDCONFIG = shutil.which("ldconfig") or shutil.which("ldconfig", path="/sbin:/usr/sbin")
CACHE = "/etc/ld.so.cache"


def cached_directories():
    """Where ld.so.cache has a library of the driver."""
    if LDCONFIG is None:
        return []
    lines = subprocess.run([LDCONFIG, "-p"], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    return [os.path.dirname(line.split(" => ")[1]) for line in lines
            if line.strip().startswith(tuple(pattern.rstrip("*") for pattern in DRIVER)) and " => " in line]


def found(wanted):
    """{directory: names in it} for pairs of a directory and patterns; directories are real ones, each once."""
    names = {}
    for directory, patterns in wanted:
        real = pathlib.Path(directory).resolve()
        there = {path.name for pattern in patterns for path in real.glob(pattern)}
        if there:
            names.setdefault(real, set()).update(there)
    # A directory before those in it: its mount would cover theirs.
    return dict(sorted(names.items()))


def driver_files():
    searched = [*DEFAULT_DIRECTORIES, *cached_directories(),
                *filter(None, os.environ.get("LD_LIBRARY_PATH", "").split(":"))]
    return found([*((directory, DRIVER) for directory in searched), ("/usr/lib", ("wsl",))])


def with_cudnn(driver):
    return found([*driver.items(), *((directory, CUDNN) for directory in DEFAULT_DIRECTORIES),
                  *((directory, ("cudnn*.h",)) for directory in INCLUDES)])


def is_nvidia(device):
    try:
        return (device / "vendor").read_text().strip() == "0x10de"
    except OSError:
        return False


def gpu_nodes():
    return [path for pattern in ("nvidia*", "dxg") for path in pathlib.Path("/dev").glob(pattern)]


class Namespace:
    """The mounts of this process from now on; `parts` has what is mounted."""

    def __init__(self):
        self._libc = ctypes.CDLL(None, use_errno=True)
        user, group = os.geteuid(), os.getegid()
        try:
            self._call("unshare", CLONE_NEWNS)
        except OSError:
            # What an ordinary user may mount, in a user namespace with the same numbers.
            self._call("unshare", CLONE_NEWUSER | CLONE_NEWNS)
            for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
                pathlib.Path("/proc/self", name).write_text(text)
        self._call("mount", b"none", b"/", None, MS_REC | MS_PRIVATE, None)
        self.parts = pathlib.Path(tempfile.mkdtemp(prefix="cudnn-checked-without-gpu-"))
        try:
            self._mount("tmpfs", self.parts, "tmpfs", 0)
        except OSError:
            self.parts.rmdir()
            raise

    def _call(self, name, *arguments):
        if getattr(self._libc, name)(*arguments) != 0:
            error = ctypes.get_errno()
            raise OSError(error, f"{name}: {os.strerror(error)}")

    def _mount(self, source, target, kind, flags, data=None):
        self._call("mount", os.fsencode(source), os.fsencode(target), kind and kind.encode(), flags,
                   None if data is None else os.fsencode(data))

    def directory(self, name):
        path = self.parts / name
        path.mkdir(parents=True)
        return path

    def bind(self, source, target):
        self._mount(source, target, None, MS_BIND | MS_REC)

    def delete(self, files):
        """{directory: names}: in an overlay, a character device with the number 0 deletes a name."""
        lower = []
        for number, (directory, names) in enumerate(files.items()):
            whiteouts = self.directory(f"{number}/deleted")
            for name in names:
                os.mknod(whiteouts / name, stat.S_IFCHR | 0o600, os.makedev(0, 0))
            # As it is now: the kernel allows no overlay of an overlay of an overlay.
            self.bind(directory, self.directory(f"{number}/whole"))
            lower.append(f"lowerdir={whiteouts}:{self.parts / str(number) / 'whole'}")
        for directory, data in zip(files, lower):
            self._mount("overlay", directory, "overlay", MS_RDONLY, data)

    def finish(self):
        """What was mounted stays where it was bound."""
        self._call("umount2", os.fsencode(self.parts), MNT_DETACH)
        self.parts.rmdir()


def hide_files(space, files):
    space.delete(files)
    if files and LDCONFIG and os.path.exists(CACHE):
        subprocess.run([LDCONFIG, "-X", "-i", "-C", space.parts / "cache"], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        # A configure does not trust what was written in its last seconds.
        os.utime(space.parts / "cache", (os.stat(CACHE).st_mtime, os.stat(CACHE).st_mtime))
        space.bind(space.parts / "cache", CACHE)


def hide_pci(space):
    kept = space.directory("pci/devices")
    for device in (PCI / "devices").iterdir():
        if not is_nvidia(device):
            (kept / device.name).symlink_to(device.resolve())
    space.bind(kept.parent, PCI)


def add_ptmx(folder):
    """A mount of the node would have no terminals: the kernel looks for the directory pts beside it."""
    try:
        os.mknod(folder / "ptmx", stat.S_IFCHR, os.makedev(5, 2))
        (folder / "ptmx").chmod(0o666)
    except PermissionError:  # an ordinary user
        (folder / "ptmx").symlink_to("pts/ptmx")


def hide_nodes(space, hidden):
    """Each other entry of /dev is mounted: an overlay of an ordinary user has no devices."""
    kept = space.directory("dev")
    for entry in pathlib.Path("/dev").iterdir():
        if entry in hidden:
            continue
        if entry.is_symlink():
            (kept / entry.name).symlink_to(os.readlink(entry))
            continue
        if entry.name == "ptmx":
            add_ptmx(kept)
            continue
        if entry.is_dir():
            (kept / entry.name).mkdir()
        else:
            (kept / entry.name).touch()
        space.bind(entry, kept / entry.name)
    space.bind(kept, "/dev")


# Files of the driver, nodes in /dev, and whether there is a kernel driver and one of NVIDIA's PCI devices.
There = collections.namedtuple("There", "driver nodes kernel_driver devices")


def what_is_there():
    return There(driver_files(), gpu_nodes(), os.path.exists("/proc/driver/nvidia"),
                 any(is_nvidia(device) for device in (PCI / "devices").glob("*")))


def hide(there):
    """OSError where that cannot be done."""
    space = Namespace()
    try:
        hide_files(space, with_cudnn(there.driver))
        if there.kernel_driver:
            space.bind(space.directory("proc"), "/proc/driver")
        if there.devices:
            hide_pci(space)
        if there.nodes:
            hide_nodes(space, there.nodes)
    finally:
        space.finish()


def main(arguments):
    interpreter = sys.executable
    try:
        there = what_is_there()
        if any(there):
            hide(there)
            interpreter = os.path.realpath(interpreter)
    except (OSError, subprocess.SubprocessError) as error:
        print(f"skipped: the driver and GPUs of this machine cannot be hidden from the test: {error}")
        return SKIPPED
    os.execv(interpreter, [interpreter, *arguments])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
