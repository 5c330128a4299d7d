# SPDX-License-Identifier: BSD-3-Clause
#
# find_package(CUDAToolkit) and find_package(CUDA): included where the project calls it.  The files
# of cuDNN are provided before, because the project may search them with find_path and find_library.
_cudnn_checked_find(QUIET)
unset(${CMAKE_FIND_PACKAGE_NAME}_DIR CACHE)
_cudnn_checked_keep_refusal()
_cudnn_checked_provide_files()
_cudnn_checked_say_provided()
# The module of the project, or CMake's, which has no FindCUDA where CMP0146 is NEW.
set(_cudnn_checked_policy "")
if(CMAKE_FIND_PACKAGE_NAME STREQUAL "CUDA" AND POLICY CMP0146)
  cmake_policy(GET CMP0146 _cudnn_checked_policy)
endif()
if(_cudnn_checked_policy STREQUAL "NEW")
  set(CUDA_FOUND FALSE)
else()
  include(Find${CMAKE_FIND_PACKAGE_NAME})
endif()
unset(_cudnn_checked_policy)
