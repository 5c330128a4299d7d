# SPDX-License-Identifier: BSD-3-Clause
"""What a message says to type: the right Python, the release that was asked for, the right CUDA."""

import pathlib
import os
import re
import shutil
import sys
import unittest.mock

from support import REPOSITORY, bare_cuda, bare_cudnn, bare_wheel, tools
from support.environment import add_pip, put_compiler, with_installers
from support.locating import LocatingTest

PYTHON = f"python3.{sys.version_info.minor}"
RUNTIME = "'nvidia-cuda-runtime==13.*' 'nvidia-cuda-crt==13.*' 'nvidia-cuda-nvrtc==13.*' 'nvidia-cublas==13.*'"


class FixTest(LocatingTest):
    """self.venv is an active environment with pip, whose path has a space and a quote."""

    def setUp(self):
        super().setUp()
        self.venv = self.scratch / "a user's venv"
        self.site = self.venv / "lib" / PYTHON / "site-packages"
        add_pip(self.site)
        self.write("a user's venv/pyvenv.cfg", f"home = {pathlib.Path(sys.executable).resolve().parent}\n")
        (self.venv / "bin").mkdir()
        (self.venv / "bin" / "python").symlink_to(pathlib.Path(sys.executable).resolve())
        self.pip = r"'<scratch>/a user'\''s venv/bin/python' -m pip "
        self.build = "<scratch>/app-build"

    def fixes(self, *arguments, **options):
        """The lines of the message that say what to do."""
        options.setdefault("environment", {"VIRTUAL_ENV": self.venv})
        text = self.locate(*arguments, **options)
        self.assertIsInstance(text, str, text)
        self.text = text
        return [line[7:] for line in text.splitlines() if line.startswith(("  fix: ", "  try: ", "   or: "))]

    def untried(self, *arguments, **options):
        """What no look at files shows to help is not called a fix."""
        fix = self.fix(*arguments, **options)
        self.assertNotIn("  fix: ", self.text)
        return fix

    def fix(self, *arguments, **options):
        return self.fixes(*arguments, **options)[0]

    def wheel(self, cuda, version, **options):
        bare_wheel(self.site, f"nvidia-cudnn-cu{cuda}", version, **options)
        return bare_cudnn(self.site / "nvidia" / "cudnn", version.rpartition(".")[0])


class TheReleaseThatWasAskedFor(FixTest):
    def test_in_the_words_of_pip(self):
        for request, requirement in [
                ("REQUIRED", "nvidia-cudnn-cu13"), ("9.14", "'nvidia-cudnn-cu13>=9.14'"),
                ("9.14.0;EXACT", "'nvidia-cudnn-cu13==9.14.0.*'"),
                ("9.14;EXACT", "'nvidia-cudnn-cu13==9.14.0.*'"),
                ("9.13...<10", "'nvidia-cudnn-cu13>=9.13,<10'"),
                ("9.13...9.15", "'nvidia-cudnn-cu13>=9.13,<9.15.1'"),
                ("9...9.15.1", "'nvidia-cudnn-cu13>=9,<9.15.2'"),
                ("9.1...<9.20;COMPONENTS;cnn", "'nvidia-cudnn-cu13>=9.1,<9.20'"),
                ("REQUIRED;COMPONENTS;ext;engines_tensor_ir", "'nvidia-cudnn-cu13>=9.22.0'")]:
            with self.subTest(request=request):
                request = request if "REQUIRED" in request else request.replace(";", ";REQUIRED;", 1) \
                    if ";" in request else request + ";REQUIRED"
                self.assertEqual(self.fix(request=request), f"{self.pip}install {requirement}")

    def test_of_the_cuda_that_has_it(self):
        for request, requirement in [("8.9;EXACT", "'nvidia-cudnn-cu12==8.9.0.*'"),
                                     ("8.0...9.5", "'nvidia-cudnn-cu12>=8.0,<9.5.1'"),
                                     ("8.5...<8.7", "'nvidia-cudnn-cu11>=8.5,<8.7'")]:
            with self.subTest(request=request):
                fix = self.fix(cuda=False, request=request.replace(";", ";REQUIRED;") + ";REQUIRED")
                major = requirement.split("-cu1")[1][:1]
                major = f"1{major}"
                self.assertEqual(fix, f"{self.pip}install {requirement} " + " ".join(
                    f"'nvidia-{part}-cu{major}=={major}.*'"
                    for part in ("cuda-runtime", "cuda-nvcc", "cuda-nvrtc", "cublas")))

    def test_of_the_toolkit(self):
        toolkit = bare_cuda(self.scratch / "cuda-12", "12.4")
        for given in [["-DCUDAToolkit_ROOT=" + str(toolkit)], []]:
            environment = {"VIRTUAL_ENV": self.venv, **({} if given else {"CUDA_HOME": toolkit})}
            with self.subTest(given=given):
                self.assertEqual(self.fix(*given, "-UCUDAToolkit_ROOT" if not given else "-UX", cuda=False,
                                          environment=environment),
                                 self.pip + "install nvidia-cudnn-cu12")

    def test_without_a_toolkit_its_runtime_as_well(self):
        self.assertEqual(self.fix(cuda=False), f"{self.pip}install nvidia-cudnn-cu13 {RUNTIME}")

    def test_a_runtime_that_lacks_its_library(self):
        """pip calls it installed already."""
        self.wheel(13, "9.14.0.64")
        bare_cuda(self.site / "nvidia" / "cu13", "13.0")
        (self.site / "nvidia_cuda_runtime-13.0.96.dist-info").mkdir()
        for library in (self.site / "nvidia" / "cu13").rglob("libcudart*"):
            library.unlink()
        self.assertIn("--force-reinstall --no-deps nvidia-cuda-runtime==13.0.96", self.fix(cuda=False))

    def test_that_there_is_not(self):
        self.assertEqual(self.fix(request="8.9.7;EXACT;REQUIRED"),
                         "choose another cuDNN or another CUDA: PyPI has no cuDNN exactly 8.9.7 for CUDA 13 "
                         "(CUDAToolkit_ROOT)")
        self.assertEqual(self.fix(request="9.14.0;EXACT;REQUIRED;COMPONENTS;ext"),
                         "ask for cuDNN 9.22.0 or newer in find_package")


