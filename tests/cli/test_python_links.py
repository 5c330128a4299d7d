# SPDX-License-Identifier: BSD-3-Clause
"""verify --python where all files of an environment are symbolic links into a store."""

import os
import shutil

from checked_program import messages
from fake_packages import record
from test_verify_pid import PYTHON
from test_verify_python import IN_MEMORY, Imports


class Links(Imports):
    """All files of an environment are symbolic links into a store (uv, link-mode=symlink): $ORIGIN is a link's directory."""

    def setUp(self):
        super().setUp()
        sdk, wheel = self.sdk("store", "9.14.0"), self.site / "nvidia/cudnn/lib"
        wheel.mkdir(parents=True)
        for name in sorted(os.listdir(sdk.library_directory)):
            if name.endswith(".so.9"):
                (wheel / name).symlink_to(sdk.library_directory / name)
        self.package("one", "import ctypes, os\nctypes.CDLL(os.path.join(os.path.dirname(__file__), 'libplugin.so'))\n")
        path = self.plugin("one", sdk.library_directory / "libcudnn.so.9", "-Wl,-rpath,$ORIGIN/../nvidia/cudnn/lib")
        record(self.site, "one", "1.0", [path])
        (self.scratch / "other").mkdir()
        shutil.move(path, self.scratch / "other")
        path.symlink_to(self.scratch / "other/libplugin.so")

    def test_whole(self):
        place = "<scratch>/venv/lib/site-packages/one"
        self.assertEqual(self.verify("one"), (0, f"""\
cudnn-checked: ok: {PYTHON} has in its memory cuDNN 9.14.0, whole, from <scratch>/store/lib
  shim:       9.14.0   {place}/../nvidia/cudnn/lib/libcudnn.so.9   chosen by RUNPATH of {place}/libplugin.so
""" + IN_MEMORY.format("1 of 8 files", "one"), ""))

    def test_a_link_that_is_gone(self):
        """The store has the file, and no search leads there."""
        (self.site / "nvidia/cudnn/lib/libcudnn_heuristic.so.9").unlink()
        doors = [self.verify("one"), self.called("verify", self.site / "one/libplugin.so"),
                 self.called("run", "--python", "one", self.venv / "bin/python", **self.variables())]
        names = {messages(out + err)[0][0] for _, out, err in doors}
        self.assertEqual(([door[0] for door in doors], len(names), names <= {"[sublibrary-missing]", "[mixed-sublibraries]"}),
                         ([1, 1, 78], 1, True), doors)
