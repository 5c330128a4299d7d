# SPDX-License-Identifier: BSD-3-Clause
"""Fixes of what doctor finds, in a folder that is named and in the environment that is active."""

import os
import re
import shutil
import unittest

from breaking import (CUDA, CUDNN, JIT, OLDER, OTHER_CUDA, active, added, all_of, broken_link, cut, debian, deleted, header,
                      in_cache, library_path, of_another, of_another_machine, package, uninstalled, variable, without_pip,
                      zeroed)
from broken_programs import LIBRARY, framework
from harness import Fault, FixesTest, advice, first_fix
from local_index import write

FOLDER = ("cudnn-checked doctor ../venv",)
# Root may read all files, unless it gives that up.
SETPRIV = shutil.which("setpriv")
LIMITED = (f"{SETPRIV} --bounding-set=-dac_override,-dac_read_search " * (os.geteuid() == 0) + FOLDER[0],)
HASH = ("cudnn-checked doctor --hash ../venv",)
MACHINE = ("cudnn-checked doctor",)
DEBIAN = ("cudnn-checked doctor ../usr/lib",)
GRAPH = "libcudnn_graph.so.9"
own_in_cache = in_cache(lambda world: world.lib)


def jit(world):
    return world.site / "nvidia" / "cudnn_jit"


def moved_away(world):
    """The cache keeps what was there; the file that names the folder leads to the new one."""
    lib = world.lib.with_name("lib64")
    world.lib.rename(lib)
    (world.covers["/etc"] / "ld.so.conf.d" / "cudnn.conf").write_text(f"{lib}\n")


def preloaded(wheel, library, *others):
    """LD_PRELOAD has it, and others; an entry ends at a space."""
    def break_it(world):
        lib = world.unpack(wheel, world.root.parent / "preloaded")
        world.environment["LD_PRELOAD"] = " ".join([*others, str(lib / library)])
    return break_it


def unreadable(role):
    """With another install's in ld.so.cache, which the loader takes in its place."""
    def break_it(world):
        if os.geteuid() == 0 and not SETPRIV:
            raise unittest.SkipTest("root, and no setpriv that can limit its rights")
        in_cache(lambda world: world.unpack(OLDER, "old"))(world)
        write(world.library(role), world.library(role).read_bytes())
        world.library(role).chmod(0)
    return break_it


def leftovers(world):
    """As pip renames what it replaces: the metadata, and the folder of the files."""
    (world.site / "~vidia_cudnn_cu13-9.19.0.56.dist-info").mkdir()
    for name in ("~udnn", "~udnn_jit"):
        (world.site / "nvidia" / name / "lib").mkdir(parents=True)
        write(world.site / "nvidia" / name / "lib" / "libcudnn.so.9", world.library().read_bytes())


def rebuilt(role):
    """A library of the same release with another build id."""
    def break_it(world):
        world.forget("nvidia-cudnn-cu13")
        data = world.library(role).read_bytes()
        at = data.index(b"GNU\0", data.index(b"\x14\0\0\0\x03\0\0\0GNU\0")) + 4
        write(world.library(role), data[:at] + bytes(range(20)) + data[at + 20:])
    return break_it


def changed(role):
    """Sixteen bytes of it: length, headers and identity stay."""
    def break_it(world):
        data = world.library(role).read_bytes()
        at = len(data) // 2
        write(world.library(role), data[:at] + bytes(b ^ 1 for b in data[at:at + 16]) + data[at + 16:])
    return break_it


