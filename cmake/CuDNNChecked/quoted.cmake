# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_quoted(<result> <text>)
#
# The last lines of another program's output, set off by a bar, each as _cudnn_checked_one_line has it.
function(_cudnn_checked_quoted result text)
  string(REGEX REPLACE "\n+$" "" text "${text}")
  string(REPLACE "\t" " " text "${text}")
  string(REPLACE "\r\n" "\n" text "${text}")
  set(lines "")
  while(NOT text STREQUAL "")
    string(FIND "${text}" "\n" position)
    string(SUBSTRING "${text}" 0 ${position} line)
    if(position EQUAL -1)
      set(text "")
    else()
      math(EXPR position "${position} + 1")
      string(SUBSTRING "${text}" ${position} -1 text)
    endif()
    _cudnn_checked_one_line(line)
    string(APPEND lines "  | ${line}\n")
  endwhile()
  set(${result} "${lines}" PARENT_SCOPE)
endfunction()
