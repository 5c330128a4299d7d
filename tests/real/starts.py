# SPDX-License-Identifier: BSD-3-Clause
"""Ways in which a program is started and its search paths are written, for test_predicted_dlopen.py.

Libraries here have only a name, and lie in folders with one letter below `root`; the program is
<root>/bin/ask.  What is true of an arrangement is not written down: the real loader says it.
"""

import dataclasses
import os
import pathlib
import shutil
import typing

SHIM, OPS = "libcudnn.so.9", "libcudnn_ops.so.9"
# A directory below one of the loader's own, over which something can be laid without harm.
BELOW_DEFAULT = "/usr/lib/tmpfiles.d"


@dataclasses.dataclass
class Start:
    name: str
    # Folders that have the shim; "a/tls" is one as well.
    shims: tuple = ("a",)
    # Run path of the program, and whether it is an RPATH.
    run_path: typing.Optional[str] = None
    rpath: bool = False
    variables: dict = dataclasses.field(default_factory=dict)
    # "", "ld.so", "set-uid", "set-gid", "set-gid without x", "capabilities", "user".
    how: str = ""
    # Of the loader, before the program.
    options: tuple = ()
    # The path by which the program is started, seen from `cwd`.
    program: str = "{root}/bin/ask"
    cwd: str = "c"
    # More that is done to the files.
    make: typing.Callable = lambda root: None
    # Contents of /etc/ld.so.preload, and folders of /etc/ld.so.cache.
    preload: typing.Optional[str] = None
    cache: tuple = ()
    # A directory over which `b` is laid, with the second library in it; it is in the cache.
    covered: str = ""
    asks: str = SHIM
    # Every variable of it stands in the environment, in this order.
    twice: tuple = ()


def changed(folder, **bytes_at):
    """The shim of a folder with other bytes: at_5=2."""
    def make(root):
        path = root / folder / SHIM
        data = bytearray(path.read_bytes())
        for where, value in bytes_at.items():
            data[int(where[3:])] = value
        path.write_bytes(data)
    return make


def cut(folder, size, **bytes_at):
    def make(root):
        changed(folder, **bytes_at)(root)
        os.truncate(root / folder / SHIM, size)
    return make


def written(folder, contents):
    return lambda root: (root / folder / SHIM).write_bytes(contents)


def linked(path, target):
    def make(root):
        (root / path).unlink(missing_ok=True)
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).symlink_to(target)
    return make


def allowed(path, mode):
    return lambda root: (root / path).chmod(mode)


def needing(run_path, name=OPS, rpath=False, at=("a",), patch=()):
    """The shim of `a` has a run path of its own and NEEDs a second library, which lies in `at`."""
    def make(root):
        from support.patching import patchelf
        for folder in at:
            (root / folder).mkdir(exist_ok=True)
            shutil.copyfile(root / OPS, root / folder / OPS)
        shim = root / "a" / SHIM
        patchelf(shim, "--add-needed", name)
        if run_path is not None:
            patchelf(shim, *(["--force-rpath"] if rpath else []), "--set-rpath",
                     run_path.format(root=root))
        if patch:
            patchelf(shim, *patch)
    return make


def secure():
    def start(name, run_path, shims=("a", "b"), **more):
        return Start("set-uid, " + name, shims, run_path, how=more.pop("how", "set-uid"), **more)
    yield start("$ORIGIN of its own", "$ORIGIN/../a", ("a",))
    yield start("$ORIGIN of its own, then another", "$ORIGIN/../a:{root}/b")
    yield start("$ORIGIN of its own RPATH, then another", "$ORIGIN/../a:{root}/b", rpath=True)
    yield start("an absolute RUNPATH", "{root}/a", ("a",), cache=("b",))
    yield start("an absolute RPATH", "{root}/a", ("a",), rpath=True)
    yield start("a relative entry", "../a", ("a",))
    yield start("the working directory", ".", ("c",))
    yield start("an empty entry", ":{root}/a", ("a", "c"))
    yield start("$ORIGIN not at the beginning", "/$ORIGIN/../a:{root}/b")
    yield start("$ORIGIN that leads to a default directory", "$ORIGIN/../../../usr/lib/none:{root}/b")
    yield start("$PLATFORM", "{root}/$PLATFORM:{root}/b", ("x86_64", "aarch64", "b"))
    yield start("$PLATFORM with Intel's names", "{root}/$PLATFORM:{root}/b",
                ("x86_64", "haswell", "xeon_phi", "aarch64", "b"))
    yield start("$LIB", "{root}/$LIB:{root}/b", ("lib/x86_64-linux-gnu", "lib64", "b"))
    yield start("LD_LIBRARY_PATH", "{root}/b", variables={"LD_LIBRARY_PATH": "{root}/a"})
    yield start("LD_PRELOAD", "{root}/b", variables={"LD_PRELOAD": "{root}/a/" + SHIM})
    yield start("GLIBC_TUNABLES", "{root}/a", ("a", "a/glibc-hwcaps/x86-64-v3"),
                variables={"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2"})
    yield start("a tls directory", "{root}/a", ("a", "a/tls"))
    yield start("a preload file", "{root}/b", preload="{root}/a/" + SHIM)
    for token in ("$ORIGIN", "${{ORIGIN}}/../b", "x/$ORIGIN"):
        at = ("a", "b")
        yield start(f"RUNPATH {token.format()} of a library", "{root}/a", ("a",), make=needing(token, at=at))
    yield start("RPATH $ORIGIN of a library", "{root}/a", ("a",), make=needing("$ORIGIN", rpath=True))
    yield Start("file capabilities, $ORIGIN of its own", ("a", "b"), "$ORIGIN/../a:{root}/b",
                how="capabilities")
    yield Start("set-gid, $ORIGIN of its own", ("a", "b"), "$ORIGIN/../a:{root}/b", how="set-gid")
    yield Start("set-gid without group-execute, $ORIGIN of its own", ("a", "b"),
                "$ORIGIN/../a:{root}/b", how="set-gid without x")


