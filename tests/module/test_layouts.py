# SPDX-License-Identifier: BSD-3-Clause
"""How packages of Debian, RPM, NVIDIA, conda, Nix and others lay an install out, and wheels."""

import os
import shlex
import shutil
import subprocess
import sys
from unittest import mock

from support import bare_cuda, bare_cudnn, consumer, install_trees
from support.downloads import download
from support.install_trees import lay_out
from support.locating import LocatingTest

TRIPLET = "-DCMAKE_LIBRARY_ARCHITECTURE=x86_64-linux-gnu"


class Layouts(LocatingTest):
    def test_lib64(self):
        prefix = bare_cudnn(self.scratch / "sdk", lib="lib64", unversioned=True)
        self.assert_located(self.locate(f"-DCuDNNChecked_ROOT={prefix}"), prefix, lib="lib64")

    def test_debian_multiarch(self):
        prefix = bare_cudnn(self.scratch / "usr", include="include/x86_64-linux-gnu",
                            lib="lib/x86_64-linux-gnu", header_name="cudnn_version_v9.h")
        result = self.locate(f"-DCuDNNChecked_ROOT={prefix}", TRIPLET)
        self.assert_located(result, prefix, lib="lib/x86_64-linux-gnu")

    def test_targets_of_a_toolkit(self):
        prefix = bare_cudnn(self.scratch / "toolkit", include="targets/x86_64-linux/include",
                            lib="targets/x86_64-linux/lib")
        result = self.locate(f"-DCuDNNChecked_ROOT={prefix}", "-DCMAKE_SYSTEM_PROCESSOR=x86_64")
        self.assert_located(result, prefix, lib="targets/x86_64-linux/lib")

    def test_names_that_are_patterns(self):
        for name in ["a[bc]d", "a*d", "a?d"]:
            with self.subTest(name=name):
                prefix = bare_cuda(bare_cudnn(self.scratch / name / "nvidia" / "cudnn"))
                (prefix / "lib" / "libcudnn_ops.so.9").write_text("")
                result = self.locate(f"-DCuDNNChecked_ROOT={self.scratch / name}", cuda=False,
                                     request="REQUIRED;COMPONENTS;ops")
                self.assert_located(result, prefix)
                self.assertEqual(result["cudart"], f"{prefix}/lib/libcudart.so.13")
                shutil.rmtree(self.app.build_directory)

    def test_only_a_full_version_in_the_name(self):
        prefix = bare_cudnn(self.scratch / "sdk", libraries=False)
        (prefix / "lib").mkdir()
        (prefix / "lib" / "libcudnn.so.9.14.0").write_text("")
        result = self.locate(f"-DCuDNNChecked_ROOT={prefix}")
        self.assertEqual(result["location"], f"{prefix}/lib/libcudnn.so.9.14.0")


MACHINE = "-DCMAKE_SYSTEM_PROCESSOR=x86_64"


