# SPDX-License-Identifier: BSD-3-Clause
"""From nothing to a refusal: README's program, which finds the package as one channel brings it."""

import os
import pathlib
import re
import shutil
import subprocess
import unittest

from real.isolation import default_directories_have_cudnn
from home_cache import HOME_CACHE
from support import REPOSITORY, ScratchTest, cmake_program
from support.environment import RELEASE, compiler_cache
from support.readme import readme_blocks
from support.wheel import install_tree, run

WHERE = """\
get_property(directory GLOBAL PROPERTY _cudnn_checked_included)
message(STATUS "found in ${directory}")
"""


def fetched(name):
    """The directory of a cuDNN of scripts/cudnn_sets.txt, above include and lib."""
    done = subprocess.run(["sh", REPOSITORY / "scripts/fetch_cudnn.sh", name], stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise unittest.SkipTest("PyPI cannot be reached, and the cache has no real cuDNN")
    return pathlib.Path(done.stdout.strip(), "nvidia/cudnn_jit")


def installed(*words):
    """What scripts/install_missing.sh installs for these words; without it the test is skipped."""
    done = subprocess.run(["sh", REPOSITORY / "scripts/install_missing.sh", *words], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        raise unittest.SkipTest(done.stdout.splitlines()[-1].strip())


def from_pypi(*requirements):
    """The folder of the programs of these packages, in an environment of their own in the cache."""
    venv = HOME_CACHE / "channels" / re.sub(r"[^\w.=-]+", "-", "+".join(requirements))
    if not (venv / "complete").exists():
        shutil.rmtree(venv, ignore_errors=True)
        try:
            run("python3", "-m", "venv", venv)
            run(venv / "bin/pip", "install", "--quiet", "--disable-pip-version-check", *requirements)
        except RuntimeError as wrong:
            raise unittest.SkipTest(f"PyPI has no {' '.join(requirements)} for this machine: "
                                    + str(wrong).strip().splitlines()[-1]) from wrong
        (venv / "complete").touch()
    return venv / "bin"


def copy_sources(directory):
    """The sources, as an archive of a release has them, in the new folder `directory`, which is returned."""
    skipped = shutil.ignore_patterns(".git", "__pycache__", ".cache")
    return pathlib.Path(shutil.copytree(
        REPOSITORY, directory, symlinks=True,
        ignore=lambda folder, names: {*skipped(folder, names), *(["build"] if folder == str(REPOSITORY) else [])}))


def variables(directory):
    """In which the recipes are built below `directory`.  Those that give the same flags compile once: by one generator,
    and ccache."""
    return {**os.environ, **compiler_cache(directory), "CMAKE_GENERATOR": "Ninja" if shutil.which("ninja") else "Unix Makefiles"}


def packed(directory, generator, ending):
    """The package that CPack makes, below `directory`, with the program under test: it is not compiled again."""
    install_tree(directory)
    run(pathlib.Path(os.path.realpath(cmake_program())).with_name("cpack"), "-G", generator, "-B", directory / "packages",
        "--config", directory / "build/CPackConfig.cmake", cwd=directory)
    package, = (directory / "packages").glob(f"*{ending}")
    return package


class ChannelTest(ScratchTest):
    """self.cudnn is the JIT-only 9.14.0; self.mixed has its files, but the graph library of 9.13.0."""

    def setUp(self):
        super().setUp()
        self.cudnn = fetched("jit")
        self.mixed = self.scratch / "mixed"
        shutil.copytree(self.cudnn / "lib", self.mixed, symlinks=True)
        shutil.copy(fetched("older-cu13") / "lib/libcudnn_graph.so.9", self.mixed)
        cmake_lists, app, _ = readme_blocks("In your project")
        lines = [line for line in cmake_lists.splitlines() if not line.startswith("add_subdirectory(")]
        self.app = self.consumer(cmake_lists="\n".join([*lines, WHERE]), **{"app.cpp": app + "\n"})

    def assert_succeeds(self, done):
        self.assertEqual(done.status, 0, done.output)
        return done.output

    def assert_found(self, directory, *arguments, environment=None):
        """Configures the program with these CMake arguments and variables, and finds the package in `directory`."""
        if not hasattr(self.app, "root") and default_directories_have_cudnn():
            self.skipTest("a cuDNN in the loader's default directories lends to the one under test what that lacks")
        shutil.rmtree(self.app.build_directory, ignore_errors=True)
        output = self.assert_succeeds(self.app.configure(
            f"-DCuDNNChecked_ROOT={self.cudnn}", "-DCuDNNChecked_REQUIRE=LOADED", *arguments, environment=environment))
        self.assertEqual(re.findall(r"-- found in (.*)", output), [str(directory)])

    def assert_complete(self, directory):
        """Beside the folder `directory` is every file that `cmake --install` puts there."""
        build, prefix = self.scratch / "expected-build", self.scratch / "expected"
        if not prefix.exists():
            run(cmake_program(), "-S", REPOSITORY, "-B", build, "-DCUDNN_CHECKED_BUILD_TESTING=OFF", "-DCUDNN_CHECKED_BUILD_CLI=OFF")
            run(cmake_program(), "--install", build, "--prefix", prefix)
        expected = prefix / "share/CuDNNChecked"
        files = [path.relative_to(expected) for path in expected.glob("**/*") if path.is_file()]
        self.assertTrue(files)
        # A Debian of its own has it below its root.
        there = pathlib.Path(f"{getattr(self.app, 'root', '')}{directory}").parent
        self.assertEqual([str(path) for path in files if not (there / path).is_file()], [])

    def assert_licence(self, path):
        self.assertEqual(path.read_text(), (REPOSITORY / "LICENSE").read_text())

    def from_nothing_to_a_refusal(self, directory, *arguments, environment=None, program=None):
        """Then builds it, starts it, and starts it with a mixed cuDNN.  `program` is the channel's cudnn-checked."""
        self.assert_found(directory, *arguments, environment=environment)
        self.assert_complete(directory)
        self.assert_succeeds(self.app.build(environment=environment))
        app = self.app.path("app")
        self.assertEqual(self.assert_succeeds(self.app.run(app)), "computes with cuDNN 91400\n")
        mixed = {"LD_LIBRARY_PATH": self.mixed}
        commands = [[app]]
        if program:
            self.assertEqual(self.assert_succeeds(self.app.run(program, "--version")), f"cudnn-checked {RELEASE}\n")
            self.assertEqual(self.assert_succeeds(self.app.run(program, "--cmakedir")), f"{directory}\n")
            commands.append([program, "verify", app])
        for command in commands:
            done = self.app.run(*command, environment=mixed)
            self.assertIn("\n  [mixed-sublibraries]\n", done.output)
            self.assertEqual(done.status, 78 if command == [app] else 1, done.output)