def by_the_loader():
    def start(name, run_path="$ORIGIN/../a", **more):
        return Start("ld.so, " + name, more.pop("shims", ("a", "b")), run_path, how="ld.so", **more)
    yield start("RUNPATH")
    yield start("RPATH", rpath=True)
    yield start("a relative path", program="../bin/ask")
    yield start("a path with a dot", program="../bin/./ask")
    through = linked("links/sub", "../bin/ask")
    yield start("a link, whose directory is $ORIGIN", "$ORIGIN/a:{root}/b", program="{root}/links/sub",
                shims=("a", "links/a", "b"), make=through)
    yield start("a link, from its directory", "$ORIGIN/a:{root}/b", program="./sub", cwd="links",
                shims=("links/a", "b"), make=through)
    yield start("--argv0", options=("--argv0", "other"))
    yield start("--library-path", options=("--library-path", "{root}/b"))
    yield start("--library-path and LD_LIBRARY_PATH", options=("--library-path", "{root}/b"),
                variables={"LD_LIBRARY_PATH": "{root}/a"})
    yield start("--inhibit-cache and --library-path", options=("--inhibit-cache", "--library-path", "{root}/b"))
    levels = tuple(f"a/glibc-hwcaps/{name}" for name in ("x86-64-v2", "x86-64-v3", "x86-64-v4", "own", "other"))
    for options in (("--glibc-hwcaps-mask", "x86-64-v2"), ("--glibc-hwcaps-mask", "none"), ("--glibc-hwcaps-mask", ""),
                    ("--glibc-hwcaps-mask", "x86-64-v4:x86-64-v2"), ("--glibc-hwcaps-prepend", "gone:own:other"),
                    ("--glibc-hwcaps-prepend", "own", "--glibc-hwcaps-mask", "other"),
                    ("--glibc-hwcaps-mask", "x86-64-v3", "--glibc-hwcaps-mask", "x86-64-v2")):
        yield start(" ".join(options), options=options, shims=("a", *levels))
    yield start("--glibc-hwcaps-mask none with directories of older kinds", options=("--glibc-hwcaps-mask", "none"),
                shims=("a", "a/glibc-hwcaps/x86-64-v2", "a/tls"))
    yield start("--glibc-hwcaps-mask and the cache", None, options=("--glibc-hwcaps-mask", "x86-64-v2"), cache=("a",),
                shims=("a", "a/glibc-hwcaps/x86-64-v2", "a/glibc-hwcaps/x86-64-v3"))
    yield start("LD_LIBRARY_PATH with $ORIGIN", variables={"LD_LIBRARY_PATH": "$ORIGIN/../b"})
    yield start("an environment with LD_PRELOAD", variables={"LD_PRELOAD": "$ORIGIN/../b/" + SHIM})


