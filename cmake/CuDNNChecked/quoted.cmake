# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_quoted(<result> <text>)
#
# The last lines of another program's output, set off by a bar.
function(_cudnn_checked_quoted result text)
  string(REGEX REPLACE "\n+$" "" text "${text}")
  if(text STREQUAL "")
    set(${result} "" PARENT_SCOPE)
    return()
  endif()
  string(REPLACE "\n" "\n  | " text "${text}")
  set(${result} "  | ${text}\n" PARENT_SCOPE)
endfunction()
