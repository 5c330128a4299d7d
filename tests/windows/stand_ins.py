# SPDX-License-Identifier: BSD-3-Clause
"""DLLs that have NVIDIA's names and identities.

Their headers have the size of image and the time stamp of the real ones (tool/data/catalogue); what they contain is fake.c.
"""

import csv
import pathlib
import re
import shutil
import tempfile
import unittest

import wine
from dll_places import windows_path
from support.environment import REPOSITORY

# What is said of 9.28.0 with the cnn of 9.10.2, in <scratch>/cudnn.
MIXED = """\
the files of cuDNN are of more than one release
  shim:  9.28.0 for CUDA 12   {}/cudnn/cudnn64_9.dll   chosen by PATH[0]
  cnn:   9.10.2 for CUDA 12   {}/cudnn/cudnn_cnn64_9.dll   chosen by PATH[0]
  cuDNN does not compare all of its libraries: such a set has silently computed wrong numbers.
  fix: reinstall cuDNN 9.28.0 for CUDA 12 in {}/cudnn, so that every file comes from there
  [mixed-sublibraries]
"""

# Nobody on Windows can do anything with these words: no message has one.
OF_LINUX = re.compile(r"python3|docker|apt-|dpkg|\bLD_|\bexport |ldconfig|patchelf|dlopen|\blibcu|\blibz|\.so\b|run path|R(UN)?PATH|"
                      r"ld\.so|a signal")


def identities():
    with open(REPOSITORY / "tool/data/catalogue/dll_ids.csv", encoding="utf-8", newline="") as file:
        return {(row["cudnn"], row["cuda_major"], row["file"]): row["build_id"] for row in csv.DictReader(file)}


def with_identity(dll, identity):
    """Five digits of SizeOfImage in pages, the lowest five of TimeDateStamp, the other three."""
    header = int.from_bytes(dll[60:64], "little")
    size = int(identity[:5], 16) * 4096
    stamp = int(identity[10:] + identity[5:10], 16)
    changed = bytearray(dll)
    changed[header + 8:header + 12] = stamp.to_bytes(4, "little")
    changed[header + 80:header + 84] = size.to_bytes(4, "little")
    return bytes(changed)


class StandIns(unittest.TestCase):
    """<scratch>/app is where the program lies, <scratch>/cuda has what cuDNN opens of CUDA."""

    @classmethod
    def setUpClass(cls):
        wine.skip_where_absent()
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="cudnn_checked_windows_"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.program = wine.build_for_windows() / "tool" / "cli" / "cudnn-checked.exe"
        cls.ids = identities()
        cls.tools = wine.Tools(cls.folder)
        cls.fake = cls.tools.fake.read_bytes()
        cls.windows = wine.Windows()
        cls.addClassCleanup(cls.windows.wait)

    def setUp(self):
        self.scratch = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        self.app = self.scratch / "app"
        self.app.mkdir()
        self.cuda = self.scratch / "cuda"
        self.cuda.mkdir()
        for name in ("cublasLt64_12.dll", "cublasLt64_13.dll", "nvrtc64_120_0.dll"):
            (self.cuda / name).write_bytes(self.fake)

    def put(self, folder, release, cuda="12", only=None, without=()):
        """Those of a release."""
        target = self.scratch / folder
        target.mkdir(exist_ok=True)
        for (number, major, name), identity in self.ids.items():
            if number != release or major != cuda or name in without or (only and name not in only):
                continue
            (target / name).write_bytes(with_identity(self.fake, identity))
        return target

    def start_in_windows(self, command, path=(), **variables):
        """Status, output and errors; in place of the scratch directory, "{}"."""
        entries = ";".join("Z:" + str(entry).replace("/", "\\") for entry in path)
        done = self.windows.start(command, cwd=self.app, path=entries, **variables)
        self.assertNotRegex(done.output + done.errors, OF_LINUX)
        return (done.status, *(text.replace("\r\n", "\n").replace("Z:" + str(self.scratch), "{}")
                               .replace(windows_path(self.scratch), "{}")
                               for text in (done.output, done.errors)))


class WithCommandLine(StandIns):
    """Its test needs cudnn-checked.exe."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if not cls.program.exists():
            raise unittest.SkipTest("the command line is not built for Windows (tests/windows/mingw-w64.cmake)")