def lists():
    def start(name, path, shims=("a", "b"), **more):
        return Start(name, shims, more.pop("run_path", None), variables={"LD_LIBRARY_PATH": path}, **more)
    both = "{root}/a:{root}/b"
    loop = linked("a/" + SHIM, SHIM)
    yield start("a link to itself in the list, and another directory", both, make=loop)
    yield start("a link to itself in the list, and a RUNPATH", both, make=loop, run_path="{root}/b")
    yield Start("a link to itself in the RUNPATH", ("a", "b"), both, make=loop)
    yield Start("a link to itself in the RUNPATH, and the cache", ("a", "b"), both, make=loop, cache=("b",))
    yield start("two links to each other", both, make=lambda root: (
        linked("a/" + SHIM, "other")(root), linked("a/other", SHIM)(root)))
    yield start("a directory that is a link to itself", "{root}/loop:{root}/b", ("b",),
                make=linked("loop", "loop"))
    yield start("a link to itself in a tls directory", both, make=linked("a/tls/" + SHIM, SHIM))
    yield start("a link to nowhere", both, make=linked("a/" + SHIM, "gone"))
    yield start("a file in the place of a directory", "{root}/a/" + SHIM + ":{root}/b")
    yield start("a file without permission", both, make=allowed("a/" + SHIM, 0), how="user")
    yield start("a directory that may not be entered", both, make=allowed("a", 0o644), how="user")
    yield start("a directory that may not be listed", both, make=allowed("a", 0o711), how="user")
    yield start("the same, with a tls directory", both, ("a", "a/tls", "b"),
                make=allowed("a", 0o711), how="user")
    one, other = "LD_LIBRARY_PATH={root}/a", "LD_LIBRARY_PATH={root}/b"
    yield Start("LD_LIBRARY_PATH twice", ("a", "b"), twice=(one, other))
    yield Start("LD_LIBRARY_PATH twice, the last is empty", ("a", "b"), "{root}/b",
                twice=(one, "LD_LIBRARY_PATH="))
    yield Start("LD_PRELOAD twice", ("a", "b"), twice=("LD_PRELOAD={root}/a/" + SHIM,
                                                       "LD_PRELOAD={root}/b/" + SHIM))


def headers():
    def start(name, make):
        return Start(name, ("a", "b"), variables={"LD_LIBRARY_PATH": "{root}/a:{root}/b"}, make=make)
    for name, bytes_at in (
            ("big-endian", {"at_5": 2}), ("byte order 7", {"at_5": 7}), ("OS ABI 9", {"at_7": 9}),
            ("OS ABI GNU", {"at_7": 3}), ("a version of its ABI", {"at_8": 9}), ("padding", {"at_9": 1}),
            ("its version 2", {"at_6": 2}), ("32 bits", {"at_4": 1}), ("class 7", {"at_4": 7}),
            ("32 bits, big-endian", {"at_4": 1, "at_5": 2}), ("aarch64", {"at_18": 183}),
            ("aarch64, version 2", {"at_18": 183, "at_20": 2}), ("an object file", {"at_16": 1}),
            ("no program headers", {"at_56": 0}), ("program headers of another size", {"at_54": 9})):
        yield start(name, changed("a", **bytes_at))
    yield start("32 bits, 52 bytes", cut("a", 52, at_4=1))
    yield start("32 bits, 64 bytes", cut("a", 64, at_4=1))
    yield start("63 bytes", cut("a", 63))
    yield start("empty", written("a", b""))
    yield start("a directory", lambda root: ((root / "a" / SHIM).unlink(), (root / "a" / SHIM).mkdir()))
    yield start("a device", linked("a/" + SHIM, "/dev/null"))
    yield start("text", written("a", b"GROUP ( libcudnn.so.9 )\n" * 4))


def for_this_cpu():
    def start(name, *shims, tunables=None, **more):
        variables = {"LD_LIBRARY_PATH": "{root}/a"}
        if tunables:
            variables["GLIBC_TUNABLES"] = tunables
        return Start(name, ("a", *[f"a/{folder}" for folder in shims]), variables=variables, **more)
    yield start("tls", "tls")
    yield start("the platform", "x86_64", "aarch64")
    yield start("tls and the platform", "tls/x86_64", "tls", "x86_64", "tls/aarch64", "aarch64")
    yield start("tls and the platform twice", "tls/x86_64/x86_64", "tls/x86_64", "tls")
    words = ("x86_64", "haswell", "xeon_phi", "aarch64")
    for tunables in (None, "glibc.cpu.hwcaps=-AVX2,-AVX2_Usable,-AVX512PF", "glibc.cpu.hwcaps=-AVX,-SSSE3",
                     "glibc.cpu.hwcaps=-OSXSAVE", "glibc.cpu.hwcaps=-XSAVE,-XSAVEC"):
        yield Start(f"$PLATFORM {tunables or ''}", ("b", *words), "{root}/$PLATFORM:{root}/b",
                    variables={"GLIBC_TUNABLES": tunables} if tunables else {})
    yield Start("$PLATFORM of LD_LIBRARY_PATH", ("b", *words), "{root}/b",
                variables={"LD_LIBRARY_PATH": "{root}/${{PLATFORM}}"})
    yield start("Intel's names", "haswell", "avx512_1", "haswell/avx512_1", "haswell/x86_64")
    yield start("glibc-hwcaps and tls", "glibc-hwcaps/x86-64-v2", "tls")
    levels = [f"glibc-hwcaps/x86-64-v{n}" for n in (2, 3, 4)]
    yield start("all levels", *levels)
    for tunables in ("glibc.cpu.hwcaps=-AVX512F", "glibc.cpu.hwcaps=-AVX2,-AVX2_Usable",
                     "glibc.malloc.check=0:glibc.cpu.hwcaps=-XSAVEC,-LZCNT:glibc.rtld.nns=4",
                     "glibc.cpu.hwcaps=-SSSE3", "glibc.cpu.hwcaps=AVX2,-F16C"):
        yield start(tunables, *levels, tunables=tunables)
    yield Start("tls in the cache", ("a", "a/tls"), cache=("a",))
    yield Start("a level in the cache", ("a", "a/glibc-hwcaps/x86-64-v2"), cache=("a",))


