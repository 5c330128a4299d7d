# SPDX-License-Identifier: BSD-3-Clause
#
# The probe, its kernel, or the program that sweeps was not built.

# _cudnn_checked_build_refusal(<kind> <built_log> <cuda_version> place input [<key=value>...])
#
# Refuses because a program of that <kind> (probe, kernel or sweep) was not built: built_*.  The
# configure program reads built_log, finds the cause, which may be the files or the headers of this
# cuDNN, and writes the message.
function(
  _cudnn_checked_build_refusal
  kind
  built_log
  cuda_version
  place
  input
)
  set(compiler "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}|${CMAKE_CXX_COMPILER}")
  string(TOLOWER "${input_require}" require)
  set(words "kind=${kind}" "require=${require}" ${ARGN})
  _cudnn_checked_add_words(words log "${built_log}")
  _cudnn_checked_add_words(words compiler_fact "compiler|${compiler}")
  _cudnn_checked_add_words(words compiler "${CMAKE_CXX_COMPILER}" "${CMAKE_CUDA_COMPILER}")
  _cudnn_checked_advised_refusal(explain-build input
                                 "library=${place_library}" "found=${place_version}"
                                 "header=${place_header}" "headers=${place_include}"
                                 "toolkit=${cuda_version}" ${words}
  )
  _cudnn_checked_return_if_refused()
  _cudnn_checked_plain_refusal("the ${kind} was not built, so cuDNN could not be checked" refused
                               "${built_log}"
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
function(_cudnn_checked_facts_of_kernel result)
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
