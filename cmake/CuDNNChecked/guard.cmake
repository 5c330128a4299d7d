# SPDX-License-Identifier: BSD-3-Clause
#
#[=======================================================================[.rst:
.. command:: cudnn_checked_guard

  Stamps a target with what was proved, and adds the check to it::

    cudnn_checked_guard(<target> [MANUAL] [GPU REQUIRED|OPTIONAL]
                        [POLICY compatible|exact|major] [OPERATIONS <operation>...])

  An executable is checked before ``main`` and refuses to start, with exit code 78, where the stamp
  does not hold.  With ``MANUAL`` nothing happens until the code asks
  (``<cudnn_checked/guard.hpp>``); static, shared and module libraries need it, because a library
  never ends its host by itself.

  ``GPU OPTIONAL``
    The program may run where there is no GPU.  The default is the variable ``CuDNNChecked_GPU``,
    and without that ``REQUIRED``.

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
    * recurrent networks with sequences of different lengths: ``rnn/masked``;
    * for a program that also runs plans which heuristic A does not offer first:
      ``autotune/fwd/nchw``, ``autotune/fwd/nhwc``, ``autotune/dgrad/nchw``,
      ``autotune/dgrad/nhwc``, ``autotune/wgrad/nchw``, ``autotune/wgrad/nhwc``;

    or a front part of one, which stands for all that begin with it: ``conv``, ``sdpa``, ``matmul``.

  The check is compiled by the project's own compiler into objects of their own, and nothing of the
  target is changed but its sources, one include directory, one definition
  (``CUDNN_CHECKED_STAMP``) and the loader's library.  One source more, of a language that the
  target has, holds no code: compiling it fails where the target's include directories lead to
  another ``cudnn.h`` than the one that was found.  The function may be called from any directory
  and before ``CUDA_ARCHITECTURES`` is set.
#]=======================================================================]
function(cudnn_checked_guard target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "MANUAL" "GPU;POLICY" "OPERATIONS")
  _cudnn_checked_guard_defaults()
  _cudnn_checked_guard_arguments(problem)
  if(NOT problem)
    get_target_property(real "${target}" ALIASED_TARGET)
    if(real)
      set(target "${real}")
    endif()
    _cudnn_checked_guard_target(problem)
  endif()
  if(problem)
    include("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/indented.cmake")
    _cudnn_checked_indented(problem "${problem}")
    message(FATAL_ERROR "${problem}")
  endif()

  get_filename_component(tool "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../tool" ABSOLUTE)
  get_property(included GLOBAL PROPERTY _cudnn_checked_guard_included)
  if(NOT included STREQUAL CMAKE_CURRENT_FUNCTION_LIST_DIR)
    foreach(part IN ITEMS guard_objects guard_stamp header_check)
      include("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/${part}.cmake")
    endforeach()
    set_property(GLOBAL PROPERTY _cudnn_checked_guard_included "${CMAKE_CURRENT_FUNCTION_LIST_DIR}")
  endif()
  _cudnn_checked_guard_stamp(identifier folder)
  _cudnn_checked_guard_objects(core stamp)
  set_property(TARGET "${target}" PROPERTY _CUDNN_CHECKED_GUARDED TRUE)
  target_sources("${target}" PRIVATE $<TARGET_OBJECTS:${core}> $<TARGET_OBJECTS:${stamp}>)
  target_include_directories(
    "${target}"
    PRIVATE "${tool}/guard/include" "${CMAKE_BINARY_DIR}/CuDNNChecked/include"
  )
  target_compile_definitions(
    "${target}"
    PRIVATE CUDNN_CHECKED_STAMP=cudnn_checked_stamp_${identifier}
  )
  # Once the sources of the target are known.
  cmake_language(
    EVAL CODE
      "cmake_language(
         DEFER DIRECTORY [==[${CMAKE_SOURCE_DIR}]==]
         CALL _cudnn_checked_header_check [==[${target}]==] [==[${folder}]==]
       )"
  )
  # As properties: target_link_libraries would decide for the project between its two forms.
  set_property(TARGET "${target}" APPEND PROPERTY LINK_LIBRARIES ${CMAKE_DL_LIBS})
  if(type STREQUAL "STATIC_LIBRARY" AND CMAKE_DL_LIBS)
    set_property(
      TARGET "${target}"
      APPEND
      PROPERTY INTERFACE_LINK_LIBRARIES "$<LINK_ONLY:${CMAKE_DL_LIBS}>"
    )
  endif()
endfunction()

# What the call does not say comes from the variables of the whole project.
macro(_cudnn_checked_guard_defaults)
  foreach(name IN ITEMS GPU POLICY)
    set(source_${name} ${name})
    if(NOT DEFINED arg_${name} AND NOT "${CuDNNChecked_${name}}" STREQUAL "")
      set(arg_${name} "${CuDNNChecked_${name}}")
      set(source_${name} CuDNNChecked_${name})
    endif()
  endforeach()
