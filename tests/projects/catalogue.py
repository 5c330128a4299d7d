# SPDX-License-Identifier: BSD-3-Clause
"""The projects: where their checkouts look for cuDNN, and what else they need."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Project:
    """One checkout.  Where `asks` is empty the whole project is configured; otherwise a project of a few lines asks as
    it does, by its own module: then nothing else of what it needs has to be there."""

    folder: str
    source: str = "."  # of its CMakeLists.txt, or of its module
    options: tuple = ()
    asks: str = ""
    include: str = ""  # what it gives to target_include_directories
    link: str = ""  # what it links


PROJECTS = (
    Project("darknet", options=("ENABLE_CUDA=ON", "ENABLE_CUDNN=ON", "ENABLE_OPENCV=OFF")),
    Project("KataGo", "cpp", ("USE_BACKEND=CUDA", "NO_GIT_REVISION=1")),
    Project("CTranslate2", options=("WITH_CUDA=ON", "WITH_CUDNN=ON", "WITH_MKL=OFF", "OPENMP_RUNTIME=NONE", "ENABLE_CPU_DISPATCH=OFF",
                                    "BUILD_CLI=OFF")),
    Project("dlib", "dlib", ("DLIB_USE_CUDA=ON",)),
    Project("cudnn-frontend", "cmake", asks="find_package(CUDAToolkit REQUIRED)\ninclude(cuDNN)",
            link="CUDNN::cudnn_all"),
    Project("TransformerEngine", "transformer_engine/common/cmake",
            asks="find_package(CUDAToolkit REQUIRED)\ninclude(cuDNN)", link="CUDNN::cudnn_all"),
    Project("mlx", "cmake", asks="find_package(CUDAToolkit REQUIRED)\nfind_package(CUDNN REQUIRED)",
            link="CUDNN::cudnn_all"),
    Project("arrayfire", "CMakeModules", asks="find_package(CUDAToolkit)\nfind_package(cuDNN 4.0 REQUIRED)",
            include="${cuDNN_INCLUDE_DIRS}", link="${cuDNN_LINK_LIBRARY}"),
    Project("flashlight", "cmake", asks="find_package(CUDAToolkit)\nfind_package(CUDNN REQUIRED)",
            include="${CUDNN_INCLUDE_PATH}", link="${CUDNN_LIBRARY_PATH}"),
    Project("marian", "cmake", asks="find_package(CUDA)\nfind_package(CUDNN 7.0 REQUIRED)",
            include="${CUDNN_INCLUDE_DIRS}", link="${CUDNN_LIBRARIES}"),
    Project("lbann", "cmake/modules", asks="find_package(CUDAToolkit)\nfind_package(cuDNN REQUIRED)", link="cuda::cudnn"),
    Project("DiHydrogen", "cmake/modules", asks="find_package(CUDAToolkit)\nfind_package(cuDNN REQUIRED)",
            link="cuda::cudnn"),
    Project("darknet-hank", ".", asks="find_package(CUDAToolkit REQUIRED)\n"
            "set(CUDA_INCLUDE_DIRS ${CUDAToolkit_INCLUDE_DIRS})\n"
            "find_path(cudnn_include cudnn.h HINTS ${CUDA_INCLUDE_DIRS} ENV CUDNN_INCLUDE_DIR ENV CUDNN_HOME)\n"
            "find_library(cudnn cudnn HINTS ${CUDAToolkit_LIBRARY_DIR} ENV CUDNN_HOME)",
            include="${cudnn_include}", link="${cudnn}"),
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