class TheEnvironment(FixTest):
    def test_a_cudnn_for_another_cuda_is_uninstalled(self):
        """Both have the directory nvidia/cudnn."""
        self.wheel(12, "9.14.0.64")
        self.assertEqual(self.fix(request="9.15;REQUIRED"),
                         f"{self.pip}install 'nvidia-cudnn-cu13>=9.15' && "
                         f"{self.pip}uninstall -y nvidia-cudnn-cu12 && "
                         f"{self.pip}install --force-reinstall --no-deps 'nvidia-cudnn-cu13>=9.15'")

    def test_without_a_toolkit_the_cuda_of_the_environment(self):
        self.wheel(12, "9.14.0.64")
        self.assertEqual(self.fix(request="9.15;REQUIRED", cuda=False),
                         f"{self.pip}install 'nvidia-cudnn-cu12>=9.15' 'nvidia-cuda-runtime-cu12==12.*' "
                         "'nvidia-cuda-nvcc-cu12==12.*' 'nvidia-cuda-nvrtc-cu12==12.*' 'nvidia-cublas-cu12==12.*'")

    def test_what_another_package_needs_stays(self):
        self.wheel(12, "9.5.1.17")
        self.write(f"a user's venv/lib/{PYTHON}/site-packages/torch-2.7.1.dist-info/METADATA",
                   "Name: torch\nRequires-Dist: nvidia-cudnn-cu12==9.5.1.17; platform_system == 'Linux'\n")
        wheels = f"{self.build}/cudnn_wheels"
        self.assertEqual(self.fix(request="9.14.0;EXACT;REQUIRED"),
                         f"{self.pip}install --target {wheels} 'nvidia-cudnn-cu13==9.14.0.*' && "
                         f"cmake -D CuDNNChecked_ROOT={wheels} {self.build}")

    def test_without_pip(self):
        (self.site / "pip" / "__main__.py").unlink()
        self.assertEqual(self.fix(), "with pip or uv, neither of which is here: install nvidia-cudnn-cu13 in "
                         f"<scratch>/a user's venv/lib/{PYTHON}/site-packages")
        having_uv = {"VIRTUAL_ENV": self.venv, **with_installers(self.scratch / "bin", "uv")}
        self.assertEqual(self.fix(environment=having_uv),
                         r"uv pip install --python '<scratch>/a user'\''s venv' nvidia-cudnn-cu13")

    def test_with_the_pip_of_the_system(self):
        shutil.rmtree(self.site / "pip")
        self.write("a user's venv/pyvenv.cfg", "home = /usr/bin\ninclude-system-site-packages = true\n")
        self.assertEqual(self.fix(f"-DCuDNNChecked_ROOT={self.venv}"), self.pip + "install nvidia-cudnn-cu13")

    def test_what_a_distribution_manages(self):
        """Debian's packages lie in python3, its marker in python3.11."""
        prefix = self.scratch / "usr"
        site = prefix / "lib/python3/dist-packages"
        bare_wheel(site, "nvidia-cudnn-cu13", "9.14.0.64")
        self.write("usr/lib/python3.11/EXTERNALLY-MANAGED")
        self.write("usr/bin/python3")
        add_pip(site)
        self.assertEqual(self.fix(f"-DCuDNNChecked_ROOT={site}"),
                         "<scratch>/usr/bin/python3 -m pip install --break-system-packages --force-reinstall "
                         "--no-deps nvidia-cudnn-cu13==9.14.0.64")
        shutil.rmtree(site / "nvidia_cudnn_cu13-9.14.0.64.dist-info")
        wheels = f"{self.build}/cudnn_wheels"
        self.assertEqual(self.fix(f"-DCuDNNChecked_ROOT={site}"),
                         f"{self.pip}install --target {wheels} nvidia-cudnn-cu13 && "
                         f"cmake -D CuDNNChecked_ROOT={wheels} {self.build}")

    def test_conda(self):
        (self.venv / "pyvenv.cfg").unlink()
        (self.venv / "conda-meta").mkdir()
        python = self.venv / "bin" / "python"
        python.unlink()
        python.write_text(f"#!/bin/sh\necho '{self.site}'\n".replace("user's", "user'\\''s"))
        python.chmod(0o755)
        self.assertEqual(self.fix(environment={"PATH": f"{self.venv}/bin:{tools()}"}),
                         self.pip + "install nvidia-cudnn-cu13")

    def test_a_python_that_is_no_environment(self):
        """What a distribution manages, pip does not touch (PEP 668)."""
        program = self.write("bin/python3", f"#!/bin/sh\necho {self.scratch}/dist-packages\n")
        program.chmod(0o755)
        add_pip(self.scratch / "dist-packages")
        wheels = f"{self.build}/cudnn_wheels"
        path = {"PATH": f"{self.scratch}/bin:{tools()}"}
        install = f"<scratch>/bin/python3 -m pip install --target {wheels} nvidia-cudnn-cu13"
        self.assertEqual(self.fix(environment=path),
                         f"{install} && cmake -D CuDNNChecked_ROOT={wheels} {self.build}")
        text = (self.app.source / "CMakeLists.txt").read_text()
        self.app.write("CMakeLists.txt", text.replace(
            "find_package(", f"set(CuDNNChecked_ROOT {self.scratch}/none)\nfind_package("))
        self.assertEqual(self.fixes(environment=path)[:2],
                         [install, f"in CMakeLists.txt: set(CuDNNChecked_ROOT {wheels})"])

    def test_a_cross_build(self):
        """The compiler of this machine is on PATH, and compiles what says it."""
        put_compiler(self.write("host/x").with_name("c++"))
        host = {"VIRTUAL_ENV": self.venv, "PATH": f"{self.scratch}/host:{tools()}"}
        fix = self.fix("-DCMAKE_SYSTEM_NAME=Linux", "-DCMAKE_SYSTEM_PROCESSOR=aarch64", cuda=False,
                       environment=host)
        wheels = f"{self.build}/cudnn_wheels"
        self.assertEqual(fix, f"{self.pip}install --target {wheels} --platform manylinux_2_27_aarch64 "
                         "--platform manylinux2014_aarch64 --only-binary=:all: --no-deps nvidia-cudnn-cu13 "
                         "'nvidia-cuda-runtime==13.*' 'nvidia-cuda-crt==13.*' && "
                         f"cmake -D CuDNNChecked_ROOT={wheels} {self.build}")
        self.assertEqual(self.fix(request="8.9...<9;REQUIRED", cuda=False, environment=host),
                         "choose another cuDNN or another CUDA: PyPI has no cuDNN 8.9...<9 for aarch64")


