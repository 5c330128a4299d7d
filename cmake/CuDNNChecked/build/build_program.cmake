# SPDX-License-Identifier: BSD-3-Clause
#
# The programs that are linked with cuDNN.

# _cudnn_checked_build_program(built <name> <built_signature> place cuda input [KERNEL|SWEEP])
#
# Builds the executable cudnn_checked_<name>, unless one with this signature exists.  Sets
#   built_status   "ok", "failed", or "no-kernel" if it can only be built without the kernel
#   built_log      the file with the output of the build; empty if nothing was started
# or puts refusal if no space is left on the disk.
function(
  _cudnn_checked_build_program
  built
  name
  built_signature
  place
  cuda
  input
)
  _cudnn_checked_get(where)
  set(executable "${work_directory}/cudnn_checked_${name}${CMAKE_EXECUTABLE_SUFFIX}")
  set(built_status ok)
  set(built_log "${work_directory}/build.log")
  if("SWEEP" IN_LIST ARGN)
    set(built_log "${work_directory}/build_sweep.log")
  endif()
  _cudnn_checked_is_built(is_built "${executable}" "${built_signature}")
  if(NOT is_built)
    file(REMOVE "${executable}" "${executable}.signature")
    if("KERNEL" IN_LIST ARGN)
      _cudnn_checked_build_kernel(built "${executable}" place cuda input)
    else()
      _cudnn_checked_build_probe(built_status "${executable}" "${built_log}" place cuda input
                                 ${ARGN}
      )
    endif()
    if(built_status STREQUAL "ok")
      _cudnn_checked_keep_program("${executable}" "${built_signature}")
    elseif(NOT built_log STREQUAL "")
      file(READ "${built_log}" output)
      _cudnn_checked_write_refusal("${work_directory}" "${output}")
    endif()
  endif()
  _cudnn_checked_hand_up(built)
endfunction()

# _cudnn_checked_build_probe(<status> <file> <log> place cuda input [KERNEL|SWEEP])
#
# Makes the probe, linked with the cuDNN and the CUDA runtime that were found.  With SWEEP it is the
# program that sweeps all engines, which opens them by itself.  <status> is "ok", or "failed" with
# the output in the file <log>.
function(
  _cudnn_checked_build_probe
  status
  file
  log
  place
  cuda
  input
)
  _cudnn_checked_probe_compile_options(options)
  _cudnn_checked_link_options(link_options ${cuda_opened})
  set(definitions "")
  set(libraries ${cuda_opened} ${CMAKE_DL_LIBS})
  set(flags "")
  set(program probe)
  if("SWEEP" IN_LIST ARGN)
    set(program sweep)
    _cudnn_checked_headers_for(includes sweep)
    # It computes references for as long as it runs.
    list(APPEND options -O2)
    set(definitions "-DCUDNN_CHECKED_PACKAGE_VERSION=\"${input_package}\"")
  else()
    set(includes "${place_include}" ${cuda_include})
    list(REMOVE_DUPLICATES includes)
    list(PREPEND libraries "${place_link}" "${cuda_link}")
  endif()
  _cudnn_checked_asks_for_fused(fused "${input_operations}")
  if(fused AND NOT "SWEEP" IN_LIST ARGN)
    set(program operations)
    list(APPEND definitions -DCUDNN_CHECKED_PROBE_FUSED)
  endif()
  _cudnn_checked_source(sources ${program})
  if("SWEEP" IN_LIST ARGN)
    _cudnn_checked_source(core core)
    list(PREPEND sources "${core}")
  endif()
  if("KERNEL" IN_LIST ARGN)
    _cudnn_checked_add_kernel()
  endif()
  _cudnn_checked_try_program(is_built said "${file}"
    SOURCES ${sources}
    VARIABLES ${flags} "-DINCLUDE_DIRECTORIES=${includes}"
    DEFINITIONS ${definitions} ${options}
    LINK_OPTIONS ${link_options}
    LIBRARIES ${libraries}
  )
  set(${status} ok PARENT_SCOPE)
  if(NOT is_built)
    _cudnn_checked_write("${log}" "${said}")
    set(${status} failed PARENT_SCOPE)
  endif()
endfunction()

