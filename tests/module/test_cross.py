# SPDX-License-Identifier: BSD-3-Clause
"""Builds for another system: its roots, CMake's rules for what is searched below them, and its emulator."""

import shutil

from support import install_trees, warnings
from support.environment import put_compiler, tools
from support.install_trees import lay_out
from support.locating import LocatingTest
from support.proving import ProvingTest

TOOLCHAIN = """
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_CROSSCOMPILING TRUE)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
"""


class Roots(LocatingTest):
    """This machine's cuDNN and toolkit are named by variables, the target's lie below its root."""

    def setUp(self):
        super().setUp()
        self.host = lay_out(self.scratch / "host", install_trees.DEBIAN_9, install_trees.TOOLKIT)
        self.native = {"CUDNN_PATH": self.host / "usr", "CUDA_PATH": self.host / "usr/local/cuda"}
        self.wheels = install_trees.bare_wheels(self.scratch / "wheels", "aarch64")

    def target(self, *trees, folder="sbsa-linux", absolute="", **options):
        """The target's files; links of packages are absolute there."""
        return lay_out(self.scratch / "target", *trees, machine="aarch64", target=folder,
                       absolute=absolute, **options)

    def refused(self, line, **options):
        """The message, explained: the program for that runs here, whatever is built."""
        if not (self.scratch / "bin").exists():
            (self.scratch / "bin").mkdir()
            put_compiler(self.scratch / "bin/c++")
        return self.configure(line, environment={**self.native, "PATH": f"{tools()}:{self.scratch}/bin"}, **options)

    def configure(self, *lines, modes="ONLY", arguments=(), **options):
        """Configures in a new build tree, with the lines in a toolchain file."""
        shutil.rmtree(self.app.build_directory, ignore_errors=True)
        modes = "".join(f"set(CMAKE_FIND_ROOT_PATH_MODE_{kind} {modes})\n"
                        for kind in ("LIBRARY", "INCLUDE", "PACKAGE"))
        file = self.write("toolchain.cmake", TOOLCHAIN + modes + "\n".join(lines) + "\n")
        options = {"environment": self.native, "cuda": False, **options}
        return self.locate(f"-DCMAKE_TOOLCHAIN_FILE={file}", f"-DCMAKE_PROJECT_INCLUDE={file}",
                           "-DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=ON", *arguments, **options)

    def test_jetson_and_arm_servers(self):
        for folder in ["sbsa-linux", "aarch64-linux"]:
            with self.subTest(folder=folder):
                shutil.rmtree(self.scratch / "target", ignore_errors=True)
                root = self.target(install_trees.DEBIAN_9, install_trees.TOOLKIT, folder=folder,
                                   absolute=self.scratch / "target")
                for name in ["CMAKE_FIND_ROOT_PATH", "CMAKE_SYSROOT"]:
                    result = self.configure(f'set({name} "{root}")')
                    self.assert_located(result, f"{root}/usr", lib="lib/aarch64-linux-gnu")
                    self.assertTrue(result["cudart"].startswith(f"{root}/usr/local/cuda/"), result)

    def test_only_never_takes_what_is_outside(self):
        root = self.target(install_trees.TARBALL)
        shutil.rmtree(root / "include")
        text = self.refused(f'set(CMAKE_FIND_ROOT_PATH "{root}")')
        self.assertEqual(text, """\
cudnn_checked: refused: cuDNN's library was found without its headers
  looked in:  <scratch>/host/usr   environment CUDNN_PATH: outside of CMAKE_FIND_ROOT_PATH, and its \
mode is ONLY
              <scratch>/host/usr/local/cuda   environment CUDA_PATH: outside of \
CMAKE_FIND_ROOT_PATH, and its mode is ONLY
              <scratch>/target/usr/local/cuda   default CUDA toolkit: no such directory
              <scratch>/target/usr   system: no such directory
              <scratch>/target/usr/local   system: no such directory
              <scratch>/target   system: <scratch>/target/lib/libcudnn.so without cudnn.h
  Programs that use cuDNN can run here, but cannot be compiled.
  fix: with a Python that has pip: python3 -m pip install --target <scratch>/app-build/cudnn_wheels --platform manylinux_2_27_aarch64 --platform manylinux2014_aarch64 \
--only-binary=:all: --no-deps nvidia-cudnn-cu13 \
'nvidia-cuda-runtime==13.*' 'nvidia-cuda-crt==13.*' \
&& cmake -D CuDNNChecked_ROOT=<scratch>/app-build/cudnn_wheels <scratch>/app-build
       cuDNN alone is a download of 597 MB
   or: name the directory above include/cudnn.h and lib/libcudnn.so: -D CuDNNChecked_ROOT=DIRECTORY
  [headers-missing]
""")

    def test_the_runtime_of_this_machine_is_not_taken(self):
        root = self.target(install_trees.TARBALL)
        text = self.refused(f'set(CMAKE_FIND_ROOT_PATH "{root}")')
        self.assertIn("<scratch>/host/usr/local/cuda   environment CUDA_PATH: outside of "
                      "CMAKE_FIND_ROOT_PATH, and its mode is ONLY\n", text)
        text = self.refused(f'set(CMAKE_FIND_ROOT_PATH "{root}")', modes="BOTH")
        self.assertIn("<scratch>/host/usr/local/cuda   environment CUDA_PATH: "
                      "<scratch>/host/usr/local/cuda/lib64/libcudart.so.13 is for x86_64, and this "
                      "build is for aarch64\n", text)

    def test_a_toolkit_with_the_directory_of_the_target(self):
        """cuda-cross-sbsa installs it into the toolkit of this machine."""
        root = self.target(install_trees.TARBALL)
        toolkit = self.native["CUDA_PATH"]
        lay_out(self.host, install_trees.TOOLKIT[4:], machine="aarch64", target="sbsa-linux")
        for modes in ["ONLY", "BOTH"]:
            with self.subTest(modes=modes):
                result = self.configure(f'set(CMAKE_FIND_ROOT_PATH "{root}")', modes=modes)
                self.assert_located(result, root)
                self.assertEqual(result["cudart"],
                                 f"{toolkit}/targets/sbsa-linux/lib/libcudart.so.13")

    def test_the_modes(self):
        """One directory, below a root and as it is named: which of the two is taken."""
        inside = self.wheels / "nvidia/cudnn"
        root = self.scratch / "root"
        copy = root / str(inside)[1:]
        shutil.copytree(self.wheels, root / str(self.wheels)[1:])
        line = f'set(CMAKE_FIND_ROOT_PATH "{root}")'
        environment = {"CUDNN_PATH": self.wheels}
        for modes, prefix in [("ONLY", copy), ("BOTH", copy), ("NEVER", inside)]:
            with self.subTest(modes=modes):
                result = self.configure(line, modes=modes, environment=environment)
                self.assert_located(result, prefix)
        shutil.rmtree(root / str(self.wheels)[1:])
        with self.subTest("BOTH, and nothing below the root"):
            self.assert_located(self.configure(line, modes="BOTH", environment=environment), inside)
        with self.subTest("below the root already"):
            result = self.configure(f'set(CMAKE_FIND_ROOT_PATH "{self.wheels}")',
                                    environment=environment)
            self.assert_located(result, inside)
        with self.subTest("below CMAKE_STAGING_PREFIX"):
            staged = f'set(CMAKE_STAGING_PREFIX "{self.wheels}")'
            self.assert_located(self.configure(line, staged, environment=environment), inside)
        with self.subTest("an instruction names the directory as it is"):
            self.assert_located(self.configure(line, arguments=[f"-DCuDNNChecked_ROOT={self.wheels}"]),
                                inside)

    def test_a_link_of_the_target_that_leads_to_this_machine(self):
        """A copy of a target's root: its absolute links lead out of it."""
        root = self.target(install_trees.DEBIAN_8, release="8.9.7")
        text = self.refused(f'set(CMAKE_FIND_ROOT_PATH "{root}")')
        self.assertIn("<scratch>/target/usr   system: <scratch>/target/usr/include/cudnn.h is a link to "
                      "/etc/alternatives/libcudnn, which is not there\n", text)


