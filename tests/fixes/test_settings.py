# SPDX-License-Identifier: BSD-3-Clause
"""Fixes where a person's settings, links and places change what pip and uv do."""

import json
import os
import re
import shutil
import subprocess
import unittest

import surroundings
from breaking import CUDA, CUDNN, OLDER, active, all_of, deleted, variable, without_pip
from broken_programs import LIBRARY, framework
from environments import PYTHON, SITE, quoted
from harness import Fault, FixesTest, advice, first_fix
from local_index import unpack
from random_environments import make_system_python

VENV, LAYER = ("cudnn-checked doctor ../venv",), ("cudnn-checked doctor ../layer",)
PROBE = ("cudnn-checked probe --require loaded ../venv",)
MISSING = "sublibrary-missing|library-missing"
LOST = deleted("cnn")


def setting(name, value, then=LOST):
    return all_of(then, variable(name, value))


def file_of(place, text, then=LOST):
    """A file of settings, below the world's root; those of this machine do not count."""
    def break_it(world):
        then(world)
        for name in ("PIP_CONFIG_FILE", "UV_NO_CONFIG"):
            del world.environment[name]
        (world.root / place).parent.mkdir(parents=True, exist_ok=True)
        (world.root / place).write_text(text)
    return break_it


def named_settings(world):
    file_of("own.toml", '[pip]\ntarget = "/tmp/its own"\n')(world)
    world.environment["UV_CONFIG_FILE"] = str(world.root / "own.toml")


def constrained(text):
    def break_it(world):
        LOST(world)
        (world.home / "own.txt").write_text(text)
    return break_it


def without_wheels(*names):
    def break_it(world):
        LOST(world)
        for name in names:
            del world.environment[name]
    return break_it


def layer(world):
    """A folder of pip install --target."""
    make_system_python(world.root / "usr", False)
    world.start(world.root / "usr" / "bin" / PYTHON, "python3", "pip")
    world.site = world.root / "layer"
    for wheel in (CUDNN, *CUDA):
        unpack(wheel, world.site)
    LOST(world)


def linked(target, folder=False):
    """The library, or the folder that it lies in, is a link to what is not there."""
    def break_it(world):
        (world.root / "elsewhere").mkdir()
        path = world.lib if folder else world.library("cnn")
        shutil.rmtree(path) if folder else path.unlink()
        path.symlink_to(target)
    return break_it


def others_file(world):
    (world.site / "nvidia" / "kernels").mkdir()
    (world.site / "nvidia" / "kernels" / "tuned.bin").touch()


def persons_file(world):
    (world.site / "nvidia" / "cudnn" / "lib" / "plans.json").touch()


def local_wheel(world):
    """Beside cuDNN lies a package that only its author has."""
    layer(world)
    info = world.site / "nvidia_kernels-1.0+own.dist-info"
    info.mkdir()
    (info / "RECORD").write_text("nvidia/kernels/tuned.bin,,\n")
    others_file(world)


def shared(below, then=LOST):
    """A folder of the environment is a link to one that others use."""
    def break_it(world):
        then(world)
        (world.site / below).rename(world.root / "shared")
        (world.site / below).symlink_to(world.root / "shared")
    return break_it


def with_path_file(text, wheel=CUDNN, then=LOST):
    def break_it(world):
        then(world)
        if wheel:
            world.unpack(wheel, "shared")
        (world.root / "shared").mkdir(exist_ok=True)
        (world.site / "shared.pth").write_text(text.format(world.root / "shared"))
    return break_it


def others_library(world):
    LOST(world)
    record = next(world.site.glob("nvidia_cudnn_cu13-*")) / "RECORD"
    text = record.read_text() + "nvidia/cu13/lib/libcublasLt.so.13,,\n"
    record.unlink()
    record.write_text(text)


def module_of_folder(world):
    LOST(world)
    (world.home / "pip.py").touch()


def half_a_pip(then):
    """What an interrupted upgrade leaves."""
    def break_it(world):
        for path in world.site.glob("pip*"):
            path.unlink()
        (world.site / "pip" / "__pycache__").mkdir(parents=True)
        then(world)
    return break_it


def folder_of_wheels(tool, *wheels):
    """A folder in place of an index, by a name without blanks."""
    def break_it(world):
        LOST(world)
        folder = world.root.parent / "wheels"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for name, number in (wheel.split("==") for wheel in wheels):
            (folder / f"{name.replace('-', '_')}-{number}-py3-none-any.whl").touch()
        world.environment[f"{tool}_FIND_LINKS"] = folder.as_uri()
    return break_it


