# SPDX-License-Identifier: BSD-3-Clause
#
# The targets: those that are imported, the header of the stamp, and the functions for those of a
# project.

#[=======================================================================[.rst:
.. command:: cudnn_checked_guard

  Stamps a target with what was proved, and adds the check to it::

    cudnn_checked_guard(<target> [MANUAL] [GPU REQUIRED|OPTIONAL]
                        [POLICY compatible|exact|major] [OPERATIONS <operation>...])

  An executable is checked before ``main`` and refuses to start, with exit code 78, where the stamp
  does not hold.  It is an error if it links neither cuDNN, itself or through its libraries, nor
  ``CuDNNChecked::guard``, which is for one that opens cuDNN by itself.  With ``MANUAL`` nothing
  happens until the code asks (``<cudnn_checked/guard.hpp>``); static, shared and module libraries
  need it, because a library never ends its host by itself.

  ``GPU``
    ``OPTIONAL``: the program may run where there is no driver or no GPU; a driver that does not
    serve a GPU that is there is an error.  ``REQUIRED``: it is an error, too, if there is no driver
    or no GPU.  The default is ``CuDNNChecked_GPU``, and without that ``OPTIONAL``.

  ``POLICY``
    What a cuDNN must be to run the program; the default is ``CuDNNChecked_POLICY``, here or where
    ``find_package`` was called, and without that ``compatible``.

  ``OPERATIONS``
    What the program computes with cuDNN.  A defect that is known of a release in an operation is an
    error where the program names that operation, or a warning of ``cudnn-checked verify`` where few
    calls of it meet the defect, and is not reported where it names others only.  Where it names
    none, a defect that ordinary calls meet is a warning or a note.  The names are

    * convolutions of images: ``conv/fp32/nchw``, ``conv/fp16/nchw``, ``conv/bf16/nchw``,
      ``conv/fp32/nhwc``, ``conv/fp16/nhwc``, ``conv/bf16/nhwc``; ``conv/depthwise``, and
      ``conv/asymmetric`` with other padding before than behind;
    * convolutions of volumes: ``conv3d/fp32``, ``conv3d/fp16``, ``conv3d/bf16``;
    * scaled dot-product attention: ``sdpa/forward``, ``sdpa/backward``; with a single query row
      ``sdpa/forward/decode``; with dropout, a sliding window or in FP8 ``sdpa/forward/dropout``,
      ``sdpa/forward/window``, ``sdpa/forward/fp8``, ``sdpa/backward/dropout``,
      ``sdpa/backward/window``, ``sdpa/backward/fp8``; captured in a CUDA graph
      ``sdpa/backward/graph``;
    * matrix products: ``matmul/block_scaled``; normalization with output in MXFP8: ``norm/mxfp8``;
    * recurrent networks with sequences of different lengths: ``rnn/masked``; in half precision
      ``rnn/backward/fp16``, ``lstm/forward/fp16``, ``lstm/backward/fp16``, ``gru/forward/fp16``,
      ``gru/backward/fp16``;
    * for a program that also runs plans which heuristic A does not offer first:
      ``autotune/fwd/nchw``, ``autotune/fwd/nhwc``, ``autotune/dgrad/nchw``,
      ``autotune/dgrad/nhwc``, ``autotune/wgrad/nchw``, ``autotune/wgrad/nhwc``;

    or a front part of one, which stands for all that begin with it: ``conv``, ``sdpa``, ``matmul``;
    or ``attention``, which is ``sdpa``, and other names of ``CuDNNChecked_OPERATIONS``.  Where the
    level is ``RAN``, such a name without its proof is a warning, an error where that is required.

  ``CuDNNChecked_GUARD``, of the whole build, decides which targets are guarded, and what this does.

  The check is compiled by the project's own compiler into objects of their own, and nothing of the
  target is changed but its sources, one include directory, one definition (``CUDNN_CHECKED_STAMP``)
  and the loader's library.  One source more, of a language that the target has, holds no code:
  compiling it fails where the target's include directories lead to another ``cudnn.h`` than the one
  that was found.  The function may be called from any directory and before ``CUDA_ARCHITECTURES``
  is set, and by ``cmake_language(DEFER)``.
#]=======================================================================]
function(cudnn_checked_guard target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "MANUAL" "GPU;POLICY" "OPERATIONS")
  _cudnn_checked_load(target/guard target/guard_objects)
  _cudnn_checked_guard_call("${target}" arg)
endfunction()

