# SPDX-License-Identifier: BSD-3-Clause
#
# The header directories of cuda_add_library, cuda_add_executable and the other commands of CMake's
# FindCUDA, which no target has: CUDA_NVCC_INCLUDE_DIRS_USER, then CUDA_INCLUDE_DIRS of the toolkit.

# _cudnn_checked_order_nvcc_directories(<variable> <access> ...)
#
# Puts the directory that was proved first, where one of them has another cudnn.h.  CMake calls this
# whenever the variable is read: find_package(CUDA) empties it, in each directory that calls it, and
# a find_path of the project may be in a function.
function(_cudnn_checked_order_nvcc_directories variable access)
  get_property(refusal GLOBAL PROPERTY _cudnn_checked_provider_refusal)
  get_property(proved GLOBAL PROPERTY _cudnn_checked_stamp)
  if(NOT access STREQUAL "READ_ACCESS" OR refusal OR NOT proved)
    return()
  endif()
  _cudnn_checked_get_stamp(place_include)
  _cudnn_checked_other_headers(others "${place_include}" ${${variable}} ${CUDA_INCLUDE_DIRS})
  if(others)
    set(directories "${place_include}" ${${variable}})
    list(REMOVE_DUPLICATES directories)
    set(${variable} "${directories}" PARENT_SCOPE)
  endif()
endfunction()
