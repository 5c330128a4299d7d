# SPDX-License-Identifier: BSD-3-Clause
"""Builds that do not find cuDNN, or find another one than their sources are for."""

from museum import Incident
from scene import (HEAD, SITE, all_of, bare, changed, cuda, file, folder, of_machine, project, real_files, real_headers,
                   real_include, sets, venv, versioned)
from support.environment import compiler

KIND = "A build that does not find cuDNN"
HEADERS = "A header that is of another release than the sources, or than the library"
CONFIGURE = "cmake -S ../project -B ../build"
CHECK = "cmake -S ../checked -B ../checked-build"
COMPILE = f"{compiler('CXX')} ${{CUDNN_PATH:+-I$CUDNN_PATH/include}} -c ../main.cpp -o ../main.o"
OF_WHEEL = f"{compiler('CXX')} -I{SITE}/nvidia/cudnn/include -c ../main.cpp -o ../main.o"
NO_HEADER = "fatal error: cudnn.h: No such file or directory"
TE = """
find_path(cudnn_INCLUDE cudnn.h HINTS ENV CUDNN_PATH PATH_SUFFIXES include)
find_library(cudnn_LIBRARY NAMES cudnn libcudnn.so HINTS ENV CUDNN_PATH PATH_SUFFIXES lib lib64 REQUIRED)
"""
FIND = """
include(FindPackageHandleStandardArgs)
find_path(CUDNN_INCLUDE cudnn.h HINTS ENV CUDNN_ROOT PATH_SUFFIXES include)
find_library(CUDNN_LIBRARY NAMES cudnn HINTS ENV CUDNN_ROOT PATH_SUFFIXES lib lib64)
if(IS_DIRECTORY "${CUDNN_LIBRARY}")
  unset(CUDNN_LIBRARY CACHE)
endif()
"""
HANDLE = "set(CUDNN_FIND_REQUIRED TRUE)\nfind_package_handle_standard_args(CUDNN REQUIRED_VARS CUDNN_LIBRARY CUDNN_INCLUDE NAME_MISMATCHED)\n"
CAFFE2 = """
if(NOT CUDNN_LIBRARY)
  message(FATAL_ERROR "Your installed Caffe2 version uses cuDNN but I cannot find the cuDNN libraries.  Please set the \
proper cuDNN prefixes and / or install cuDNN.")
endif()
"""
CAFFE2_15 = """
file(READ "$ENV{CUDNN_ROOT}/include/cudnn.h" text)
if(NOT text MATCHES "define CUDNN_MAJOR +[7-9]")
  message(FATAL_ERROR "PyTorch requires cuDNN 7 and above.")
endif()
"""
OPENCV = 'file(READ "$ENV{CUDNN_INCLUDE_DIR}/cudnn.h" text)\n'
PATHS = "set(CUDNN_LIBRARY_PATH ${CUDNN_LIBRARY})\nset(CUDNN_INCLUDE_PATH ${CUDNN_INCLUDE})\n"
HETU = """
file(READ "$ENV{CUDNN_ROOT}/include/cudnn_version.h" text)
string(REGEX REPLACE ".*MAJOR +([0-9]+).*MINOR +([0-9]+).*PATCHLEVEL +([0-9]+).*" "\\\\1.\\\\2.\\\\3" header "${text}")
file(REAL_PATH "$ENV{CUDNN_ROOT}/lib/libcudnn.so" library)
if(NOT library MATCHES "\\\\.so\\\\.${header}$")
  message(FATAL_ERROR "Found CUDNN header version and library version do not match!")
endif()
"""
TRITON = """
if(NOT IS_DIRECTORY "$ENV{CUDNN_HOME}")
  message(FATAL_ERROR "cuda_home and cudnn_home paths must be specified and valid. cudnn_home=None")
endif()
"""
USED = f"""
set(CMAKE_C_COMPILER "{compiler('C')}")
enable_language(C)
""" + """
find_library(CUDNN_LIB cudnn HINTS ENV CUDNN_ROOT PATH_SUFFIXES lib)
file(WRITE "${CMAKE_BINARY_DIR}/f.c" "void f(void) {}")
add_library(f SHARED "${CMAKE_BINARY_DIR}/f.c")
target_link_libraries(f PRIVATE ${CUDNN_LIB})
"""
INCLUDES = '#include <cudnn.h>\nint main() {}\n'
RNN = ("#include <cudnn.h>\nint main() { return cudnnSetRNNDescriptor_v6(nullptr, nullptr, 1, 1, nullptr, "
       "CUDNN_LINEAR_INPUT, CUDNN_UNIDIRECTIONAL, CUDNN_LSTM, CUDNN_RNN_ALGO_STANDARD, CUDNN_DATA_FLOAT); }\n")


