# SPDX-License-Identifier: BSD-3-Clause
"""What the configure program of this machine says of DLLs where it builds for Windows: nothing of them is run.

The DLLs have the identities of real ones (stand_ins.py); their wheels are those of a folder.
"""

import os
import re
import shutil
import subprocess
import unittest
import zipfile

import wine
from stand_ins import identities, with_identity
from support import bare_cudnn
from support.environment import built
from support.scratch import ScratchTest

RELEASE, NUMBER = "9.10.2.21", "9.10.2"
PROGRAM = built("tests/support/configure_program_windows_from_linux")


def wheel_of(name, number, files, folder):
    """A wheel for Windows with these files, {path: bytes}."""
    stem = f"{name.replace('-', '_')}-{number}"
    info = {f"{stem}.dist-info/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {number}\n",
            f"{stem}.dist-info/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-win_amd64\n"}
    record = "".join(f"{path},,\n" for path in (*files, *info, f"{stem}.dist-info/RECORD"))
    path = folder / f"{stem}-py3-none-win_amd64.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for file, contents in {**files, **info, f"{stem}.dist-info/RECORD": record}.items():
            archive.writestr(file, contents)
    return path


class JudgedFiles(ScratchTest):
    def setUp(self):
        if not shutil.which(wine.CC):
            self.skipTest("mingw-w64 is not installed")
        super().setUp()
        self.ids = identities()
        self.fake = self.scratch / "fake.dll"
        wine.run(wine.CC, "-shared", "-nostdlib", "-s", "-o", self.fake, wine.HERE / "fake.c")
        self.site, self.index = self.scratch / "site", self.scratch / "index"
        self.index.mkdir()
        wheel = wheel_of("nvidia-cudnn-cu12", RELEASE, self.files_of(RELEASE), self.index)
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(self.site)
        self.cudnn = self.site / "nvidia/cudnn/bin"
        self.cuda = self.scratch / "cuda"
        self.cuda.mkdir()
        for name in ("cublasLt64_12.dll", "nvrtc64_120_0.dll"):
            shutil.copy(self.fake, self.cuda / name)

    def dll(self, name, release=RELEASE, cuda="12"):
        return with_identity(self.fake.read_bytes(), self.ids[release, cuda, name])

    def files_of(self, release):
        header = bare_cudnn(self.scratch / "headers", version=NUMBER, libraries=False) / "include"
        files = {f"nvidia/cudnn/include/{path.name}": path.read_bytes() for path in header.iterdir()}
        return files | {f"nvidia/cudnn/bin/{name}": self.dll(name) for number, cuda, name in self.ids if (number, cuda) == (release, "12")}

    def judged(self, toolkit="12.9", search=(), program=""):
        """Nothing where the files are accepted."""
        words = {"library": self.cudnn / "cudnn64_9.dll", "header": self.site / "nvidia/cudnn/include/cudnn_version.h",
                 "toolkit": toolkit, "require": "auto", "report": "yes", "machine": "x86_64", "variable": "CuDNNChecked_ROOT",
                 "own": self.scratch / "build/cudnn_wheels", "cross": "yes", "system": "windows", "root": self.site,
                 "cmake": "cmake", "build": self.scratch / "build", "program": program}
        directories = [f"search={directory}" for directory in (self.cudnn, self.cuda, *search)]
        done = subprocess.run([PROGRAM, "configure", "judge-files", *(f"{key}={value}" for key, value in words.items()), *directories],
                              env={name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ},
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.replace(str(self.scratch), "<scratch>")

    def fix_in(self, said):
        return re.search(r"(?m)^  fix: (?:after [^:]*: )?(.*)$", said)[1].replace("<scratch>", str(self.scratch))

    def type(self, line):
        """In a shell of this machine, whose pip knows the wheels of the folder alone."""
        wine.run("env", "PIP_NO_INDEX=1", f"PIP_FIND_LINKS={self.index}", "PIP_DISABLE_PIP_VERSION_CHECK=1", "PIP_CONFIG_FILE=/dev/null",
                 "PIP_ROOT_USER_ACTION=ignore", "sh", "-c", line)

    def test_a_whole_set(self):
        self.assertEqual(self.judged(), "")

    def test_a_file_of_another_release(self):
        """The fix is typed on this machine, and brings files of Windows."""
        (self.cudnn / "cudnn_ops64_9.dll").write_bytes(self.dll("cudnn_ops64_9.dll", "9.28.0.42"))
        said = self.judged()
        self.assertEqual(re.sub(r"(?m)^       cuDNN alone.*\n", "", said), f"""\
cudnn_checked: refused: the files of cuDNN are of more than one release
  shim:  9.10.2 for CUDA 12   <scratch>/site/nvidia/cudnn/bin/cudnn64_9.dll   chosen by the PATH of the probe (wheel nvidia-cudnn-cu12 9.10.2.21)
  ops:   9.28.0 for CUDA 12   <scratch>/site/nvidia/cudnn/bin/cudnn_ops64_9.dll   chosen by the program's directory (wheel nvidia-cudnn-cu12 9.10.2.21)
  cuDNN does not compare all of its libraries: such a set has silently computed wrong numbers.
  fix: python3 -m pip install --upgrade --target <scratch>/site --platform win_amd64 --only-binary=:all: --no-deps \
nvidia-cudnn-cu12=={RELEASE}
  [mixed-sublibraries]
""")
        self.type(self.fix_in(said))
        self.assertEqual(self.judged(), "")

    def test_what_is_refused(self):
        graph = self.cudnn / "cudnn_graph64_9.dll"
        whole = graph.read_bytes()
        for contents, name in ((None, "library-missing"), (whole[:600], "library-corrupt"), (b"", "library-corrupt"),
                               (wine.with_machine(whole, 0x014C), "wrong-machine"), (wine.with_machine(whole, 0xAA64), "wrong-machine")):
            with self.subTest(name):
                graph.unlink()
                if contents is not None:
                    graph.write_bytes(contents)
                said = self.judged()
                self.assertIn(f"  [{name}]\n", said)
                self.assertIn("--platform win_amd64", said)
                self.type(self.fix_in(said))
                self.assertEqual(self.judged(), "")

    def test_all_for_another_machine(self):
        """Than the program: one of ARM64 in every file is whole in itself."""
        program = shutil.copy(self.fake, self.scratch / "probe.exe")
        self.assertEqual(self.judged(program=program), "")
        for path in self.cudnn.iterdir():
            path.write_bytes(wine.with_machine(path.read_bytes(), 0xAA64))
        self.assertIn("  [wrong-machine]\n", self.judged(program=program))

    def test_another_cuda(self):
        """The runtime that the program imports has its name of Windows."""
        shutil.copy(self.fake, self.cuda / "cudart64_12.dll")
        definition = self.write("cudart.def", "LIBRARY cudart64_12.dll\nEXPORTS\ncudnnGetVersion\n")
        wine.run("env", f"TMPDIR={self.scratch}", wine.DLLTOOL, "-d", definition, "-l", self.scratch / "libcudart.a")
        wine.run(wine.CC, "-shared", "-nostdlib", "-s", "-DPLUGIN", "-o", self.fake, wine.HERE / "fake.c", self.scratch / "libcudart.a")
        (self.cudnn / "cudnn64_9.dll").write_bytes(self.dll("cudnn64_9.dll"))
        said = self.judged(toolkit="13.0")
        self.assertIn("refused: this cuDNN is for CUDA 12, and the CUDA headers are of 13.0\n", said)
        self.assertRegex(said, r"\n  runtime:  CUDA 12  +cudart64_12.dll of this program\n")
        self.assertNotIn(".so", said)

    def test_what_cudnn_opens(self):
        """In any directory that is named, whatever the case of its name."""
        (self.cuda / "cublasLt64_12.dll").unlink()
        self.assertIn("refused: cuDNN needs cublasLt64_12.dll, which the loader does not find\n", self.judged())
        other = self.scratch / "other"
        other.mkdir()
        shutil.copy(self.fake, other / "CUBLASLT64_12.DLL")
        self.assertEqual(self.judged(search=[other]), "")


if __name__ == "__main__":
    unittest.main()