class TheRoot(FixTest):
    def test_an_environment_with_another_cudnn(self):
        """Nothing is searched outside of it, so it is the one to install into."""
        self.wheel(13, "9.14.0.64")
        for root in [self.venv, self.site, self.site / "nvidia", self.site / "nvidia" / "cudnn"]:
            with self.subTest(root=root):
                self.assertEqual(self.fix(f"-DCuDNNChecked_ROOT={root}", request="9.15;REQUIRED", environment={}),
                                 self.pip + "install 'nvidia-cudnn-cu13>=9.15'")

    def test_one_that_leads_nowhere(self):
        own = self.wheel(13, "9.14.0.64")
        fixes = self.fixes(f"-DCuDNNChecked_ROOT={self.scratch}/none")
        self.assertEqual(fixes, [f"cmake -U CuDNNChecked_ROOT {self.build}",
                                 "name the directory above include/cudnn.h and lib/libcudnn.so: "
                                 "-D CuDNNChecked_ROOT=DIRECTORY"])
        self.assertIn(f"\n  elsewhere:  cuDNN 9.14.0   {self.relative(str(own))}\n", self.text)
        environment = {"VIRTUAL_ENV": self.venv, "CuDNNChecked_ROOT": f"{self.scratch}/none"}
        self.assertEqual(self.fix(environment=environment),
                         f"unset CuDNNChecked_ROOT && cmake -U CuDNNChecked_ROOT {self.build}")
        self.assertEqual(self.fix("-UCuDNNChecked_ROOT", environment=environment),
                         f"unset CuDNNChecked_ROOT && cmake {self.build}")

    def test_one_too_deep(self):
        prefix = bare_cudnn(self.scratch / "sdk")
        self.assertEqual(self.fix(f"-DCuDNNChecked_ROOT={prefix}/lib", environment={}),
                         f"cmake -D CuDNNChecked_ROOT=<scratch>/sdk {self.build}")

    def test_the_command_works(self):
        """As it stands, from another directory."""
        self.wheel(13, "9.14.0.64")
        self.fix(f"-DCuDNNChecked_ROOT={self.scratch}/none")
        line = re.search("^ +fix: (.*)$", self.output, re.M)[1]
        done = self.app.run("sh", "-c", f"cd / && {line}", environment={"VIRTUAL_ENV": self.venv})
        self.assertEqual(done.status, 0, done.output)


