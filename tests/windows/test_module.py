# SPDX-License-Identifier: BSD-3-Clause
"""find_package(CuDNNChecked) for Windows: where it looks, and NVIDIA's own DLLs with mingw-w64 and wine.

The folder of unpacked wheels (dll_places.unpacked) has 8.9.7.29, 9.10.2.21, 9.28.0.42, and in cuda-12.9 those of
nvidia-cuda-runtime-cu12 and nvidia-cuda-nvcc-cu12; 9.28.1.4 is for CUDA 13, with its runtime 13.5.37.
"""

import os
import re
import shutil
import subprocess

import wine
from dll_places import linked, unpacked
from support import bare_cuda, bare_cudnn, compiler
from support.consumer import cmake_program
from support.environment import REPOSITORY, put_compiler, tools
from support.locating import LocatingTest
from support.output import errors, relative_output, status_lines
from support.scratch import ScratchTest

TOOLCHAIN = """
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR AMD64)
"""
PROJECT = f"""
cmake_minimum_required(VERSION 3.22)
project(app LANGUAGES CXX)
list(APPEND CMAKE_MODULE_PATH "{REPOSITORY}/cmake")
find_package(CuDNNChecked REQUIRED)
add_executable(app main.cpp)
target_link_libraries(app PRIVATE CuDNNChecked::cudnn_all CuDNNChecked::cudart)
cudnn_checked_guard(app GPU OPTIONAL)
file(GENERATE OUTPUT "${{CMAKE_BINARY_DIR}}/dlls.txt" CONTENT "$<TARGET_RUNTIME_DLLS:app>")
"""
MAIN = """
#include <cuda_runtime_api.h>
#include <cudnn.h>
#include <cstdio>
int main() {
  int cuda = 0;
  cudaRuntimeGetVersion(&cuda);
  std::printf("cuDNN %d, CUDA %d\\n", static_cast<int>(cudnnGetVersion()), cuda);
}
"""
NAMED = "CuDNNChecked_ROOT is set, so no other directory was searched."
INSTALL = """\
  try: PYTHON -m pip install --target <build>/cudnn_wheels --platform win_amd64 --only-binary=:all: --no-deps \
nvidia-cudnn-cu13 'nvidia-cuda-runtime==13.*' 'nvidia-cuda-crt==13.*' && cmake -D CuDNNChecked_ROOT=<build>/cudnn_wheels <build>
       cuDNN alone is a download of 517 MB
"""
NAME = INSTALL + """\
   or: name the directory above include/cudnn.h and bin/cudnn64_9.dll: -D CuDNNChecked_ROOT=DIRECTORY
"""


