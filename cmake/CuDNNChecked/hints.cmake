# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_hints(<result>)
#
# The variables that name where a cuDNN is, in the order in which they are looked at: the rows of
# the table that the command line has as well.
function(_cudnn_checked_hints result)
  set(table "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../tool/core/observe/cudnn_hints.def")
  file(STRINGS "${table}" rows REGEX "^CUDNN_HINT")
  string(REGEX REPLACE "CUDNN_HINT\\(([A-Za-z_]+)\\)" "\\1" names "${rows}")
  set(${result} "${names}" PARENT_SCOPE)
endfunction()