class Packages(LocatingTest):
    """The trees of real packages, each found without its directories being named."""

    def located(self, *arguments, version="9.14.0", **options):
        """Configures in a build tree of its own; returns the paths of header directory and library."""
        shutil.rmtree(self.app.build_directory, ignore_errors=True)
        result = self.locate(MACHINE, *arguments, **options)
        self.assertIsInstance(result, dict, result)
        self.assertEqual(result["VERSION"], version)
        return result["INCLUDE_DIRS"].split(";")[0], result["location"]

    def test_debian(self):
        """/usr is below a root, as in a container's or a target's tree."""
        root = lay_out(self.scratch / "root", install_trees.DEBIAN_9, install_trees.TOOLKIT)
        multiarch = "x86_64-linux-gnu"
        found = (f"{root}/usr/include/{multiarch}", f"{root}/usr/lib/{multiarch}/libcudnn.so.9")
        arguments = [f"-DCMAKE_FIND_ROOT_PATH={root}", "-DCMAKE_FIND_ROOT_PATH_MODE_LIBRARY=ONLY",
                     "-DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=ON"]
        self.assertEqual(self.located(*arguments, cuda=False), found)
        self.assertEqual(self.located(f"-DCuDNNChecked_ROOT={root}/usr"), found)

        with self.subTest("cuDNN 8 beside it: its cudnn.h, in /usr/include, is not the first"):
            lay_out(root, install_trees.DEBIAN_8, release="8.9.7")
            self.assertEqual(self.located(*arguments, cuda=False), found)

    def test_debian_8_has_a_link_of_update_alternatives(self):
        root = lay_out(self.scratch / "root", install_trees.DEBIAN_8, release="8.9.7")
        self.assertEqual(
            self.located(f"-DCuDNNChecked_ROOT={root}/usr", version="8.9.7"),
            (f"{root}/usr/include", f"{root}/usr/lib/x86_64-linux-gnu/libcudnn.so.8"))

        with self.subTest("which leads nowhere"):
            (root / "usr/include/x86_64-linux-gnu/cudnn_v8.h").unlink()
            text = self.locate(MACHINE, f"-DCuDNNChecked_ROOT={root}/usr")
            self.assertIn(
                "  looked in:  <scratch>/root/usr   CuDNNChecked_ROOT: "
                "<scratch>/root/usr/include/cudnn.h leads to <scratch>/root/etc/alternatives/libcudnn, "
                "which is a link to <scratch>/root/usr/include/x86_64-linux-gnu/cudnn_v8.h, which is not "
                "there\n", text)

    def test_rpm(self):
        root = lay_out(self.scratch / "root", install_trees.RPM)
        self.assertEqual(self.located(f"-DCuDNNChecked_ROOT={root}/usr"),
                         (f"{root}/usr/include", f"{root}/usr/lib64/libcudnn.so.9"))

    def test_a_tarball(self):
        root = lay_out(self.scratch / "cudnn-linux-x86_64-9.14.0.64_cuda13-archive",
                       install_trees.TARBALL)
        self.assertEqual(self.located(f"-DCUDNN_PATH={root}"),
                         (f"{root}/include", f"{root}/lib/libcudnn.so.9"))

    def test_a_toolkit(self):
        root = lay_out(self.scratch / "root", install_trees.TOOLKIT, install_trees.CUDNN_IN_TOOLKIT)
        cuda = root / "usr/local/cuda"
        found = self.located(cuda=False, environment={"CUDA_HOME": cuda})
        self.assertEqual(found, (f"{cuda}/include", f"{cuda}/lib64/libcudnn.so.9"))

    def test_conda(self):
        root = lay_out(self.scratch / "conda", install_trees.CONDA)
        found = self.located(cuda=False, environment={"CONDA_PREFIX": root})
        self.assertEqual(found, (f"{root}/include", f"{root}/lib/libcudnn.so.9"))

    def test_nix(self):
        root = lay_out(self.scratch, install_trees.NIX)
        dev, headers, lib = (root / name for name in (
            install_trees.NIX_DEV, install_trees.NIX_INCLUDE, install_trees.NIX_LIB))
        record = dev / "nix-support/propagated-build-inputs"
        other = self.scratch / "store/0000-zlib-1.3-lib"
        record.write_text(f" {other} {headers} {lib}")
        found = (f"{headers}/include", f"{lib}/lib/libcudnn.so.9")
        self.assertEqual(self.located(f"-DCUDNN_ROOT={dev}"), found)
        for name in ["CMAKE_PREFIX_PATH", "NIXPKGS_CMAKE_PREFIX_PATH"]:
            with self.subTest(name=name):
                self.assertEqual(self.located(environment={name: f"{headers}:{lib}:{dev}"}), found)

        with self.subTest("the library of another derivation is none of its outputs"):
            record.write_text(f" {headers} {str(lib).replace('9.14.0', '9.13.0')}")
            lib.rename(str(lib).replace("9.14.0", "9.13.0"))
            self.assertIn("cudnn.h of 9.14.0 without libcudnn.so.9",
                          self.locate(MACHINE, f"-DCuDNNChecked_ROOT={dev}"))

    def test_nix_joined(self):
        """symlinkJoin: a directory of links."""
        root = lay_out(self.scratch, install_trees.NIX)
        joined = self.scratch / "store/0000-joined"
        for source in [install_trees.NIX_INCLUDE, install_trees.NIX_LIB]:
            for file in (root / source).rglob("*.*"):
                link = joined / file.relative_to(root / source)
                link.parent.mkdir(parents=True, exist_ok=True)
                link.symlink_to(file)
        self.assertEqual(self.located(f"-DCuDNNChecked_ROOT={joined}"),
                         (f"{joined}/include", f"{joined}/lib/libcudnn.so.9"))

    def test_environment_modules(self):
        """Spack's and most clusters' name the directory; others set only what compilers read."""
        root = lay_out(self.scratch / "opt/cudnn-9.14.0.64", install_trees.TARBALL)
        found = (f"{root}/include", f"{root}/lib/libcudnn.so.9")
        paths = f"{self.scratch}/other/include:{root}/include"
        for environment in [{"CUDNN_HOME": root}, {"CMAKE_PREFIX_PATH": root}, {"CPATH": paths},
                            {"CPLUS_INCLUDE_PATH": paths}, {"CMAKE_INCLUDE_PATH": paths}]:
            with self.subTest(environment=environment):
                self.assertEqual(self.located(environment=environment), found)
        # Without headers nothing can be compiled: the loader's and the linker's paths are not read.
        only_libraries = {"LIBRARY_PATH": f"{root}/lib", "LD_LIBRARY_PATH": f"{root}/lib"}
        self.assertIn("[cudnn-not-found]", self.locate(MACHINE, environment=only_libraries))