def others():
    # The program itself could not start so: it finds glibc in a default directory.
    for name, run_path, at, more in (
            ("in the cache", None, ("b",), {"cache": ("b",)}),
            ("in RUNPATH and cache", "$ORIGIN", ("a", "b"), {"cache": ("b",)}),
            ("in LD_LIBRARY_PATH", None, ("b",), {"variables": {"LD_LIBRARY_PATH": "{root}/b"}}),
            ("in the cache, below a default directory", None, (), {"covered": BELOW_DEFAULT})):
        yield Start("nodefaultlib, " + name, run_path="{root}/a",
                    make=needing(run_path, at=at, patch=("--no-default-lib",)), **more)
    yield Start("in the cache, below a default directory", run_path="{root}/a", covered=BELOW_DEFAULT,
                make=needing(None, at=()))
    yield Start("LD_PRELOAD with $ORIGIN", variables={"LD_PRELOAD": "$ORIGIN/../a/" + SHIM})
    yield Start("LD_PRELOAD with ${ORIGIN}, and a path",
                ("a", "b"), variables={"LD_PRELOAD": "${{ORIGIN}}/../a/" + SHIM, "LD_LIBRARY_PATH": "{root}/b"})
    yield Start("LD_PRELOAD of a name", ("a", "b"), "{root}/b",
                variables={"LD_PRELOAD": "gone.so:" + SHIM, "LD_LIBRARY_PATH": "{root}/a"})
    yield Start("a preload file", preload="{root}/a/" + SHIM + "\n")
    yield Start("a preload file with comments and $ORIGIN", ("a", "b"),
                preload="# {root}/b/" + SHIM + "\n\t/gone.so:$ORIGIN/../a/" + SHIM + " # {root}/b\n")
    yield Start("a preload file and LD_PRELOAD", ("a", "b"), preload="{root}/b/" + SHIM,
                variables={"LD_PRELOAD": "{root}/a/" + SHIM})
    for name in ("$ORIGIN/../b/" + OPS, "${{ORIGIN}}/deps/" + OPS, "$ORIGIN/gone/" + OPS):
        yield Start("NEEDED " + name.format(), variables={"LD_LIBRARY_PATH": "{root}/a"},
                    make=needing(None, name.format(), at=("b", "a/deps")))
    yield Start("a library's own directory and LD_LIBRARY_PATH", variables={"LD_LIBRARY_PATH": "{root}/a:{root}/b"},
                make=needing("$ORIGIN", at=("a", "b")))
    yield Start("a set in two directories of LD_LIBRARY_PATH", variables={"LD_LIBRARY_PATH": "{root}/b:{root}/a"},
                make=needing("$ORIGIN", at=("b",)))
    yield Start("a set in a RUNPATH and the cache", run_path="{root}/a", cache=("b",),
                make=needing("$ORIGIN", at=("b",)))
    yield Start("a path", ("a", "b"), asks="{root}/a/" + SHIM, variables={"LD_LIBRARY_PATH": "{root}/b"})


STARTS = [*secure(), *by_the_loader(), *lists(), *headers(), *for_this_cpu(), *others()]


def put(start, root, program, libraries):
    """Arranges the files; returns the directory in which the program is started."""
    root.chmod(0o755)
    for name in ("a", "b", "c", "bin", "links"):
        (root / name).mkdir()
    shutil.copyfile(libraries[OPS], root / OPS)
    for folder in start.shims:
        (root / folder).mkdir(parents=True, exist_ok=True)
        shutil.copyfile(libraries[SHIM], root / folder / SHIM)
    ask = root / "bin" / "ask"
    shutil.copyfile(program, ask)
    ask.chmod(0o755)
    start.make(root)
    return pathlib.Path(root / start.cwd)