class Settings(FixesTest):
    wheels = (CUDNN, *CUDA)
    faults = (
        Fault("user", MISSING, setting("PIP_USER", "1"), VENV + PROBE, runs="unset PIP_USER && "),
        Fault("user, off", MISSING, setting("PIP_USER", "off"), VENV),
        Fault("target", MISSING, setting("PIP_TARGET", "/tmp/its own"), VENV, runs="unset PIP_TARGET && "),
        Fault("prefix", MISSING, setting("PIP_PREFIX", "/tmp/its own"), VENV, runs="unset PIP_PREFIX && "),
        Fault("dry run", MISSING, setting("PIP_DRY_RUN", "1"), VENV, runs="unset PIP_DRY_RUN && "),
        Fault("two", MISSING, setting("PIP_ROOT", "/tmp/its own", setting("PIP_USER", "1")), VENV,
              runs="unset PIP_ROOT && "),
        Fault("a virtual environment is required, and is one", MISSING,
              setting("PIP_REQUIRE_VIRTUALENV", "1"), VENV),
        Fault("a virtual environment is required, and a folder is none", MISSING,
              setting("PIP_REQUIRE_VIRTUALENV", "1", layer), LAYER, runs="unset PIP_REQUIRE_VIRTUALENV && "),
        Fault("user, and a folder", MISSING, setting("PIP_USER", "1", layer), LAYER, runs="unset PIP_USER && "),
        Fault("target, and a folder", MISSING, setting("PIP_TARGET", "/tmp/its own", layer), LAYER),
        Fault("settings of another command", MISSING,
              file_of("venv/pip.conf", "[download]\nplatform = any\n[global]\nuser = false\n"), VENV),
        Fault("a link in a circle", MISSING, linked("libcudnn_cnn.so.9"), VENV, runs="rm "),
        Fault("a link to a file that is gone", MISSING,
              lambda world: linked(world.root / "elsewhere" / "libcudnn_cnn.so.9")(world), VENV, runs="rm "),
        Fault("the same without pip", MISSING, without_pip(linked("/gone/libcudnn_cnn.so.9")), VENV, runs="rm "),
        Fault("the folder is a link to one that is gone", "library-missing",
              all_of(active, linked("/gone/cudnn", folder=True)), ("cudnn-checked doctor",), runs="rm "),
        Fault("half a pip, and uv", MISSING, half_a_pip(all_of(LOST, lambda world: world.add_uv())), VENV, "uv pip"),
        Fault("a file of paths, to what has no cuDNN", MISSING, with_path_file("{}\n", None), VENV),
        Fault("a file of paths, and a package again", MISSING, with_path_file("{}\n", OLDER), VENV),
        Fault("a file of paths with code that is of no matter", MISSING, with_path_file("import os\n"), VENV),
        Fault("the folder of another layer is a link", MISSING, shared("nvidia/cudnn", layer), LAYER),
    )
    without_command = (
        advice("target in a file", MISSING, file_of("venv/pip.conf", "[install]\ntarget = /tmp/its own\n"), VENV,
               "what the file is for is not known"),
        advice("user in a file of this user", MISSING,
               file_of("home/.config/pip/pip.conf", "# my own\n[global]\nuser = yes\n"), VENV, "likewise"),
        advice("user in an older file of this user", MISSING,
               file_of("home/.pip/pip.conf", "[global]\nuser: true\n"), VENV, "likewise"),
        advice("target in a file, in capitals and behind a comment", MISSING,
               file_of("home/.config/pip/pip.conf", "[global] ; of: the group\nTarget = /tmp/its own\n"), VENV, "likewise"),
        advice("target in a file of uv that a variable names", MISSING, without_pip(named_settings), VENV, "likewise"),
        advice("prefix in a file of uv", MISSING, without_pip(file_of("home/uv.toml", '[pip]\nprefix = "/tmp/own"\n')),
               VENV, "likewise"),
        advice("a folder that others use", MISSING, shared("nvidia/cudnn"), VENV, "it is not this environment's"),
        advice("all of NVIDIA's is a folder that others use", MISSING, shared("nvidia"), VENV, "likewise"),
        advice("the same, and a folder of pip install --target", MISSING, shared("nvidia", layer), LAYER,
               "pip leaves such links alone"),
        advice("another's files in a folder of pip install --target", MISSING, all_of(layer, others_file), LAYER,
               "pip would remove them"),
        advice("a person's file in cuDNN's folder of pip install --target", MISSING, all_of(layer, persons_file), LAYER,
               "likewise"),
        advice("half a pip", MISSING, half_a_pip(LOST), VENV, "no pip starts"),
        advice("code that changes where pip looks", MISSING,
               with_path_file("import sys; sys.path.insert(0, '{}')\n"), VENV, "which comes first is not known"),
        advice("a module of the working directory is called pip", MISSING, module_of_folder, VENV, "it is started"),
        advice("in the tree of a container", MISSING, all_of(framework(CUDNN), deleted("graph")),
               (LIBRARY.replace("verify ..", 'verify --root / "$PWD"/..'),), "here the same path is another's"),
    )
    # What may fail, because the packages to choose from are not those of PyPI: the command cannot be tried.
    limited = (
        setting("PIP_CONSTRAINT", "constraints.txt"),
        setting("PIP_INDEX_URL", "https://example.com/simple"),
        others_library,  # pip removes what a record lists
        file_of("venv/pip.conf", "[install]\nno_index = true\nconstraint = a.txt\n"),
        file_of("venv/pip.conf", "[global]\n  index-url =\n    https://example.com/simple\n"),
        without_pip(setting("UV_CONSTRAINT", "constraints.txt")),
        without_pip(setting("UV_EXTRA_INDEX_URL", "https://example.com/simple")),
        without_pip(file_of("home/pyproject.toml", '[tool.uv] # all\nconstraint-dependencies = ["a>=1"]\n')),
        without_pip(file_of("home/uv.toml", 'required-version = ">=0.1"\n')),
        without_pip(file_of("home/uv.toml", 'exclude-newer = "2024-01-01T00:00:00Z"\n')),
        without_pip(file_of("home/pyproject.toml", '[[tool.uv.index]]\nurl = "https://example.com"\n')),
    )
    # What surely fails, and the setting that is the reason.
    forbidden = (
        ("PIP_NO_BINARY", setting("PIP_NO_BINARY", ":all:")),
        ("PIP_NO_BINARY", setting("PIP_NO_BINARY", "numpy,nvidia-cudnn-cu13")),
        ("PIP_REQUIRE_HASHES", setting("PIP_REQUIRE_HASHES", "1")),
        ("PIP_CONSTRAINT", setting("PIP_CONSTRAINT", "own.txt", constrained("nvidia-cudnn-cu13==9.14.0.64\n"))),
        ("PIP_NO_INDEX", without_wheels("PIP_FIND_LINKS")),
        ("PIP_NO_INDEX", folder_of_wheels("PIP", OLDER)),
        ("UV_OFFLINE", without_pip(folder_of_wheels("UV", OLDER))),
        ("UV_OFFLINE", without_pip(without_wheels("UV_FIND_LINKS"))),
        ("the setting no-binary in W/home/.config/uv/uv.toml",
         without_pip(file_of("home/.config/uv/uv.toml", "[pip]\nno-binary = [':all:']\n"))),
    )
    # What is no setting of theirs.
    unlimited = (
        folder_of_wheels("PIP", OLDER, CUDNN),
        without_pip(folder_of_wheels("UV", CUDNN)),
        setting("PIP_CONSTRAINT", ""),
        file_of("venv/pip.conf", "[global]\ntimeout = 60\n; user = yes\n[list]\nuser = true\n"),
        file_of("venv/pip.conf", "[global]\n  timeout = 60\n  retries =\n   1\n[list]\nindex-url =\n a\n"),
        without_pip(setting("UV_OFFLINE", "0")),
        without_pip(file_of("home/pyproject.toml", "[project]\nindex = 1\n[tool.uv]\nmanaged = true\n")),
        without_pip(file_of("home/uv.toml", "offline = false\n")),
    )

    def tried(self, world, check):
        """What is known of the first command of each finding."""
        report = json.loads(world.sh(f"{check} --json 2>/dev/null")[1])
        findings = report["findings"] or [f for install in report["cudnn"] for f in install["findings"]]
        return {f["fixes"][0].get("tried") for f in findings if f["severity"] == "error"}

    def test_where_packages_may_be_missing(self):
        for expected, rows in (("unknown", self.limited), ("green", self.unlimited)):
            for number, break_it in enumerate(rows):
                self.setUp()
                world = self.make_world()
                break_it(world)
                for check in VENV + PROBE:
                    with self.subTest(expected, row=number, check=check):
                        output = world.sh(check)[1]
                        self.assertEqual(self.tried(world, check), {expected}, output)
                        self.assertEqual({"fix": "green", "try": "unknown"}[re.search("(fix|try): ", output)[1]], expected)

    def test_the_setting_that_forbids_the_command(self):
        for name, break_it in self.forbidden:
            self.setUp()
            world = self.make_world()
            break_it(world)
            for check in VENV + PROBE:
                with self.subTest(name, check=check):
                    line = first_fix(world.sh(check)[1], MISSING).replace(str(world.root), "W")
                    self.assertRegex(line, f"^without {name}, which forbids it: .*pip install .*nvidia-cudnn-cu13==9.19.0.56$")

    def test_a_package_that_only_its_author_has(self):
        world = self.make_world()
        local_wheel(world)
        self.assertEqual(self.tried(world, LAYER[0]), {"unknown"})

    def first_words(self, world):
        return first_fix(world.sh(VENV[0])[1], MISSING)

    def test_a_folder_that_nobody_may_change(self):
        world = self.make_world()
        LOST(world)
        if not shutil.which("chattr") or subprocess.run(
                ["chattr", "+i", world.lib], stderr=subprocess.DEVNULL).returncode != 0:
            raise unittest.SkipTest("chattr +i is not possible here")
        self.addCleanup(subprocess.run, ["chattr", "-i", world.lib])
        self.assertRegex(self.first_words(world), "^after chattr -ia '.*/nvidia/cudnn/lib': .* -m pip install ")

    def on_a_file_system(self, options, fill, break_it=LOST):
        """What doctor prints of a copy of the environment, on a file system of its own that `fill` has changed."""
        if os.geteuid() != 0 or surroundings.why_not():
            raise unittest.SkipTest(f"no file system can be mounted here: {surroundings.why_not() or 'not root'}")
        world = self.make_world()
        break_it(world)
        venv, mount = quoted(str(world.root / "venv")), quoted(shutil.which("mount"))
        status, output = world.sh(f"""mkdir ../own && {mount} -t tmpfs -o {options} none ../own && cp -aL {venv} ../own
            cd ../own; {fill.replace('mount', mount)}; cudnn-checked doctor venv""")
        self.assertEqual(status, 1, output)
        return output

    def test_a_full_file_system(self):
        dd = quoted(shutil.which("dd")) + " if=/dev/zero"
        for options, fill in (("size=64m", f"{dd} of=rest bs=1M 2>/dev/null"),
                              ("size=64m", f"{dd} of=a bs=1K count=100 2>/dev/null; {dd} of=b 2>/dev/null; rm a"),
                              ("nr_inodes=2000", "i=0; while true >rest$i; do i=$((i + 1)); done 2>/dev/null")):
            with self.subTest(options):
                self.setUp()
                self.assertIn("fix: after making room on the file system of ", self.on_a_file_system(options, fill))

    def test_a_full_folder_for_temporary_files(self):
        scratch = "mkdir tmp && mount -t tmpfs -o size=4k none tmp; export TMPDIR=$PWD/tmp"
        self.assertRegex(self.on_a_file_system("size=64m", scratch),
                         "fix: after making room on the file system of .*/own/tmp: .* -m pip install ")
        self.setUp()
        self.assertRegex(self.on_a_file_system("size=64m", scratch.replace("4k", "64m")), "fix: '.* -m pip install ")
        self.setUp()
        self.assertRegex(self.on_a_file_system("size=64m", scratch, without_pip(LOST)),
                         "fix: after making room on the file system of .*/own/tmp: uv pip install ")

    def test_what_is_mounted_is_not_replaced(self):
        lib = f"venv/{SITE}/nvidia/cudnn/lib"
        for place in (lib, f"{lib}/libcudnn_ops.so.9"):
            with self.subTest(place):
                self.setUp()
                self.assertRegex(self.on_a_file_system("size=64m", f"mount --bind {place} {place}"),
                                 f"fix: after umount '.*/{place}': .* -m pip install ")

    def test_what_another_user_owns_in_a_sticky_folder(self):
        if os.geteuid() != 0 or not shutil.which("setpriv"):
            raise unittest.SkipTest("only root can give files to others")
        world = self.make_world()
        LOST(world)
        self.shared.chmod(0o755)
        for folder, _, _ in os.walk(world.site):
            os.chmod(folder, 0o1777)
        # Another user, who may read all that root may.
        may = "caps=+dac_override,+dac_read_search"
        command = f"{quoted(shutil.which('setpriv'))} --reuid=65534 --inh-{may} --ambient-{may} {VENV[0]}"
        output = world.sh(command)[1]
        self.assertRegex(first_fix(output, MISSING), "^by the user who owns /.*: .* -m pip install ")