class Candidates(LocatingTest):
    """Each place that was looked at is listed, with why it was not taken."""

    def places(self):
        """Directories that lack something, as (variable, directory, why)."""
        bare_cudnn(self.scratch / "header", libraries=False)
        bare_cudnn(self.scratch / "library", headers=False)
        bare_cudnn(self.scratch / "older", "8.9.7")
        lay_out(self.scratch / "arm", install_trees.TARBALL, machine="aarch64")
        bare_cudnn(self.scratch / "loose")
        (self.scratch / "loose/lib/libcudnn.so.9").unlink()
        (self.scratch / "loose/lib/libcudnn.so.9").symlink_to("libcudnn.so.9.14.0")
        bare_cudnn(self.scratch / "fifo")
        (self.scratch / "fifo/include/cudnn_version.h").unlink()
        os.mkfifo(self.scratch / "fifo/include/cudnn_version.h")
        return [
            ("header", "cudnn.h of 9.14.0 without libcudnn.so.9"),
            ("library", "<scratch>/library/lib/libcudnn.so.9 without cudnn.h"),
            ("older", "cuDNN 8.9.7"),
            ("arm", "<scratch>/arm/lib/libcudnn.so is for aarch64, and this build is for x86_64"),
            ("loose", "<scratch>/loose/lib/libcudnn.so.9 is a link to libcudnn.so.9.14.0, which is not "
                      "there"),
            ("fifo", "<scratch>/fifo/include/cudnn_version.h is a FIFO"),
            ("none", "no such directory"),
        ]

    def test_listed(self):
        places = self.places()
        prefixes = ";".join(f"{self.scratch}/{name}" for name, _ in places)
        arguments = [MACHINE, "-DCMAKE_CROSSCOMPILING=OFF", f"-DCMAKE_PREFIX_PATH={prefixes}"]
        lines = "".join(f"{'  looked in:' if n == 0 else ' ' * 12}  <scratch>/{name}   "
                        f"CMAKE_PREFIX_PATH: {why}\n" for n, (name, why) in enumerate(places))
        text = self.locate(*arguments, request="9;REQUIRED", cuda=False)
        self.assertIn(lines, text)

        with self.subTest("where there is one, with --log-level=VERBOSE"):
            whole = bare_cudnn(self.scratch / "whole")
            arguments[-1] += f";{whole}"
            self.locate(*arguments, request="9;REQUIRED")
            self.assertNotIn("looked in", self.output)
            shutil.rmtree(self.app.build_directory)
            self.locate(*arguments, "--log-level=VERBOSE", request="9;REQUIRED")
            said = self.relative(self.output)
            for name, _ in places:
                self.assertIn(f"-- cudnn_checked: looked in: <scratch>/{name}   CMAKE_PREFIX_PATH: not taken\n", said)
            self.assertIn("-- cudnn_checked: looked in: <scratch>/whole   CMAKE_PREFIX_PATH: taken, "
                          "cuDNN 9.14.0\n", said)

    def test_another_machine_alone(self):
        arm = lay_out(self.scratch / "arm", install_trees.TARBALL, machine="aarch64")
        self.assertEqual(self.locate(MACHINE, f"-DCUDNN_PATH={arm}", cuda=False), f"""\
cudnn_checked: refused: the cuDNN that was found is for another machine
  looked in:  <scratch>/arm   CUDNN_PATH: <scratch>/arm/lib/libcudnn.so is for aarch64, and this \
build is for x86_64
  A library can only be linked with, and loaded by, programs for its own machine.
  fix: in a Python environment, which CuDNNChecked_ROOT then names: pip install nvidia-cudnn-cu13 'nvidia-cuda-runtime==13.*' \
'nvidia-cuda-crt==13.*' 'nvidia-cuda-nvrtc==13.*' 'nvidia-cublas==13.*'
{download()}   or: name the directory above include/cudnn.h and lib/libcudnn.so: -D CuDNNChecked_ROOT=DIRECTORY
  [wrong-machine]
""")

    def test_no_permission(self):
        closed = {"files": ["include/cudnn_version.h", "lib/libcudnn.so.9"],
                  "directories": ["include", "lib"]}
        for name, paths in closed.items():
            prefix = bare_cudnn(self.scratch / name)
            for path in paths:
                (prefix / path).chmod(0)
        # Root may read all files, unless it gives that up.
        rights = "-dac_override,-dac_read_search"
        limited = [shutil.which("setpriv"), f"--bounding-set={rights}", f"--inh-caps={rights}"]
        if os.geteuid() == 0:
            if not limited[0] or self.app.run(*limited, "/bin/true").status != 0:
                self.skipTest("root, and no setpriv that can limit its rights")
        with mock.patch.object(consumer, "cmake_program", self.cmake_with_rights_of(limited)):
            text = self.locate(f"-DCMAKE_PREFIX_PATH={self.scratch}/files;{self.scratch}/directories")
        for name, paths in closed.items():
            why = ", ".join(f"no permission to read <scratch>/{name}/{path}" for path in paths)
            self.assertIn(f"<scratch>/{name}   CMAKE_PREFIX_PATH: {why}\n", text)

    def cmake_with_rights_of(self, command):
        """A cmake, as Consumer asks for it, that is started by <command> where this is root."""
        program = consumer.cmake_program()
        if os.geteuid() == 0:
            words = " ".join(shlex.quote(str(word)) for word in [*command, program])
            wrapper = self.write("cmake", f'#!/bin/sh\nexec {words} "$@"\n')
            wrapper.chmod(0o755)
            program = str(wrapper)
        return lambda: program


