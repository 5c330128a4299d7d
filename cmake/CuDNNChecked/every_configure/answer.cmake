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
  _cudnn_checked_request(request name)
  set(answer _cudnn_checked_answer_${request})
  set(${result} ${answer} PARENT_SCOPE)
  get_property(outcome GLOBAL PROPERTY ${answer}_outcome)
  if(outcome MATCHES "^(ok|warning|unknown)$")
    set_property(GLOBAL PROPERTY _cudnn_checked_stamp ${answer})
    return()
  endif()
  _cudnn_checked_put_where()
  set(file "${CMAKE_BINARY_DIR}/CuDNNChecked/answer-${name}.txt")
  _cudnn_checked_recall_answer(recalled "${file}" ${request})
  if(NOT recalled)
    string(TIMESTAMP begin "%s" UTC)
    _cudnn_checked_load_search()
    _cudnn_checked_forget_seen()
    _cudnn_checked_prove()
    _cudnn_checked_get(refusal)
    if(NOT refusal)
      _cudnn_checked_put_watched_files()
      _cudnn_checked_remember_answer("${file}" ${request} ${begin})
    endif()
  endif()
  _cudnn_checked_publish(${answer})
endfunction()

# The parts that only an answer that was not remembered needs.
function(_cudnn_checked_load_search)
  include(FindPackageHandleStandardArgs) # find_package_check_version
  _cudnn_checked_load(
    input/did_you_mean input/paths input/read_inputs
    search/cuda_prefixes search/files search/find_cuda search/find_cudnn search/in_prefix
    search/opened search/prefixes search/python search/read_version search/roots
    build/build_program build/build_words build/flag_sources build/signature
    run/prove run/run_probe run/run_sweep run/take_proof
    memory/remember memory/seen
    say/advise say/build_refusal say/commands say/message say/not_found say/run_refusal
  )
endfunction()