class Records(FixTest):
    def debian(self, package, version, *files):
        """A database of dpkg, with this package and another one."""
        self.write(f"dpkg/info/{package}.list", "".join(f"{f}\n" for f in files))
        self.write("dpkg/status", "Package: zlib1g\nVersion: 1\n\n"
                   f"Package: {package}\nStatus: install ok installed\nVersion: {version}\nSection: libs\n\n")
        return {"DPKG_ADMINDIR": f"{self.scratch}/dpkg"}

    def test_debian_headers(self):
        prefix = bare_cudnn(self.scratch / "usr", headers=False)
        library = prefix / "lib" / "libcudnn.so.9"
        library.rename(library.with_name("libcudnn.so.9.14.0"))
        library.symlink_to("libcudnn.so.9.14.0")
        environment = self.debian("libcudnn9-cuda-13", "9.14.0.64-1", library, f"{library}.14.0")
        self.assertEqual(self.untried(f"-DCUDNN_ROOT={prefix}", environment=environment),
                         "apt-get install libcudnn9-dev-cuda-13=9.14.0.64-1")

    def test_debian_library(self):
        prefix = bare_cudnn(self.scratch / "usr", "8.9.7", libraries=False)
        environment = self.debian("libcudnn8-dev", "8.9.7.29-1+cuda12.2", f"{prefix}/include/cudnn_version.h")
        self.assertEqual(self.untried(f"-DCUDNN_ROOT={prefix}", environment=environment),
                         "apt-get install libcudnn8=8.9.7.29-1+cuda12.2")

    def test_conda(self):
        prefix = bare_cudnn(self.scratch / "conda", libraries=False)
        self.write("conda/conda-meta/libcudnn-9.14.0.64-h1_0.json")
        self.write("conda/conda-meta/cudnn-9.14.0.64-h2_0.json")
        self.assertEqual(self.untried(environment={"CONDA_PREFIX": prefix}),
                         "conda install -y -p <scratch>/conda --force-reinstall cudnn=9.14.0.64 libcudnn=9.14.0.64")

    def test_a_wheel(self):
        prefix = self.wheel(13, "9.14.0.64")
        (prefix / "lib" / "libcudnn.so.9").unlink()
        self.assertEqual(self.fix(), self.pip + "install --force-reinstall --no-deps nvidia-cudnn-cu13==9.14.0.64")

    def test_a_wheel_under_another(self):
        self.wheel(12, "9.10.2.21")
        bare_wheel(self.site, "nvidia-cudnn-jit-cu12", "9.14.0.64")
        prefix = self.wheel(13, "9.14.0.64", installer="uv")
        (prefix / "include" / "cudnn.h").unlink()
        again = f"{self.pip}install --force-reinstall --no-deps nvidia-cudnn-cu13==9.14.0.64"
        self.assertEqual(self.fixes(),
                         [f"{again} && {self.pip}uninstall -y nvidia-cudnn-cu12 && {again}",
                          "name the directory above include/cudnn.h and lib/libcudnn.so: "
                          "-D CuDNNChecked_ROOT=DIRECTORY"])


