# SPDX-License-Identifier: BSD-3-Clause
"""Where people have cuDNN on Windows: what doctor says of each layout, in docs/windows.md as a table."""

import shutil

import wine
from dll_places import windows_path
from stand_ins import WithCommandLine, with_identity

RELEASE = "9.28.0.42"


class Layouts(WithCommandLine):
    """<drive> is drive C of a Windows of its own."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.windows = wine.OwnWindows(cls.folder)
        cls.addClassCleanup(cls.windows.wait)
        cls.drive = cls.windows.prefix / "drive_c"
        cls.programs = cls.drive / "Program Files"

    def setUp(self):
        """A cuDNN without what ends the process is broken: that of CUDA 13, too."""
        super().setUp()
        for name in ("cublasLt64_13.dll", "nvrtc64_130_0.dll"):
            (self.cuda / name).write_bytes(self.fake)

    def lay(self, folder, cuda="12", release=RELEASE):
        """The DLLs of a release in that folder, until the test ends."""
        folder.mkdir(parents=True, exist_ok=True)
        for (number, major, name), identity in self.ids.items():
            if (number, major) == (release, cuda):
                (folder / name).write_bytes(with_identity(self.fake, identity))
                self.addCleanup((folder / name).unlink)
        return folder

    def doctor(self, *arguments, path=(), **variables):
        words = [windows_path(word) for word in arguments]
        variables = {name: value if isinstance(value, str) else windows_path(value) for name, value in variables.items()}
        status, output, errors = self.start_in_windows([self.program, "doctor", *words], [*path, self.cuda], **variables)
        return status, output + errors

    def assert_found(self, folder, found_by, cuda="12", *arguments, **options):
        """Once, whole, and in the first line; where the loader does not look, with the command that makes it look there."""
        self.lay(folder, cuda)
        shown = str(folder).replace(str(self.scratch), "{}").replace(str(self.drive), "C:")
        status, said = self.doctor(*arguments, **options)
        self.assertTrue(said.startswith(f"cuDNN\n  9.28.0 for CUDA {cuda}   full   {shown}   {found_by}\n"), said)
        self.assertEqual(status, 0)
        if not arguments and "what a program in another directory gets\n  none\n" in said:
            self.assertIn(f"\n  installed:  {shown}   {found_by}\n", said)
            self.assertIn('\n  fix: set "PATH={};%PATH%"\n'.format(shown.replace("/", "\\")), said)
        self.doCleanups()
        return said

    def test_installer_of_nvidia(self):
        """NVIDIA, cutlass issue 2885: v9.13, bin/12.9 and include/13.0."""
        installs = self.programs / "NVIDIA" / "CUDNN" / "v9.28" / "bin"
        for name, cuda in (("12.9", "12"), ("13.0", "13"), ("12.9/x64", "12"), ("", "12")):
            with self.subTest(name):
                self.assert_found(installs / name, "NVIDIA's installer", cuda)
        include = installs.parent / "include" / "12.9"
        include.mkdir(parents=True)
        (include / "cudnn_version.h").write_text("#define CUDNN_MAJOR 9\n#define CUDNN_MINOR 28\n#define CUDNN_PATCHLEVEL 0\n")
        for name in ("12.9", "12.9/x64"):
            self.lay(installs / name)
            self.assertIn(f"CUDNN/v9.28/bin/{name}   NVIDIA's installer   header 9.28.0\n", self.doctor()[1])
            self.doCleanups()
        shutil.rmtree(installs.parent)

    def test_installer_for_a_cuda_that_is_not_here(self):
        """It brings a cuDNN for each CUDA: one without its cuBLAS is broken only where PATH leads to it."""
        (self.cuda / "cublasLt64_13.dll").unlink()
        folder = self.lay(self.programs / "NVIDIA" / "CUDNN" / "v9.28" / "bin" / "13.0", "13")
        for path, status, words in (((), 0, "\nnote: cuDNN needs cublasLt64_13.dll, "), ((folder,), 1, "\nerror: cuDNN needs cublasLt64_13.dll, ")):
            with self.subTest(words):
                ended, said = self.doctor(path=path)
                self.assertIn(words, said)
                self.assertEqual(ended, status)
        self.doCleanups()
        shutil.rmtree(folder.parent.parent)

    def test_path_names_bin_of_the_installer(self):
        """SYSTRAN, faster-whisper issue 1230: its entry of PATH is the folder above.  The fix is typed by cmd."""
        root = self.scratch / "a & b" / "v9.28" / "bin"
        for name, cuda in (("12.9", "12"), ("12.9/x64", "12"), ("x64", "13")):
            with self.subTest(name):
                self.assert_found(root / name, "below PATH[0]", cuda, path=[root])
        self.lay(root / "12.9")
        fix = 'set "PATH={};%PATH%"'.format(windows_path(root / "12.9"))
        self.assertIn(f"  fix: {fix}\n", self.doctor(path=[root])[1].replace("{}", windows_path(self.scratch)))
        batch = self.app / "typed.bat"
        batch.write_text("\r\n".join(["@echo off", fix, f'"Z:{self.program}" doctor', ""]), encoding="utf-8")
        said = self.start_in_windows(["cmd", "/c", "typed.bat"], [root, self.cuda])[1]
        self.assertIn("what a program in another directory gets\n"
                      "  9.28.0   {}/a & b/v9.28/bin/12.9/cudnn64_9.dll   chosen by PATH[0]\n", said)

    def test_zip_archive(self):
        """PyTorch, test-infra pull request 8027: bin for CUDA 12, bin/x64 for CUDA 13."""
        root = self.scratch / "cudnn-windows-x86_64-9.28.0.42_cuda12-archive"
        self.assert_found(root / "bin", "CUDNN_PATH", CUDNN_PATH=root)
        self.assert_found(root / "bin", "PATH[0]", path=[root / "bin"])
        self.assert_found(root / "bin", "command line", "12", root)
        self.assert_found(root / "bin" / "x64", "CUDNN_PATH", "13", CUDNN_PATH=root)
        # TensorFlow, issue 10033.
        self.assert_found(root / "bin", "below PATH[0]", path=[root])
        self.assert_found(root / "bin" / "x64", "below PATH[0]", "13", path=[root])

    def test_a_copy_in_the_cuda_toolkit(self):
        toolkits = self.programs / "NVIDIA GPU Computing Toolkit" / "CUDA"
        self.assert_found(toolkits / "v12.9" / "bin", "CUDA toolkit")
        self.assert_found(toolkits / "v13.0" / "bin" / "x64", "CUDA toolkit", "13")
        self.assert_found(self.scratch / "cuda12" / "bin", "CUDA_PATH", CUDA_PATH=self.scratch / "cuda12")
        shutil.rmtree(toolkits.parent)

    def test_vcpkg(self):
        """Its port of cuDNN brought DLLs until 8.x, and uses what is installed since."""
        root = self.scratch / "vcpkg"
        for variable in ("VCPKG_ROOT", "VCPKG_INSTALLATION_ROOT"):
            self.assert_found(root / "installed" / "x64-windows" / "bin", "vcpkg", **{variable: root})

    def test_conda(self):
        self.assert_found(self.scratch / "conda" / "Library" / "bin", "CONDA_PREFIX", CONDA_PREFIX=self.scratch / "conda")

    def test_packages_with_a_cudnn(self):
        """OpenNMT, CTranslate2 issue 1267; Microsoft, onnxruntime issue 22019: people copy cuDNN to where the package is."""
        site = self.scratch / "venv" / "Lib" / "site-packages"
        for name in ("torch/lib", "onnxruntime/capi", "ctranslate2", "nvidia/cudnn/bin"):
            with self.subTest(name):
                self.assert_found(site / name, "command line", "12", self.scratch / "venv")
                self.assert_found(site / name, "CUDNN_ROOT", CUDNN_ROOT=self.scratch / "venv")

    def test_portable_pythons(self):
        """Comfy-Org, ComfyUI issue 10535: <unpacked>/python_embeded/Lib/site-packages."""
        root = self.scratch / "ComfyUI_windows_portable"
        for folder in ("python_embeded", "python_embedded", "python_standalone"):
            with self.subTest(folder):
                site = root / folder / "Lib" / "site-packages"
                for name in ("torch/lib", "nvidia/cudnn/bin"):
                    self.assert_found(site / name, "command line", "12", root)
                self.assert_found(site / "torch/lib", "command line", "12", root / folder)

    def test_system32(self):
        said = self.assert_found(self.windows.system32, "the system's directories, PATH[1]")
        self.assertIn("\n  9.28.0   C:/windows/system32/cudnn64_9.dll   chosen by the system directory\n", said)

    def test_beside_a_program(self):
        self.assert_found(self.app, "command line", "12", self.app)
        self.lay(self.app)
        shutil.copyfile(self.tools.linked, self.app / "app.exe")
        said = self.start_in_windows([self.program, "verify", "--no-gpu", f"Z:{self.app}/app.exe"], [self.cuda])[1]
        self.assertIn("ok: app.exe takes cuDNN 9.28.0 for CUDA 12, whole, from {}/app", said)
