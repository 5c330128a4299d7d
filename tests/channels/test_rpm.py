# SPDX-License-Identifier: BSD-3-Clause
"""The RPMs, of rpmbuild and of CPack, unpacked below a directory."""

import re
import shutil
import subprocess

from channel import RELEASE, ChannelTest, copy_sources, from_pypi, installed, packed, variables
from support import REPOSITORY
from support.wheel import run

MACROS = REPOSITORY / "tests/channels/rpm_macros"
UNKNOWN = "%cmake"


class Rpm(ChannelTest):
    def setUp(self):
        installed("rpm")
        super().setUp()

    def assert_refuses(self, package):
        print(f"\n{package.name}: {package.stat().st_size} bytes")
        root = self.scratch / "root"
        root.mkdir()
        archive = subprocess.run(["rpm2cpio", package], stdout=subprocess.PIPE, check=True).stdout
        subprocess.run(["cpio", "-id", "--quiet"], input=archive, cwd=root, check=True)
        prefix = root / "usr"
        self.from_nothing_to_a_refusal(prefix / "share/CuDNNChecked/cmake", f"-DCMAKE_PREFIX_PATH={prefix}",
                                       program=prefix / "bin/cudnn-checked")

    def lint(self, *paths):
        """Its errors are those of a package that no distribution has taken yet; sources are what this one has."""
        done = subprocess.run([from_pypi("rpmlint==2.10.0") / "rpmlint", *paths], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        print(*(line for line in done.stdout.splitlines() if "devel-file-in-non-devel-package" not in line), sep="\n")
        self.assertLessEqual(set(re.findall(r"(?m)^.*: E: (\S+)", done.stdout)),
                             {"no-signature", "no-packager-tag", "no-group-tag"})

    def test_the_recipe(self):
        top = self.scratch / "rpmbuild"
        copy_sources(self.scratch / f"cudnn-checked-{RELEASE}")
        (top / "SOURCES").mkdir(parents=True)
        shutil.make_archive(str(top / f"SOURCES/cudnn-checked-{RELEASE}"), "gztar", self.scratch, f"cudnn-checked-{RELEASE}")
        command = ["rpmbuild", "-bb", "--define", f"_topdir {top}", REPOSITORY / "packaging/rpm/cudnn-checked.spec"]
        if run("rpm", "--eval", UNKNOWN).strip() == UNKNOWN:
            # Debian's rpm: its database does not know what dpkg has installed.
            command += ["--nodeps", f"--load={MACROS}"]
        run(*command, env=variables(self.scratch))
        package, = (top / "RPMS").glob("*/*.rpm")
        self.lint(package, REPOSITORY / "packaging/rpm/cudnn-checked.spec")
        self.assert_refuses(package)

    def test_the_package_of_cpack(self):
        package = packed(self.scratch, "RPM", ".rpm")
        self.lint(package)
        self.assert_refuses(package)