#[=======================================================================[.rst:
.. command:: cudnn_checked_export

  Makes the exported targets of a project usable where CuDNNChecked is not installed::

    cudnn_checked_export(DESTINATION <directory> [COMPONENT <component>])

  A library that links ``CuDNNChecked::cudnn`` PUBLIC, or a static one that links it at all, names
  that target in the file of ``install(EXPORT)``.  This function writes
  ``CuDNNCheckedDependency.cmake`` into the current binary directory, and installs it into
  ``<directory>``, where the package configuration of the project includes it before that file:

  .. code-block:: cmake

    # CMakeLists.txt
    install(TARGETS filters EXPORT filtersTargets)
    install(EXPORT filtersTargets NAMESPACE filters:: DESTINATION lib/cmake/filters)
    install(FILES filtersConfig.cmake DESTINATION lib/cmake/filters)
    cudnn_checked_export(DESTINATION lib/cmake/filters)

    # filtersConfig.cmake
    include("${CMAKE_CURRENT_LIST_DIR}/CuDNNCheckedDependency.cmake")
    include("${CMAKE_CURRENT_LIST_DIR}/filtersTargets.cmake")

  Where a consumer has CuDNNChecked, installed or on ``CMAKE_MODULE_PATH``, the file calls
  ``find_package(CuDNNChecked)``, and cuDNN is proved.  Where it has not, the file looks for
  ``libcudnn.so``, ``cudnn.h`` of the same install and the CUDA runtime, and makes the imported
  targets without a proof; a line of CMake's output names the library.  The hints are the same.
  Required is the minor release of cuDNN that the project was built with, or a newer one of the same
  major release, for the same major release of CUDA; where there is none, also not below
  ``CuDNNChecked_ROOT`` where that is set, the package is not found, and the message has the reason.

  ``COMPONENT`` is that of ``install(FILES)``.
#]=======================================================================]
function(cudnn_checked_export)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "DESTINATION;COMPONENT" "")
  _cudnn_checked_load(target/export)
  _cudnn_checked_export_call(arg)
endfunction()

#[=======================================================================[.rst:
.. command:: cudnn_checked_bundle

  Gives a target a copy of the cuDNN that was proved, which no variable replaces::

    cudnn_checked_bundle(<target> [DIRECTORY <directory>] [CUDA]
                         [DESTINATION <directory> [COMPONENT <component>]])

  ``<target>`` is an executable, a shared library or a module.  It needs each library of cuDNN by
  the name under which cuDNN asks for it first, and has a ``DT_RPATH`` to the copy, so that neither
  ``LD_LIBRARY_PATH`` nor ``ld.so.cache`` leads to another one.  All of cuDNN is mapped at its
  start.  The files are not changed, and the licenses of their packages are copied with them.  With
  ``CUDA`` the libraries of CUDA that cuDNN opens are copied too: cuBLASLt, and NVRTC with its
  builtins; ``LD_LIBRARY_PATH`` goes before these.  What is not copied is printed when the project
  is built.

  With ``DESTINATION``, the directory in which ``install(TARGETS)`` puts the target, the copy is
  installed into ``DIRECTORY`` as seen from there, ``cudnn`` by default:

  .. code-block:: cmake

    install(TARGETS app DESTINATION bin)
    cudnn_checked_bundle(app DIRECTORY ../lib/app DESTINATION bin)

  ``LD_PRELOAD`` and ``LD_AUDIT`` go before everything.  A JIT-only cuDNN asks for libraries that it
  does not have: where ``LD_LIBRARY_PATH`` or ``ld.so.cache`` lead to one, no run path keeps it out.
  :command:`cudnn_checked_guard` refuses one that does not fit.
#]=======================================================================]
function(cudnn_checked_bundle target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "CUDA" "DIRECTORY;DESTINATION;COMPONENT" "")
  _cudnn_checked_load(target/bundle)
  _cudnn_checked_bundle_call("${target}" arg)
endfunction()