class Layouts(LocatingTest):
    """Needs neither compiler nor DLL."""

    def located(self, *arguments, **options):
        file = self.write("toolchain.cmake", TOOLCHAIN)
        shutil.rmtree(self.app.build_directory, ignore_errors=True)
        return self.locate(f"-DCMAKE_TOOLCHAIN_FILE={file}", f"-DCMAKE_PROJECT_INCLUDE={file}", *arguments,
                           cuda=False, **options)

    def install(self, root, bin_folder="bin", include="include", name="cudnn64_9.dll", prefix=""):
        """Header and DLL of cuDNN 9.14.0, and a runtime of CUDA 13 beside them."""
        root = self.scratch / root
        bare_cudnn(root, include=include, libraries=False)
        bare_cuda(root, include=include)
        for file in (name, "cudart64_13.dll"):
            self.write(f"{root.relative_to(self.scratch)}/{bin_folder}/{file}")
        return root

    def test_where_installs_keep_their_files(self):
        for name, bin_folder, include in (
                ("zip archive", "bin", "include"), ("toolkit of CUDA 13", "bin/x64", "include"),
                ("conda", "Library/bin", "Library/include"), ("installer", "bin/13.0", "include/13.0"),
                ("installer with x64", "bin/13.0/x64", "include/13.0")):
            with self.subTest(name):
                root = self.install(f"{name}/root", bin_folder, include)
                result = self.located(f"-DCuDNNChecked_ROOT={root}")
                self.assertIsInstance(result, dict, result)
                self.assertEqual((result["location"], result["cudart"], result["VERSION"]),
                                 (f"{root}/{bin_folder}/cudnn64_9.dll", f"{root}/{bin_folder}/cudart64_13.dll", "9.14.0"))

    def test_a_copy_in_the_toolkit(self):
        for bin_folder in ("bin", "bin/x64"):
            with self.subTest(bin_folder):
                root = self.install(f"{bin_folder}/CUDA/v13.0", bin_folder)
                result = self.located(environment={"CUDA_PATH": str(root)})
                self.assertIsInstance(result, dict, result)
                self.assertEqual(result["location"], f"{root}/{bin_folder}/cudnn64_9.dll")

    def test_an_installer_with_two_cudas(self):
        """The DLL is that of the headers' CUDA, wherever in its folder."""
        drive = self.scratch / "drive"
        for folder in ("12.9", "13.0"):
            root = self.install("drive/Program Files/NVIDIA/CUDNN/v9.14", f"bin/{folder}", f"include/{folder}")
        (root / "bin/13.0/x64").mkdir()
        (root / "bin/13.0/cudnn64_9.dll").rename(root / "bin/13.0/x64/cudnn64_9.dll")
        for toolkit, folder in (("12.9", "12.9"), ("13.0", "13.0/x64"), ("", "13.0/x64")):
            with self.subTest(toolkit):
                result = self.located(f"-DCMAKE_FIND_ROOT_PATH={drive}", "-DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=ON",
                                      environment={"CUDA_PATH": f"{self.scratch}/CUDA/v{toolkit}"} if toolkit else {})
                self.assertIsInstance(result, dict, result)
                self.assertEqual(result["location"], f"{root}/bin/{folder}/cudnn64_9.dll")

    def test_no_dlltool(self):
        root = self.install("sdk")
        # What writes the message is compiled for this machine.
        (self.scratch / "tools").mkdir()
        put_compiler(self.scratch / "tools/c++")
        text = self.located(f"-DCuDNNChecked_ROOT={root}", "-DCuDNNChecked_REQUIRE=LINKED",
                            environment={"PATH": f"{tools()}:{self.scratch}/tools"})
        self.assertEqual(text, """\
cudnn_checked: refused: there is no import library of cudnn64_9.dll, and none can be made
  DLL:        cudnn64_9.dll   <scratch>/sdk/bin/cudnn64_9.dll
  not made:   no dlltool (CMAKE_DLLTOOL, PATH), and no lib.exe (CMAKE_AR)
  looked in:  <scratch>/sdk/lib/x64
              <scratch>/sdk/lib
              <scratch>/sdk/bin
  A program is linked with the import library of a DLL, and not with the DLL itself.
  fix: name a dlltool: -D CMAKE_DLLTOOL=FILE
   or: name an install that has cudnn.lib
  [probe-not-linked]
""")

    def test_a_build_for_32_bits(self):
        """What writes the message is compiled for this machine."""
        root = self.install("sdk")
        text = self.located(f"-DCuDNNChecked_ROOT={root}", "-DCuDNNChecked_REQUIRE=LINKED", "-DCMAKE_SIZEOF_VOID_P=4",
                            environment={"PATH": f"{tools()}:{os.path.dirname(compiler())}"})
        self.assertEqual(text, """\
cudnn_checked: refused: this build is for 32 bits, and there is no such cuDNN
  DLL:  for 64 bits   <scratch>/sdk/bin/cudnn64_9.dll
  Windows loads no DLL of 64 bits into a program of 32 bits.
  fix: build for 64 bits: -A x64, or a toolchain such as x86_64-w64-mingw32
  [wrong-machine]
""")