class Wheels(LocatingTest):
    def environment_with_packages(self, *packages):
        """A Python environment into which bare wheels were put; returns its site-packages."""
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", self.scratch / "venv"],
                       check=True)
        site = next((self.scratch / "venv" / "lib").glob("python3*/site-packages"))
        for package in packages:
            bare_cudnn(site / "nvidia" / package)
        return site

    def test_the_active_environment(self):
        site = self.environment_with_packages("cudnn")
        result = self.locate(environment={"VIRTUAL_ENV": self.scratch / "venv"})
        self.assert_located(result, site / "nvidia" / "cudnn")

    def test_python_on_path(self):
        site = self.environment_with_packages("cudnn_jit")
        self.app.environment["PATH"] = f"{self.scratch}/venv/bin"
        self.assert_located(self.locate(), site / "nvidia" / "cudnn_jit")

    def test_the_full_package_before_the_jit_only_one(self):
        site = self.environment_with_packages("cudnn", "cudnn_jit")
        result = self.locate(environment={"VIRTUAL_ENV": self.scratch / "venv"})
        self.assert_located(result, site / "nvidia" / "cudnn")

    def test_an_environment_as_hint(self):
        site = self.environment_with_packages("cudnn")
        for hint in [self.scratch / "venv", site, site / "nvidia" / "cudnn"]:
            with self.subTest(hint=hint):
                result = self.locate(f"-DCuDNNChecked_ROOT={hint}")
                self.assert_located(result, site / "nvidia" / "cudnn")

    def test_python_is_started_once(self):
        site = self.environment_with_packages("cudnn")
        real = self.scratch / "venv" / "bin" / "python3"
        log = self.scratch / "log"
        wrapper = self.write("python", f"#!/bin/sh\necho run >> {log}\nexec {real} \"$@\"\n")
        wrapper.chmod(0o755)
        for _ in range(3):
            result = self.locate(f"-DPython3_EXECUTABLE={wrapper}")
            self.assert_located(result, site / "nvidia" / "cudnn")
        self.assertEqual(log.read_text(), "run\n")

    def test_the_message_lists_the_environment(self):
        self.environment_with_packages()
        text = self.locate(environment={"VIRTUAL_ENV": self.scratch / "venv"})
        version = f"python3.{sys.version_info.minor}"
        self.assertIn(f"<scratch>/venv/lib/{version}/site-packages/nvidia/cudnn   Python packages "
                      "of <scratch>/venv/bin/python: no such directory\n", text)


