# SPDX-License-Identifier: BSD-3-Clause
"""Runs a program with an ld.so.cache that the test chose: no cuDNN of this machine is found by accident."""

import functools
import pathlib
import shutil
import signal
import subprocess
import tempfile

from support.namespaces import why_no_mounts

LDCONFIG = shutil.which("ldconfig") or shutil.which("ldconfig", path="/sbin:/usr/sbin")
DEFAULT_DIRECTORIES = ("/lib", "/usr/lib", "/lib64", "/usr/lib64", "/lib/x86_64-linux-gnu",
                       "/usr/lib/x86_64-linux-gnu")
COVER = 'mount --bind "$1" /etc/ld.so.cache && shift && exec env -i "$@"'


@functools.lru_cache(maxsize=None)
def why_cache_stays():
    """Why this process may not put another file over /etc/ld.so.cache, for its children only; empty where it may."""
    if LDCONFIG is None:
        return "there is no ldconfig here"
    why = why_no_mounts("unshare", "-rm")
    if why:
        return why
    with tempfile.NamedTemporaryFile() as file:
        done = subprocess.run(["unshare", "-rm", "sh", "-c", COVER, "sh", file.name, "/bin/true"],
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    return (done.stderr.strip() or f"exit status {done.returncode}") if done.returncode else ""


def cache_can_be_chosen():
    return not why_cache_stays()


@functools.lru_cache(maxsize=None)
def machine_has_cudnn():
    """Whether a program of this machine finds a cuDNN without being told where."""
    if LDCONFIG is None:
        return False
    listed = subprocess.run([LDCONFIG, "-p"], stdout=subprocess.PIPE, text=True).stdout
    return "libcudnn" in listed


def default_directories_have_cudnn():
    return any(next(pathlib.Path(d).glob("libcudnn*"), None) for d in DEFAULT_DIRECTORIES)


def why_not_isolated():
    """Why nothing on this machine can be asserted about a whole message; empty where it can."""
    if default_directories_have_cudnn():
        return "a cuDNN in the loader's default directories"
    if machine_has_cudnn() and not cache_can_be_chosen():
        return f"a cuDNN in ld.so.cache, which cannot be covered: {why_cache_stays()}"
    return ""


def make_cache(directory, folders, prefix=()):
    """An ld.so.cache with the default directories and `folders`; `prefix` starts ldconfig."""
    directory = pathlib.Path(directory)
    (directory / "ld.so.conf").write_text("".join(f"{folder}\n" for folder in folders))
    cache = directory / "ld.so.cache"
    subprocess.run([*prefix, LDCONFIG, "-X", "-i", "-f", directory / "ld.so.conf", "-C", cache], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return cache


class Outcome:
    """status is negative where a signal ended the program, as in subprocess."""

    def __init__(self, done):
        # The wrapper execs, so that its status is the program's.
        self.status = done.returncode
        self.output = done.stdout.decode("utf-8", "replace")
        self.errors = done.stderr.decode("utf-8", "replace") if done.stderr is not None else ""

    @property
    def signal_name(self):
        return signal.Signals(-self.status).name if self.status < 0 else ""


def run(command, variables, cwd, cache=None, merged=True, timeout=120):
    """Runs a program with exactly these variables, and with `cache` as ld.so.cache if one is given."""
    command = [str(part) for part in command]
    variables = {name: str(value) for name, value in variables.items()}
    if cache is not None and (machine_has_cudnn() or cache_can_be_chosen()):
        command = ["unshare", "-rm", "sh", "-c", COVER, "sh", str(cache),
                   *[f"{name}={value}" for name, value in variables.items()], *command]
        variables = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}
    done = subprocess.run(command, env=variables, cwd=cwd, timeout=timeout, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT if merged else subprocess.PIPE)
    return Outcome(done)