class RealDlls(ScratchTest):
    @classmethod
    def setUpClass(cls):
        reason = wine.why_no_tools()
        for folder in ("8.9.7.29", "9.10.2.21", "9.28.0.42", "9.28.1.4", "cuda-12.9"):
            if not reason and not unpacked(folder).is_dir():
                reason = f"the wheels in {unpacked(folder)} are not there"
        if reason:
            cls.skipTest(cls, reason)
        cls.windows = wine.Windows()
        cls.addClassCleanup(cls.windows.wait)

    def setUp(self):
        super().setUp()
        self.write("app/CMakeLists.txt", PROJECT)
        self.write("app/main.cpp", MAIN)
        self.toolchain = self.write("toolchain.cmake", f'include("{wine.HERE}/mingw-w64.cmake")\n')
        self.build = self.scratch / "build"
        self.fake = self.scratch / "fake.dll"
        wine.run(wine.CC, "-shared", "-nostdlib", "-s", "-o", self.fake, wine.HERE / "fake.c")

    def site(self, release):
        """The wheels of a release and of CUDA 12.9; stand-ins for what cuDNN opens when it computes."""
        site = self.scratch / "site"
        for folder in (unpacked(release), unpacked("cuda-12.9")):
            for wheel in ("cudnn", "cuda_runtime", "cuda_nvcc"):
                if (folder / "nvidia" / wheel).is_dir():
                    shutil.copytree(folder / "nvidia" / wheel, site / "nvidia" / wheel, copy_function=linked)
        for name in ("cublas/bin/cublasLt64_12.dll", "cublas/bin/cublas64_12.dll", "cublas/bin/zlibwapi.dll", "cuda_nvrtc/bin/nvrtc64_120_0.dll"):
            (site / "nvidia" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(self.fake, site / "nvidia" / name)
        return site / "nvidia" / "cudnn"

    def configure(self, *arguments):
        """The line of its status, or the message."""
        done = subprocess.run(
            [cmake_program(), "-S", self.scratch / "app", "-B", self.build, "-G", "Ninja",
             f"-DCMAKE_TOOLCHAIN_FILE={self.toolchain}", "-DCMAKE_BUILD_TYPE=Release",
             f"-DCuDNNChecked_ROOT={self.scratch}/site", *arguments],
            env=self.windows.environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600)
        text = "".join(errors(done.stdout)) if done.returncode != 0 else "\n".join(status_lines(done.stdout))
        text = re.sub(r"try: .* -m pip", "try: PYTHON -m pip", text)
        return relative_output(text, site=self.scratch / "site", build=self.build)

    def test_levels_targets_and_a_program(self):
        cudnn = self.site("9.10.2.21")
        self.assertEqual(self.configure("-DCMAKE_CROSSCOMPILING_EMULATOR=", "-DCUDNN_CHECKED_WINE="),
                         "cuDNN 9.10.2 · CUDA 12.9, linked only; the files were judged; nothing was run: cross-compiling without "
                         "CMAKE_CROSSCOMPILING_EMULATOR [not-verified]")
        ops = cudnn / "bin/cudnn_ops64_9.dll"
        ops.unlink()
        linked(unpacked("9.28.0.42") / "nvidia/cudnn/bin" / ops.name, ops)
        self.assertIn("refused: the files of cuDNN are of more than one release\n", self.configure())
        ops.unlink()
        linked(unpacked("9.10.2.21") / "nvidia/cudnn/bin" / ops.name, ops)
        self.assertEqual(self.configure("-UCUDNN_CHECKED_WINE", "-UCMAKE_CROSSCOMPILING_EMULATOR"),
                         "cuDNN 9.10.2 · CUDA 12.9 · loaded, no convolution was run: no NVIDIA driver here")
        wine.run("cmake", "--build", self.build)
        dlls = (self.build / "dlls.txt").read_text().split(";")
        self.assertEqual(set(dlls), {*map(str, (cudnn / "bin").glob("*.dll")),
                                     str(cudnn.with_name("cuda_runtime") / "bin" / "cudart64_12.dll")})
        opened = [f"{self.scratch}/site/nvidia/{wheel}/bin/any" for wheel in ("cublas", "cuda_nvrtc")]
        self.path = ";".join({"Z:" + os.path.dirname(dll).replace("/", "\\") for dll in dlls + opened})
        self.assertEqual(self.start(), (0, "cuDNN 91002, CUDA 12090\r\n", ""))
        self.refusals(cudnn / "bin")

    def start(self):
        return tuple(self.windows.start([self.build / "app.exe"], cwd=self.scratch, path=self.path))

    def refusals(self, folder):
        """In the same build tree, which has the probe."""
        graph = folder / "cudnn_graph64_9.dll"
        graph.unlink()
        self.assertEqual(self.configure(), """\
cudnn_checked: refused: a sub-library of cuDNN is missing: cudnn_graph64_9.dll
  needed:  cudnn_graph64_9.dll
  found:   9.10.2 for CUDA 12   <site>/nvidia/cudnn/bin/cudnn64_9.dll   chosen by the PATH of the probe
  cuDNN does not report it: depending on the file it aborts, fails later, runs slower or computes wrong numbers.
  fix: reinstall cuDNN 9.10.2 for CUDA 12 in <site>/nvidia/cudnn/bin
  [sublibrary-missing]
""")
        linked(unpacked("9.10.2.21") / "nvidia/cudnn/bin" / graph.name, graph)
        ops = folder / "cudnn_ops64_9.dll"
        ops.unlink()
        linked(unpacked("9.28.0.42") / "nvidia/cudnn/bin" / ops.name, ops)
        self.assertEqual(self.configure(), """\
cudnn_checked: refused: the files of cuDNN are of more than one release
  shim:  9.10.2 for CUDA 12   <site>/nvidia/cudnn/bin/cudnn64_9.dll   chosen by the PATH of the probe
  ops:   9.28.0 for CUDA 12   <site>/nvidia/cudnn/bin/cudnn_ops64_9.dll   chosen by PATH[0]
  cuDNN does not compare all of its libraries: such a set has silently computed wrong numbers.
  fix: reinstall cuDNN 9.10.2 for CUDA 12 in <site>/nvidia/cudnn/bin, so that every file comes from there
  [mixed-sublibraries]
""")
        status, output, said = self.start()
        self.assertEqual((status, output), (78, ""))
        self.assertIn("cudnn_checked: refused: the files of cuDNN are of more than one release\n", said)
        shim = folder / "cudnn64_9.dll"
        whole = shim.read_bytes()
        for contents, why in ((wine.with_machine(whole, 0x014C), "i386"), (wine.with_machine(whole, 0xAA64), "aarch64")):
            shim.unlink()
            shim.write_bytes(contents)
            self.assertEqual(self.configure(), f"""\
cudnn_checked: refused: the cuDNN that was found is for another machine
  looked in:  <site>   CuDNNChecked_ROOT: neither cudnn.h nor cudnn64_*.dll
              <site>/nvidia/cudnn   CuDNNChecked_ROOT: <site>/nvidia/cudnn/bin/cudnn64_9.dll is for {why}, and this build \
is for x86_64
  {NAMED}
{NAME}  [wrong-machine]
""")
        shim.write_bytes(whole[:90000])
        self.assertEqual(self.configure(), f"""\
cudnn_checked: refused: what cudnn64_9.dll exports cannot be read
  DLL:  its headers or its table of exports are damaged   <site>/nvidia/cudnn/bin/cudnn64_9.dll
  No program can be linked with it.
{INSTALL}  [library-corrupt]
""")
        shim.unlink()
        self.assertEqual(self.configure(), f"""\
cudnn_checked: refused: cuDNN's headers were found without their library
  looked in:  <site>   CuDNNChecked_ROOT: neither cudnn.h nor cudnn64_*.dll
              <site>/nvidia/cudnn   CuDNNChecked_ROOT: cudnn.h of 9.10.2 without cudnn64_9.dll
  {NAMED}
{NAME}  [library-missing]
""")

    def test_an_import_library_of_the_install(self):
        cudnn = self.site("8.9.7.29")
        self.assertEqual(self.configure(), "cuDNN 8.9.7 · CUDA 12.9 · loaded, no convolution was run: no NVIDIA driver here")
        ninja = (self.build / "build.ninja").read_text()
        self.assertIn(f"{cudnn}/lib/x64/cudnn64_8.lib", ninja)
        self.assertEqual([file.name for file in (self.build / "CuDNNChecked" / "import").glob("*.lib")], ["cudart64_12.lib"])
        with open(self.scratch / "app" / "CMakeLists.txt", "a", encoding="utf-8") as file:
            file.write("cudnn_checked_bundle(app)\n")
        self.assertEqual(self.configure(), """\
cudnn_checked_bundle(app): a program for Windows has no run path: its DLLs lie beside it
  fix: link CuDNNChecked::cudnn_all, and copy $<TARGET_RUNTIME_DLLS:app>
  [bad-input]
""")

    def test_cuda_13(self):
        """Its cudart.lib has objects of Microsoft's compiler; its runtime has no words for errors without a driver."""
        shutil.copytree(unpacked("9.28.1.4") / "nvidia", self.scratch / "site" / "nvidia", copy_function=linked)
        shutil.copyfile(self.fake, self.scratch / "site/nvidia/cu13/bin/x86_64/cublasLt64_13.dll")
        self.assertEqual(self.configure(),
                         "cuDNN 9.28.1 · CUDA 13.5 · loaded, no convolution was run: no NVIDIA driver here")
        wine.run("cmake", "--build", self.build)
        self.path = ";".join(f"Z:{self.scratch}/site/nvidia/{folder}".replace("/", "\\")
                             for folder in ("cudnn/bin", "cu13/bin/x86_64"))
        self.assertEqual(self.start(), (0, "cuDNN 92801, CUDA 0\r\n", ""))

    def test_what_other_projects_import(self):
        """The exported library of examples/, and a project that uses it, with and without CuDNNChecked."""
        self.site("9.10.2.21")
        package = f"-DCuDNNChecked_DIR={REPOSITORY}/cmake"
        example = REPOSITORY / "examples" / "exported_package"
        made = [cmake_program(), "-G", "Ninja", f"-DCMAKE_TOOLCHAIN_FILE={self.toolchain}", "-DCMAKE_BUILD_TYPE=Release",
                f"-DCuDNNChecked_ROOT={self.scratch}/site", "-DCMAKE_FIND_ROOT_PATH_MODE_PACKAGE=BOTH"]
        environment = ["env", *(f"{name}={value}" for name, value in self.windows.environment().items())]
        installed = self.scratch / "installed"
        wine.run(*environment, *made, package, "-S", example, "-B", self.scratch / "library",
                 f"-DCMAKE_INSTALL_PREFIX={installed}")
        wine.run("cmake", "--build", self.scratch / "library", "--target", "install")
        user = [*environment, *made, "-S", example / "consumer", "-B", self.build, f"-DCMAKE_PREFIX_PATH={installed}"]
        done = subprocess.run(user, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertIn("\n   it needs CuDNNChecked, which finds cuDNN for Windows\n"
                      "   fix: name the directory of CuDNNCheckedConfig.cmake: -D CuDNNChecked_DIR=DIRECTORY\n", done.stdout)
        wine.run(*user, package)
        wine.run("cmake", "--build", self.build)
        self.assertTrue((self.build / "consumer.exe").exists())

    def test_a_report_from_another_machine(self):
        cudnn = self.site("9.10.2.21")
        self.configure()
        (self.build / "CuDNNChecked/all/report.json").replace(self.scratch / "report.json")
        given = f"-DCuDNNChecked_PROBE_REPORT={self.scratch}/report.json"
        self.assertEqual(relative_output(self.configure(given), scratch=self.scratch),
                         "cuDNN 9.10.2 · CUDA 12.9 · loaded; taken from report <scratch>/report.json")
        ops = cudnn / "bin" / "cudnn_ops64_9.dll"
        ops.unlink()
        linked(unpacked("9.28.0.42") / "nvidia/cudnn/bin" / ops.name, ops)
        self.assertEqual(relative_output(self.configure(given), scratch=self.scratch), """\
cudnn_checked: refused: the report of the probe cannot be used: its ops library is another file
  here:    build id 0566ceb6186ad   <site>/nvidia/cudnn/bin/cudnn_ops64_9.dll
  report:  build id 07927b5cf8683   <scratch>/report.json
  What it proved does not apply to the cuDNN that is used here.
  fix: cmake -U CuDNNChecked_PROBE_REPORT <build>
   or: copy <build>/CuDNNChecked/cudnn_checked_judge.exe and <build>/CuDNNChecked/cudnn_checked_probe.exe to where the program will run, and start it there as: \
.\\cudnn_checked_judge.exe configure judge report=report.json
   or: run there, with the directory of this cuDNN: cudnn-checked probe --json DIRECTORY > report.json
  [bad-input]
""")
        self.assertIn("it cannot be checked here\n  report:  no CMAKE_CROSSCOMPILING_EMULATOR   ",
                      self.configure(given, "-DCMAKE_CROSSCOMPILING_EMULATOR=", "-DCUDNN_CHECKED_WINE="))

    def test_layouts_other_than_wheels(self):
        """NVIDIA's files where archives, conda and NVIDIA's installer have them."""
        cuda = self.scratch / "toolkit"
        for folder in ("bin", "include", "lib"):
            shutil.copytree(unpacked("cuda-12.9") / "nvidia/cuda_runtime" / folder, cuda / folder, copy_function=linked)
        shutil.copytree(unpacked("cuda-12.9") / "nvidia/cuda_nvcc/include", cuda / "include", copy_function=linked,
                        dirs_exist_ok=True)
        drive = self.scratch / "drive"
        with open(self.toolchain, "a", encoding="utf-8") as file:
            file.write(f'list(PREPEND CMAKE_FIND_ROOT_PATH "{drive}")\n')
        for name, release, root, libraries, headers, imports in (
                ("archive", "8.9.7.29", "archive", "bin", "include", "lib/x64"),
                ("archive of cuDNN 9", "9.28.0.42", "archive9", "bin/x64", "include", ""),
                ("conda", "8.9.7.29", "conda", "Library/bin", "Library/include", "Library/lib"),
                ("installer", "9.10.2.21", "drive/Program Files/NVIDIA/CUDNN/v9.10", "bin/12.9", "include/12.9", "")):
            with self.subTest(name):
                wheel, root = unpacked(release) / "nvidia/cudnn", self.scratch / root
                for source, target in (("bin", libraries), ("include", headers), ("lib/x64", imports)):
                    if target:
                        shutil.copytree(wheel / source, root / target, copy_function=linked)
                named = [] if drive in root.parents else [f"-DCuDNNChecked_ROOT={root}"]
                self.assertEqual(
                    self.configure(f"-DCUDAToolkit_ROOT={cuda}", "-UCuDNNChecked_ROOT", *named),
                    f"cuDNN {release.rpartition('.')[0]} · CUDA 12.9 · loaded, no convolution was run: no NVIDIA driver here")
                ninja = (self.build / "build.ninja").read_text()
                self.assertIn(f" {root}/{imports}/cudnn64_8.lib " if imports else " CuDNNChecked/import/cudnn64_9.lib ", ninja)

    def test_headers_of_another_release(self):
        cudnn = self.site("9.10.2.21")
        shutil.rmtree(cudnn / "include")
        shutil.copytree(unpacked("9.28.0.42") / "nvidia/cudnn/include", cudnn / "include")
        self.assertEqual(self.configure(), """\
cudnn_checked: refused: the header is of cuDNN 9.28.0 and the library of cuDNN 9.10.2
  header:   9.28.0   <site>/nvidia/cudnn/include/cudnn_version.h
  library:  9.10.2   Z:<site>/nvidia/cudnn/bin/cudnn_graph64_9.dll   chosen by PATH[0]
  A program compiled with it would call functions and pass enumerations of another release.
  fix: let CuDNNChecked_ROOT name an install that has both
   or: reinstall all packages of cuDNN 9.28.0
  [header-library-mismatch]
""")
