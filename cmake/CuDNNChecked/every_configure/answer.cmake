# SPDX-License-Identifier: BSD-3-Clause
#
# The answer to find_package, and what it depends on.

# _cudnn_checked_answer(<answer>)
#
# The whole of find_package(CuDNNChecked) but its last word: finds and proves, makes the targets,
# and publishes the answer as global properties with names that begin with <answer>, which stands
# for the request (see _cudnn_checked_publish).
# The same request in the same run of CMake has the same answer; that of an earlier run is taken
# where nothing has changed since.  Only success is remembered.
function(_cudnn_checked_answer result)
  _cudnn_checked_put_where()
  _cudnn_checked_request(request name)
  set(answer _cudnn_checked_answer_${request})
  set(${result} ${answer} PARENT_SCOPE)
  get_property(outcome GLOBAL PROPERTY ${answer}_outcome)
  if(outcome MATCHES "^(ok|warning|unknown)$")
    set_property(GLOBAL PROPERTY _cudnn_checked_stamp ${answer})
    return()
  endif()
  _cudnn_checked_new(input place cuda proved)
  set(file "${CMAKE_BINARY_DIR}/CuDNNChecked/answer-${name}.txt")
  _cudnn_checked_recall_answer(input place cuda proved recalled "${file}" ${request})
  if(NOT recalled)
    string(TIMESTAMP begin "%s" UTC)
    _cudnn_checked_load_search()
    _cudnn_checked_put(seen "")
    _cudnn_checked_put(seen_sources "")
    _cudnn_checked_prove(input place cuda proved)
    _cudnn_checked_get(refusal)
    if(NOT refusal)
      _cudnn_checked_watched_files(place_watched place "${cuda_library}" ${input_report})
      _cudnn_checked_remember_answer("${file}" ${request} ${begin} input place cuda proved)
    endif()
    _cudnn_checked_unlock_work()
  endif()
  _cudnn_checked_publish(${answer} input place cuda proved)
endfunction()

# _cudnn_checked_publish(<answer> input place cuda proved)
#
# Makes the targets, and writes the answer to find_package down: the global properties
# <answer>_<name> for the result variables CuDNNChecked_<name>, <answer>_components for the names of
# those that are about components and sub-libraries, <answer>_outcome ("ok", "warning", "unknown" or
# "refused"), and <answer>_text, the message to print.  _cudnn_checked_set_results and
# _cudnn_checked_read_answer read them.
function(
  _cudnn_checked_publish
  answer
  input
  place
  cuda
  proved
)
  _cudnn_checked_get(refusal)
  if(NOT refusal AND CuDNNChecked_PROVIDE_CUDNN_TARGETS)
    _cudnn_checked_load(target/cudnn_names)
    _cudnn_checked_provide_cudnn_targets(place cuda)
    _cudnn_checked_get(refusal)
  endif()
  _cudnn_checked_own_release(release)
  set_property(GLOBAL PROPERTY ${answer}_PACKAGE_VERSION "${release}")
  set(components "")
  if(refusal)
    set_property(GLOBAL PROPERTY ${answer}_outcome refused)
    set_property(GLOBAL PROPERTY ${answer}_text "${refusal}")
  else()
    set_property(GLOBAL PROPERTY ${answer}_outcome "${proved_verdict}")
    set_property(GLOBAL PROPERTY ${answer}_text "${proved_line}")
    _cudnn_checked_make_targets(place cuda)
    get_property(known DIRECTORY PROPERTY CMAKE_CONFIGURE_DEPENDS)
    if(known)
      list(REMOVE_ITEM place_watched ${known})
    endif()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${place_watched})
    _cudnn_checked_remember_stamp(${answer} input place cuda proved)
    _cudnn_checked_publish_result(${answer} place cuda proved)
    _cudnn_checked_sub_names(names ${place_sublibraries})
    foreach(name library IN ZIP_LISTS names place_sublibraries)
      set_property(GLOBAL PROPERTY ${answer}_${name}_LIBRARY "${library}")
      list(APPEND components ${name}_LIBRARY)
    endforeach()
  endif()
  foreach(component IN LISTS CuDNNChecked_FIND_COMPONENTS)
    set(found FALSE)
    if(NOT refusal)
      _cudnn_checked_component_file(file ${component} "${place_sublibraries}")
      if(NOT file STREQUAL "")
        set(found TRUE)
      endif()
    endif()
    set_property(GLOBAL PROPERTY ${answer}_${component}_FOUND ${found})
    list(APPEND components ${component}_FOUND)
  endforeach()
  set_property(GLOBAL PROPERTY ${answer}_components "${components}")
