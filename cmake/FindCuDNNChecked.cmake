# SPDX-License-Identifier: BSD-3-Clause
#
#[=======================================================================[.rst:
FindCuDNNChecked
----------------

Finds NVIDIA cuDNN, proves that it computes, and stamps what was proved into programs.

.. code-block:: cmake

  find_package(CuDNNChecked [<version>[...<max>]] [EXACT] [QUIET] [REQUIRED]
               [COMPONENTS <component>...] [OPTIONAL_COMPONENTS <component>...])

The version, ranges and ``EXACT`` included, is cuDNN's, of at most three numbers, as in its header.
Header and library are always taken from the same install.  A helper program, the probe, is compiled
with the project's own compiler and flags, linked with what was found, and run: it compares the
versions of header, library and sub-libraries, and where there is a GPU it computes convolutions and
checks every number.  Where the project has enabled the language ``CUDA``, the probe also has a
kernel, compiled as the project's own CUDA sources are.

CMake 3.22 or newer is needed, and the language ``CXX``.

Levels
^^^^^^

Each level includes the ones before it:

``LOCATED``
  Header and library of one install were found.
``LINKED``
  The probe compiles and links.
``LOADED``
  It starts, and the library's own versions and sub-libraries agree.  Needs no GPU and no driver.
``RAN``
  Convolutions ran on a GPU, and their numbers are right.

Components
^^^^^^^^^^

``graph``, ``ops``, ``cnn``, ``adv``, ``engines_precompiled``, ``engines_runtime_compiled``,
``heuristic``, ``engines_tensor_ir``, ``ext``.  Without any, everything that the release ships is
needed, full or JIT-only.  With components, what they need is: ``cnn`` needs graph, ops, cnn,
heuristic and the engines.  In cuDNN 8, ``graph`` is a part of ``cnn``.  An unknown name is an error
among ``COMPONENTS``, and not found among ``OPTIONAL_COMPONENTS``.

Hints
^^^^^

Variables or environment variables, in this order; each names the directory above ``include`` and
``lib``, a Python environment, its ``site-packages``, or the output ``dev`` of a Nix package. A
relative path counts from the source directory.

``CuDNNChecked_ROOT``
  An instruction: where it holds no cuDNN that was asked for, no other directory is searched.  For
  CMake the same variable names the prefix of this package (policy ``CMP0074``): a directory that
  has this package and nothing of a cuDNN is ignored.
``CUDNN_ROOT``, ``CUDNN_PATH``, ``CUDNN_ROOT_DIR``, ``CUDNN_HOME``
  Searched first.

After them: ``CMAKE_PREFIX_PATH``; a directory ``include`` in ``CMAKE_INCLUDE_PATH``, ``CPATH`` or
``CPLUS_INCLUDE_PATH`` that has ``cudnn.h``; the packages of the active Python
(``nvidia-cudnn-cu13``, ``nvidia-cudnn-jit-cu13``; the Python of ``Python3_EXECUTABLE``,
``Python_EXECUTABLE``, ``VIRTUAL_ENV``, or ``python3`` on ``PATH``), conda, the CUDA toolkit, and,
unless ``CMAKE_FIND_USE_CMAKE_SYSTEM_PATH`` is off, ``/usr`` and ``/usr/local``.

Below each of them the directories of Debian and Ubuntu (``lib/<triplet>``, also Jetson's), RPM
(``lib64``), NVIDIA's archives, wheels and conda (``lib``) and CUDA toolkits
(``targets/x86_64-linux``, ``sbsa-linux``, ``aarch64-linux``) are searched; in a build for Windows
those of NVIDIA's archives, wheels and vcpkg (``bin``), CUDA toolkits (``bin/x64``), conda
(``Library/bin``) and NVIDIA's installer (``bin/13.0``; ``Program Files/NVIDIA/CUDNN/v9.x`` in place
of ``/usr``).  Where no cuDNN is
found, the message lists each directory and why it was not taken; where one is found,
``--log-level=VERBOSE`` lists those before it, in the run of CMake that searches.

A ``VIRTUAL_ENV`` is searched in whether or not its Python can be started.

