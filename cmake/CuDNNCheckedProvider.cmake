# SPDX-License-Identifier: BSD-3-Clause
#
#[=======================================================================[.rst:
CuDNNCheckedProvider
--------------------

Gives a project that knows nothing of CuDNNChecked the cuDNN that was proved:

.. code-block:: sh

  cmake -S . -B build \
    -D CMAKE_PROJECT_TOP_LEVEL_INCLUDES=<prefix>/share/CuDNNChecked/cmake/CuDNNCheckedProvider.cmake

``cudnn-checked --provider`` prints the path.  CMake 3.24 or newer is needed: older releases ignore
that variable.

``find_package(CUDNN)``, in any case of letters, is answered with what
``find_package(CuDNNChecked)`` finds and proves for the same version, ``EXACT``, ``REQUIRED``,
``QUIET`` and ``COMPONENTS``.  Result variables have all usual spellings (``CUDNN_INCLUDE_DIR``,
``CUDNN_LIBRARY_PATH``, ``cuDNN_LINK_LIBRARY``, ``cudnn_graph_LIBRARY``; the table is
``CuDNNChecked/provider/names.cmake``).  The targets are ``CUDNN::cudnn``, ``CUDNN::cudnn_all``,
``CUDNN::cudnn_<sub-library>``, ``CuDNN::CuDNN``, ``cuDNN::cuDNN`` and ``nvidia::cudnn``.

A project's own ``FindCUDNN.cmake`` on ``CMAKE_MODULE_PATH`` is included where it makes a target
with another name.  Its ``find_path`` and ``find_library`` then find the same files.

A project that only calls ``find_path`` and ``find_library`` gets the files as cache entries when it
calls ``find_package(CUDAToolkit)`` or ``find_package(CUDA)``.  What the user sets with ``-D``
stays.

When the top-level directory is done, it is an error if a target links cuDNN and the cuDNN of this
machine was refused, and a warning if a target links, or is compiled with, another cuDNN than the
one that was proved.

In a project that does not enable C++, the first of these calls enables it, for the probe and the
guard: if it stands in the project's top-level directory, and in no function.

This file sets no dependency provider: CMake allows only one.  It writes
``cudnn-config.cmake``, ``cudatoolkit-config.cmake`` and ``cuda-config.cmake`` into
``CMAKE_FIND_PACKAGE_REDIRECTS_DIR``, which ``find_package`` reads first, also when a dependency
provider calls it.  So it can stand before or behind ``conan_provider.cmake``, and beside vcpkg's
toolchain file; whatever is not cuDNN is theirs.
#]=======================================================================]
if(CMAKE_VERSION VERSION_LESS 3.24)
  message(
    FATAL_ERROR
    " CuDNNCheckedProvider.cmake needs CMake 3.24 or newer; this is ${CMAKE_VERSION}\n"
    "   fix: python3 -m pip install cmake\n"
    "    or: in the project's CMakeLists.txt: find_package(CuDNNChecked)"
  )
endif()

file(READ "${CMAKE_CURRENT_LIST_DIR}/provider_answers/cudnn.cmake" _cudnn_checked_answer_cudnn)
file(READ "${CMAKE_CURRENT_LIST_DIR}/provider_answers/cuda.cmake" _cudnn_checked_answer_cuda)
foreach(_cudnn_checked_package IN ITEMS cudnn cudatoolkit cuda)
  string(REPLACE "toolkit" "" _cudnn_checked_answer "${_cudnn_checked_package}")
  set(_cudnn_checked_file "${CMAKE_FIND_PACKAGE_REDIRECTS_DIR}/${_cudnn_checked_package}-config")
  # The answer compares versions itself.
  file(
    WRITE
    "${_cudnn_checked_file}-version.cmake"
    "include([==[${CMAKE_CURRENT_LIST_DIR}/CuDNNCheckedConfigVersion.cmake]==])\n"
  )
  file(WRITE "${_cudnn_checked_file}.cmake" "${_cudnn_checked_answer_${_cudnn_checked_answer}}")
endforeach()
unset(_cudnn_checked_package)
unset(_cudnn_checked_answer)
unset(_cudnn_checked_answer_cudnn)
unset(_cudnn_checked_answer_cuda)
unset(_cudnn_checked_file)

set_property(GLOBAL PROPERTY _cudnn_checked_provider_home "${CMAKE_CURRENT_LIST_DIR}")
include("${CMAKE_CURRENT_LIST_DIR}/CuDNNChecked/provider/names.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/CuDNNChecked/provider/provide.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/CuDNNChecked/provider/compare.cmake")
cmake_language(DEFER DIRECTORY "${CMAKE_SOURCE_DIR}" CALL _cudnn_checked_compare_later)