# _cudnn_checked_try_program(<made> <said> <file> [SOURCES <source>...]
#                            [DEFINITIONS <option>...] [LINK_OPTIONS <option>...]
#                            [LIBRARIES <library>...] [VARIABLES <-DNAME=VALUE>...])
#
# Makes the executable <file> as this project makes its own: with its compiler, flags, launcher and
# run path.  Where <made> is false, <said> is what was printed.
#
# try_compile and not try_run: that one has no time limit, runs at every configure and loses the
# signal of a crash.
function(_cudnn_checked_try_program made said file)
  cmake_parse_arguments(
    PARSE_ARGV
    3
    arg
    ""
    ""
    "SOURCES;DEFINITIONS;LINK_OPTIONS;LIBRARIES;VARIABLES"
  )
  _cudnn_checked_get(where)
  set(CMAKE_TRY_COMPILE_TARGET_TYPE EXECUTABLE)
  # try_compile makes a Debug, whose runtime only Visual Studio brings.
  set(CMAKE_MSVC_RUNTIME_LIBRARY MultiThreaded)
  # try_compile writes it into a CMakeLists.txt as it is, where "\" is an error.
  _cudnn_checked_plain_paths(CMAKE_MODULE_PATH "${CMAKE_MODULE_PATH}")
  _cudnn_checked_add_variables(arg_VARIABLES)
  # In English, because the lines are read (tool/configure/build_words.cpp).
  set(language "$ENV{LC_ALL}")
  set(ENV{LC_ALL} C)
  # A CMake that was killed leaves files behind, and a compiler that still writes some.
  file(REMOVE_RECURSE "${work_directory}/build")
  string(RANDOM LENGTH 8 unique)
  try_compile(
    CuDNNChecked_BUILT
    "${work_directory}/build/${unique}"
    SOURCES ${arg_SOURCES}
    CMAKE_FLAGS ${arg_VARIABLES}
    COMPILE_DEFINITIONS ${arg_DEFINITIONS}
    LINK_OPTIONS ${arg_LINK_OPTIONS}
    LINK_LIBRARIES ${arg_LIBRARIES}
    CXX_STANDARD 17
    CXX_STANDARD_REQUIRED ON
    CXX_EXTENSIONS OFF
    OUTPUT_VARIABLE output
    COPY_FILE "${file}"
    COPY_FILE_ERROR copy_error
  )
  _cudnn_checked_set_environment(LC_ALL "${language}")
  set(${made} TRUE PARENT_SCOPE)
  if(NOT CuDNNChecked_BUILT OR copy_error)
    set(${made} FALSE PARENT_SCOPE)
  endif()
  set(${said} "${output}${copy_error}" PARENT_SCOPE)
  unset(CuDNNChecked_BUILT CACHE)
endfunction()

# What decides where the loader looks must be what this project's own programs get; and what starts
# its compilers (a compiler cache) starts these as well.
function(_cudnn_checked_add_variables in_out_flags)
  set(flags "${${in_out_flags}}")
  foreach(
    variable
    IN
    ITEMS
      SKIP_RPATH
      SKIP_BUILD_RPATH
      BUILD_RPATH
      BUILD_WITH_INSTALL_RPATH
      INSTALL_RPATH
      CXX_COMPILER_LAUNCHER
      CUDA_COMPILER_LAUNCHER
  )
    if(DEFINED CMAKE_${variable})
      string(REPLACE ";" "\\;" value "${CMAKE_${variable}}")
      list(APPEND flags "-DCMAKE_${variable}=${value}")
    endif()
  endforeach()
  set(${in_out_flags} "${flags}" PARENT_SCOPE)
endfunction()

