# SPDX-License-Identifier: BSD-3-Clause
#
# find_package(CUDNN), in any case of letters: included where the project calls it.
_cudnn_checked_provider_request(_cudnn_checked_request "${CMAKE_FIND_PACKAGE_NAME}")
# Where none is found and that is no error, CMake prints the reason.
set(_cudnn_checked_quiet QUIET)
if(${CMAKE_FIND_PACKAGE_NAME}_FIND_REQUIRED AND NOT ${CMAKE_FIND_PACKAGE_NAME}_FIND_QUIETLY)
  set(_cudnn_checked_quiet "")
endif()
_cudnn_checked_find(${_cudnn_checked_request} ${_cudnn_checked_quiet})
if(_cudnn_checked_quiet AND CuDNNChecked_FOUND AND NOT ${CMAKE_FIND_PACKAGE_NAME}_FIND_QUIETLY)
  # Prints its line, and has nothing to find out any more.
  _cudnn_checked_find(${_cudnn_checked_request})
endif()
unset(_cudnn_checked_quiet)
unset(_cudnn_checked_request)
# The directory of this answer, where some projects expect that of cuDNN.
unset(${CMAKE_FIND_PACKAGE_NAME}_DIR CACHE)
_cudnn_checked_keep_refusal()
_cudnn_checked_provide_files()
if(NOT CuDNNChecked_FOUND)
  set(${CMAKE_FIND_PACKAGE_NAME}_FOUND FALSE)
  set(CUDNN_FOUND FALSE)
  set(${CMAKE_FIND_PACKAGE_NAME}_NOT_FOUND_MESSAGE "${CuDNNChecked_NOT_FOUND_MESSAGE}")
  return()
endif()
_cudnn_checked_provide_variables()
_cudnn_checked_own_module(_cudnn_checked_module "${CMAKE_FIND_PACKAGE_NAME}")
if(_cudnn_checked_module)
  include("${_cudnn_checked_module}")
endif()
unset(_cudnn_checked_module)
_cudnn_checked_provide_targets()