The CUDA runtime is that of ``CMAKE_CUDA_COMPILER``, else of ``CUDAToolkit_ROOT``, which names a
toolkit, a Python environment, its ``site-packages`` or ``nvidia`` in it: where none of these holds
a runtime, no other directory is searched.  Where neither is set, it is that of the directory of
cuDNN itself, the Python packages beside it, ``CUDA_PATH``, ``CUDA_HOME``, ``nvcc`` on ``PATH``,
``/usr/local/cuda``, ``CONDA_PREFIX``, the system, or NVIDIA's Python packages of the active
Python.  For a cuDNN from a Python package, a runtime of another major release of CUDA is taken only
if it is that of the compiler or of ``CUDAToolkit_ROOT``; the probe then refuses it.

Cross builds
^^^^^^^^^^^^

``CMAKE_FIND_ROOT_PATH``, ``CMAKE_SYSROOT`` and ``CMAKE_STAGING_PREFIX`` are searched as by
``find_library`` and ``find_path``: ``CMAKE_FIND_ROOT_PATH_MODE_LIBRARY`` and ``_INCLUDE`` decide,
the stricter of the two for both, and with ``ONLY`` nothing outside of the roots is taken.  The
roots themselves and their ``usr`` and ``usr/local`` are the system's directories then.  Three
directories are used as they are named: ``CuDNNChecked_ROOT``, ``CUDAToolkit_ROOT``, and that of a
CUDA toolkit for the target (``targets/sbsa-linux``).  Libraries for another machine than the target
are never taken.  The probe runs with ``CMAKE_CROSSCOMPILING_EMULATOR``; without one the level is
``LINKED``, or that of ``CuDNNChecked_PROBE_REPORT``.

Inputs
^^^^^^

Words that are a value may be in upper or lower case; names are as they are written here.

``CuDNNChecked_REQUIRE``
  ``AUTO`` (default) or a level, at which the proof ends and below which nothing is accepted.
  AUTO wants ``RAN`` where this machine has an NVIDIA GPU, ``LOADED`` where it has none or the probe
  runs under qemu-user, and ``LINKED`` in a cross build without ``CMAKE_CROSSCOMPILING_EMULATOR``.
``CuDNNChecked_CONVOLUTIONS``
  Which convolutions are computed, such as ``legacy;graph/fp32/nchw``; all of them by default.
``CuDNNChecked_OPERATIONS``
  What is computed besides the convolutions, such as ``attention;matmul``; nothing by default.
  Possible are ``conv-bias`` (a convolution with bias and activation), ``matmul``,
  ``attention/forward``, ``attention/backward``, ``layer-norm/forward``, ``layer-norm/backward``,
  ``rms-norm/forward``, ``rms-norm/backward``, ``rnn/forward``, ``rnn/backward``, ``lstm/forward``,
  ``lstm/backward``, ``gru/forward``, ``gru/backward``, ``batch-norm/inference``,
  ``batch-norm/forward``, ``batch-norm/backward``, ``softmax/forward``, ``softmax/backward``,
  ``pooling/forward``, ``pooling/backward``, ``conv-backward/data``, ``conv-backward/filter``,
  ``conv-backward/bias``, ``conv-activation``, ``activation/forward``, ``activation/backward``,
  ``tensor/add``, ``tensor/op``, ``tensor/reduce``, ``tensor/transform``, ``lrn/forward``,
  ``lrn/backward``, ``spatial-grid/forward``, ``spatial-grid/backward``,
  ``spatial-sampler/forward``, ``spatial-sampler/backward``, ``ctc-loss``, ``dropout``, a front part
  of one, ``all``, and ``conv`` for the convolutions, which are always computed.  An operation that
  computes wrong numbers is an error.
  Recurrent networks are computed by the algorithm that PyTorch takes, and need libcudnn_adv; what
  follows them is of the legacy API as well, and needs libcudnn_ops, what begins with ``conv-`` also
  libcudnn_cnn, CTC libcudnn_adv.
  Matrix products, and attention forward, are computed in FP8 (E4M3), too, where GPU and cuDNN have
  it.
``CuDNNChecked_KERNEL``
  Where the language ``CUDA`` is enabled before the call, the probe has a convolution kernel of its
  own.  It is compiled with ``CMAKE_CUDA_COMPILER``, its host compiler, ``CMAKE_CUDA_FLAGS``,
  ``CMAKE_CUDA_STANDARD``, ``CMAKE_CUDA_SEPARABLE_COMPILATION`` and ``CMAKE_CUDA_ARCHITECTURES`` of
  the calling directory, and started on each GPU.  Code that the GPU of this machine cannot run is a
  warning, and an error with ``CuDNNChecked_REQUIRE=RAN``; wrong numbers are always an error.
  ``OFF`` leaves the kernel out.
