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
``QUIET`` and ``COMPONENTS``.  ``find_path``, ``find_file`` and ``find_library`` that ask for a
header or a library of cuDNN get its files, whatever their variable is called, and with no other
call before.  A library that is no part of that cuDNN (``cudnn_cnn_infer`` of cuDNN 8) is not found.

A project's own ``FindCUDNN.cmake`` on ``CMAKE_MODULE_PATH`` is included, so that what it makes is
there; what it looks up is what was proved.  What is missing then is added: result variables in the
usual spellings (``CUDNN_INCLUDE_DIR``, ``CUDNN_LIBRARY_PATH``, ``cuDNN_LINK_LIBRARY``,
``cudnn_graph_LIBRARY``; the table is ``CuDNNChecked/provider/names.cmake``) and the targets
``CUDNN::cudnn``, ``CUDNN::cudnn_all``, ``CUDNN::cudnn_<sub-library>``, ``CuDNN::CuDNN``,
``cuDNN::cuDNN`` and ``nvidia::cudnn``.

Which cuDNN is taken
^^^^^^^^^^^^^^^^^^^^

``CuDNNChecked_ROOT`` names it.  Where that is not set, what a person tells the project does:

- ``<package>_ROOT``, ``<package>_ROOT_DIR`` and ``<package>_DIR``, for the name that the project
  asks for and for ``CUDNN``, ``cuDNN``, ``CuDNN`` and ``cudnn``, in CMake or the environment;
- a variable in which find modules keep a file (``CUDNN_LIBRARY``, ``CUDNN_INCLUDE_DIR``);
- ``CUDNN_PATH`` and the other variables that ``find_package(CuDNNChecked)`` knows;
- ``HINTS`` of the first call that asks for cuDNN, where they lead to one and ``CMAKE_PREFIX_PATH``
  does not; its ``PATHS``, where nothing else does, or with ``NO_DEFAULT_PATH``.

It is an error if such a variable of CMake names another place than that of the cuDNN that was
proved, or a directory in place of a library; the message has what to type.  So it is if a
variable of the project's own with ``cudnn`` in its name (``USE_CUDNN``) is given a directory and
leads such a call to another cuDNN.

Errors
^^^^^^

A project that does not require cuDNN is configured without it if there is none, or none of the
release that it asks for.  If there is one and it is refused, or if none is where a person has said,
that is an error for such a project as well: it would be built without cuDNN, and nobody would see
why.  ``-D CuDNNChecked_OPTIONAL=ON`` makes a warning of it.

It is an error if the project or a variable asks for the static cuDNN (``cudnn_static``,
``CUDNN_STATIC``): docs/faq.md says why.

When the top-level directory is done, a target that links cuDNN by name (``-lcudnn``), or by the
path of a file that is not there, links the file that was proved; if it has none, that is an error.
If the project has looked for no cuDNN and links one, it is proved then.

``cuda_add_library`` and the other commands of CMake's old ``FindCUDA`` get the directory of the
headers that were proved before that of the toolkit, where that one has a ``cudnn.h`` of its own.

It is also an error then if a target links cuDNN and the cuDNN of this machine was refused, and a
warning if a target links, or is compiled with, another cuDNN than the one that was proved; that is
an error with ``CuDNNChecked_GUARD=ALL``.  The cache entries that were set for the project are
removed then: they are of one configure, and nothing is left when this file is taken out of the
build tree.

In a project in C, C++ is enabled behind its first ``project()``, for the probe and the guard.

Builds inside
^^^^^^^^^^^^^

``ExternalProject_Add`` hands this file on to the build inside, with the cache entries that name a
cuDNN or begin with ``CuDNNChecked_``; so a superbuild is configured as any other project, and each
of its builds prints its own line.  One line names the inner builds that get none: those whose
``CONFIGURE_COMMAND`` or ``CMAKE_PROJECT_TOP_LEVEL_INCLUDES`` is the project's own.  A build that is
started by ``execute_process`` gets none, and nothing says so.

This file defines the four commands anew and calls CMake's own for whatever is not cuDNN.  It sets
no dependency provider, of which CMake has one: it stands before or behind
``conan_provider.cmake``, and beside vcpkg's toolchain file.
#]=======================================================================]
if(CMAKE_VERSION VERSION_LESS 3.24)
  message(
    FATAL_ERROR
    " CuDNNCheckedProvider.cmake needs CMake 3.24 or newer; this is ${CMAKE_VERSION}\n"
    "   fix: python3 -m pip install cmake\n"
    "    or: in the project's CMakeLists.txt: find_package(CuDNNChecked)"
  )
