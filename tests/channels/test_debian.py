# SPDX-License-Identifier: BSD-3-Clause
"""The Debian packages, of dpkg-buildpackage and of CPack: what lintian says, and what they are good for when dpkg has
installed them."""

import os
import re
import shutil

from channel import RELEASE, ChannelTest, copy_sources, installed, packed, variables
from debian_root import DebianRoot
from support.wheel import run

PROGRAM = "/usr/bin/cudnn-checked"


class Debian(ChannelTest):
    def setUp(self):
        installed("debian")
        super().setUp()

    def assert_no_error(self, package):
        """And of warnings the one that a first release has: there is no bug yet that it could close."""
        print(f"\n{package.name}: {package.stat().st_size} bytes")
        # Where lintian runs as root it wants to hear that this is meant.
        output = run("lintian", "--allow-root", "--display-info", "--pedantic", "--fail-on", "none", package,
                     env={**os.environ, "TMPDIR": str(self.scratch)})  # it leaves files there
        print(output, end="")
        self.assertEqual(re.findall(r"(?m)^[EW]: .*", output), [
            "W: cudnn-checked: initial-upload-closes-no-bugs [usr/share/doc/cudnn-checked/changelog.Debian.gz:1]"])

    def assert_installs_and_refuses(self, package):
        self.app = root = DebianRoot(self.app, self.scratch)
        self.addCleanup(root.remove)
        self.assert_succeeds(root.run("dpkg", "--install", package))
        self.from_nothing_to_a_refusal("/usr/share/CuDNNChecked/cmake", program=PROGRAM)
        self.assert_succeeds(root.run("dpkg", "--purge", "cudnn-checked"))
        self.assertEqual([path for path in root.root.glob("usr/**/*") if re.search("(?i)cudnn.?checked", path.name)], [])

    def test_the_source_package(self):
        sources = copy_sources(self.scratch / f"cudnn-checked-{RELEASE}")
        shutil.copytree(sources / "packaging/debian", sources / "debian")
        run("dpkg-buildpackage", "-us", "-uc", "-b", cwd=sources,
            env={**variables(self.scratch), "DEB_BUILD_OPTIONS": "parallel=2"})
        package, = self.scratch.glob(f"cudnn-checked_{RELEASE}-1_*.deb")
        self.assert_no_error(package)
        self.assert_installs_and_refuses(package)

    def test_the_package_of_cpack(self):
        package = packed(self.scratch, "DEB", ".deb")
        self.assert_no_error(package)
        self.assert_installs_and_refuses(package)