# _cudnn_checked_request(<request> <name>)
#
# A hash of everything but files that the answer to find_package depends on: what was asked for,
# and every variable that is read on the way to it.  <name> is a short hash of what was asked for
# and of what the kernel is compiled with: both may differ within a project.
function(_cudnn_checked_request request name)
  set(required "")
  foreach(component IN LISTS CuDNNChecked_FIND_COMPONENTS)
    if(CuDNNChecked_FIND_REQUIRED_${component})
      list(APPEND required "${component}")
    endif()
  endforeach()
  _cudnn_checked_values(asked CuDNNChecked_FIND_VERSION CuDNNChecked_FIND_VERSION_RANGE
                        CuDNNChecked_FIND_VERSION_EXACT CuDNNChecked_FIND_COMPONENTS required
  )
  _cudnn_checked_values(others CMAKE_VERSION CMAKE_CURRENT_FUNCTION_LIST_FILE CMAKE_BINARY_DIR
                        CuDNNChecked_KERNEL CuDNNChecked_POLICY CuDNNChecked_GPU
                        CuDNNChecked_PROVIDE_CUDNN_TARGETS CuDNNChecked_PROBE_TIMEOUT
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

# _cudnn_checked_values(<result> <variable>... [ENV <variable>...])
#
# A text: the values of these variables, and of these of the environment.
function(_cudnn_checked_values result)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "ENV")
  set(text "")
  foreach(name IN LISTS arg_UNPARSED_ARGUMENTS)
    string(APPEND text "${name} ${${name}}\n")
  endforeach()
  foreach(name IN LISTS arg_ENV)
    string(APPEND text "${name}=$ENV{${name}}\n")
  endforeach()
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_search_variables(<result>)
#
# The variables that decide where cuDNN and CUDA are searched for.
function(_cudnn_checked_search_variables result)
  _cudnn_checked_hints(hints)
  _cudnn_checked_values(text ${hints}
    CMAKE_PREFIX_PATH CMAKE_INCLUDE_PATH CMAKE_FIND_USE_CMAKE_SYSTEM_PATH
    CMAKE_CUDA_COMPILER_TOOLKIT_ROOT CUDAToolkit_ROOT Python3_EXECUTABLE Python_EXECUTABLE
    CMAKE_FIND_ROOT_PATH CMAKE_FIND_ROOT_PATH_MODE_LIBRARY CMAKE_FIND_ROOT_PATH_MODE_INCLUDE
    CMAKE_STAGING_PREFIX CMAKE_SYSROOT_COMPILE CMAKE_SYSROOT_LINK
    CMAKE_LIBRARY_ARCHITECTURE CMAKE_CXX_LIBRARY_ARCHITECTURE CMAKE_SYSTEM_PROCESSOR CMAKE_READELF
    ENV ${hints}
    CMAKE_PREFIX_PATH NIXPKGS_CMAKE_PREFIX_PATH CMAKE_INCLUDE_PATH CPATH CPLUS_INCLUDE_PATH
    CUDAToolkit_ROOT CUDA_PATH CUDA_HOME CONDA_PREFIX VIRTUAL_ENV PATH HOME
    PYTHONPATH PYTHONHOME PYTHONNOUSERSITE PYENV_VERSION
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
  _cudnn_checked_values(text
    CMAKE_CXX_COMPILER CMAKE_CXX_COMPILER_ID CMAKE_CXX_COMPILER_VERSION CMAKE_CXX_COMPILER_TARGET
    CMAKE_CXX_FLAGS CMAKE_CXX_FLAGS${of} CMAKE_EXE_LINKER_FLAGS CMAKE_EXE_LINKER_FLAGS${of}
    CMAKE_LINKER_TYPE CMAKE_TOOLCHAIN_FILE CMAKE_SYSROOT CMAKE_TRY_COMPILE_CONFIGURATION
    CMAKE_POSITION_INDEPENDENT_CODE CMAKE_SKIP_RPATH CMAKE_SKIP_BUILD_RPATH CMAKE_BUILD_RPATH
    CMAKE_BUILD_WITH_INSTALL_RPATH CMAKE_INSTALL_RPATH
  )
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_run_variables(<result>)
#
# The variables that what the probe answers depends on.
function(_cudnn_checked_run_variables result)
  _cudnn_checked_values(text
    CuDNNChecked_REQUIRE CuDNNChecked_CONVOLUTIONS CuDNNChecked_DEVICES CuDNNChecked_SWEEP
    CuDNNChecked_PROBE_REPORT CMAKE_CROSSCOMPILING CMAKE_CROSSCOMPILING_EMULATOR
    ENV LD_LIBRARY_PATH LD_PRELOAD CUDA_DEVICE_ORDER CUDA_VISIBLE_DEVICES NVIDIA_VISIBLE_DEVICES
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
  _cudnn_checked_values(text
    CMAKE_CUDA_COMPILER CMAKE_CUDA_COMPILER_ID CMAKE_CUDA_COMPILER_VERSION
    CMAKE_CUDA_COMPILER_TARGET CMAKE_CUDA_HOST_COMPILER CMAKE_CUDA_ARCHITECTURES CMAKE_CUDA_FLAGS
    CMAKE_CUDA_FLAGS_${configuration} CMAKE_CUDA_STANDARD CMAKE_CUDA_STANDARD_REQUIRED
    CMAKE_CUDA_EXTENSIONS CMAKE_CUDA_SEPARABLE_COMPILATION
    ENV NVCC_PREPEND_FLAGS NVCC_APPEND_FLAGS NVCC_CCBIN
  )
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_hints(<result>)
#
# The variables that name where a cuDNN is, in the order in which they are looked at: the rows of
# the table that the command line has as well.
function(_cudnn_checked_hints result)
  set(table "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../../tool/core/observe/cudnn_hints.def")
  file(STRINGS "${table}" rows REGEX "^CUDNN_HINT")
  string(REGEX REPLACE "CUDNN_HINT\\(([A-Za-z_]+)\\)" "\\1" names "${rows}")
  set(${result} "${names}" PARENT_SCOPE)
endfunction()