``CuDNNChecked_DEVICES``
  The GPUs that compute, at the same time: ``all``, or a list of indices or UUIDs.  By default the
  first GPU of each architecture computes.  A GPU that computes wrong numbers, and others of its
  architecture do not, is named with its UUID.
``CuDNNChecked_PROBE_TIMEOUT``
  Seconds that the probe may take, a sweep longer than asked, and the compiler that reads
  ``cudnn_version.h``; 120 by default.
``CuDNNChecked_SWEEP``
  Whole seconds for which every engine of cuDNN is swept after the probe, 0 (none) by default.  The
  probe computes with the engine that heuristic A offers first; the sweep computes with every
  engine, by its index and with the configurations that the heuristics A, B and FALLBACK offer:
  convolutions and both of their gradients, on the first GPU that computed and those of its kind
  that ``CuDNNChecked_DEVICES`` let compute as well, in processes of their own.  An engine that
  computes wrong numbers and is offered first by A is an error, because ordinary calls take it.  One
  that is offered further down is a warning, because autotuners take it.  An errata file changes
  neither, because only some programs read it.  All that was computed is in ``sweep.json`` beside
  ``CuDNNChecked_REPORT``, for ``cudnn-checked sweep <file>``.  Where the proof ends below ``RAN``,
  as on a machine without a GPU, nothing is swept, and the line of the result says so.  Its program
  is compiled once, in about 10 s; changing the number, cuDNN or the driver sweeps again.
``CuDNNChecked_PROBE_REPORT``
  A report that the probe wrote on the machine where the program will run, for builds that cannot
  run there: cross builds, ``docker build``.  A relative path is below ``CMAKE_SOURCE_DIR``.  The
  probe is then compiled and linked here and not run; level, architectures and versions are those of
  the report, which must be of the same cuDNN (releases and build ids), of the same major release of
  CUDA, and of the same components.  Its values are data of a known form, and its level must follow
  from the convolutions in it; otherwise it is refused.  To get it, copy
  ``CuDNNChecked/cudnn_checked_target_judge`` and ``CuDNNChecked/cudnn_checked_probe`` of the build
  tree there, and start the first where the loader finds cuDNN:
  ``./cudnn_checked_target_judge configure judge report=report.json components=cnn``.  With
  ``CuDNNChecked_SWEEP`` the report must have a sweep that was at least as long: add ``sweep=60``,
  and start ``./cudnn_checked_sweep report=report.json`` behind it.
``CuDNNChecked_POLICY``
  What a guarded program accepts at run time: ``compatible`` (default), ``exact`` or ``major``.
  The default of ``cudnn_checked_guard(<target> POLICY ...)`` in the whole project.
``CuDNNChecked_GPU``
  ``OPTIONAL`` (default): guarded programs may run where there is no driver or no GPU; or
  ``REQUIRED``: they refuse to start there.  The default of
  ``cudnn_checked_guard(<target> GPU ...)`` in the whole project.
``CuDNNChecked_GUARD``
  Which programs of the build are guarded, and what their guard does:

  ``DECLARED`` (default)
    The targets for which the project calls :command:`cudnn_checked_guard`.
  ``ALL``
    These, and every executable that links cuDNN, itself or through its libraries; decided when all
    targets are known.
  ``WARN``
    As ``DECLARED``, or as ``ALL`` in a project that gets cuDNN by ``CuDNNCheckedProvider.cmake``;
    and the programs print what would be refused, and start.
  ``OFF``
    As ``DECLARED``, and the programs start without a check.

  Begin with ``WARN``.  ``OFF`` is for those who build a distribution.  Both are in the stamp;
  ``CUDNN_CHECKED`` overrides them where a program starts.
``CuDNNChecked_OPTIONAL``
  If true, a project that gets cuDNN by ``CuDNNCheckedProvider.cmake`` and does not require it is
  configured without it where it was refused.
``CuDNNChecked_PROVIDE_CUDNN_TARGETS``
  If true, ``CUDNN::cudnn``, ``CUDNN::cudnn_all`` and ``CUDNN::cudnn_<sub-library>`` are made as
  well, the names of NVIDIA's own CMake files: cudnn-frontend, included later, uses them and
  searches nothing.  It is an error if another module has made one of them before.

