# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_directories_of(<libraries> <headers> <prefix>)
#
# The directories below <prefix> in which an install keeps its libraries and its headers: Debian's
# multiarch directories first, because lib64 and lib can be another architecture's there; then those
# of tarballs, wheels and conda; then those of a CUDA toolkit's targets.
function(_cudnn_checked_directories_of libraries headers prefix)
  set(triplet "${CMAKE_LIBRARY_ARCHITECTURE}")
  if(NOT triplet)
    set(triplet "${CMAKE_CXX_LIBRARY_ARCHITECTURE}")
  endif()
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
    set(targets x86_64-linux)
  elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64|ARM64)$")
    set(targets sbsa-linux aarch64-linux)
  else()
    set(targets "")
  endif()
  if(NOT triplet AND targets)
    string(REGEX REPLACE "^(sbsa|aarch64|x86_64).*" "\\1-linux-gnu" triplet "${targets}")
    string(REPLACE "sbsa" "aarch64" triplet "${triplet}")
  endif()

  set(in_lib lib64 lib)
  set(in_include include)
  if(triplet)
    list(PREPEND in_lib lib/${triplet})
    list(PREPEND in_include include/${triplet})
  endif()
  foreach(target IN LISTS targets)
    list(APPEND in_lib targets/${target}/lib)
    list(APPEND in_include targets/${target}/include)
  endforeach()
  list(TRANSFORM in_lib PREPEND "${prefix}/")
  list(TRANSFORM in_include PREPEND "${prefix}/")
  set(${libraries} "${in_lib}" PARENT_SCOPE)
  set(${headers} "${in_include}" PARENT_SCOPE)
endfunction()
