# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_wheel_of(<site> <cuda> <prefix>)
#
# Where <prefix> is the directory of one of NVIDIA's wheels: the directory that holds nvidia/, which
# is the site-packages of a Python environment or what --target named, and the CUDA major that its
# cuDNN is for.  That is in the name of the wheel's record only; empty where there is none, or where
# wheels for two CUDA majors lie over each other.
function(_cudnn_checked_wheel_of site cuda prefix)
  set(${site} "" PARENT_SCOPE)
  set(${cuda} "" PARENT_SCOPE)
  if(NOT prefix MATCHES "^(.*)/nvidia/(cudnn|cudnn_jit)$")
    return()
  endif()
  set(directory "${CMAKE_MATCH_1}")
  set(${site} "${directory}" PARENT_SCOPE)
  _cudnn_checked_seen(TIMES "${directory}")
  _cudnn_checked_glob_escaped(escaped "${directory}")
  file(GLOB records "${escaped}/nvidia_${CMAKE_MATCH_2}_cu[0-9]*.dist-info")
  list(TRANSFORM records REPLACE "^.*/nvidia_[a-z_]+_cu([0-9]+)-[^/]*$" "\\1")
  list(REMOVE_DUPLICATES records)
  list(LENGTH records count)
  if(count EQUAL 1)
    set(${cuda} "${records}" PARENT_SCOPE)
  endif()
endfunction()

# _cudnn_checked_cuda_wheels(<result> <nvidia> <cuda>)
#
# The directories of CUDA's wheels below the directory <nvidia>, those of the CUDA major <cuda>
# first: nvidia/cu13 from CUDA 13 on, nvidia/cuda_runtime before.
function(_cudnn_checked_cuda_wheels result nvidia cuda)
  _cudnn_checked_seen(TIMES "${nvidia}")
  _cudnn_checked_glob_escaped(escaped "${nvidia}")
  file(GLOB wheels "${escaped}/cu[0-9]*" "${escaped}/cuda_runtime")
  if(cuda AND "${nvidia}/cu${cuda}" IN_LIST wheels)
    list(REMOVE_ITEM wheels "${nvidia}/cu${cuda}")
    list(PREPEND wheels "${nvidia}/cu${cuda}")
  endif()
  set(${result} "${wheels}" PARENT_SCOPE)
endfunction()