endfunction()

# The result variables of an answer that is no refusal.
function(_cudnn_checked_publish_result answer place cuda proved)
  set_property(GLOBAL PROPERTY ${answer}_FOUND TRUE)
  string(REGEX MATCH "^([0-9]+)\\.([0-9]+)\\.([0-9]+)" version "${place_version}")
  set_property(GLOBAL PROPERTY ${answer}_VERSION ${version})
  set_property(GLOBAL PROPERTY ${answer}_VERSION_MAJOR ${CMAKE_MATCH_1})
  set_property(GLOBAL PROPERTY ${answer}_VERSION_MINOR ${CMAKE_MATCH_2})
  set_property(GLOBAL PROPERTY ${answer}_VERSION_PATCH ${CMAKE_MATCH_3})
  set_property(GLOBAL PROPERTY ${answer}_VERSION_COUNT 3)
  string(TOUPPER "${proved_level}" level)
  set_property(GLOBAL PROPERTY ${answer}_LEVEL ${level})
  set_property(GLOBAL PROPERTY ${answer}_LIBRARY_VERSION "${proved_library_version}")
  set_property(GLOBAL PROPERTY ${answer}_CUDA_VERSION "${cuda_version}")
  set_property(GLOBAL PROPERTY ${answer}_CUDART_VERSION "${proved_cudart_version}")
  set_property(GLOBAL PROPERTY ${answer}_DRIVER_VERSION "${proved_driver}")
  set_property(GLOBAL PROPERTY ${answer}_ARCHITECTURES "${proved_architectures}")
  set_property(GLOBAL PROPERTY ${answer}_REPORT "${proved_report}")
  set_property(GLOBAL PROPERTY ${answer}_INCLUDE_DIR "${place_include}")
  set_property(GLOBAL PROPERTY ${answer}_LIBRARY "${place_library}")
  set(includes "${place_include}" ${cuda_include})
  list(REMOVE_DUPLICATES includes)
  set_property(GLOBAL PROPERTY ${answer}_INCLUDE_DIRS "${includes}")
  set_property(GLOBAL PROPERTY ${answer}_LIBRARIES CuDNNChecked::cudnn)
endfunction()

