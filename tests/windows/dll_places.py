# SPDX-License-Identifier: BSD-3-Clause
"""Folders with DLLs of cuDNN, whole ones of real releases, fakes, and what is left of them."""

import os
import pathlib
import shutil

from home_cache import HOME_CACHE
from wine import with_machine

ROLES = ("shim", "graph", "ops", "cnn", "adv", "engines_precompiled", "engines_runtime_compiled", "heuristic")
FAKE_ROLES = ROLES[:5]
RELEASES = {"9.10": "9.10.2.21", "9.28": "9.28.0.42"}


def name_of(role):
    return "cudnn64_9.dll" if role == "shim" else f"cudnn_{role}64_9.dll"


def role_of(name):
    stem = name.lower()[len("cudnn"):-len("64_9.dll")]
    return stem.lstrip("_") or "shim"


def unpacked(name):
    """A folder with unpacked wheels for Windows in CUDNN_CHECKED_WINDOWS_CUDNN: it need not be there."""
    return pathlib.Path(os.environ.get("CUDNN_CHECKED_WINDOWS_CUDNN") or HOME_CACHE / "windows") / name


def files_of(release):
    """Role to file of a real release: <release>/nvidia/cudnn/bin; empty where they are not there."""
    return {role_of(file.name): file
            for file in sorted((unpacked(RELEASES[release]) / "nvidia" / "cudnn" / "bin").glob("cudnn*64_9.dll"))}


def dlls_of(release):
    """Name to file of all of a real release; empty where they are not there."""
    return {file.name: file for file in sorted((unpacked(release) / "nvidia" / "cudnn" / "bin").glob("cudnn*.dll"))}


def windows_path(path):
    """wine's drive Z is the root."""
    return "Z:" + str(path).replace("/", "\\")


def linked(source, target):
    """A real DLL has up to 500 MB."""
    try:
        os.link(source, target)
    except OSError:  # the cache is on another disk
        os.symlink(source, target)


class Place:
    """<root>/bin has the program, <root>/cwd is the working directory, other folders have other names."""

    def __init__(self, root, tools):
        self.root, self.tools = pathlib.Path(root), tools
        self.states = {}  # name of a DLL to the states of files that have it
        for name in ("bin", "cwd"):
            (self.root / name).mkdir()

    def folder(self, name):
        folder = self.root / name
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def put(self, folder, role, of="fake", how="", name=None):
        """One DLL: `of` a release or "fake"; whole, or in one of the states below."""
        target = self.folder(folder) / (name or name_of(role))
        self.states.setdefault(target.name, set()).add(how)
        source = self.tools.fake if of == "fake" else files_of(of)[role]
        if how == "upper":
            target, how = target.with_name(target.name.upper()), ""
        if os.path.lexists(target):
            raise ValueError(f"{target} is there already; it may be a link to the cache")
        if how == "":
            self._copy(source, target)
        elif how == "cut":
            with open(source, "rb") as whole:
                target.write_bytes(whole.read(source.stat().st_size // 3))
        elif how == "empty":
            target.write_bytes(b"")
        elif how == "zero":
            target.write_bytes(bytes(min(source.stat().st_size, 1 << 20)))
        elif how == "text":
            target.write_text("Not Found\n")
        elif how == "folder":
            target.mkdir()
        elif how == "32-bit":
            shutil.copyfile(self.tools.fake_32, target)
        elif how == "arm64":
            target.write_bytes(with_machine(self.tools.fake.read_bytes(), 0xAA64))
        else:
            raise ValueError(how)

    @staticmethod
    def _copy(source, target):
        """A real DLL is linked.  Two names of one file are one module, so that a fake is copied."""
        (linked if source.stat().st_size > 1 << 20 else shutil.copyfile)(source, target)

    def set(self, folder, of="fake", only=(), **changes):
        """All files of a release; a role takes another release, is "gone", or is in a state of put()."""
        roles = FAKE_ROLES if of == "fake" else files_of(of)
        for role in [*roles, *(r for r in changes if r not in roles)]:
            how = changes.get(role, "")
            if how == "gone" or (only and role not in only):
                continue
            if how in RELEASES or how == "fake":
                self.put(folder, role, how)
            else:
                self.put(folder, role, of, how)
