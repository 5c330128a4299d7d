# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_read_report(<file> <line>)
#
# Puts what CMake needs of the probe's report, and <line>, what it printed, as result_*.
function(_cudnn_checked_read_report file line)
  file(READ "${file}" text)
  _cudnn_checked_put(result_report "${file}")
  string(REGEX REPLACE "\n+$" "" line "${line}")
  _cudnn_checked_put(result_line "${line}")
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
    _cudnn_checked_put(result_${name} "${value}")
  endforeach()
  _cudnn_checked_json_list(architectures "${text}" triple architectures)
  list(TRANSFORM architectures REPLACE "^sm_" "")
  _cudnn_checked_put(result_architectures "${architectures}")
  _cudnn_checked_json_list(needs "${text}" needs)
  _cudnn_checked_put(result_needs "${needs}")
endfunction()
