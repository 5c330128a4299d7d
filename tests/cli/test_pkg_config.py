# SPDX-License-Identifier: BSD-3-Clause
"""pkg-config: the file that is written, read by the pkg-config of this machine, and what is compiled with it."""

import json
import os
import shlex
import shutil
import subprocess
import unittest

from checked_program import CalledTest
from support.environment import RELEASE, compiler

WRITTEN = """\
# Written by cudnn-checked <release>, which has checked the files of this cuDNN.
libdir=<scratch>/sdk/lib
includedir=<scratch>/sdk/include
sublibraries=<scratch>/sdk/lib/libcudnn_graph.so.9.14.0 <scratch>/sdk/lib/libcudnn_engines_runtime_compiled.so.9.14.0

Name: cuDNN
Description: NVIDIA cuDNN 9.14.0 for CUDA 13, JIT-only
Version: 9.14.0
Cflags: -I${includedir}
Libs: ${libdir}/libcudnn.so.9 -Wl,-rpath,${libdir}
"""
MAIN = """
#include <cudnn.h>
#include <cstdio>
int main() { std::printf("%zu\\n", cudnnGetVersion()); }
"""
# What a path may have that a shell, a Makefile or pkg-config reads as something else.
ODD = "an sdk's \"#1\" (a&b) [c] {d} \\e ;|<>*?!~`f^%@=+"


