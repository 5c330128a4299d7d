# SPDX-License-Identifier: BSD-3-Clause
"""find_package(CuDNNChecked) by a CMake for Windows: how people spell the places of cuDNN there."""

import shutil

import wine
from dll_places import linked, unpacked, windows_path
from native import InstalledTest, NativeTest
from stand_ins import OF_LINUX
from support.bare_install import bare_cuda, bare_cudnn


class Spellings(NativeTest):
    """The level is LOCATED: neither a compiler nor a DLL is needed."""

    def setUp(self):
        super().setUp()
        self.sdk = bare_cudnn(self.scratch / "a b", libraries=False)
        bare_cuda(self.sdk)
        for name in ("cudnn64_9.dll", "cudart64_13.dll"):
            self.write(f"a b/bin/{name}")

    def located(self, *arguments, **environment):
        shutil.rmtree(self.build, ignore_errors=True)
        output = self.configure("-DREQUEST=REQUIRED", *arguments, **environment)
        result = self.build / "result.txt"
        if not result.exists():
            return output
        return dict(line.split("=", 1) for line in result.read_text().splitlines())

    def assert_found(self, *arguments, **environment):
        result = self.located(*arguments, **environment)
        self.assertIsInstance(result, dict, result)
        place = self.relative(result["location"]), self.relative(result["cudart"])
        self.assertEqual(place, ("<scratch>/a b/bin/cudnn64_9.dll", "<scratch>/a b/bin/cudart64_13.dll"))

    def test_of_one_directory(self):
        whole = f"{self.drive}\\a b"
        for spelled in (whole, whole.replace("\\", "/"), f"{whole}\\", f'"{whole}"', f"\\\\?\\{whole}", "..\\a b",
                        whole.replace("Z:", "z:"), whole.replace("Z:", "")):
            with self.subTest(spelled):
                self.assert_found(f"-DCuDNNChecked_ROOT={spelled}")
        self.assert_found(CuDNNChecked_ROOT=f'"{whole}"')

    def test_of_other_variables(self):
        for name, kinds in (("CUDNN_PATH", "e"), ("CUDNN_ROOT", "ev"), ("CUDA_PATH", "e"), ("CUDAToolkit_ROOT", "v"),
                            ("CMAKE_PREFIX_PATH", "v")):
            for kind, spelled in zip(kinds, (f'"{self.drive}\\a b"', f"{self.drive}\\a b")):
                with self.subTest(name, kind=kind, spelled=spelled):
                    self.assert_found(*([f"-D{name}={spelled}"] if kind == "v" else []), **({name: spelled} if kind == "e" else {}))

    def test_of_several(self):
        both = f"{self.drive}\\none\\;{self.drive}\\a b\\"
        self.assert_found(f"-DCMAKE_PREFIX_PATH={both}")
        self.assert_found(CMAKE_PREFIX_PATH=both)


class Refusals(InstalledTest):
    def setUp(self):
        super().setUp()
        self.write("app/CMakeLists.txt", """\
cmake_minimum_required(VERSION 3.22)
project(app LANGUAGES CXX)
find_package(CuDNNChecked REQUIRED)
""")

    def refused(self, *arguments, **environment):
        text = self.configure(f"-DCMAKE_PREFIX_PATH={windows_path(self.prefix)}", *arguments, **environment)
        self.assertIsNone(OF_LINUX.search(text), text)
        return text

    def test_no_such_directory(self):
        self.assertEqual(self.refused(f"-DCuDNNChecked_ROOT={self.drive}\\none"), """\
cudnn_checked: refused: no cuDNN was found
  looked in:  <scratch>/none   CuDNNChecked_ROOT: no such directory
  CuDNNChecked_ROOT is set, so no other directory was searched.
  fix: with a Python that has pip: py -m pip install --target <scratch>\\build\\cudnn_wheels --platform win_amd64 \
--only-binary=:all: --no-deps nvidia-cudnn-cu13 "nvidia-cuda-runtime==13.*" "nvidia-cuda-crt==13.*" && \
cmake -D CuDNNChecked_ROOT=<scratch>\\build\\cudnn_wheels <scratch>\\build
       cuDNN alone is a download of 407 MB
   or: name the directory above include/cudnn.h and bin/cudnn64_9.dll: -D CuDNNChecked_ROOT=DIRECTORY
  [cudnn-not-found]
""")


class RealDlls(NativeTest):
    """Up to LOADED, with wheels of NVIDIA; the program is guarded."""

    def setUp(self):
        for folder in ("9.28.0.42", "cuda-12.9"):
            if not unpacked(folder).is_dir():
                self.skipTest(f"the wheels in {unpacked(folder)} are not there")
        super().setUp()
        self.cudnn = self.scratch / "site/nvidia/cudnn"
        for folder in (unpacked("9.28.0.42"), unpacked("cuda-12.9")):
            shutil.copytree(folder / "nvidia", self.scratch / "site/nvidia", copy_function=linked, dirs_exist_ok=True)
        for name in ("cublas/bin/cublasLt64_12.dll", "cuda_nvrtc/bin/nvrtc64_120_0.dll"):
            file = self.scratch / "site/nvidia" / name
            if not file.exists():  # else it is a link to the file in the cache
                file.parent.mkdir(parents=True, exist_ok=True)
                wine.run(wine.CC, "-shared", "-nostdlib", "-s", "-o", file, wine.HERE / "fake.c")
        self.write("app/CMakeLists.txt", """\
cmake_minimum_required(VERSION 3.22)
project(app LANGUAGES CXX)
list(APPEND CMAKE_MODULE_PATH "${CUDNN_CHECKED_SOURCE}/cmake")
find_package(CuDNNChecked REQUIRED)
add_executable(app main.cpp)
target_link_libraries(app PRIVATE CuDNNChecked::cudnn)
cudnn_checked_guard(app GPU OPTIONAL)
""")
        self.write("app/main.cpp", """\
#include <cudnn.h>
#include <cstdio>
int main() { std::printf("cuDNN %d\\n", static_cast<int>(cudnnGetVersion())); }
""")

    def start(self):
        folders = [self.cudnn / "bin", *(self.scratch / "site/nvidia").glob("cu*_*/bin"), self.scratch / "site/nvidia/cublas/bin"]
        return self.windows.start([self.build / "app.exe"], cwd=self.scratch, path=";".join(map(windows_path, folders)))

    def test_a_guarded_program(self):
        root = f"-DCuDNNChecked_ROOT={self.drive}\\site"
        self.assertIn("-- cuDNN 9.28.0 \u00b7 CUDA 12.9 \u00b7 loaded, no convolution was run: no NVIDIA driver here\n",
                      self.configure(root))
        built = self.run_cmake("--build", windows_path(self.build))
        self.assertEqual(built[0], 0, built[1])
        self.assertEqual(self.start()[:2], (0, "cuDNN 92800\r\n"))
        ops = self.cudnn / "bin/cudnn_ops64_9.dll"
        whole = ops.read_bytes()
        ops.unlink()
        ops.write_bytes(whole[:5000])
        started = self.start()
        self.assertEqual(started.status, 78, started.errors)
        self.assertIn("refused: a library of cuDNN is damaged: cudnn_ops64_9.dll\n", started.errors)
        self.assertIn("refused: a library of cuDNN is damaged: cudnn_ops64_9.dll\n", self.configure(root))