class CudaRuntime(LocatingTest):
    def setUp(self):
        super().setUp()
        self.site = self.scratch / "site" / "nvidia"
        self.cudnn = bare_cudnn(self.site / "cudnn")

    def locate_wheel(self):
        return self.locate(f"-DCuDNNChecked_ROOT={self.cudnn}", cuda=False)

    def test_wheels_of_cuda_13(self):
        bare_cuda(self.site / "cu13", "13.0")
        result = self.locate_wheel()
        self.assert_located(result, self.cudnn)
        self.assertEqual(result["CUDA_VERSION"], "13.0")
        self.assertEqual(result["cudart"], f"{self.site}/cu13/lib/libcudart.so.13")
        self.assertEqual(result["INCLUDE_DIRS"],
                         f"{self.cudnn}/include;{self.site}/cu13/include")

    def test_wheels_of_cuda_12(self):
        bare_cuda(self.site / "cuda_runtime", "12.9", crt=False)
        (self.site / "cuda_nvcc" / "include" / "crt").mkdir(parents=True)
        (self.site / "cuda_nvcc" / "include" / "crt" / "host_defines.h").write_text("")
        result = self.locate_wheel()
        self.assertEqual(result["CUDA_VERSION"], "12.9")
        self.assertEqual(result["INCLUDE_DIRS"], ";".join(
            f"{self.site}/{name}/include" for name in ["cudnn", "cuda_runtime", "cuda_nvcc"]))

    def test_a_toolkit_comes_before_wheels(self):
        bare_cuda(self.site / "cu13", "13.0")
        result = self.locate(f"-DCuDNNChecked_ROOT={self.cudnn}")
        self.assertEqual(result["cudart"], f"{self.cuda}/lib/libcudart.so.13")

    def test_beside_cudnn_before_hints(self):
        prefix = bare_cuda(bare_cudnn(self.scratch / "conda"))
        hinted = {"CUDA_PATH": bare_cudnn(self.cuda, "9.15.0")}
        result = self.locate(f"-DCuDNNChecked_ROOT={prefix}", cuda=False, environment=hinted)
        self.assertEqual(result["cudart"], f"{prefix}/lib/libcudart.so.13")
        result = self.locate(f"-DCuDNNChecked_ROOT={prefix}", environment=hinted)
        self.assertEqual(result["cudart"], f"{self.cuda}/lib/libcudart.so.13")

    def test_no_crt(self):
        bare_cuda(self.site / "cu13", "13.0", crt=False)
        self.assertEqual(self.locate_wheel(), """\
cudnn_checked: refused: cuDNN 9.14.0 was found, but no CUDA runtime to compile with
  cuDNN:      9.14.0   <scratch>/site/nvidia/cudnn/include/cudnn_version.h
  looked in:  <scratch>/site/nvidia/cudnn   beside cuDNN: no cuda_runtime_api.h
              <scratch>/site/nvidia/cu13   Python packages beside cuDNN: cuda_runtime_api.h without \
crt/host_defines.h (package nvidia-cuda-crt)
  cudnn.h includes cuda_runtime_api.h, and the probe links libcudart.
  fix: in a Python environment, which CUDAToolkit_ROOT then names: pip install \
'nvidia-cuda-runtime==13.*' 'nvidia-cuda-crt==13.*'
   or: name the directory above include/cuda_runtime_api.h: -D CUDAToolkit_ROOT=DIRECTORY
  [headers-missing]
""")

    def test_headers_without_the_library(self):
        bare_cuda(self.site / "cu13", "13.0", lib=None)
        self.assertIn("<scratch>/site/nvidia/cu13   Python packages beside cuDNN: headers of CUDA 13.0 without "
                      "libcudart.so.13\n", self.locate_wheel())
