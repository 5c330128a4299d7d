# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_indented(<result> <text>)
#
# CMake fills the lines of an error or a warning into paragraphs, except where a line begins with a
# space.  Puts one space before every line, so that columns stay columns.
function(_cudnn_checked_indented result text)
  string(REGEX REPLACE "\n+$" "" text "${text}")
  string(REPLACE "\n" "\n " text " ${text}")
  set(${result} "${text}" PARENT_SCOPE)
endfunction()