Result variables
^^^^^^^^^^^^^^^^

``CuDNNChecked_FOUND``
  True where a cuDNN was found and proved.
``CuDNNChecked_NOT_FOUND_MESSAGE``
  After a call with ``QUIET`` that found none, the message that was not printed.
``CuDNNChecked_VERSION``
  The release of the header.
``CuDNNChecked_VERSION_MAJOR``, ``CuDNNChecked_VERSION_MINOR``, ``CuDNNChecked_VERSION_PATCH``
  Its parts.
``CuDNNChecked_VERSION_COUNT``
  The number of its parts, 3.
``CuDNNChecked_LIBRARY_VERSION``
  The release that the library reports.
``CuDNNChecked_LEVEL``
  The level that was reached.
``CuDNNChecked_CUDA_VERSION``
  The CUDA whose headers are used.
``CuDNNChecked_CUDART_VERSION``
  The CUDA runtime inside cuDNN.
``CuDNNChecked_DRIVER_VERSION``
  The CUDA version of the driver; empty without one.
``CuDNNChecked_ARCHITECTURES``
  The compute capabilities of the GPUs on which the convolutions ran, as ``75;86``.
``CuDNNChecked_REPORT``
  The report as JSON; empty where the probe was not run.
``CuDNNChecked_INCLUDE_DIR``, ``CuDNNChecked_LIBRARY``, ``CuDNNChecked_<sub-library>_LIBRARY``
  The directory of ``cudnn.h``; the files ``libcudnn.so.9`` and ``libcudnn_<sub-library>.so.9``, on
  Windows ``cudnn64_9.dll`` and ``cudnn_<sub-library>64_9.dll``.
``CuDNNChecked_INCLUDE_DIRS``, ``CuDNNChecked_LIBRARIES``
  The header directories of cuDNN and CUDA; the target.
``CuDNNChecked_<component>_FOUND``
  For each component that was asked for.
``CuDNNChecked_PACKAGE_VERSION``
  The release of this package.

Imported targets
^^^^^^^^^^^^^^^^

``CuDNNChecked::cudnn``
  cuDNN, with the include directories of cuDNN, of CUDA and of ``<cudnn_checked/stamp.h>``.  For a
  cuDNN from a Python package whose run path does not lead to its NVRTC or cuBLAS, a program that
  links it needs those of the same ``site-packages`` as well, so that it runs without
  ``LD_LIBRARY_PATH``.
``CuDNNChecked::cudnn_<sub-library>``, ``CuDNNChecked::cudnn_all``
  One sub-library; all of them.
``CuDNNChecked::cudart``
  The CUDA runtime that the probe was linked with.
``CUDNN::cudnn``, ``CUDNN::cudnn_<sub-library>``, ``CUDNN::cudnn_all``
  The same under NVIDIA's names, with ``CuDNNChecked_PROVIDE_CUDNN_TARGETS`` only.
``CuDNNChecked::guard``
  The include directories of ``<cudnn_checked/guard.hpp>`` and ``<cudnn_checked/stamp.h>``.

They are visible in the whole build tree, which has one cuDNN: a later call is compared with it.
Two copies of this package in one build, as two of its projects bring them, must be of one release
and the same sources; otherwise it is an error that names both.

Functions
^^^^^^^^^

:command:`cudnn_checked_guard` stamps a target and adds the check to it; see
``CuDNNChecked/every_configure/targets.cmake``.

:command:`cudnn_checked_bundle` gives a target a copy of cuDNN that no variable replaces; see
``CuDNNChecked/every_configure/targets.cmake``.

:command:`cudnn_checked_export` makes the exported targets of a project usable where CuDNNChecked is
not installed; see ``CuDNNChecked/every_configure/targets.cmake``.

Examples
^^^^^^^^

.. code-block:: cmake

  find_package(CuDNNChecked 9.1...<10 REQUIRED COMPONENTS cnn)
  add_executable(app app.cpp)
  target_link_libraries(app PRIVATE CuDNNChecked::cudnn)
  cudnn_checked_guard(app)