# _cudnn_checked_make_targets(place cuda)
#
# Makes the imported targets, once for a build tree.  They are SHARED with the versioned file as
# location, so that an install without libcudnn.so links (NVIDIA's wheels have none), and GLOBAL, so
# that every directory sees the same cuDNN.
function(_cudnn_checked_make_targets place cuda)
  _cudnn_checked_get(where)
  _cudnn_checked_headers_for(headers guard)
  if(TARGET CuDNNChecked::cudnn)
    # A package that was found before made them without a proof (see cudnn_checked_export).
    get_target_property(not_proved CuDNNChecked::cudnn _CUDNN_CHECKED_NOT_PROVED)
    if(NOT not_proved)
      return()
    endif()
    set_property(TARGET CuDNNChecked::cudnn PROPERTY _CUDNN_CHECKED_NOT_PROVED)
  endif()
  set_property(GLOBAL PROPERTY _cudnn_checked_pinned "${place_prefix}")
  set(includes "${place_include}" ${cuda_include})
  # The stamp: <cudnn_checked/stamp.h>.
  list(APPEND includes "${work_directory}/include")
  list(REMOVE_DUPLICATES includes)
  _cudnn_checked_import(CuDNNChecked::cudnn "${place_library}" "${place_link}" "${includes}")
  _cudnn_checked_import(CuDNNChecked::cudart "${cuda_library}" "${cuda_link}" "${cuda_include}")
  if(cuda_opened)
    _cudnn_checked_link_options(options ${cuda_opened})
    set_target_properties(
      CuDNNChecked::cudnn
      PROPERTIES INTERFACE_LINK_LIBRARIES "${cuda_opened}" INTERFACE_LINK_OPTIONS "${options}"
    )
  endif()

  set(all CuDNNChecked::cudnn)
  _cudnn_checked_sub_names(names ${place_sublibraries})
  foreach(name library link IN ZIP_LISTS names place_sublibraries place_sublinks)
    _cudnn_checked_import(CuDNNChecked::cudnn_${name} "${library}" "${link}" "${includes}")
    list(APPEND all CuDNNChecked::cudnn_${name})
  endforeach()
  _cudnn_checked_add_imported(CuDNNChecked::cudnn_all INTERFACE)
  set_target_properties(CuDNNChecked::cudnn_all PROPERTIES INTERFACE_LINK_LIBRARIES "${all}")

  # A link library without a file: the headers of the guard and the stamp.
  _cudnn_checked_add_imported(CuDNNChecked::guard INTERFACE)
  set_target_properties(
    CuDNNChecked::guard
    PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${headers};${work_directory}/include"
  )
endfunction()

# <link> is what the linker is given; a DLL has an import library.
function(_cudnn_checked_import target library link includes)
  get_filename_component(soname "${library}" NAME)
  _cudnn_checked_add_imported(${target} SHARED)
  set_target_properties(
    ${target}
    PROPERTIES
      IMPORTED_LOCATION "${library}"
      IMPORTED_SONAME "${soname}"
      INTERFACE_INCLUDE_DIRECTORIES "${includes}"
  )
  if(NOT link STREQUAL library)
    set_property(TARGET ${target} PROPERTY IMPORTED_IMPLIB "${link}")
  endif()
endfunction()

# _cudnn_checked_link_options(<result> <library>...)
#
# Linker options that keep these libraries in the NEEDED entries of a program that calls none of
# their functions, also with --as-needed, which is the default of the compiler on Ubuntu.
function(_cudnn_checked_link_options result)
  set(options "")
  foreach(file IN LISTS ARGN)
    set(needed "LINKER:--push-state,--no-as-needed,${file},--pop-state")
    string(REPLACE "," "$<COMMA>" needed "${needed}")
    list(APPEND options "$<HOST_LINK:${needed}>")
  endforeach()
  set(${result} "${options}" PARENT_SCOPE)
endfunction()

function(_cudnn_checked_add_imported target type)
  if(NOT TARGET ${target})
    add_library(${target} ${type} IMPORTED GLOBAL)
  endif()
endfunction()

