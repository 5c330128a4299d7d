# SPDX-License-Identifier: BSD-3-Clause
"""The archive of CPack, which is attached to a release, with its command line."""

import shutil

from consumer import VERSION, ChannelTest
from support import REPOSITORY, cmake_program
from support.wheel import run


class Archive(ChannelTest):
    def test_the_archive(self):
        build, prefix = self.scratch / "build", self.scratch / "prefix"
        run(cmake_program(), "-S", REPOSITORY, "-B", build, "-DCMAKE_BUILD_TYPE=Release",
            "-DCUDNN_CHECKED_BUILD_TESTING=OFF", "-DCMAKE_UNITY_BUILD=ON", "-DCPACK_GENERATOR=TGZ")
        run(cmake_program(), "--build", build, "-j", "2", "--target", "package")
        archive, = build.glob("*.tar.gz")
        print(f"{archive.name}: {archive.stat().st_size} bytes")
        shutil.unpack_archive(archive, prefix)
        prefix = prefix / archive.name[:-len(".tar.gz")]
        self.assertTrue(archive.name.startswith(f"cudnn-checked-{VERSION}-Linux-"))
        program = prefix / "bin/cudnn-checked"
        self.from_nothing_to_a_refusal(prefix / "share/CuDNNChecked/cmake", f"-DCMAKE_PREFIX_PATH={prefix}",
                                       program=program)
