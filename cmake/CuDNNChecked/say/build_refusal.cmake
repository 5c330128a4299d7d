# SPDX-License-Identifier: BSD-3-Clause
#
# The probe, its kernel, or the program that sweeps was not built.

# _cudnn_checked_build_refusal(<kind> <built_log> <cuda_version> place input [<key=value>...])
#
# Refuses because a program of that <kind> (probe, kernel or sweep) was not built: built_*.  The
# configure program reads built_log, finds the cause, and writes the message.  It prints a question
# if it needs more facts.
function(
  _cudnn_checked_build_refusal
  kind
  built_log
  cuda_version
  place
  input
)
  set(compiler "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}|${CMAKE_CXX_COMPILER}")
  set(facts "kind=${kind}" ${ARGN})
  _cudnn_checked_add_words(facts log "${built_log}")
  _cudnn_checked_add_words(facts compiler_fact "compiler|${compiler}")
  foreach(path IN ITEMS "${CMAKE_CXX_COMPILER}" "${CMAKE_CUDA_COMPILER}")
    _cudnn_checked_add_words(facts compiler "${path}")
  endforeach()
  # There are four questions.
  foreach(attempt RANGE 4)
    _cudnn_checked_ask_judge(status text explain-build ${facts})
    if(NOT status STREQUAL "3")
      break()
    endif()
    string(STRIP "${text}" question)
    list(APPEND facts "answered=${question}")
    if(question STREQUAL "files")
      _cudnn_checked_judge_files("${cuda_version}" place input)
    elseif(question STREQUAL "headers")
      _cudnn_checked_headers_refusal("${built_log}" place input)
    elseif(question STREQUAL "host-compiler")
      _cudnn_checked_host_compiler(fix)
      list(INSERT facts 0 "fix=${fix}")
    else()
      _cudnn_checked_known_architectures(fix)
      list(INSERT facts 0 "fix=${fix}")
    endif()
    _cudnn_checked_return_if_refused()
  endforeach()
  if(status STREQUAL "0" AND NOT text STREQUAL "")
    _cudnn_checked_put(refusal "${text}")
  else()
    _cudnn_checked_plain_refusal("the ${kind} was not built, so cuDNN could not be checked" refused
                                 "${built_log}"
    )
  endif()
endfunction()

# Refuses if the headers that cudnn.h includes are of two releases.  Other headers do not matter.
function(_cudnn_checked_headers_refusal built_log place input)
  _cudnn_checked_hidden(log "log=${built_log}")
  _cudnn_checked_advised_refusal(headers input
                                 "include=${place_include}" "header=${place_header}"
                                 "library=${place_library}" "release=${place_version}" "${log}"
  )
endfunction()

# More facts of the message about the probe.
function(_cudnn_checked_facts_of_probe result place cuda)
  file(SIZE "${cuda_library}" size)
  set(cuda_words "${cuda_version}")
  if(size EQUAL 0)
    set(cuda_words "an empty file")
  endif()
  set(words "")
  _cudnn_checked_add_words(words fact
    "cuDNN|${place_version}|${place_header}"
    "CUDA|${cuda_words}|${cuda_library}"
    "compiler|${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}|${CMAKE_CXX_COMPILER}"
  )
  _cudnn_checked_flag_sources(flags)
  set(${result} ${words} ${flags} PARENT_SCOPE)
endfunction()

# What the message about the kernel has besides: the CUDA compiler of the project is to blame, its
# host compiler, its flags or its architectures, and never cuDNN.
function(_cudnn_checked_facts_of_kernel result built_log)
  set(flags "${CMAKE_CUDA_FLAGS}")
  set(architectures "${CMAKE_CUDA_ARCHITECTURES}")
  foreach(value IN ITEMS flags architectures)
    if(${value} STREQUAL "")
      set(${value} "(none)")
    endif()
  endforeach()
  _cudnn_checked_cuda_host(host where)
  if(host STREQUAL "")
    set(host "the CUDA compiler's own choice")
  endif()
  set(words "")
  _cudnn_checked_add_words(words fact
    "CUDA compiler|${CMAKE_CUDA_COMPILER_ID} ${CMAKE_CUDA_COMPILER_VERSION}|${CMAKE_CUDA_COMPILER}"
    "host compiler|${host}|${where}"
    "architectures|${architectures}|CMAKE_CUDA_ARCHITECTURES"
    "flags|${flags}|CMAKE_CUDA_FLAGS"
  )
  _cudnn_checked_add_flag(words flag variable CMAKE_CUDA_FLAGS)
  if(built_log STREQUAL "")
    _cudnn_checked_set_command(line CMAKE_CUDA_ARCHITECTURES all-major)
    _cudnn_checked_add_words(words fix "${line}")
  endif()
  _cudnn_checked_set_command(line CuDNNChecked_KERNEL OFF)
  _cudnn_checked_add_words(words fix "${line}")
  set(${result} "${words}" PARENT_SCOPE)
