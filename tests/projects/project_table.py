# SPDX-License-Identifier: BSD-3-Clause
"""The projects: how each is configured, and a program of some of them."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Project:
    """One checkout.  If `asks` is empty, the whole project is configured.  Otherwise a project of a few lines asks as
    it does, by its own module: then nothing else of what it needs has to be there."""

    folder: str
    source: str = "."  # of its CMakeLists.txt, or of its module
    options: tuple = ()  # {checkouts} is the folder of all, {stubs} stands for what only a build needs
    environment: tuple = ()  # {cudnn} is the cuDNN that is named
    target: str = ""  # what is built, for one program
    program: tuple = ()  # that program in the build tree, and its arguments
    asks: str = ""
    include: str = ""  # what it gives to target_include_directories
    link: str = ""  # what it links


# Also there: Catch2; cpu_features, cxxopts and spdlog in CTranslate2/third_party.  Of Debian: libboost-filesystem-dev,
# libboost-system-dev, libboost-thread-dev, libeigen3-dev, libfmt-dev, libgflags-dev, libgoogle-glog-dev, libhdf5-dev,
# libopenblas-dev, libopencv-dev, libyaml-cpp-dev, libzip-dev, protobuf-compiler.
PROJECTS = (
    Project("darknet", options=("ENABLE_CUDA=ON", "ENABLE_CUDNN=ON", "ENABLE_OPENCV=OFF",
                                "ENABLE_CUDA_OPENGL_INTEGRATION=OFF"),
            target="darknet", program=("darknet",)),
    Project("KataGo", "cpp", ("USE_BACKEND=CUDA", "NO_GIT_REVISION=1"), target="katago", program=("katago", "version")),
    Project("dlib", "examples", ("DLIB_USE_CUDA=ON", "DLIB_NO_GUI_SUPPORT=ON"),
            target="dnn_introduction_ex", program=("dnn_introduction_ex",)),
    Project("cudnn-frontend", options=("FETCHCONTENT_SOURCE_DIR_CATCH2={checkouts}/Catch2",
                                       "CMAKE_DISABLE_FIND_PACKAGE_Catch2=ON"),  # 3 is needed
            target="tests", program=("bin/tests",)),
    Project("CTranslate2", options=("WITH_CUDA=ON", "WITH_CUDNN=ON", "WITH_MKL=OFF", "OPENMP_RUNTIME=NONE",
                                    "ENABLE_CPU_DISPATCH=OFF")),
    Project("TransformerEngine", "transformer_engine/common",
            ("NVTE_WITH_NCCL_EP=OFF", "NCCL_INCLUDE_DIR={stubs}",
             "CUDNN_FRONTEND_INCLUDE_DIR={checkouts}/cudnn-frontend/include")),
    Project("mlx", options=("MLX_BUILD_CUDA=ON", "MLX_BUILD_METAL=OFF", "MLX_BUILD_GGUF=OFF", "MLX_BUILD_TESTS=OFF",
                            "MLX_BUILD_EXAMPLES=OFF", "MLX_CUDA_ARCHITECTURES=90", "BUILD_SHARED_LIBS=ON",
                            "USE_SYSTEM_FMT=ON", "LAPACK_INCLUDE_DIRS={stubs}",
                            "FETCHCONTENT_SOURCE_DIR_CUDNN={checkouts}/cudnn-frontend",
                            "FETCHCONTENT_SOURCE_DIR_CUTLASS={stubs}", "FETCHCONTENT_SOURCE_DIR_JSON={stubs}",
                            "FETCHCONTENT_SOURCE_DIR_CCCL={stubs}", "FETCHCONTENT_SOURCE_DIR_NVTX3={stubs}")),
    Project("marian", options=("USE_CUDNN=ON", "COMPILE_CPU=OFF", "USE_NCCL=OFF", "USE_SENTENCEPIECE=OFF")),
    Project("darknet-hank", options=("DARKNET_CUDA_ARCHITECTURES=90", "CMAKE_BUILD_TYPE=Debug"),
            target="darknetcli", program=("src-cli/darknet", "version")),
    Project("arrayfire", "CMakeModules", asks="find_package(CUDAToolkit)\nfind_package(cuDNN 4.0 REQUIRED)",
            include="${cuDNN_INCLUDE_DIRS}", link="${cuDNN_LINK_LIBRARY}"),
    Project("flashlight", "cmake", asks="find_package(CUDAToolkit)\nfind_package(CUDNN REQUIRED)",
            include="${CUDNN_INCLUDE_PATH}", link="${CUDNN_LIBRARY_PATH}"),
    Project("lbann", "cmake/modules", asks="find_package(CUDAToolkit)\nfind_package(cuDNN REQUIRED)",
            link="cuda::cudnn"),
    Project("DiHydrogen", "cmake/modules", asks="find_package(CUDAToolkit)\nfind_package(cuDNN REQUIRED)",
            link="cuda::cudnn"),
    Project("oneDNN", "cmake", ("CMAKE_LIBRARY_PATH={cuda}/lib64/stubs",), asks="find_package(cuDNN REQUIRED)",
            link="cuDNN::cuDNN"),
    Project("nnabla-ext-cuda", "build-tools/cmake/Modules",
            asks="find_package(CUDA REQUIRED)\nfind_package(cuDNN REQUIRED)",
            include="${CUDNN_INCLUDE_DIRS}", link="${CUDNN_LIBRARIES}"),
    Project("HugeCTR", "cmake/Modules", asks="find_package(CUDAToolkit REQUIRED)\nfind_package(CUDNN REQUIRED)\n"
            "link_directories(${CUDNN_LIB_PATHS})", include="${CUDNN_INC_PATHS}", link="cudnn"),
    Project("MegEngine", "cmake", asks="set(MGE_CUDA_USE_STATIC ON)\nset(MGE_WITH_CUDNN_SHARED ON)\ninclude(cudnn)",
            link="libcudnn"),
    Project("oneflow", "cmake/third_party", asks="find_package(CUDAToolkit REQUIRED)\nset(CUDA_VERSION "
            "${CUDAToolkit_VERSION})\nfind_package(CUDNN REQUIRED)", include="${CUDNN_INCLUDE_DIRS}",
            link="${CUDNN_LIBRARIES}"),
    Project("mxnet", "cmake/Modules", asks="find_package(CUDAToolkit)\nfind_package(CUDNN)",
            include="${CUDNN_INCLUDE}", link="${CUDNN_LIBRARY}"),
    Project("opencv", "cmake", asks="find_package(CUDA REQUIRED)\nfind_package(CUDNN REQUIRED)",
            include="${CUDNN_INCLUDE_DIRS}", link="${CUDNN_LIBRARIES}"),
    Project("Paddle", "cmake", asks="set(WITH_GPU ON)\nset(LINUX TRUE)\nfind_package(CUDA REQUIRED)\ninclude(cudnn)",
            include="${CUDNN_INCLUDE_DIR}", link="${CUDNN_LIBRARY}"),
    Project("Spyker", options=("SPYKER_ENABLE_DNNL=OFF", "SPYKER_ENABLE_BLAS=OFF")),  # links the static cuDNN
    Project("tkDNN", options=("NVINFER_LIBRARY={stubs}/libnvinfer.so", "NVINFER_INCLUDE_DIR={stubs}")),
    Project("TNN", options=("TNN_CUDA_ENABLE=ON", "TNN_TENSORRT_ENABLE=ON", "TNN_TEST_ENABLE=ON"),
            environment=("CUDNN_ROOT_DIR={cudnn}", "TENSORRT_ROOT_DIR={stubs}")),
    # That of OpenPose, which asks for CMake 2.8.7.
    Project("caffe", options=("CMAKE_POLICY_VERSION_MINIMUM=3.5", "CUDA_ARCH_NAME=Manual", "CUDA_ARCH_BIN=90",
                              "CUDA_ARCH_PTX=90", "BUILD_python=OFF", "BUILD_python_layer=OFF", "BUILD_docs=OFF",
                              "USE_LEVELDB=OFF", "USE_LMDB=OFF", "BLAS=Open")),
)

ASKS = """cmake_minimum_required(VERSION 3.22)
project(asks LANGUAGES C CXX)
list(APPEND CMAKE_MODULE_PATH "{modules}")
{asks}
add_executable(app main.cpp)
target_include_directories(app PRIVATE "{include}" ${{CUDAToolkit_INCLUDE_DIRS}} ${{CUDA_INCLUDE_DIRS}})
target_link_libraries(app PRIVATE {link})
"""
MAIN = """#include <cudnn.h>
#include <cstdio>
int main() { std::printf("main runs on %zu\\n", cudnnGetVersion()); }
"""
