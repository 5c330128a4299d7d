# SPDX-License-Identifier: BSD-3-Clause
"""Arranges the files of real cuDNNs in folders: whole sets as hard links, changed files as copies."""

import os
import pathlib
import shutil

from real_cudnn import fetched

# Short names of the sets: the name in scripts/cudnn_sets.txt and the release.
SETS = {
    "9.14": ("full-9.14-cu13", "9.14.0"),
    "9.19": ("full-9.19-cu13", "9.19.0"),
    "jit 9.13": ("older-cu13", "9.13.0"),
    "jit 9.14": ("jit", "9.14.0"),
    "jit 9.20": ("jit-9.20-cu13", "9.20.0"),
    "jit 9.27": ("jit-9.27-cu13", "9.27.0"),
    "9.14 cu12": ("full-9.14-cu12", "9.14.0"),
    "9.24": ("full-9.24-cu13", "9.24.0"),
    "9.28": ("full-9.28-cu13", "9.28.0"),
    "8.5": ("full-8.5-cu11", "8.5.0"),
}

EM_AARCH64 = 183
# A note's lengths of name and id (SHA-1), its type NT_GNU_BUILD_ID, and its name.
GNU_BUILD_ID = bytes([4, 0, 0, 0, 20, 0, 0, 0, 3, 0, 0, 0]) + b"GNU\0"


class NotHere(Exception):
    """A set that is neither in the cache nor may be fetched, or a tool that is not installed."""


def prefix_of(name):
    """The directory above include and lib of a set."""
    prefix = fetched(SETS[name][0])
    if prefix is None:
        raise NotHere(f"cuDNN {name} is not in the cache")
    return prefix


def role_of(file_name):
    """libcudnn_ops_infer.so.8 is ops_infer, libcudnn.so.9 the shim."""
    stem = file_name.split(".so")[0]
    return stem[len("libcudnn"):].lstrip("_") or "shim"


def name_of(role, ending):
    return "libcudnn" + ("" if role == "shim" else f"_{role}") + ".so" + ending


def files_of(name):
    """Role to file of a set."""
    return {role_of(f.name): f for f in sorted((prefix_of(name) / "lib").glob("libcudnn*.so.*"))}


def link(source, target):
    """A hard link; a copy where the cache is on another disk."""
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)


def damaged(how, source, target):
    """Makes `target` what `source` is after something happened to it."""
    if how == "empty":
        target.write_bytes(b"")
    elif how == "cut":
        with open(source, "rb") as whole, open(target, "wb") as part:
            rest = source.stat().st_size // 3
            while rest > 0:
                block = whole.read(min(rest, 1 << 20))
                part.write(block)
                rest -= len(block)
    elif how == "text":
        target.write_text("Not Found\n")
    elif how == "folder":
        target.mkdir()
    elif how == "dangling":
        target.symlink_to("gone/" + target.name)
    elif how in ("aarch64", "32-bit"):
        contents = bytearray(source.read_bytes())
        if how == "aarch64":
            contents[18:20] = EM_AARCH64.to_bytes(2, "little")
        else:
            contents[4] = 1  # ELFCLASS32
        target.write_bytes(contents)
    else:
        raise ValueError(how)


class Place:
    """Installs below `root`, each in <name>/cudnn/lib with the other CUDA libraries beside it.

    A role takes another set's file (heuristic="9.19"), is "gone", or is damaged: "empty", "cut" to a
    third, "text", "folder", "dangling", "aarch64", "32-bit".  `cuda` is a folder of programs.py.
    """

    def __init__(self, root, cuda):
        self.root = pathlib.Path(root)
        self.cuda = pathlib.Path(cuda)
        self.installs = []

    def folder(self, name):
        return self.root / name / "cudnn" / "lib"

    def _empty(self, name):
        folder = self.folder(name)
        folder.mkdir(parents=True)
        self.installs.append(name)
        # Where the RUNPATHs of wheels lead, of all releases.
        for other in ("cublas", "cuda_nvrtc", "cu13"):
            (self.root / name / other).mkdir()
            (self.root / name / other / "lib").symlink_to(self.cuda)
        return folder

    def _install(self, name, of, only, changes, put):
        folder = self._empty(name)
        files = files_of(of)
        for role in {**files, **changes}:
            if only and role not in only:
                continue
            how = changes.get(role)
            if how in SETS:
                put(folder, role, files_of(how)[role], None)
            elif how != "gone":
                put(folder, role, files[role], how)
        return folder

    def wheel(self, name, of, only=(), **changes):
        """Bare libcudnn_ops.so.9."""
        major = SETS[of][1].split(".")[0]

        def put(folder, role, source, how):
            target = folder / name_of(role, "." + major)
            if how:
                damaged(how, source, target)
            else:
                link(source, target)
        return self._install(name, of, only, changes, put)

    def debian(self, name, of, only=(), development=False, **changes):
        """libcudnn_ops.so.9.14.0 and the link libcudnn_ops.so.9 to it."""
        release = SETS[of][1]
        major = release.split(".")[0]

        def put(folder, role, source, how):
            target = folder / name_of(role, "." + release)
            if how == "dangling":
                pass  # the file is gone, the link stays
            elif how:
                damaged(how, source, target)
            else:
                link(source, target)
            (folder / name_of(role, "." + major)).symlink_to(target.name)
            if development:
                (folder / name_of(role, "")).symlink_to(name_of(role, "." + major))
        return self._install(name, of, only, changes, put)

    def tarball(self, name, of, only=(), **changes):
        """As Debian's, and the link libcudnn_ops.so."""
        return self.debian(name, of, only, development=True, **changes)

    def links_to(self, name, other, *roles):
        """A folder of symbolic links to files of another install."""
        folder = self._empty(name)
        for file in sorted(self.folder(other).iterdir()):
            if not roles or role_of(file.name) in roles:
                (folder / file.name).symlink_to(file)
        return folder

    def also(self, name, role, of, ending=".9", subfolder=""):
        """One more file in an install: libcudnn_<role>.so<ending> of another set."""
        link(files_of(of)[role], self.folder(name) / subfolder / name_of(role, ending))

    def include(self, name, of):
        """The headers beside an install, for programs that are built on it."""
        (self.root / name / "cudnn" / "include").symlink_to(prefix_of(of) / "include")

    def without_run_path(self, name, role):
        """Takes RPATH and RUNPATH out of one file, as some repackaging does."""
        if not shutil.which("patchelf"):
            raise NotHere("patchelf is not installed")
        path = next(self.folder(name).glob(name_of(role, ".*")))
        contents = path.read_bytes()
        path.unlink()  # it may be a hard link to the cache
        path.write_bytes(contents)
        os.spawnvp(os.P_WAIT, "patchelf", ["patchelf", "--remove-rpath", str(path)])

    def another_build(self, name, *roles, without=False):
        """Gives files build ids that no catalogue knows, as if they had been compiled once more, or none."""
        for role in roles:
            path = next(self.folder(name).glob(name_of(role, ".*")))
            contents = bytearray(path.read_bytes())
            note = contents.find(GNU_BUILD_ID) + (len(GNU_BUILD_ID) if not without else GNU_BUILD_ID.index(b"GNU"))
            contents[note] ^= 0xFF
            path.unlink()  # it may be a hard link to the cache
            path.write_bytes(contents)
