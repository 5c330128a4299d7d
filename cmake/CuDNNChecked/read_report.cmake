# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_read_report(<file> <line>)
#
# Takes what CMake needs from the probe's report, and <line>, what it printed, into result_* of the
# caller.
function(_cudnn_checked_read_report file line)
  file(READ "${file}" text)
  set(result_report "${file}" PARENT_SCOPE)
  string(REGEX REPLACE "\n+$" "" line "${line}")
  set(result_line "${line}" PARENT_SCOPE)
  foreach(
    entry
    IN
    ITEMS
      "level|level"
      "verdict|verdict"
      "library_version|cudnn|library|version"
      "cudart_version|cudnn|library|cudart"
      "toolkit|cuda|toolkit"
      "runtime|cuda|runtime"
      "driver|cuda|driver"
  )
    string(REPLACE "|" ";" path "${entry}")
    list(POP_FRONT path name)
    string(JSON value ERROR_VARIABLE error GET "${text}" ${path})
    # "unknown" is a verdict; of a version it says that there is none.
    if(error OR (value STREQUAL "unknown" AND NOT name STREQUAL "verdict"))
      set(value "")
    endif()
    set(result_${name} "${value}" PARENT_SCOPE)
  endforeach()
  _cudnn_checked_json_list(architectures "${text}" triple architectures)
  list(TRANSFORM architectures REPLACE "^sm_" "")
  set(result_architectures "${architectures}" PARENT_SCOPE)
  _cudnn_checked_json_list(needs "${text}" needs)
  set(result_needs "${needs}" PARENT_SCOPE)
endfunction()

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