Through a package configuration (``CuDNNChecked_DIR``, an install prefix), a call without
``REQUIRED`` and ``QUIET`` that finds nothing is followed by a warning of CMake's own.
#]=======================================================================]

if(CMAKE_VERSION VERSION_LESS 3.22)
  message(FATAL_ERROR " CuDNNChecked needs CMake 3.22 or newer; this is ${CMAKE_VERSION}")
endif()
cmake_policy(PUSH)
cmake_policy(VERSION 3.22...4.0)
list(APPEND CMAKE_MESSAGE_CONTEXT CuDNNChecked)

# The functions that every configure needs; the others are loaded where they are used, because each
# file costs time.  A later call has them already, unless another copy of this package has defined
# its own since.
get_property(_cudnn_checked_included GLOBAL PROPERTY _cudnn_checked_included)
if(NOT _cudnn_checked_included STREQUAL CMAKE_CURRENT_LIST_DIR)
  set(_cudnn_checked_other "")
  if(COMMAND _cudnn_checked_own_content)
    _cudnn_checked_own_content(_cudnn_checked_other)
  endif()
  foreach(_cudnn_checked_part IN ITEMS answer facts package targets)
    include("${CMAKE_CURRENT_LIST_DIR}/CuDNNChecked/every_configure/${_cudnn_checked_part}.cmake")
  endforeach()
  set_property(GLOBAL PROPERTY _cudnn_checked_loaded "")
  set_property(GLOBAL PROPERTY _cudnn_checked_included "${CMAKE_CURRENT_LIST_DIR}")
  _cudnn_checked_forget_other_copy("${_cudnn_checked_included}" "${_cudnn_checked_other}")
endif()

# The provider needs these functions before it knows what to ask for.
if(_cudnn_checked_functions_only)
  unset(_cudnn_checked_other)
  list(POP_BACK CMAKE_MESSAGE_CONTEXT)
  cmake_policy(POP)
  return()
endif()

# Searches, proves and makes the targets, or takes the answer to the same request.
_cudnn_checked_answer(_cudnn_checked_answer)
# CuDNNChecked_VERSION, CuDNNChecked_LEVEL and the other result variables.
_cudnn_checked_set_results(${_cudnn_checked_answer})
# What is to be printed: one line on what was proved, and findings or a refusal.
_cudnn_checked_read_answer(
  _cudnn_checked_outcome
  _cudnn_checked_line
  _cudnn_checked_message
  ${_cudnn_checked_answer}
)

unset(CuDNNChecked_NOT_FOUND_MESSAGE)
if(NOT _cudnn_checked_outcome STREQUAL "refused")
  if(NOT CuDNNChecked_FIND_QUIETLY)
    _cudnn_checked_tell_line("${_cudnn_checked_line}")
    _cudnn_checked_tell_major()
    if(_cudnn_checked_message)
      message(WARNING "${_cudnn_checked_message}")
    endif()
  endif()
else()
  if(CuDNNChecked_FIND_REQUIRED)
    message(FATAL_ERROR "${_cudnn_checked_message}")
  elseif(NOT CuDNNChecked_FIND_QUIETLY)
    message(WARNING "${_cudnn_checked_message}")
  else()
    # For a package configuration that needs cuDNN: CMake prints its reason.
    set(CuDNNChecked_NOT_FOUND_MESSAGE "${_cudnn_checked_message}")
  endif()
  # Its own line would repeat the message.
  set(_cudnn_checked_quietly "${CuDNNChecked_FIND_QUIETLY}")
  set(CuDNNChecked_FIND_QUIETLY TRUE)
  include(FindPackageHandleStandardArgs)
  find_package_handle_standard_args(
    CuDNNChecked
    REQUIRED_VARS CuDNNChecked_LEVEL
    HANDLE_COMPONENTS
    HANDLE_VERSION_RANGE
    REASON_FAILURE_MESSAGE "see the message above"
  )
  if(NOT _cudnn_checked_quietly)
    unset(CuDNNChecked_FIND_QUIETLY)
  endif()
  unset(CUDNNCHECKED_FOUND)
endif()

foreach(
  _cudnn_checked_name
  IN
  ITEMS included other part answer outcome line message quietly
)
  unset(_cudnn_checked_${_cudnn_checked_name})
endforeach()
unset(_cudnn_checked_name)
list(POP_BACK CMAKE_MESSAGE_CONTEXT)
cmake_policy(POP)
