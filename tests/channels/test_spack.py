# SPDX-License-Identifier: BSD-3-Clause
"""The recipe of Spack, in a copy of the sources that has the tag of a release.

Spack is on GitHub alone: SPACK_ROOT names a checkout.  Before Spack 1.0 the build systems are in Spack, and a recipe's folder has
another name: the test gives the same recipe to it in that form.
"""

import os
import pathlib
import re
import unittest

from channel import RELEASE, ChannelTest, copy_sources, from_pypi
from support.wheel import run

RECIPE = "packaging/spack/spack_repo/cudnn_checked"
# What Spack 1.0 has of packages: their build systems are modules of the repository "builtin".
MODULE = "from spack.package import CMakePackage\n"
LANGUAGES = """\
from spack.package import *


class Languages(BundlePackage):
    version("1")
    provides("c", "cxx")
"""


def spack_root():
    """The checkout; without it the test is skipped."""
    root = os.environ.get("SPACK_ROOT")
    if not root or not pathlib.Path(root, "bin/spack").is_file():
        raise unittest.SkipTest("Spack is not here: SPACK_ROOT names no checkout of it")
    return pathlib.Path(root)


class Spack(ChannelTest):
    def setUp(self):
        super().setUp()
        self.root = spack_root()
        sources = copy_sources(self.scratch / "sources")
        git = ["git", "-C", sources, "-c", "user.name=a", "-c", "user.email=a@example.org"]
        for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "all"], ["tag", f"v{RELEASE}"]):
            run(*git, *words)
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(self.scratch),
                            "SPACK_PYTHON": str(from_pypi("clingo") / "python"),
                            "SPACK_USER_CONFIG_PATH": str(self.scratch / "config"),
                            "SPACK_USER_CACHE_PATH": str(self.scratch / "cache"),
                            "SPACK_SYSTEM_CONFIG_PATH": str(self.scratch / "none")}
        self.write("config/config.yaml", f"""\
config:
  install_tree:
    root: {self.scratch}/opt
  build_stage: {self.scratch}/stage
  source_cache: {self.scratch}/source
  misc_cache: {self.scratch}/misc
  build_jobs: 2
""")
        self.write("config/bootstrap.yaml", "bootstrap:\n  enable: false\n")
        repository = sources / RECIPE
        if self.spack("--version").startswith("0."):
            repository = self.before_1_0(repository)
        self.write("config/repos.yaml", f"repos:\n- {repository}\n")
        self.spack("compiler", "find")
        self.spack("external", "find", "cmake", "gmake")

    def before_1_0(self, repository):
        """A repository with the same recipe, for Spack 0.22 and 0.23."""
        old = self.scratch / "repository"
        self.write("repository/repo.yaml", "repo:\n  namespace: cudnn_checked\n")
        self.write("repository/packages/languages/package.py", LANGUAGES)
        (old / "packages/cudnn-checked").symlink_to(repository / "packages/cudnn_checked")
        self.write("modules/spack_repo/builtin/build_systems/cmake.py", MODULE)
        self.environment["PYTHONPATH"] = str(self.scratch / "modules")
        return old

    def spack(self, *words):
        return run(self.root / "bin/spack", *words, env=self.environment)

    def test_installed(self):
        self.spack("audit", "packages", "cudnn-checked")
        prefix = self.install("")
        self.from_nothing_to_a_refusal(prefix / "share/CuDNNChecked/cmake", environment=self.loaded(),
                                       program=prefix / "bin/cudnn-checked")

    def test_without_the_command_line(self):
        prefix = self.install("~cli")
        self.assertFalse((prefix / "bin").exists())
        self.from_nothing_to_a_refusal(prefix / "share/CuDNNChecked/cmake", environment=self.loaded())

    def install(self, variant):
        self.spack("install", "--no-cache", f"cudnn-checked@{RELEASE}{variant}")
        prefix = pathlib.Path(self.spack("location", "-i", "cudnn-checked").strip())
        self.assert_licence(prefix / "share/doc/CuDNNChecked/LICENSE")
        return prefix

    def loaded(self):
        """The variables that `spack load` sets."""
        script = self.spack("load", "--sh", "cudnn-checked")
        return dict(re.findall(r"^export (CMAKE_PREFIX_PATH)=(.*?);?$", script, re.MULTILINE))
