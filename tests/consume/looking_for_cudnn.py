# SPDX-License-Identifier: BSD-3-Clause
"""The ways in which projects look for cuDNN, as small projects that are made of a table."""

import dataclasses


@dataclasses.dataclass
class Way:
    """How one project asks, and which variables or targets it goes on with."""

    project: str
    include: str  # what find_path is called with, and the project reads
    library: str  # the same of find_library
    package: str = ""  # find_package(<this>), with a module of its own; else find_path is called after `after`
    after: str = "CUDAToolkit"
    words: str = ""  # further arguments of find_package
    headers: str = ""  # what the project reads, if that is another variable
    libraries: str = ""
    target: str = ""  # what the project links
    subs: str = ""  # the names of find_library for sub-libraries, with @sub@ or @SUB@

    def search(self):
        """What the project or its module does to find the files."""
        text = (f"find_path({self.include} NAMES cudnn.h HINTS ${{DECOY}}/include)\n"
                f"find_library({self.library} NAMES cudnn HINTS ${{DECOY}}/lib)\n")
        for sub in ("graph", "ops") if self.subs else ():
            name = self.subs.replace("@sub@", sub).replace("@SUB@", sub.upper())
            text += f"find_library({name} NAMES cudnn_{sub} HINTS ${{DECOY}}/lib)\n"
        return text

    def module(self):
        """Its own find module."""
        package = self.package
        text = self.search() + (f"set({package}_FOUND TRUE)\n"
                                "file(WRITE ${CMAKE_BINARY_DIR}/module.txt included)\n")
        if self.headers:
            text += f"set({self.headers} ${{{self.include}}})\n"
        if self.libraries:
            text += f"set({self.libraries} ${{{self.library}}})\n"
        if self.target:
            text += (f"add_library({self.target} UNKNOWN IMPORTED)\n"
                     f"set_target_properties({self.target} PROPERTIES IMPORTED_LOCATION ${{{self.library}}}\n"
                     f"  INTERFACE_INCLUDE_DIRECTORIES ${{{self.include}}})\n")
        return text

    def files(self):
        """The project."""
        files = {"FindCUDAToolkit.cmake": "set(CUDAToolkit_FOUND TRUE)\n",
                 "FindCUDA.cmake": "set(CUDA_FOUND TRUE)\n"}
        text = ("cmake_minimum_required(VERSION 3.22)\nproject(app LANGUAGES NONE)\n"
                "list(APPEND CMAKE_MODULE_PATH ${CMAKE_SOURCE_DIR})\n"
                "set(CuDNNChecked_REQUIRE LOCATED)\n")
        if self.package:
            files[f"Find{self.package}.cmake"] = self.module()
            text += f"find_package({self.package} {self.words})\n"
        else:
            text += f"find_package({self.after})\n" + self.search()
        header = "${%s}" % (self.headers or self.include)
        library = "${%s}" % (self.libraries or self.library)
        if self.target:
            text += (f"get_target_property(library {self.target} IMPORTED_LOCATION)\n"
                     f"get_target_property(header {self.target} INTERFACE_INCLUDE_DIRECTORIES)\n"
                     "list(GET header 0 header)\n")
            header, library = "${header}", "${library}"
        text += f'file(WRITE ${{CMAKE_BINARY_DIR}}/taken.txt "{header}\\n{library}\\n")\n'
        for sub in ("graph", "ops") if self.subs else ():
            name = self.subs.replace("@sub@", sub).replace("@SUB@", sub.upper())
            text += f'file(APPEND ${{CMAKE_BINARY_DIR}}/taken.txt "${{{name}}}\\n")\n'
        return {"CMakeLists.txt": text, **files}


