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
  # There are two questions.
  foreach(attempt RANGE 2)
    _cudnn_checked_ask_judge(status text explain-build ${facts})
    if(NOT status STREQUAL "3")
      break()
    endif()
    string(STRIP "${text}" question)
    list(APPEND facts "answered=${question}")
    if(question STREQUAL "files")
      _cudnn_checked_judge_files("${cuda_version}" place input)
    else()
      _cudnn_checked_headers_refusal("${built_log}" place input)
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
  _cudnn_checked_cuda_host(host from)
  if(host STREQUAL "")
    set(host "the CUDA compiler's own choice")
  endif()
  set(words "")
  _cudnn_checked_add_words(words fact
    "CUDA compiler|${CMAKE_CUDA_COMPILER_ID} ${CMAKE_CUDA_COMPILER_VERSION}|${CMAKE_CUDA_COMPILER}"
    "host compiler|${host}|${from}"
    "architectures|${architectures}|CMAKE_CUDA_ARCHITECTURES"
    "flags|${flags}|CMAKE_CUDA_FLAGS"
  )
  _cudnn_checked_add_flag(words flag variable CMAKE_CUDA_FLAGS)
  # What asks it which host compilers and architectures it knows needs these.
  _cudnn_checked_get(where)
  _cudnn_checked_add_words(words work "${work_directory}")
  _cudnn_checked_add_words(words cuda_compiler "${CMAKE_CUDA_COMPILER}")
  _cudnn_checked_add_words(words cxx_compiler "${CMAKE_CXX_COMPILER}")
  _cudnn_checked_add_words(words host_from "${from}")
  _cudnn_checked_add_words(words platform_info "${CMAKE_PLATFORM_INFO_DIR}")
  set(${result} "${words}" PARENT_SCOPE)
endfunction()
