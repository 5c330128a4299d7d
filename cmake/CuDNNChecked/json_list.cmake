# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_json_list(<result> <json> <key>...)
#
# The elements of an array of strings; nothing where there is no such array.
function(_cudnn_checked_json_list result text)
  set(${result} "" PARENT_SCOPE)
  string(JSON length ERROR_VARIABLE error LENGTH "${text}" ${ARGN})
  if(error OR length EQUAL 0)
    return()
  endif()
  math(EXPR last "${length} - 1")
  set(values "")
  foreach(index RANGE ${last})
    string(JSON value GET "${text}" ${ARGN} ${index})
    list(APPEND values "${value}")
  endforeach()
  set(${result} "${values}" PARENT_SCOPE)
endfunction()
