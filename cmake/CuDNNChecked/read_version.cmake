# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_read_version(<result> <header>)
#
# The release that a cudnn_version.h defines, as "9.14.0"; empty where it defines none.
function(_cudnn_checked_read_version result header)
  set(${result} "" PARENT_SCOPE)
  file(
    STRINGS
    "${header}"
    lines
    LIMIT_INPUT 65536
    REGEX "^[ \t]*#[ \t]*define[ \t]+CUDNN_(MAJOR|MINOR|PATCHLEVEL)[ \t]+[0-9]+"
  )
  foreach(part IN ITEMS MAJOR MINOR PATCHLEVEL)
    if(NOT "${lines}" MATCHES "CUDNN_${part}[ \t]+([0-9]+)")
      return()
    endif()
    list(APPEND version ${CMAKE_MATCH_1})
  endforeach()
  list(JOIN version "." version)
  set(${result} ${version} PARENT_SCOPE)
endfunction()
