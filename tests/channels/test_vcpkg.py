# SPDX-License-Identifier: BSD-3-Clause
"""The port of vcpkg, as an overlay: in classic mode and in manifest mode.

vcpkg is on GitHub alone: VCPKG_ROOT names a checkout in which it was bootstrapped.
"""

import json
import os
import pathlib
import shutil
import unittest

from channel import ChannelTest
from support import REPOSITORY
from support.environment import compiler_cache
from support.wheel import run

OVERLAY = REPOSITORY / "packaging/vcpkg/ports"
MACHINES = {"x86_64": "x64-linux", "aarch64": "arm64-linux"}


def vcpkg():
    """The program; without it the tests are skipped."""
    root = os.environ.get("VCPKG_ROOT")
    program = root and shutil.which("vcpkg", path=root)
    if not program:
        raise unittest.SkipTest("vcpkg is not here: VCPKG_ROOT names no checkout in which it was bootstrapped")
    return pathlib.Path(program)


class Vcpkg(ChannelTest):
    def setUp(self):
        super().setUp()
        self.program = vcpkg()
        self.triplet = MACHINES[os.uname().machine]
        self.installed = self.scratch / "installed"
        # Neither its own CMake nor a package that an earlier run has made; nothing is written into the checkout.
        self.environment = {"VCPKG_ROOT": str(self.program.parent), "VCPKG_FORCE_SYSTEM_BINARIES": "1",
                            "VCPKG_DISABLE_METRICS": "1", "VCPKG_BINARY_SOURCES": "clear", "PATH": os.environ["PATH"],
                            "HOME": str(self.scratch), **compiler_cache(self.scratch)}
        self.folders = [f"--overlay-ports={OVERLAY}", f"--x-buildtrees-root={self.scratch / 'buildtrees'}",
                        f"--x-packages-root={self.scratch / 'packages'}",
                        f"--downloads-root={self.scratch / 'downloads'}", f"--x-install-root={self.installed}"]
        self.toolchain = [f"-DCMAKE_TOOLCHAIN_FILE={self.program.parent}/scripts/buildsystems/vcpkg.cmake",
                          f"-DVCPKG_TARGET_TRIPLET={self.triplet}", f"-DVCPKG_INSTALLED_DIR={self.installed}"]

    def vcpkg(self, *words):
        return run(self.program, *words, env=self.environment)

    def directory(self):
        return self.installed / self.triplet / "share/CuDNNChecked/cmake"

    def test_the_manifest_has_the_form_of_vcpkg(self):
        manifest = self.scratch / "vcpkg.json"
        shutil.copy(OVERLAY / "cudnn-checked/vcpkg.json", manifest)
        self.vcpkg("format-manifest", manifest)
        self.assertEqual(manifest.read_text(), (OVERLAY / "cudnn-checked/vcpkg.json").read_text())

    def test_classic(self):
        output = self.vcpkg("install", f"cudnn-checked[tools]:{self.triplet}", "--enforce-port-checks", *self.folders)
        self.assertNotIn("warning", output.lower())
        prefix = self.installed / self.triplet
        self.assertTrue((prefix / "share/cudnn-checked/usage").is_file())
        self.assert_licence(prefix / "share/cudnn-checked/copyright")
        self.assertFalse((prefix / "bin").exists())
        self.assertFalse((prefix / "debug").exists())
        self.from_nothing_to_a_refusal(self.directory(), *self.toolchain, "-DVCPKG_MANIFEST_MODE=OFF",
                                       program=prefix / "tools/cudnn-checked/cudnn-checked")

    def test_manifest(self):
        self.app.write("vcpkg.json", json.dumps({"dependencies": ["cudnn-checked"]}))
        self.from_nothing_to_a_refusal(
            self.directory(), *self.toolchain, "-DVCPKG_INSTALL_OPTIONS=" + ";".join(self.folders[1:-1]),
            f"-DVCPKG_OVERLAY_PORTS={OVERLAY}", environment=self.environment)
        for name in ("tools", "bin"):
            self.assertFalse((self.installed / self.triplet / name).exists(), name)
