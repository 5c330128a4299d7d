# SPDX-License-Identifier: BSD-3-Clause
"""The archive of CPack, which is attached to a release."""

import shutil

from channel import RELEASE, ChannelTest, packed


class Archive(ChannelTest):
    def test_unpacked(self):
        archive = packed(self.scratch, "TGZ", ".tar.gz")
        print(f"\n{archive.name}: {archive.stat().st_size} bytes")
        self.assertTrue(archive.name.startswith(f"cudnn-checked-{RELEASE}-Linux-"))
        shutil.unpack_archive(archive, self.scratch)
        prefix = self.scratch / archive.name[:-len(".tar.gz")]
        self.from_nothing_to_a_refusal(prefix / "share/CuDNNChecked/cmake", f"-DCMAKE_PREFIX_PATH={prefix}",
                                       program=prefix / "bin/cudnn-checked")