WAYS = [
    Way("darknet of AlexeyAB", "CUDNN_INCLUDE_DIR", "CUDNN_LIBRARY", package="CUDNN", words="REQUIRED",
        target="CuDNN::CuDNN"),
    Way("dlib", "CUDNN_INCLUDE_PATH", "CUDNN_LIBRARY_PATH", package="CUDNN"),
    Way("flashlight", "CUDNN_INCLUDE_PATH", "CUDNN_LIBRARY_PATH", package="CUDNN", words="QUIET"),
    Way("PyTorch", "CUDNN_INCLUDE_PATH", "CUDNN_LIBRARY_PATH", package="CUDNN", words="REQUIRED"),
    Way("FasterTransformer", "CUDNN_INCLUDE_DIR", "CUDNN_LIBRARY", after="CUDA"),
    Way("OpenCV", "CUDNN_INCLUDE_DIR", "CUDNN_LIBRARY", package="CUDNN", words="7.5",
        headers="CUDNN_INCLUDE_DIRS", libraries="CUDNN_LIBRARIES"),
    Way("marian", "CUDNN_INCLUDE_DIR", "CUDNN_LIBRARY", package="CUDNN", words="7.0",
        headers="CUDNN_INCLUDE_DIRS", libraries="CUDNN_LIBRARIES"),
    Way("ArrayFire", "cuDNN_INCLUDE_DIRS", "cuDNN_LINK_LIBRARY", package="cuDNN", words="4.0",
        subs="cuDNN_@SUB@_LINK_LIBRARY"),
    Way("oneDNN", "CUDNN_INCLUDE_DIR", "CUDNN_LIBRARY", package="cuDNN", words="REQUIRED", target="cuDNN::cuDNN"),
    Way("LBANN", "CUDNN_INCLUDE_PATH", "CUDNN_LIBRARY", package="cuDNN", words="7.0 REQUIRED",
        target="cuda::cudnn"),
    Way("DiHydrogen", "cuDNN_INCLUDE_PATH", "cuDNN_LIBRARY", package="cuDNN", words="REQUIRED",
        target="cuda::cudnn"),
    Way("MLX", "CUDNN_INCLUDE_DIR", "cudnn_LIBRARY", package="CUDNN", words="REQUIRED", target="CUDNN::cudnn",
        subs="cudnn_@sub@_LIBRARY"),
    Way("CUTLASS", "_CUDNN_INCLUDE_DIR", "_CUDNN_LIBRARY"),
    Way("CUTLASS, as a target", "_CUDNN_INCLUDE_DIR", "_CUDNN_LIBRARY", package="cuDNN", target="nvidia::cudnn"),
    Way("cudnn-frontend", "CUDNN_INCLUDE_DIR", "cudnn_LIBRARY", subs="cudnn_@sub@_LIBRARY"),
    Way("TransformerEngine", "CUDNN_INCLUDE_DIR", "cudnn_LIBRARY", subs="cudnn_@sub@_LIBRARY"),
    Way("ONNX Runtime", "CUDNN_INCLUDE_DIR", "cudnn_LIBRARY", subs="cudnn_@sub@_LIBRARY"),
    Way("KataGo", "CUDNN_INCLUDE_DIR", "CUDNN_LIBRARY"),
    Way("CTranslate2", "CUDNN_INCLUDE_DIR", "CUDNN_LIBRARIES", after="CUDA"),
    Way("darknet of hank-ai", "cudnn_include", "cudnn"),
    Way("Caffe", "CUDNN_INCLUDE", "CUDNN_LIBRARY", after="CUDA"),
    Way("MXNet", "CUDNN_INCLUDE", "CUDNN_LIBRARY", package="CUDNN"),
    Way("TVM", "CUDA_CUDNN_INCLUDE_DIRS", "CUDA_CUDNN_LIBRARY", after="CUDA"),
    Way("tkDNN", "CUDNN_INCLUDE_DIR", "CUDNN_LIBRARY", package="CUDNN", words="REQUIRED",
        headers="CUDNN_INCLUDE_DIRS", libraries="CUDNN_LIBRARIES"),
    Way("Paddle", "CUDNN_INCLUDE_DIR", "CUDNN_LIBRARY", after="CUDA"),
    Way("ROOT", "CUDNN_INCLUDE_DIR", "CUDNN_LIBRARY", package="CuDNN", headers="CUDNN_INCLUDE_DIRS",
        libraries="CUDNN_LIBRARIES"),
    Way("N2D2", "CUDNN_INCLUDE_DIR", "CUDNN_LIBRARY", package="CuDNN", words="REQUIRED",
        headers="CUDNN_INCLUDE_DIRS", libraries="CUDNN_LIBRARIES"),
    Way("NVIDIA's samples", "CUDNN_INCLUDE_DIR", "CUDNN_LIBRARY"),
    Way("Autoware", "CUDNN_INCLUDE_DIR", "CUDNN", after="CUDA"),
    Way("Theano's gpuarray", "CUDNN_INCLUDE_DIR", "CUDNN_LIBRARY", package="CuDNN", words="8",
        headers="CuDNN_INCLUDE_DIR", libraries="CuDNN_LIBRARY"),
    Way("a package in lower case", "cudnn_INCLUDE_DIR", "cudnn_LIBRARY", package="cudnn",
        headers="cudnn_INCLUDE_DIRS", libraries="cudnn_LIBRARIES"),
    Way("a module of upper-case parts", "CUDNN_INCLUDE_DIR", "CUDNN_LIBRARY", package="CUDNN",
        subs="CUDNN_@SUB@_LIBRARY"),
    Way("a version with a range", "CUDNN_INCLUDE_DIR", "CUDNN_LIBRARY", package="CUDNN", words="9.0...<10 REQUIRED"),
    Way("an exact version", "CUDNN_INCLUDE_DIR", "CUDNN_LIBRARY", package="CUDNN", words="9.14.0 EXACT REQUIRED"),
    Way("a module by force", "CUDNN_INCLUDE_DIR", "CUDNN_LIBRARY", package="CUDNN", words="MODULE REQUIRED",
        headers="CUDNN_INCLUDE_DIRS", libraries="CUDNN_LIBRARIES"),
]