# Flags that the probe needs whatever the project's are: NaN checks, which -ffast-math removes; no
# warnings of the project's choice; and it is compiled more often than it runs.
function(_cudnn_checked_probe_compile_options result)
  set(options "")
  if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang|IntelLLVM")
    set(options -fno-fast-math -w -g0 -O0)
  endif()
  if(MSVC)
    set(options /fp:precise /w /Od /utf-8)
  endif()
  set(${result} "${options}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_build_kernel(built <file> place cuda input)
#
# Builds the probe like _cudnn_checked_build_probe, and with it tool/probe/kernel/kernel.cu, which
# is compiled as the CUDA sources of this project are: with its CUDA compiler, host compiler, flags,
# standard and CMAKE_CUDA_ARCHITECTURES.
#
# One build, and not a library first: two compilers at the same time, and one run of CMake less.
# Sets built_status and built_log.
function(
  _cudnn_checked_build_kernel
  built
  file
  place
  cuda
  input
)
  # CMake ends with an error of its own if it is asked to.
  if(
    CMAKE_CUDA_ARCHITECTURES STREQUAL "native"
    AND CMAKE_VERSION VERSION_GREATER_EQUAL 3.24
    AND "${CMAKE_CUDA_ARCHITECTURES_NATIVE}" STREQUAL ""
  )
    set(built_status no-kernel PARENT_SCOPE)
    set(built_log "" PARENT_SCOPE)
    return()
  endif()
  _cudnn_checked_build_probe(status "${file}" "${built_log}" place cuda input KERNEL)
  if(status STREQUAL "failed")
    file(READ "${built_log}" output)
    _cudnn_checked_build_probe(status "${file}" "${built_log}" place cuda input)
    file(REMOVE "${file}")
    if(status STREQUAL "ok")
      _cudnn_checked_write("${built_log}" "${output}")
      set(status no-kernel)
    endif()
  endif()
  set(built_status ${status} PARENT_SCOPE)
endfunction()

# _cudnn_checked_add_kernel()
#
# Changes what _cudnn_checked_build_probe passes to try_compile (sources, flags, options, includes,
# and variables that try_compile reads), so that the kernel is built as well.  Options and include
# directories of the probe are those of C++ only: nvcc finds its own headers, as it does in the
# project.
macro(_cudnn_checked_add_kernel)
  _cudnn_checked_source(kernel kernel)
  list(APPEND sources "${kernel}")
  list(APPEND definitions -DCUDNN_CHECKED_PROBE_KERNEL)
  string(REPLACE ">" "$<ANGLE-R>" includes "${includes}")
  list(TRANSFORM includes REPLACE "(.+)" "$<$<COMPILE_LANGUAGE:CXX>:\\1>")
  list(JOIN options " " options)
  string(TOUPPER "${CMAKE_TRY_COMPILE_CONFIGURATION}" configuration)
  foreach(suffix IN ITEMS "" "_DEBUG" "_${configuration}")
    string(APPEND CMAKE_CXX_FLAGS${suffix} " ${options}")
    string(APPEND CMAKE_CUDA_FLAGS${suffix} " -w")
  endforeach()
  set(options "")
  # It uses the runtime that the probe is linked with.
  list(APPEND flags -DCMAKE_CUDA_RUNTIME_LIBRARY=None)
  # The flag alone, with the property on the targets that need it.
  set(relocatable "(^| )(-rdc|--relocatable-device-code)[= ]true( |$)")
  if(CMAKE_CUDA_SEPARABLE_COMPILATION OR CMAKE_CUDA_FLAGS MATCHES "${relocatable}")
    list(APPEND flags -DCMAKE_CUDA_SEPARABLE_COMPILATION=ON)
  endif()
  # Without a value of its own it is that of the language CXX, which for the probe is ON.
  if(NOT DEFINED CMAKE_CUDA_STANDARD_REQUIRED)
    set(CMAKE_CUDA_STANDARD_REQUIRED OFF)
    if(CMAKE_CXX_STANDARD_REQUIRED)
      set(CMAKE_CUDA_STANDARD_REQUIRED ON)
    endif()
  endif()
  # A project of CMP0104's old behaviour has no value, which is an error in the new one.
  if("${CMAKE_CUDA_ARCHITECTURES}" STREQUAL "")
    set(CMAKE_CUDA_ARCHITECTURES OFF)
  endif()
endmacro()

# _cudnn_checked_kernel_facts(<result>)
#
# What the kernel depends on; empty where the probe is built without one.
function(_cudnn_checked_kernel_facts result)
  set(${result} "" PARENT_SCOPE)
  _cudnn_checked_kernel_variables(text)
  if(text STREQUAL "")
    return()
  endif()
  _cudnn_checked_cuda_host(host where)
  if(host STREQUAL "")
    _cudnn_checked_on_path(host gcc)
  endif()
  set(compilers "${CMAKE_CUDA_COMPILER}" ${host})
  _cudnn_checked_seen(${compilers})
  _cudnn_checked_file_facts(facts ${compilers})
  if(CMAKE_CUDA_ARCHITECTURES STREQUAL "native")
    _cudnn_checked_driver_facts(gpus)
    string(APPEND facts "${gpus}")
  endif()
  set(${result} "${text}${facts}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_cuda_host(<compiler> <where>)
#
# The host compiler that the CUDA compiler was told to take, and the variable that names it; empty
# where none was named.
function(_cudnn_checked_cuda_host compiler where)
  set(${compiler} "" PARENT_SCOPE)
  set(${where} "" PARENT_SCOPE)
  # The last one that nvcc reads counts.
  if(CMAKE_CUDA_FLAGS MATCHES "(-ccbin|--compiler-bindir)[= ]+([^ ]+)")
    set(${compiler} "${CMAKE_MATCH_2}" PARENT_SCOPE)
    set(${where} "CMAKE_CUDA_FLAGS" PARENT_SCOPE)
  elseif(CMAKE_CUDA_HOST_COMPILER)
    set(${compiler} "${CMAKE_CUDA_HOST_COMPILER}" PARENT_SCOPE)
    set(${where} "CMAKE_CUDA_HOST_COMPILER" PARENT_SCOPE)
  endif()
endfunction()