class NativeRoots(LocatingTest):
    """vcpkg's toolchain file names its directory as a root of builds for this machine."""

    def test_the_system_is_searched_too_unless_the_mode_is_only(self):
        root = lay_out(self.scratch / "root", install_trees.TARBALL)
        for mode in ["BOTH", "ONLY", "NEVER"]:
            with self.subTest(mode=mode):
                # No cuDNN of this machine either.
                text = self.locate(f"-DCMAKE_FIND_ROOT_PATH={root}", "-DCMAKE_SYSTEM_PROCESSOR=x86_64",
                                   f"-DCMAKE_FIND_ROOT_PATH_MODE_LIBRARY={mode}",
                                   f"-DCMAKE_FIND_ROOT_PATH_MODE_INCLUDE={mode}",
                                   "-DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=ON", request="99;REQUIRED")
                self.assertEqual("  <scratch>/root   system: cuDNN 9.14.0\n" in text, mode != "NEVER", text)
                self.assertEqual("  /usr   system: " in text, mode != "ONLY", text)


class Emulator(ProvingTest):
    """It may end well and start nothing, as /bin/true does, or do what the program must find out itself."""

    sdk_options = {"cudnn": "9.14.0", "gpus": ""}
    cross = ["-DCMAKE_SYSTEM_NAME=Linux", "-DCMAKE_SYSTEM_PROCESSOR=x86_64"]

    def emulator(self, text):
        script = self.write("emulator", f"#!/bin/sh\n{text}\nexec \"$@\"\n")
        script.chmod(0o755)
        return f"-DCMAKE_CROSSCOMPILING_EMULATOR={script}"

    def assert_not_proved(self, emulator, message, begin="cudnn_checked: refused: "):
        self.assertEqual(self.refused(*self.cross, emulator), begin + message)
        result = self.proved(*self.cross, emulator, request="")
        self.assertEqual((result["FOUND"], result["VERSION"], result["LEVEL"]), ("FALSE", "", ""))
        self.assertEqual(self.relative("".join(warnings(self.output))), begin + message)
        self.assertEqual(self.proved(*self.cross, emulator, request="QUIET")["FOUND"], "FALSE")

    def test_one_that_starts_nothing(self):
        # What an earlier run has proved is not taken for its own.
        self.assertEqual(self.proved(*self.cross, "-DCMAKE_CROSSCOMPILING_EMULATOR=/usr/bin/env")["LEVEL"], "LOADED")
        for program, status in (("true", 0), ("false", 1)):
            with self.subTest(program=program):
                self.assert_not_proved(f"-DCMAKE_CROSSCOMPILING_EMULATOR=/bin/{program}", f"""\
the probe ended with status {status}, and its report gives no reason
  status:  {status}
  during:  what <scratch>/app-build/CuDNNChecked/cudnn_checked_target_judge does, which runs it
  cuDNN:   9.14.0   <scratch>/sdk/lib/libcudnn.so.9
  CUDA:    13.0   <scratch>/sdk/lib/libcudart.so.13
  probe:   <scratch>/app-build/CuDNNChecked/cudnn_checked_probe
  A library, a sanitizer or a preloaded library ended it; nothing was proved.
  fix: find what ends the probe, in its words below or with a debugger
  [probe-crashed]
""")

    def test_something_else_is_in_the_place_of_a_file(self):
        file = self.app.path("CuDNNChecked/all/report.json.end")
        self.assert_not_proved(self.emulator(f"mkdir '{file}'; exit 5"), """\
something else is in the place of a file of the build tree
  path:   <scratch>/app-build/CuDNNChecked/all/report.json.end
  it is:  a directory, not a file
  fix: rm -rf <scratch>/app-build/CuDNNChecked/all/report.json.end
  [bad-input]
""")

    def test_a_directory_that_is_gone(self):
        """The judge cannot write its files."""
        self.assert_not_proved(self.emulator(f"rm -rf '{self.app.path('CuDNNChecked/all')}'"), """\
a directory of the build tree cannot be written
  directory:  <scratch>/app-build/CuDNNChecked/all
  error:      No such file or directory
  fix: name a build directory that can be written: cmake -B DIRECTORY
  [bad-input]
""")
