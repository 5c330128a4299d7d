# SPDX-License-Identifier: BSD-3-Clause
#
# find_package(CUDAToolkit) and find_package(CUDA): included where the project calls it.  The files of
# cuDNN are provided before, because the project may search them with find_path and find_library.
get_filename_component(_cudnn_checked_home "${CMAKE_CURRENT_LIST_DIR}" DIRECTORY)
set(_cudnn_checked_request "")
set(_cudnn_checked_quiet QUIET)
_cudnn_checked_find()
unset(_cudnn_checked_quiet)
unset(_cudnn_checked_request)
unset(_cudnn_checked_home)
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