def found(thread, text, was, mends, scene, then, ran=CONFIGURE, finds="cuDNN 9.1.0", explained="", **more):
    """find_package(CuDNNChecked) finds it as it lies; `then` is what their own build wants."""
    return Incident(thread, KIND, text, was, mends, all_of(venv(cuda=0), cuda("cuda"), scene), ran, check=CHECK,
                    finds=finds, then=then, explained=explained or "cudnn-not-found", **more)


def refused(thread, text, was, mends, scene, finding, ran=CONFIGURE, kind=KIND, **more):
    return Incident(thread, kind, text, was, mends, all_of(venv(cuda=0), cuda("cuda"), scene), ran, finding=finding,
                    check=CHECK, **more)


def removed(thread, was, of, kind=HEADERS):
    """Sources for cuDNN 8, and the headers of 9."""
    return Incident(
        thread, kind, "error: \u2018cudnnSetRNNDescriptor_v6\u2019 was not declared in this scope; did you "
        "mean \u2018cudnnSetRNNDescriptor_v8\u2019?", was, f"cuDNN 8.9, or {of}, which knows cuDNN 9.",
        all_of(venv(cuda=0), real_headers("cudnn"), file("main.cpp", RNN), project("", request="8...<9 REQUIRED"),
               sets(CUDNN_PATH="cudnn", CUDNN_ROOT="cudnn")),
        f"{COMPILE} -I../cudnn/cuda", says="cudnnSetRNNDescriptor_v6", check=CHECK,
        finding="cudnn-major|cudnn-not-found", explained="cudnn-major",
        advice="an older cuDNN or newer sources: who builds decides")