# _cudnn_checked_component_file(<result> <component> <sub-libraries>)
#
# The library of a component among these files, or nothing.  cuDNN 8 halves its sub-libraries into
# inference and training, and has the graph API in that of the convolutions.
function(_cudnn_checked_component_file result component sublibraries)
  set(${result} "" PARENT_SCOPE)
  set(roles ${component} ${component}_infer)
  if(component STREQUAL "graph")
    list(APPEND roles cnn_infer)
  endif()
  _cudnn_checked_sub_names(names ${sublibraries})
  foreach(role IN LISTS roles)
    list(FIND names ${role} index)
    if(index GREATER_EQUAL 0)
      list(GET sublibraries ${index} file)
      set(${result} "${file}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

# _cudnn_checked_remember_stamp(<answer> input place cuda proved)
#
# Keeps these records as global properties of the <answer>, for the stamp of a guarded target; the
# last answer is the one that counts.  The header with the stamp is written once, when the top-level
# directory is done, so that an unchanged one is never rewritten.
function(
  _cudnn_checked_remember_stamp
  answer
  input
  place
  cuda
  proved
)
  _cudnn_checked_get(where)
  _cudnn_checked_names(names input place cuda proved)
  foreach(name IN LISTS names)
    set_property(GLOBAL PROPERTY ${answer}_${name} "${${name}}")
  endforeach()
  set_property(GLOBAL PROPERTY _cudnn_checked_stamp ${answer})
  set_property(GLOBAL APPEND PROPERTY _cudnn_checked_all_components ${input_components})

  get_property(deferred GLOBAL PROPERTY _cudnn_checked_stamp_deferred)
  if(NOT deferred)
    set_property(GLOBAL PROPERTY _cudnn_checked_stamp_deferred TRUE)
    cmake_language(DEFER DIRECTORY "${CMAKE_SOURCE_DIR}" CALL _cudnn_checked_write_stamp_header)
    cmake_language(DEFER DIRECTORY "${CMAKE_SOURCE_DIR}" CALL _cudnn_checked_guard_rest)
  endif()
  if(NOT EXISTS "${work_directory}/include/cudnn_checked/stamp.h")
    _cudnn_checked_write_stamp_header()
  endif()
endfunction()

# Guards what CuDNNChecked_GUARD of the top-level directory names, after all that the project itself
# has deferred.  A project that knows nothing of this package declares nothing: there WARN is for
# all.
function(_cudnn_checked_guard_rest)
  string(TOUPPER "${CuDNNChecked_GUARD}" which)
  get_property(provider GLOBAL PROPERTY _cudnn_checked_provider_home SET)
  if(which STREQUAL "ALL" OR (which STREQUAL "WARN" AND provider))
    _cudnn_checked_load(target/guard_all)
    cmake_language(DEFER CALL _cudnn_checked_guard_all)
  endif()
endfunction()

# _cudnn_checked_choice(<result> <value> <possible>...)
#
# The possible word that the value is, in upper or lower case; else the value.
function(_cudnn_checked_choice result value)
  string(TOLOWER "${value}" lower)
  foreach(possible IN LISTS ARGN)
    string(TOLOWER "${possible}" word)
    if(lower STREQUAL word)
      set(value "${possible}")
    endif()
  endforeach()
  set(${result} "${value}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_get_stamp(<name>...)
#
# Sets these facts of the last answer in the caller.
macro(_cudnn_checked_get_stamp)
  get_property(stamp_answer GLOBAL PROPERTY _cudnn_checked_stamp)
  foreach(stamp_name IN ITEMS ${ARGN})
    get_property(${stamp_name} GLOBAL PROPERTY ${stamp_answer}_${stamp_name})
  endforeach()
endmacro()

# _cudnn_checked_write_stamp_header()
#
# Writes <cudnn_checked/stamp.h>.  Where several find_package calls ask for different components, it
# names them all.  An unchanged header is not rewritten, so nothing is rebuilt.
function(_cudnn_checked_write_stamp_header)
  _cudnn_checked_get_stamp(input_package input_policy place_version cuda_version
    proved_level proved_library_version proved_cudart_version proved_runtime proved_driver
    proved_architectures proved_operations proved_swept_seconds proved_swept_plans
  )
  get_property(stamp_components GLOBAL PROPERTY _cudnn_checked_all_components)
  list(REMOVE_DUPLICATES stamp_components)
  list(SORT stamp_components)
  string(REGEX MATCH "^([0-9]+)\\.([0-9]+)\\.([0-9]+)" _ "${place_version}")
  _cudnn_checked_unit_of_major(unit ${CMAKE_MATCH_1})
  math(EXPR stamp_number "${CMAKE_MATCH_1} * ${unit} + ${CMAKE_MATCH_2} * 100 + ${CMAKE_MATCH_3}")
  if(proved_swept_plans STREQUAL "")
    set(proved_swept_seconds 0)
    set(proved_swept_plans 0)
  endif()
  _cudnn_checked_template(text stamp.h)
  file(
    CONFIGURE
    OUTPUT "${CMAKE_BINARY_DIR}/CuDNNChecked/include/cudnn_checked/stamp.h"
    CONTENT "${text}"
    @ONLY
  )
endfunction()

# What the major release is multiplied with in CUDNN_VERSION.
function(_cudnn_checked_unit_of_major result major)
  _cudnn_checked_rows(rows cudnn_majors)
  set(unit "")
  foreach(row IN LISTS rows)
    string(REGEX MATCH "([0-9]+), ([0-9]+)" _ "${row}")
    if(unit STREQUAL "" OR NOT major LESS CMAKE_MATCH_1)
      set(unit "${CMAKE_MATCH_2}")
    endif()
  endforeach()
  set(${result} "${unit}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_sub_names(<result> <file>...)
#
# Of each libcudnn_<name>.so.9 or cudnn_<name>64_9.dll the name, in that order.
function(_cudnn_checked_sub_names result)
  set(names ${ARGN})
  list(TRANSFORM names REPLACE ".*/(lib)?cudnn_([a-z_]+)(\\.so|64_)[^/]*$" "\\2")
  set(${result} "${names}" PARENT_SCOPE)
endfunction()