# _cudnn_checked_set_results(<answer>)
#
# Sets the result variables CuDNNChecked_<name> in the caller.  One for which the answer has no
# value is unset: the values of an earlier call do not stay, nor what the version file of a package
# leaves behind.
function(_cudnn_checked_set_results answer)
  _cudnn_checked_published_names(names)
  get_property(components GLOBAL PROPERTY ${answer}_components)
  foreach(name IN LISTS names components)
    get_property(has_value GLOBAL PROPERTY ${answer}_${name} SET)
    if(has_value)
      get_property(value GLOBAL PROPERTY ${answer}_${name})
      set(CuDNNChecked_${name} "${value}" PARENT_SCOPE)
    else()
      unset(CuDNNChecked_${name} PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

# _cudnn_checked_read_answer(<outcome> <line> <message> <answer>)
#
# What is to be printed of an answer: one line on what was proved, unless it is refused, and the
# findings or the refusal.
function(_cudnn_checked_read_answer outcome line message answer)
  get_property(how GLOBAL PROPERTY ${answer}_outcome)
  get_property(text GLOBAL PROPERTY ${answer}_text)
  set(first "${text}")
  set(rest "")
  if(how STREQUAL "refused")
    set(rest "${text}")
  elseif(NOT how STREQUAL "ok" AND text MATCHES "^([^\n]*)\n+(.+)$")
    # Behind the line are findings; where all is well they are notes, which belong to it.
    set(first "${CMAKE_MATCH_1}")
    set(rest "${CMAKE_MATCH_2}")
  endif()
  if(rest)
    _cudnn_checked_indented(rest "${rest}")
  endif()
  set(${outcome} "${how}" PARENT_SCOPE)
  set(${line} "${first}" PARENT_SCOPE)
  set(${message} "${rest}" PARENT_SCOPE)
endfunction()

# Prints the line on what was proved.  A project that knows nothing of this package has it once,
# however often it asks.
function(_cudnn_checked_tell_line line)
  get_property(provided GLOBAL PROPERTY _cudnn_checked_provider_home)
  get_property(told GLOBAL PROPERTY _cudnn_checked_told)
  if(NOT provided OR NOT line STREQUAL told)
    message(STATUS "${line}")
  endif()
  set_property(GLOBAL PROPERTY _cudnn_checked_told "${line}")
endfunction()

# Says what the number of find_package means where a newer major release was taken: it is the least
# one, as for each find module of CMake.  A project that asks by the provider has its own number.
function(_cudnn_checked_tell_major)
  get_property(provided GLOBAL PROPERTY _cudnn_checked_provider_reads)
  set(asked "${CuDNNChecked_FIND_VERSION_MAJOR}")
  if(
    NOT provided
    AND CuDNNChecked_FIND_VERSION
    AND NOT CuDNNChecked_FIND_VERSION_RANGE
    AND CuDNNChecked_VERSION_MAJOR GREATER asked
  )
    math(EXPR next "${asked} + 1")
    set(call "find_package(CuDNNChecked ${CuDNNChecked_FIND_VERSION}")
    set(only "for cuDNN ${asked} alone: ${call}...<${next})")
    message(STATUS "cudnn_checked: note: ${call}) takes newer major releases, too; ${only}")
  endif()
endfunction()

# _cudnn_checked_indented(<result> <text>)
#
# CMake fills the lines of an error or a warning into paragraphs, except where a line begins with a
# space.  Puts one space before every line, so that columns stay columns.
function(_cudnn_checked_indented result text)
  string(REGEX REPLACE "\n+$" "" text "${text}")
  string(REPLACE "\n" "\n " text " ${text}")
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# The parts that only an answer that was not remembered needs.
function(_cudnn_checked_load_search)
  _cudnn_checked_platform(platform)
  include(FindPackageHandleStandardArgs) # find_package_check_version
  _cudnn_checked_load(
    input/paths input/read_inputs
    search/cuda_prefixes search/files search/find_cuda search/find_cudnn search/in_prefix
    search/${platform}/links search/${platform}/names
    search/pinned search/prefixes search/python
    build/build_program build/compile_units build/configure_program build/flag_sources
    build/prover build/signature
    run/components run/prove run/run_probe run/take_proof
    memory/remember memory/seen memory/written
    say/advise say/build_refusal say/message say/no_cuda say/not_found say/run_refusal
  )
endfunction()

# _cudnn_checked_request(<request> <name>)
#
# A hash of everything but files that the answer to find_package depends on: what was asked for, and
# every variable that is read on the way to it, a line each.  <name> is a short hash of what was
# asked for and of what the kernel is compiled with: both may differ within a project.
function(_cudnn_checked_request request name)
  set(required "")
  foreach(component IN LISTS CuDNNChecked_FIND_COMPONENTS)
    if(CuDNNChecked_FIND_REQUIRED_${component})
      list(APPEND required "${component}")
    endif()
  endforeach()
  string(
    CONCAT
    asked
    "${CuDNNChecked_FIND_VERSION}\n${CuDNNChecked_FIND_VERSION_RANGE}\n"
    "${CuDNNChecked_FIND_VERSION_EXACT}\n${CuDNNChecked_FIND_COMPONENTS}\n${required}\n"
  )
  string(
    CONCAT
    others
    "${CMAKE_VERSION}\n${CMAKE_CURRENT_FUNCTION_LIST_FILE}\n${CMAKE_BINARY_DIR}\n"
    "${CuDNNChecked_KERNEL}\n${CuDNNChecked_POLICY}\n${CuDNNChecked_GPU}\n"
    "${CuDNNChecked_GUARD}\n${CuDNNChecked_PROVIDE_CUDNN_TARGETS}\n${CuDNNChecked_PROBE_TIMEOUT}\n"
  )
  _cudnn_checked_build_variables(build)
  _cudnn_checked_run_variables(run)
  _cudnn_checked_kernel_variables(kernel)
  _cudnn_checked_search_variables(search)
  string(MD5 hash "${asked}${others}${build}${run}${kernel}${search}")
  set(${request} ${hash} PARENT_SCOPE)
  string(MD5 hash "${asked}${kernel}")
  string(SUBSTRING "${hash}" 0 8 hash)
  set(${name} ${hash} PARENT_SCOPE)
endfunction()

# _cudnn_checked_search_variables(<result>)
#
# The variables that decide where cuDNN and CUDA are searched for.
function(_cudnn_checked_search_variables result)
  set(places "")
  _cudnn_checked_searched(names hint prefixes include python conda cuda)
  foreach(name IN LISTS names)
    string(APPEND places "${${name}}\n$ENV{${name}}\n")
  endforeach()
  _cudnn_checked_get(user)
  string(APPEND places "${user_roots}\n")
  string(
    CONCAT
    text
    "${places}"
    "${CMAKE_FIND_USE_CMAKE_SYSTEM_PATH}\n"
    "${CMAKE_CUDA_COMPILER_TOOLKIT_ROOT}\n${CUDAToolkit_ROOT}\n${Python3_EXECUTABLE}\n"
    "${Python_EXECUTABLE}\n${CMAKE_FIND_ROOT_PATH}\n${CMAKE_FIND_ROOT_PATH_MODE_LIBRARY}\n"
    "${CMAKE_FIND_ROOT_PATH_MODE_INCLUDE}\n${CMAKE_STAGING_PREFIX}\n${CMAKE_SYSROOT_COMPILE}\n"
    "${CMAKE_SYSROOT_LINK}\n${CMAKE_LIBRARY_ARCHITECTURE}\n${CMAKE_CXX_LIBRARY_ARCHITECTURE}\n"
    "${CMAKE_SYSTEM_PROCESSOR}\n${CMAKE_DLLTOOL}\n${CMAKE_AR}\n"
    "$ENV{CUDAToolkit_ROOT}\n$ENV{PATH}\n$ENV{HOME}\n$ENV{PYTHONPATH}\n"
    "$ENV{PYTHONHOME}\n$ENV{PYTHONNOUSERSITE}\n$ENV{PYENV_VERSION}\n$ENV{SystemDrive}\n"
  )
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_build_variables(<result>)
#
# The variables that the probe's executable depends on.
function(_cudnn_checked_build_variables result)
  set(configuration "${CMAKE_TRY_COMPILE_CONFIGURATION}")
  if(configuration STREQUAL "")
    set(configuration DEBUG)
  endif()
  string(TOUPPER "_${configuration}" of)
  string(
    CONCAT
    text
    "${CMAKE_CXX_COMPILER}\n${CMAKE_CXX_COMPILER_ID}\n${CMAKE_CXX_COMPILER_VERSION}\n"
    "${CMAKE_CXX_COMPILER_TARGET}\n${CMAKE_CXX_FLAGS}\n${CMAKE_CXX_FLAGS${of}}\n"
    "${CMAKE_EXE_LINKER_FLAGS}\n${CMAKE_EXE_LINKER_FLAGS${of}}\n${CMAKE_LINKER_TYPE}\n"
    "${CMAKE_TOOLCHAIN_FILE}\n${CMAKE_SYSROOT}\n${CMAKE_TRY_COMPILE_CONFIGURATION}\n"
    "${CMAKE_POSITION_INDEPENDENT_CODE}\n${CMAKE_SKIP_RPATH}\n${CMAKE_SKIP_BUILD_RPATH}\n"
    "${CMAKE_BUILD_RPATH}\n${CMAKE_BUILD_WITH_INSTALL_RPATH}\n${CMAKE_INSTALL_RPATH}\n"
  )
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_run_variables(<result>)
#
# Variables that affect the probe's result.
function(_cudnn_checked_run_variables result)
  string(
    CONCAT
    text
    "${CuDNNChecked_REQUIRE}\n${CuDNNChecked_CONVOLUTIONS}\n${CuDNNChecked_OPERATIONS}\n"
    "${CuDNNChecked_DEVICES}\n${CuDNNChecked_SWEEP}\n${CuDNNChecked_PROBE_REPORT}\n"
    "${CMAKE_CROSSCOMPILING}\n${CMAKE_CROSSCOMPILING_EMULATOR}\n"
    "$ENV{LD_LIBRARY_PATH}\n$ENV{LD_PRELOAD}\n$ENV{WINEPATH}\n"
    "$ENV{CUDA_DEVICE_ORDER}\n$ENV{CUDA_VISIBLE_DEVICES}\n$ENV{NVIDIA_VISIBLE_DEVICES}\n"
  )
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_kernel_variables(<result>)
#
# The variables that the probe's kernel depends on; empty where the probe has none, because this
# project has not enabled CUDA, or because of CuDNNChecked_KERNEL.
function(_cudnn_checked_kernel_variables result)
  set(${result} "" PARENT_SCOPE)
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(
    NOT "CUDA" IN_LIST languages
    OR NOT ("${CuDNNChecked_KERNEL}" STREQUAL "" OR CuDNNChecked_KERNEL)
  )
    return()
  endif()
  string(TOUPPER "${CMAKE_TRY_COMPILE_CONFIGURATION}" configuration)
  string(
    CONCAT
    text
    "${CMAKE_CUDA_COMPILER}\n${CMAKE_CUDA_COMPILER_ID}\n${CMAKE_CUDA_COMPILER_VERSION}\n"
    "${CMAKE_CUDA_COMPILER_TARGET}\n${CMAKE_CUDA_HOST_COMPILER}\n${CMAKE_CUDA_ARCHITECTURES}\n"
    "${CMAKE_CUDA_FLAGS}\n${CMAKE_CUDA_FLAGS_${configuration}}\n${CMAKE_CUDA_STANDARD}\n"
    "${CMAKE_CUDA_STANDARD_REQUIRED}\n${CMAKE_CUDA_EXTENSIONS}\n"
    "${CMAKE_CUDA_SEPARABLE_COMPILATION}\n$ENV{NVCC_PREPEND_FLAGS}\n$ENV{NVCC_APPEND_FLAGS}\n"
    "$ENV{NVCC_CCBIN}\n"
  )
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_searched(<names> <stage>...)
#
# The variables and directories of these stages of the search, in the order in which they are looked
# at: rows of the table that the command line has as well.
function(_cudnn_checked_searched names)
  _cudnn_checked_rows(rows search_places)
  set(found "")
  foreach(stage IN LISTS ARGN)
    set(of_stage ${rows})
    list(FILTER of_stage INCLUDE REGEX "^SEARCHED\\(${stage}, ")
    list(APPEND found ${of_stage})
  endforeach()
  list(TRANSFORM found REPLACE "^.*\"(.*)\".*$" "\\1")
  set(${names} "${found}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_folders(<result> <kind>)
#
# The folders below a place, of the same table.
function(_cudnn_checked_folders result kind)
  _cudnn_checked_rows(rows search_places)
  list(FILTER rows INCLUDE REGEX "^FOLDER\\(${kind}, ")
  list(TRANSFORM rows REPLACE "^.*\"(.*)\".*$" "\\1")
  set(${result} "${rows}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_hints(<result>)
#
# The variables that name where a cuDNN is.
function(_cudnn_checked_hints result)
  _cudnn_checked_searched(names hint)
  set(${result} "${names}" PARENT_SCOPE)
endfunction()
