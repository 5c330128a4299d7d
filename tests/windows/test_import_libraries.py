# SPDX-License-Identifier: BSD-3-Clause
"""find_package(CuDNNChecked) for Windows: import libraries, made from what a DLL exports."""

import os
import shutil

import wine
from support import bare_cuda, bare_cudnn
from support.environment import tools
from support.locating import PROJECT, LocatingTest

TOOLCHAIN = """
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR AMD64)
"""


class ImportLibraries(LocatingTest):
    """A cross build without an emulator, with small DLLs: a program of this machine reads them."""

    def setUp(self):
        super().setUp()
        if not shutil.which(wine.CXX):
            self.skipTest("mingw-w64 is not installed")
        self.app = self.consumer("cross", cmake_lists=PROJECT.replace("LANGUAGES NONE", "LANGUAGES CXX"))
        self.toolchain = self.write("toolchain.cmake", TOOLCHAIN + f'set(CMAKE_CXX_COMPILER "{shutil.which(wine.CXX)}")\n')
        self.fake = self.scratch / "fake.dll"
        wine.run(wine.CC, "-shared", "-nostdlib", "-s", "-o", self.fake, wine.HERE / "fake.c")

    def install(self, root):
        """cuDNN 9.14.0 and a runtime of CUDA 13, and the file of its DLL."""
        root = self.scratch / root
        bare_cudnn(root, libraries=False)
        bare_cuda(root)
        (root / "bin").mkdir()
        for name in ("cudnn64_9.dll", "cudart64_13.dll"):
            shutil.copy(self.fake, root / "bin" / name)
        return root / "bin/cudnn64_9.dll"

    def located(self, *arguments, path=None):
        environment = {"PATH": path or os.environ["PATH"]}
        return self.locate(f"-DCMAKE_TOOLCHAIN_FILE={self.toolchain}", *arguments, cuda=False, environment=environment)

    def test_made_from_what_a_dll_exports(self):
        shim = self.install("sdk")
        named = f"-DCuDNNChecked_ROOT={self.scratch}/sdk"
        self.assertEqual(self.located(named)["location"], str(shim))
        for name in ("cudnn64_9", "cudart64_13"):
            made = self.app.path(f"CuDNNChecked/import/{name}")
            self.assertEqual(made.with_suffix(".def").read_text(), f"LIBRARY {name}.dll\nEXPORTS\ncudnnGetVersion\n")
            self.assertTrue(made.with_suffix(".lib").exists())
        with self.subTest("the probe is not built: the program of this machine reads the compiler's words"):
            text = self.located(named, "-DCuDNNChecked_REQUIRE=LINKED")
            self.assertIn("refused: the probe does not compile, so cuDNN could not be checked\n", text)
            self.assertIn("  fix: correct the compiler's errors below\n  [probe-not-compiled]\n  | ", text)
            self.assertRegex(text, r"fatal error: cudnn_backend.h: .*\n(  \| .*\n)*\Z")
        with self.subTest("a damaged one"):
            shim.write_bytes(self.fake.read_bytes()[:600])
            self.assertIn("refused: what cudnn64_9.dll exports cannot be read\n",
                          self.located(named, "-DCuDNNChecked_REQUIRE=LINKED"))
        with self.subTest("for another machine"):
            shim.write_bytes(wine.with_machine(self.fake.read_bytes(), 0xAA64))
            located = "-DCuDNNChecked_REQUIRE=LOCATED"
            text = self.located(named, located)
            self.assertIn("refused: the cuDNN that was found is for another machine\n  looked in:  <scratch>/sdk   CuDNNChecked_ROOT: "
                          "<scratch>/sdk/bin/cudnn64_9.dll is for aarch64, and this build is for x86_64\n", text)
            # Typed on this machine, for Windows.
            self.assertRegex(text, r"pip install --target <scratch>/cross-build/cudnn_wheels --platform win_amd64 .*'nvidia-cuda-runtime==13\.\*'")
            other = self.install("other")
            result = self.located("-UCuDNNChecked_ROOT", f"-DCUDNN_ROOT={self.scratch}/sdk", f"-DCUDNN_PATH={self.scratch}/other")
            self.assertIsInstance(result, dict, result)
            self.assertEqual(result["location"], str(other))
            cudart = other.with_name("cudart64_13.dll")
            cudart.write_bytes(wine.with_machine(self.fake.read_bytes(), 0x014C))
            text = self.located(f"-DCuDNNChecked_ROOT={self.scratch}/other")
            self.assertIn("refused: cuDNN 9.14.0 was found, but no CUDA runtime to compile with\n", text)
            self.assertIn("\n  looked in:  <scratch>/other   beside cuDNN: <scratch>/other/bin/cudart64_13.dll is for i386, and this build is for "
                          "x86_64\n", text)

    def test_with_a_compiler_that_has_microsofts_options(self):
        """clang-cl, or another that sets MSVC: the program of this machine is compiled with this machine's own."""
        self.install("sdk")
        text = (self.app.source / "CMakeLists.txt").read_text()
        self.app.write("CMakeLists.txt", text.replace("find_package(", 'set(MSVC TRUE)\nset(CMAKE_AR "")\nfind_package(', 1))
        result = self.located(f"-DCuDNNChecked_ROOT={self.scratch}/sdk")
        self.assertIsInstance(result, dict, result)
        self.assertTrue(self.app.path("CuDNNChecked/import/cudnn64_9.lib").exists(), self.output)

    def test_no_compiler_for_this_machine(self):
        self.install("sdk")
        directory = self.scratch / "tools"
        directory.mkdir()
        for name in ("ar", "as", "ld", "ranlib", "dlltool", "objdump", "strip"):
            (directory / f"x86_64-w64-mingw32-{name}").symlink_to(shutil.which(f"x86_64-w64-mingw32-{name}"))
        text = self.located(f"-DCuDNNChecked_ROOT={self.scratch}/sdk", "-DCuDNNChecked_REQUIRE=LINKED", path=f"{tools()}:{directory}")
        why = "no C++ compiler for programs that this machine runs"
        self.assertEqual(text, f"""\
cudnn_checked: refused: no program can be linked with <scratch>/sdk/bin/cudnn64_9.dll: no program that reads the DLL: {why}
  no program says more: {why}
""")
