# SPDX-License-Identifier: BSD-3-Clause
#
# Included behind each project() of the build.  The probe and the guard are C++, and a project that
# nobody edits may be C alone: C++ is enabled where all directories have it.
cmake_policy(PUSH)
cmake_policy(VERSION 3.24...4.0)
get_property(_cudnn_checked_languages GLOBAL PROPERTY ENABLED_LANGUAGES)
set(_cudnn_checked_wanted FALSE)
if(
  "C" IN_LIST _cudnn_checked_languages
  AND NOT "CXX" IN_LIST _cudnn_checked_languages
  AND NOT CuDNNChecked_REQUIRE STREQUAL "LOCATED"
  AND CMAKE_CURRENT_SOURCE_DIR STREQUAL CMAKE_SOURCE_DIR
)
  set(_cudnn_checked_wanted TRUE)
endif()
cmake_policy(POP)
if(_cudnn_checked_wanted AND NOT CMAKE_CURRENT_FUNCTION)
  include(CheckLanguage)
  check_language(CXX)
  if(CMAKE_CXX_COMPILER)
    enable_language(CXX)
  endif()
endif()
get_property(_cudnn_checked_files GLOBAL PROPERTY _cudnn_checked_included_by_user)
foreach(_cudnn_checked_file IN LISTS _cudnn_checked_files)
  include("${_cudnn_checked_file}")
endforeach()
foreach(
  _cudnn_checked_name
  IN
  ITEMS languages wanted files file name
)
  unset(_cudnn_checked_${_cudnn_checked_name})
endforeach()