endif()

get_property(_cudnn_checked_home GLOBAL PROPERTY _cudnn_checked_provider_home)
if(_cudnn_checked_home)
  # One that is of another release ends the configure.
  set(_cudnn_checked_functions_only TRUE)
  foreach(_cudnn_checked_copy IN ITEMS "${_cudnn_checked_home}" "${CMAKE_CURRENT_LIST_DIR}")
    include("${_cudnn_checked_copy}/FindCuDNNChecked.cmake")
  endforeach()
  unset(_cudnn_checked_functions_only)
  unset(_cudnn_checked_copy)
  unset(_cudnn_checked_home)
  return()
endif()
set_property(GLOBAL PROPERTY _cudnn_checked_provider_home "${CMAKE_CURRENT_LIST_DIR}")

# What CMake includes where the project calls find_package(CUDNN), and behind each project().
file(READ "${CMAKE_CURRENT_LIST_DIR}/provider_answers/cudnn.cmake" _cudnn_checked_answer)
file(READ "${CMAKE_CURRENT_LIST_DIR}/provider_answers/languages.cmake" _cudnn_checked_languages)
set(_cudnn_checked_file "${CMAKE_FIND_PACKAGE_REDIRECTS_DIR}/cudnn-config")
file(WRITE "${_cudnn_checked_file}.cmake" "${_cudnn_checked_answer}")
# The answer compares versions itself.
file(
  WRITE
  "${_cudnn_checked_file}-version.cmake"
  "include([==[${CMAKE_CURRENT_LIST_DIR}/CuDNNCheckedConfigVersion.cmake]==])\n"
)
set(_cudnn_checked_file "${CMAKE_FIND_PACKAGE_REDIRECTS_DIR}/cudnn-checked-languages.cmake")
file(WRITE "${_cudnn_checked_file}" "${_cudnn_checked_languages}")
set_property(GLOBAL PROPERTY _cudnn_checked_included_by_user "${CMAKE_PROJECT_INCLUDE}")
set(CMAKE_PROJECT_INCLUDE "${_cudnn_checked_file}")
unset(_cudnn_checked_home)
unset(_cudnn_checked_answer)
unset(_cudnn_checked_languages)
unset(_cudnn_checked_file)

include(ExternalProject)
# One that somebody has defined anew before would lose CMake's own.
foreach(_cudnn_checked_command IN ITEMS find_path find_file find_library ExternalProject_Add)
  if(COMMAND _${_cudnn_checked_command})
    message(
      FATAL_ERROR
      " CuDNNCheckedProvider.cmake: ${_cudnn_checked_command} is defined anew before it, in a\n"
      " toolchain file or another entry of CMAKE_PROJECT_TOP_LEVEL_INCLUDES, and can be so once\n"
      "   fix: put CuDNNCheckedProvider.cmake first in CMAKE_PROJECT_TOP_LEVEL_INCLUDES\n"
      "    or: in the project's CMakeLists.txt: find_package(CuDNNChecked)"
    )
  endif()
endforeach()
unset(_cudnn_checked_command)

# With the policies of the project, as its calls have them.
include("${CMAKE_CURRENT_LIST_DIR}/CuDNNChecked/provider/commands.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/CuDNNChecked/provider/inner.cmake")
cmake_policy(PUSH)
cmake_policy(VERSION 3.24...4.0)
include("${CMAKE_CURRENT_LIST_DIR}/CuDNNChecked/provider/names.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/CuDNNChecked/provider/named.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/CuDNNChecked/provider/provide.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/CuDNNChecked/provider/lookups.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/CuDNNChecked/provider/compare.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/CuDNNChecked/provider/nvcc.cmake")
variable_watch(CUDA_NVCC_INCLUDE_DIRS_USER _cudnn_checked_order_nvcc_directories)
cmake_policy(POP)
_cudnn_checked_keep_directories()
cmake_language(DEFER DIRECTORY "${CMAKE_SOURCE_DIR}" CALL _cudnn_checked_compare_later)