CONDA = all_of(bare("conda", unversioned=True), sets(CONDA_PREFIX="conda"))
ROWS = (
    found("NVIDIA/TransformerEngine#954",
          "CMake Error at cmake/FindCUDNN.cmake:19 (find_library): Could not find cudnn_LIBRARY using the following "
          "names: cudnn, libcudnn.so", "cuDNN lies in the conda environment; the module looks where CUDNN_PATH leads.",
          "CUDNN_PATH with the prefix of the environment.", all_of(CONDA, project(TE)),
          'export CUDNN_PATH="$CONDA_PREFIX"', says="Could not find cudnn_LIBRARY using the following names: cudnn, "
          "libcudnn.so"),
    refused("NVIDIA/TransformerEngine#752",
            "The package name passed to `find_package_handle_standard_args` (LIBRARY) does not match the name of the "
            "calling package (CUDNN).", "No cuDNN is installed; the warning is about the module itself.",
            "cuDNN with its headers; the warning is harmless.", project(FIND + HANDLE), "cudnn-not-found",
            says="Could NOT find CUDNN (missing: CUDNN_LIBRARY CUDNN_INCLUDE)", explained="-", again=(
                f"{CONFIGURE} -D CUDNN_LIBRARY={SITE}/nvidia/cudnn/lib/libcudnn.so.9 "
                f"-D CUDNN_INCLUDE={SITE}/nvidia/cudnn/include")),
    found("NVIDIA/TransformerEngine#918", f"torch/include/ATen/cudnn/cudnn-wrapper.h:3:10: {NO_HEADER}",
          "The module of the cluster sets CUDNN_ROOT, and the build reads CUDNN_PATH.", "CUDNN_PATH=$CUDNN_ROOT.",
          all_of(bare("apps/cudnn"), sets(CUDNN_ROOT="apps/cudnn"), file("main.cpp", INCLUDES)),
          'export CUDNN_PATH="$CUDNN_ROOT"', COMPILE, explained="headers-missing", says=NO_HEADER),
    refused("NVIDIA/TransformerEngine#1309", f"ATen/cudnn/cudnn-wrapper.h:3:10: {NO_HEADER}",
            "The libraries of cuDNN are there without its headers.", "The package with the headers of the same release.",
            all_of(bare("apps/cudnn", headers=False), sets(CUDNN_PATH="apps/cudnn"), file("main.cpp", INCLUDES)),
            "headers-missing", COMPILE, says=NO_HEADER, again=OF_WHEEL),
    found("NVIDIA/TransformerEngine#654", NO_HEADER, "cuDNN lies in site-packages as a wheel; the build looks into CUDA's "
          "directory only.", "CUDNN_PATH with the folder of the wheel.",
          all_of(bare(f"venv/{SITE.split('venv/')[1]}/nvidia/cudnn"), file("main.cpp", INCLUDES)),
          f'export CUDNN_PATH="{SITE}/nvidia/cudnn"', COMPILE, explained="headers-missing", says=NO_HEADER),
    refused("microsoft/onnxruntime#23246", "",
            "cuDNN was copied into CUDA's directory, over a part of another release.",
            "The archive of one release in a directory of its own.",
            all_of(bare("cuda", "8.9.7", libraries=False), bare("cuda", "9.6.0", headers=False),
                   file("main.cpp", "#include <cudnn.h>\n#if CUDNN_MAJOR < 9\n#error too old\n#endif\n"),
                   sets(CUDNN_PATH="cuda")),
            "library-missing|header-library-mismatch|cudnn-not-found", COMPILE, kind=HEADERS, says="too old",
            again=OF_WHEEL),
    found("triton-inference-server/onnxruntime_backend#33",
          "build [ERROR] - cuda_home and cudnn_home paths must be specified and valid. cudnn_home=None",
          "The build is not told where cuDNN lies: in the system's directories.", "--cudnn_home.",
          all_of(bare("usr", lib="lib/x86_64-linux-gnu"), sets(CUDNN_ROOT="usr"), project(TRITON)),
          'export CUDNN_HOME="$CUDNN_ROOT"', says="cuda_home and cudnn_home paths must be specified and valid. "
          "cudnn_home=None"),
    found("Oneflow-Inc/oneflow#10375", "Could NOT find CUDNN (missing: CUDNN_LIBRARY)",
          "-D CUDNN_LIBRARY names a directory in the place of a file.", "The file, or CUDNN_ROOT with the prefix.",
          all_of(bare("local", unversioned=True), project(FIND + HANDLE), sets(CUDNN_PATH="local")),
          "", f"{CONFIGURE} -D CUDNN_LIBRARY=../local/lib -D CUDNN_INCLUDE=../local/include",
          again=f"{CONFIGURE} -D CUDNN_LIBRARY=../local/lib/libcudnn.so -D CUDNN_INCLUDE=../local/include"),
    found("Karbo123/segmentator#7",
          "Your installed Caffe2 version uses cuDNN but I cannot find the cuDNN libraries.  Please set the proper cuDNN "
          "prefixes and / or install cuDNN.", "cuDNN lies in the conda environment, where PyTorch's module does not look.",
          "CUDNN_ROOT with the prefix of the environment.", all_of(CONDA, project(FIND + CAFFE2)),
          'export CUDNN_ROOT="$CONDA_PREFIX"', says="uses cuDNN but I cannot find the cuDNN libraries."),
    found("NVIDIA/TensorRT-LLM#437",
          "CMake Error: The following variables are used in this project, but they are set to NOTFOUND. CUDNN_LIB",
          "cuDNN is not in the default directories, and the script passes no other.", "--cudnn_root, or CUDNN_ROOT.",
          all_of(bare("opt/cudnn", unversioned=True), sets(CUDNN_PATH="opt/cudnn"), project(USED)),
          'export CUDNN_ROOT="$CUDNN_PATH"', says="but they are set to NOTFOUND."),
    found("NVIDIA/FasterTransformer#573", f"conv2d.h:24:10: {NO_HEADER}",
          "The directories of cuDNN are given, and some targets do not get them.",
          "A target that carries its include directory, as CuDNNChecked::cudnn does.",
          all_of(bare("opt/cudnn"), sets(CUDNN_ROOT="opt/cudnn"), file("main.cpp", INCLUDES)),
          'export CPATH="$CUDNN_ROOT/include"', COMPILE, explained="headers-missing", says=NO_HEADER),
    found("spack/spack#38788", f"dnn_lib/cudnn.hpp:34:10: {NO_HEADER}",
          "cudnn.h lies in the prefix of another package, which the compiler does not search.",
          "The include directory of that prefix.",
          all_of(bare("spack/cudnn-8", "8.7.0"), sets(CUDNN_ROOT="spack/cudnn-8"), file("main.cpp", INCLUDES)),
          'export CPATH="$CUDNN_ROOT/include"', COMPILE, explained="headers-missing", says=NO_HEADER,
          finds="cuDNN 8.7.0"),
    removed("opencv/opencv#24983", "The package manager's cuDNN became 9, and OpenCV 4.9 calls what cuDNN 9 removed.",
            "OpenCV 4.10"),
    removed("opencv/opencv#25461", "OpenCV calls functions that cuDNN 9 removed.", "OpenCV 4.10"),
    removed("microsoft/onnxruntime#19454", "onnxruntime before 1.19 calls functions that cuDNN 9 removed.",
            "onnxruntime 1.19"),
    Incident("davisking/dlib#3004", KIND,
             "Found cuDNN, but we failed to compile the dlib/cmake_utils/test_for_cudnn project.",
             "A change of dlib's own build, which was corrected.", "The next version of dlib.",
             finding="probe-not-compiled", why="The machine was in order.",
             nobody="The fault was in the build files of dlib."),
    Incident("NVIDIA/cudnn-frontend#84", HEADERS, "",
             "cudnn-frontend 1.5.0 was compiled with the headers of cuDNN 9.1 and runs on 9.2.", "cudnn-frontend 1.5.1.",
             why="The fault is in a header of cudnn-frontend, which leaves no trace in the program.",
             nobody="A newer minor release is what cuDNN promises to support."),
    Incident("microsoft/vcpkg#40882", KIND,
             "-- CUDNN_INCLUDE_DIR: CUDNN_INCLUDE_DIR-NOTFOUND",
             "The installer of cuDNN 9 for Windows puts the headers into v9.4\\include\\12.6; the port looks below CUDA.",
             "The files copied into CUDA's directory.", finding="cudnn-not-found|headers-missing",
             why="It is of Windows: the find module was not tried with it."),
    found("pytorch/pytorch#41593", "PyTorch requires cuDNN 7 and above.",
          "PyTorch 1.5 reads the version in cudnn.h, and cuDNN 8 has it in cudnn_version.h.",
          "A PyTorch that reads cudnn_version.h.",
          all_of(bare("opt/cudnn", "8.0.1", unversioned=True), sets(CUDNN_ROOT="opt/cudnn"), project(CAFFE2_15),
                 file("newer", HEAD + CAFFE2_15.replace("cudnn.h", "cudnn_version.h"))),
          "cp ../newer ../project/CMakeLists.txt", finds="cuDNN 8.0.1", explained="version-unknown"),
    found("opencv/opencv#17955",
          "CMake Error at cmake/FindCUDNN.cmake:71 (file): file failed to open for reading (No such file or directory): "
          "/usr/local/cuda/include/cudnn.h",
          "The package of cuDNN puts its headers into the directory of the system, not into that of CUDA.",
          "-D CUDNN_INCLUDE_DIR with the directory of the headers.",
          all_of(bare("usr", "8.0.1", include="include/x86_64-linux-gnu", lib="lib/x86_64-linux-gnu"),
                 sets(CUDNN_ROOT="usr", CUDNN_INCLUDE_DIR="cuda/include"), project(OPENCV)),
          'export CUDNN_INCLUDE_DIR="$CUDNN_ROOT/include/x86_64-linux-gnu"', finds="cuDNN 8.0.1",
          says="file failed to open for reading (No such file or directory)", explained="headers-missing"),
    found("sparticlesteve/nersc-pytorch-build#5", "-- Could NOT find CUDNN (missing: CUDNN_LIBRARY_PATH CUDNN_INCLUDE_PATH)",
          "The variables of the environment have the names that the message has; the module reads CUDNN_ROOT, CUDNN_LIBRARY and "
          "CUDNN_INCLUDE_DIR.", "CUDNN_ROOT with the prefix.",
          all_of(bare("opt/cudnn", unversioned=True), project(FIND + HANDLE.replace("CUDNN_LIBRARY CUDNN_INCLUDE",
                 "CUDNN_LIBRARY_PATH CUDNN_INCLUDE_PATH").replace("set(", PATHS + "set(", 1)),
                 sets(CUDNN_LIBRARY_PATH="opt/cudnn/lib", CUDNN_INCLUDE_PATH="opt/cudnn/include")),
          'export CUDNN_ROOT="${CUDNN_INCLUDE_PATH%/include}"',
          says="Could NOT find CUDNN (missing: CUDNN_LIBRARY_PATH CUDNN_INCLUDE_PATH)"),
    Incident("PKU-DAIR/Hetu#11", HEADERS, "Found CUDNN header version and library version do not match!",
             "The headers in the system's directory are of another release than its library. (Rebuilt with real files: "
             "headers of 9.13.0 and the JIT-only 9.14.0.)", "CUDNN_ROOT with a directory that has both of one release.",
             all_of(venv(cuda=0), real_files("jit", "../usr/lib"), versioned("usr/lib", "9.14.0"),
                    real_include("older-cu13", "usr/include"), sets(CUDNN_ROOT="usr"), project(HETU)),
             CONFIGURE, check="cudnn-checked doctor ../usr", finding="header-library-mismatch",
             advice="which of the two is the right one is not known", then="cp ../right/cudnn*.h ../usr/include"),
    refused("pytorch/pytorch#19665", "libcudnn.so: error adding symbols: File in wrong format",
            "The archive is the one for another machine. (Rebuilt with the number of aarch64 in the file's header.)",
            "The archive for this machine.",
            all_of(folder("opt/cudnn/lib", "nvidia-cudnn-cu12==9.1.0.70"),
                   bare("opt/cudnn", "9.1.0", libraries=False), sets(CUDNN_ROOT="opt/cudnn"), file("main.c", "int main(void) { return 0; }"),
                   changed("opt/cudnn/lib/libcudnn.so.9", of_machine(183))),
            "wrong-machine|cudnn-not-found", f"{compiler('C')} ../main.c ../opt/cudnn/lib/libcudnn.so.9 -o ../main",
            says="error adding symbols: file in wrong format",
            again=f"{compiler('C')} ../main.c {SITE}/nvidia/cudnn/lib/libcudnn.so.9 -o ../main"),
    refused("NVIDIA/JAX-Toolbox#1411", NO_HEADER,
            "Packages of cuDNN before 9.10 have cudnn_v9.h; the link cudnn.h to it is made by update-alternatives, and is not "
            "there.", "The link, or a package since 9.10.",
            all_of(bare("usr", "9.9.0", include="include/x86_64-linux-gnu", lib="lib/x86_64-linux-gnu"), sets(CUDNN_ROOT="usr"),
                   lambda scene: [path.rename(path.with_name(f"{path.stem}_v9.h"))
                                  for path in list((scene.root / "usr/include/x86_64-linux-gnu").glob("cudnn*.h"))],
                   file("main.cpp", INCLUDES)), "headers-missing|cudnn-not-found", COMPILE, explained="headers-missing", says=NO_HEADER, again=OF_WHEEL),
    found("NVIDIA/nvidia-container-toolkit#1088", "",
          "In the image /usr/local/cuda is a link to a temporary directory of its build, which is gone.",
          "ln -sfn cuda-11.8 /usr/local/cuda.",
          all_of(bare("cuda-11.8", "8.9.7", unversioned=True), cuda("cuda-11.8", "11.8"), sets(CUDNN_ROOT="usr-cuda"),
                 project(FIND + HANDLE), lambda scene: (scene.root / "usr-cuda").symlink_to("/tmp/tmpayalvm_3m/cuda-11")),
          "rm ../usr-cuda; ln -s cuda-11.8 ../usr-cuda", says="Could NOT find CUDNN (missing: CUDNN_LIBRARY CUDNN_INCLUDE)", finds="cuDNN 8.9.7"),
    Incident("pytorch/pytorch#588", KIND, "/usr/local/cuda/lib64/libcudnn.so: file not recognized: File truncated",
             "The file is cut.", "Another copy of the archive.",
             all_of(venv(cuda=0), *(folder(place, "nvidia-cudnn-cu12==9.1.0.70") for place in ("cuda/lib64", "whole")),
                    changed("cuda/lib64/libcudnn.so.9", lambda data: data[:60]), file("main.c", "int main(void) { return 0; }"),
                    lambda scene: (scene.root / "cuda/lib64/libcudnn.so").symlink_to("libcudnn.so.9")),
             f"{compiler('C')} ../main.c ../cuda/lib64/libcudnn.so -o ../main", check="cudnn-checked doctor ../cuda",
             says="file not recognized", finding="library-corrupt", advice="no package has the files",
             then="cp ../whole/libcudnn.so.9 ../cuda/lib64"),
)