class PkgConfig(CalledTest):
    def setUp(self):
        super().setUp()
        self.cudnn = self.sdk(sublibraries="jit", build_ids="catalogue", gpus="", driver=None)
        (self.scratch / "out").mkdir()

    def test_the_file(self):
        status, out, err = self.called("pkg-config", "--from", "sdk", "out")
        self.assertEqual((status, out, err), (
            0, "<scratch>/out/cudnn.pc: cuDNN 9.14.0 for CUDA 13, JIT-only, of <scratch>/sdk/lib\n", ""))
        text = (self.scratch / "out/cudnn.pc").read_text(encoding="utf-8")
        self.assertEqual(text.replace(str(self.scratch), "<scratch>").replace(RELEASE, "<release>"), WRITTEN)

    def test_a_file_of_another_stays(self):
        """A cudnn.pc of a distribution, say; its own is written again."""
        self.assertEqual(self.called("pkg-config", "--from", "sdk", "out")[0], 0)
        self.assertEqual(self.called("pkg-config", "--from", "sdk", "out")[0], 0)
        file = self.write("out/cudnn.pc", "Name: cuDNN\n")
        self.assertEqual(self.called("pkg-config", "--from", "sdk", "out"), (2, "", (
            "cudnn-checked: error: pkg-config: <scratch>/out/cudnn.pc: cudnn-checked did not write this file, and it "
            "stays; remove it, or name another\n")))
        self.assertEqual(file.read_text(), "Name: cuDNN\n")

    def test_as_json(self):
        status, out, err = self.called("--json", "pkg-config", "out", LD_LIBRARY_PATH=self.cudnn.library_directory)
        self.assertEqual((status, err), (0, ""))
        self.assertEqual(json.loads(out), {
            "schema": 1, "package": RELEASE, "file": "<scratch>/out/cudnn.pc", "cudnn": "9.14.0",
            "library": "<scratch>/sdk/lib/libcudnn.so.9", "include": "<scratch>/sdk/include",
            "cuda_include": "<scratch>/sdk/include", "sublibraries": [
                f"<scratch>/sdk/lib/libcudnn_{role}.so.9.14.0" for role in ("graph", "engines_runtime_compiled")]})

    def test_the_headers_of_cuda(self):
        """Of Python's packages, of a toolkit that is named, and none."""
        site = self.scratch / "site-packages/nvidia"
        wheel = self.cudnn.copy(site / "cudnn")
        cuda = site / "cu13/include"
        cuda.mkdir(parents=True)
        for header in [path for path in wheel.include.iterdir() if not path.name.startswith("cudnn")]:
            header.rename(cuda / header.name)
        toolkit = self.scratch / "toolkit"
        shutil.copytree(cuda, toolkit / "include")
        for arguments, directory in ((["--from", "site-packages"], cuda),
                                     (["--from", "site-packages", "--toolkit", "toolkit"], toolkit / "include")):
            self.assertEqual(self.called("pkg-config", *arguments, "out")[::2], (0, ""))
            self.assertIn(f"\ncuda_includedir={directory}\n", (self.scratch / "out/cudnn.pc").read_text())
        self.assertEqual(self.called("pkg-config", "--from", "sdk", "--toolkit", "out", "out"), (
            2, "", "cudnn-checked: error: pkg-config: --toolkit out: no include/cuda_runtime_api.h in it\n"))
        shutil.rmtree(cuda)
        status, _, err = self.called("pkg-config", "--from", "site-packages", "out")
        if "cuda_includedir" not in (self.scratch / "out/cudnn.pc").read_text():  # this machine has no toolkit
            self.assertEqual((status, err), (0, (
                "cudnn-checked: note: pkg-config: no headers of CUDA were found, which cudnn.h includes: "
                "--toolkit names a toolkit\n")))

    def flags(self, pkg_config, *arguments):
        done = subprocess.run([pkg_config, *arguments, "cudnn"], check=True, stdout=subprocess.PIPE, text=True,
                              env={"PATH": os.environ["PATH"], "PKG_CONFIG_PATH": str(self.scratch / "out")})
        return shlex.split(done.stdout)

    def test_compiled_by_what_pkg_config_says(self):
        programs = [name for name in ("pkg-config", "pkgconf") if shutil.which(name)]
        if not programs:
            raise unittest.SkipTest("no pkg-config here")
        for name in ("sdk", ODD):
            cudnn = self.cudnn if name == "sdk" else self.cudnn.copy(self.scratch / name)
            status, _, err = self.called("pkg-config", "--from", str(cudnn.prefix), "out")
            self.assertEqual((status, err), (0, ""))
            for program in programs:
                with self.subTest(program=program, name=name):
                    self.assertEqual(self.flags(program, "--modversion"), ["9.14.0"])
                    self.assertEqual(self.flags(program, "--cflags"), [f"-I{cudnn.include}"])
                    library = [f"{cudnn.library_directory}/libcudnn.so.9"]
                    if name == ODD:
                        library = [f"-L{cudnn.library_directory}", "-l:libcudnn.so.9"]
                    self.assertEqual(self.flags(program, "--libs"), [
                        *library, f"-Wl,-rpath,{cudnn.library_directory}"])
                    subprocess.run([compiler(), "-x", "c++", "-", "-x", "none", "-o", self.scratch / "app",
                                    *self.flags(program, "--cflags", "--libs")], input=MAIN, text=True, check=True)
                    done = subprocess.run([self.scratch / "app"], env={}, check=True, stdout=subprocess.PIPE, text=True)
                    self.assertEqual(done.stdout, "91400\n")
                    self.assertEqual(self.called("verify", "--no-gpu", "app")[0], 0)

    def test_what_is_refused(self):
        """What doctor calls broken, in its words; and nothing is written."""
        mixed = self.sdk("mixed", gpus="", build_ids="catalogue")
        mixed.take_from(self.sdk("older", cudnn="9.13.0", gpus="", build_ids="catalogue"), "ops")
        doctor = self.called("doctor", "mixed")[1]
        status, out, err = self.called("pkg-config", "--from", "mixed", "out")
        message, last = err.split("\ncudnn-checked: error: ")
        self.assertEqual((status, out, last), (
            1, "", "pkg-config: refused: <scratch>/mixed/lib: the files of cuDNN are of more than one release\n"))
        self.assertIn("[mixed-sublibraries]", message)
        self.assertIn(message.strip(), doctor)
        (self.scratch / "none").mkdir()
        headless = self.cudnn.copy(self.scratch / "headless")
        for header in headless.include.glob("cudnn*"):
            header.unlink()
        self.cudnn.copy(self.scratch / "a,b")
        for arguments, status, text in [
                (["--from", "none", "out"], 3, "pkg-config: none: no cuDNN in it"),
                (["--from", "gone", "out"], 2, "pkg-config: gone: no such directory"),
                (["--from", "sdk", "gone"], 2, "pkg-config: <scratch>/gone/cudnn.pc: No such file or directory"),
                (["--from", "headless", "out"], 1, "pkg-config: <scratch>/headless/lib: this cuDNN has no "
                                                   "cudnn_version.h, and nothing is compiled without it"),
                (["--from", "a,b", "out"], 2, 'pkg-config: <scratch>/a,b/lib has ",", which ends a path of -rpath')]:
            with self.subTest(arguments=arguments):
                found = self.called("pkg-config", *arguments)
                self.assertEqual(found, (status, "", f"cudnn-checked: error: {text}\n"))
        self.assertEqual(list((self.scratch / "out").iterdir()), [])


if __name__ == "__main__":
    unittest.main()