class TheProgram(FixTest):
    """What says all this is compiled once for a build tree; where it cannot be, the message says why."""

    def setUp(self):
        super().setUp()
        self.program = self.app.path("CuDNNChecked/cudnn_checked_configure")

    def unknown(self):
        """In this test the program is compiled."""
        patch = unittest.mock.patch("support.consumer.give_configure")
        patch.start()
        self.addCleanup(patch.stop)

    def advises(self):
        return "pip install" in self.fix(request="9.14;REQUIRED")

    def test_once(self):
        self.assertTrue(self.advises())
        first = self.program.stat().st_mtime_ns
        self.assertTrue(self.advises())
        self.assertEqual(self.program.stat().st_mtime_ns, first)
        self.program.with_name(self.program.name + ".signature").write_text("of other sources")
        self.assertTrue(self.advises())
        self.assertNotEqual(self.program.stat().st_mtime_ns, first)

    def test_a_compiler_that_fails(self):
        self.unknown()
        self.assertEqual(self.locate("-DCMAKE_CXX_COMPILER=/bin/false"), f"""\
cudnn_checked: refused: no cuDNN was found
  no program says more: /bin/false cannot compile {REPOSITORY}/tool/configure/linux/configure.cpp: 1
  all of it: <scratch>/app-build/CuDNNChecked/build_judge.log
""")

    def test_no_compiler(self):
        self.unknown()
        self.assertEqual(self.locate("-DCMAKE_CXX_COMPILER="), """\
cudnn_checked: refused: no cuDNN was found
  no program says more: no C++ compiler for programs that this machine runs
""")

    def test_a_program_that_may_not_be_started_is_compiled_again(self):
        self.assertTrue(self.advises())
        self.program.chmod(0o600)
        self.assertTrue(self.advises())
        self.assertTrue(os.access(self.program, os.X_OK))

    def test_a_message_that_nobody_reads(self):
        self.unknown()
        result = self.locate(request="QUIET")
        self.assertEqual(result["FOUND"], "FALSE")
        self.assertFalse(self.program.exists())


class Bytes(FixTest):
    def test_what_cannot_be_typed_is_in_words(self):
        bare_cudnn(self.scratch / "other")
        name = "build\x1b[31m\u202e\x9b"
        self.app.build_directory = self.scratch / name
        shown = "build\\x1b[31m\\xe2\\x80\\xae\\xc2\\x9b"
        self.assertEqual(self.fix(f"-DCuDNNChecked_ROOT={self.scratch}/none", f"-DCUDNN_ROOT={self.scratch}/other"),
                         "in the build directory: cmake -U CuDNNChecked_ROOT .")
        self.assertNotIn("\x1b", self.text)
        # The program is compiled in that directory, and not the one that other tests have made.
        for file in (self.scratch / name / "CuDNNChecked").glob("cudnn_checked_configure*"):
            file.unlink()
        self.assertEqual(self.fix(f"-DCuDNNChecked_ROOT={self.scratch}/no\u2028ne\udcff\t.", "-UCUDNN_ROOT",
                                  environment={"VIRTUAL_ENV": "/nowhere"}),
                         "in a Python environment, which CuDNNChecked_ROOT then names: pip install "
                         "nvidia-cudnn-cu13")
        self.assertIn("looked in:  <scratch>/no\\xe2\\x80\\xa8ne\\xff\\x09.   CuDNNChecked_ROOT", self.text)
        self.assertNotIn(shown, self.text)