endfunction()

# What to type for a host compiler that nvcc accepts: the C++ compiler of the project, otherwise the
# newest one on PATH.  nvcc itself is asked.  CMake reads CMAKE_CUDA_HOST_COMPILER only when it
# enables the language for the first time in a build directory.
function(_cudnn_checked_host_compiler fix)
  _cudnn_checked_get(where)
  set(candidates "${CMAKE_CXX_COMPILER}")
  foreach(name IN ITEMS g++ clang++)
    foreach(release RANGE 24 6 -1)
      _cudnn_checked_on_path(found ${name}-${release})
      list(APPEND candidates ${found})
    endforeach()
    _cudnn_checked_on_path(found ${name})
    list(APPEND candidates ${found})
  endforeach()
  _cudnn_checked_write("${work_directory}/empty.cu" "")
  foreach(candidate IN LISTS candidates)
    execute_process(
      COMMAND "${CMAKE_CUDA_COMPILER}" -E -ccbin "${candidate}" "${work_directory}/empty.cu"
      RESULT_VARIABLE status
      OUTPUT_QUIET
      ERROR_QUIET
    )
    if(status STREQUAL "0")
      _cudnn_checked_cuda_host(host where)
      if(where STREQUAL "CMAKE_CUDA_FLAGS")
        string(
          REGEX REPLACE
          "(-ccbin|--compiler-bindir)([= ]+)[^ ]+"
          "\\1\\2${candidate}"
          flags
          "${CMAKE_CUDA_FLAGS}"
        )
        _cudnn_checked_set_command(line CMAKE_CUDA_FLAGS "${flags}")
      else()
        # CMake keeps the first value in this file.
        _cudnn_checked_removal(again "${CMAKE_PLATFORM_INFO_DIR}/CMakeCUDACompiler.cmake")
        _cudnn_checked_cmake_command(line -D "CMAKE_CUDA_HOST_COMPILER=${candidate}")
        set(line "${again} && ${line}")
      endif()
      set(${fix} "${line}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  set(line "choose a host compiler that it supports (its words below)")
  string(APPEND line ", as CMAKE_CUDA_HOST_COMPILER of a new build directory")
  set(${fix} "${line}" PARENT_SCOPE)
endfunction()

# What to type for architectures that nvcc knows: those of the list that it does, or its oldest.  An
# nvcc that lists none, as a wrapper may, leaves the choice to the user.
function(_cudnn_checked_known_architectures fix)
  execute_process(
    COMMAND "${CMAKE_CUDA_COMPILER}" --list-gpu-arch
    OUTPUT_VARIABLE output
    ERROR_QUIET
  )
  string(REGEX MATCHALL "[0-9]+" known "${output}")
  set(kept "")
  foreach(architecture IN LISTS CMAKE_CUDA_ARCHITECTURES)
    string(REGEX MATCH "^[0-9]+" number "${architecture}")
    if(number IN_LIST known)
      list(APPEND kept "${architecture}")
    endif()
  endforeach()
  if(known STREQUAL "")
    set(line "name architectures that the CUDA compiler knows: -D CMAKE_CUDA_ARCHITECTURES=LIST")
  else()
    if(kept STREQUAL "")
      list(GET known 0 kept)
    endif()
    _cudnn_checked_set_command(line CMAKE_CUDA_ARCHITECTURES "${kept}")
  endif()
  set(${fix} "${line}" PARENT_SCOPE)
endfunction()