endmacro()

# A message where the arguments of cudnn_checked_guard are wrong.
function(_cudnn_checked_guard_arguments result)
  set(text "")
  set(possible "")
  set(
    usage
    "cudnn_checked_guard(<target> [MANUAL] [GPU REQUIRED|OPTIONAL] "
    "[POLICY compatible|exact|major] [OPERATIONS <operation>...])"
  )
  list(JOIN usage "" usage)
  set(call "cudnn_checked_guard(${target})")
  get_property(stamp GLOBAL PROPERTY _cudnn_checked_stamp)
  # DEFINED: OFF is an argument as well.
  if(DEFINED arg_UNPARSED_ARGUMENTS)
    include("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/did_you_mean.cmake")
    set(text "${call}: ")
    _cudnn_checked_append_unknown(text "${arg_UNPARSED_ARGUMENTS}" MANUAL GPU POLICY OPERATIONS)
  elseif(arg_KEYWORDS_MISSING_VALUES)
    list(JOIN arg_KEYWORDS_MISSING_VALUES " " unknown)
    set(text "${call}: no value after ${unknown}")
  elseif(DEFINED arg_GPU AND NOT arg_GPU MATCHES "^(REQUIRED|OPTIONAL)$")
    set(text "${call}: ${source_GPU} is ${arg_GPU}, and can be REQUIRED or OPTIONAL")
    set(unknown "${arg_GPU}")
    set(possible REQUIRED OPTIONAL)
  elseif(DEFINED arg_POLICY AND NOT arg_POLICY MATCHES "^(compatible|exact|major)$")
    set(text "${call}: ${source_POLICY} is ${arg_POLICY}, and can be compatible, exact or major")
    set(unknown "${arg_POLICY}")
    set(possible compatible exact major)
  endif()
  if(possible)
    include("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/did_you_mean.cmake")
    _cudnn_checked_append_meant(text "${unknown}" ${possible})
  endif()
  foreach(operation IN LISTS arg_OPERATIONS)
    if(text STREQUAL "" AND NOT operation MATCHES "^[a-z0-9/_-]+$")
      set(text "${call}: OPERATIONS has \"${operation}\", and can have words such as conv3d/bf16")
    endif()
  endforeach()
  if(NOT text STREQUAL "")
    set(text "${text}\n  fix: ${usage}\n  [bad-input]")
  elseif(NOT TARGET "${target}")
    set(text "${call}: there is no target of this name")
    include("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/did_you_mean.cmake")
    get_property(targets DIRECTORY PROPERTY BUILDSYSTEM_TARGETS)
    _cudnn_checked_append_meant(text "${target}" ${targets})
    string(APPEND text "\n  fix: call it after add_executable(${target} ...)")
  elseif(NOT stamp)
    set(text "${call}: no cuDNN was proved yet")
    string(APPEND text "\n  fix: find_package(CuDNNChecked REQUIRED), before this call")
  endif()
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# A message where <target> cannot be guarded in this way; sets type in the caller.
function(_cudnn_checked_guard_target result)
  get_target_property(type "${target}" TYPE)
  get_target_property(imported "${target}" IMPORTED)
  get_target_property(guarded "${target}" _CUDNN_CHECKED_GUARDED)
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  set(call "cudnn_checked_guard(${target})")
  set(text "")
  if(imported)
    set(text "${call}: an imported target is not compiled by this project")
    string(APPEND text "\n  fix: guard the executable that links it")
  elseif(type STREQUAL "OBJECT_LIBRARY" OR type STREQUAL "INTERFACE_LIBRARY")
    string(REPLACE "_LIBRARY" "" word "${type}")
    set(text "${call}: an ${word} library is not linked, so it cannot carry a stamp")
    string(APPEND text "\n  fix: guard the executable or the library that links it")
  elseif(type STREQUAL "UTILITY")
    set(text "${call}: a custom target has no program")
    string(APPEND text "\n  fix: guard an executable or a library")
  elseif(guarded)
    set(text "${call}: the target is guarded already\n  fix: call it once for a target")
  elseif(NOT "CXX" IN_LIST languages)
    set(text "${call}: the guard is C++, and this project does not enable that language")
    list(REMOVE_ITEM languages NONE)
    list(JOIN languages " " wanted)
    string(STRIP "${wanted} CXX" wanted)
    string(APPEND text "\n  fix: project(... LANGUAGES ${wanted})")
  elseif(NOT type STREQUAL "EXECUTABLE" AND NOT arg_MANUAL)
    set(text "${call}: a library never ends its host by itself, so it needs MANUAL")
    string(
      APPEND
      text
      "\n  fix: cudnn_checked_guard(${target} MANUAL), and call "
      "cudnn_checked::check() or cudnn_checked::require() in the code"
    )
  endif()
  set(type "${type}" PARENT_SCOPE)
  set(${result} "${text}" PARENT_SCOPE)
endfunction()