class Doctor(FixesTest):
    wheels = (CUDNN, *CUDA)
    faults = (
        Fault("sub-library deleted", "sublibrary-missing|library-missing", deleted("cnn"), FOLDER),
        Fault("two sub-libraries deleted", "sublibrary-missing|library-missing", deleted("graph", "ops"), FOLDER),
        Fault("sub-library deleted in an environment without pip", "sublibrary-missing|library-missing",
              without_pip(deleted("cnn")), FOLDER),
        Fault("sub-library deleted in an environment without pip, and no uv", "sublibrary-missing|library-missing",
              without_pip(deleted("cnn"), uv=False), FOLDER, "-m ensurepip && "),
        Fault("library of another release", "mixed-sublibraries", of_another("heuristic"), FOLDER),
        Fault("library of another release and no record", "mixed-sublibraries",
              of_another("heuristic", record=False), FOLDER),
        Fault("half an upgrade", "mixed-sublibraries", of_another("ops", "cnn", "adv", "heuristic"), FOLDER),
        Fault("cu12 over cu13 in one environment", "record-shared",
              added(OTHER_CUDA), FOLDER),
        Fault("a package without the record of its files", "library-missing", lambda world: next(
            world.site.glob("nvidia_cudnn_cu13-*/RECORD")).unlink(), FOLDER, "--ignore-installed --no-deps "),
        Fault("empty library", "library-corrupt", cut("ops", 0), FOLDER),
        Fault("truncated library", "library-corrupt", cut("graph", 9000), FOLDER),
        Fault("library of zeros", "library-corrupt", zeroed("engines_precompiled", 4096), FOLDER),
        Fault("library with changed contents", "library-corrupt", changed("engines_precompiled"), HASH),
        Fault("library that was built again and no record", "not-of-release", rebuilt("heuristic"), FOLDER),
        Fault("broken link", "sublibrary-missing|library-missing", broken_link("adv"), FOLDER),
        Fault("header of another release", "header-library-mismatch",
              header("cudnn_version.h", "CUDNN_MINOR 19", "CUDNN_MINOR 18"), FOLDER),
        Fault("cuDNN of another release preloaded", "loader-override", preloaded(OLDER, "libcudnn.so.9"), FOLDER,
              "unset LD_PRELOAD"),
        Fault("library of another release preloaded beside others", "mixed-sublibraries",
              preloaded(OLDER, GRAPH, "libm.so.6"), FOLDER, "export LD_PRELOAD=libm.so.6"),
        Fault("a package gets a cuDNN of another release that is preloaded", "loader-override",
              all_of(framework(), preloaded(OLDER, "libcudnn.so.9")), (LIBRARY,), "unset LD_PRELOAD"),
        Fault("graph library that may not be read", "library-corrupt", unreadable("graph"), LIMITED),
        Fault("heuristic library that may not be read", "library-corrupt", unreadable("heuristic"), LIMITED),
        Fault("folders of an interrupted pip", "library-missing", leftovers, FOLDER, "nvidia/~udnn_jit"),
        Fault("wheel of another machine", "wrong-machine", of_another_machine, FOLDER),
        Fault("a package requires another release", "requirement-unmet",
              all_of(uninstalled("nvidia-cudnn-cu13"), added(OLDER),
                     package("framework", "1.0", "nvidia-cudnn-cu13==9.19.0.56")), FOLDER),
        Fault("a package requires cuDNN, and there is none", "requirement-unmet",
              all_of(uninstalled("nvidia-cudnn-cu13"), package("framework", "1.0", CUDNN)), FOLDER),
        Fault("no cuDNN", "cudnn-not-found", all_of(active, uninstalled("nvidia-cudnn-cu13")), MACHINE),
        Fault("library path has only a folder that is gone", "library-missing",
              all_of(active, variable("LD_LIBRARY_PATH", "/gone/it's")), MACHINE),
        Fault("library path has a folder that is gone behind others", "library-missing",
              all_of(library_path(OLDER, "/gone"), active), MACHINE),
        Fault("library path leads to a damaged cuDNN", "library-corrupt", all_of(
            cut("ops", 0), lambda world: variable("LD_LIBRARY_PATH", str(world.lib))(world)), MACHINE),
        Fault("stale loader cache", "library-missing", all_of(own_in_cache, moved_away), MACHINE),
        Fault("loader cache leads to half an upgrade", "mixed-sublibraries", all_of(
            own_in_cache, of_another("ops", "heuristic")), MACHINE),
        Fault("library of a Debian package deleted", "sublibrary-missing|library-missing", lambda world: (
            debian(world) / "libcudnn_cnn.so.9").unlink(), DEBIAN),
        Fault("shim of a Debian package deleted", "library-missing", lambda world: (
            debian(world) / "libcudnn.so.9").unlink(), DEBIAN, "apt-get install --reinstall"),
        Fault("library of a Debian package empty", "library-corrupt", lambda world: write(
            debian(world) / "libcudnn_ops.so.9", b""), DEBIAN),
    )

    without_command = (
        advice("two packages require different releases", "requirement-unmet",
               all_of(package("one", "1.0", CUDNN), package("another", "1.0", OLDER)), FOLDER,
               "one of the two goes elsewhere: which of them is a decision"),
    )

    def test_what_is_preloaded_is_reported_with_the_package_that_gets_it(self):
        world = self.make_world()
        all_of(framework(), preloaded(OLDER, "libcudnn.so.9"))(world)
        status, output = world.sh(FOLDER[0])
        self.assertEqual((status, re.findall(r"(?m)^  (?:used by|fix): +\w+ \S+|^  \[loader-.*", output[output.find("\nwarning: "):])),
                         (0, ["  used by:  framework 2.1", "  fix: unset LD_PRELOAD", "  [loader-override]"]), output)

    def test_none_to_probe(self):
        world = self.make_world()
        all_of(active, uninstalled("nvidia-cudnn-cu13"))(world)
        self.assertEqual(world.sh("cudnn-checked probe"), (
            3, "cudnn-checked: error: probe: no cuDNN was found here; name the directory of one\n"))

    def test_nothing_is_removed_that_cannot_be_fetched_again(self):
        world = self.make_world()
        added(OTHER_CUDA)(world)
        fix = first_fix(world.sh(FOLDER[0])[1], "record-shared")
        self.assertIn(" -m pip uninstall -y ", fix)
        before = sorted(path.name for path in world.site.rglob("*"))
        self.assertNotEqual(world.sh(f"export PIP_FIND_LINKS=/nowhere\n{fix}")[0], 0)
        self.assertEqual(sorted(path.name for path in world.site.rglob("*")), before)
        self.assertEqual(world.sh(fix)[0], 0)
        self.assertNotIn("[record-shared]", world.sh(FOLDER[0])[1])


class JitOnly(FixesTest):
    """The folder of a JIT-only cuDNN whose record is lost."""

    wheels = (JIT, *CUDA)
    faults = (
        Fault("JIT-only: library of another release and no record", "mixed-sublibraries", lambda world: (
            write(jit(world) / "lib" / GRAPH, (world.unpack(CUDNN, "newer") / GRAPH).read_bytes()),
            world.forget("nvidia-cudnn-jit-cu13")), FOLDER, "nvidia-cudnn-jit-cu13==9.14.0.*"),
        Fault("JIT-only: header of another release and no record", "header-library-mismatch", lambda world: (
            write(jit(world) / "include/cudnn_version.h", (jit(world) / "include/cudnn_version.h").read_bytes().replace(
                b"CUDNN_MINOR 14", b"CUDNN_MINOR 18")),
            world.forget("nvidia-cudnn-jit-cu13")), FOLDER, "nvidia-cudnn-jit-cu13==9.14.0.*"),
    )
