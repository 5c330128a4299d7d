# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_glob_escaped(<result> <directory>)
#
# The directory as the beginning of a pattern of file(GLOB), to which "[", "*" and "?" are no
# ordinary characters.
function(_cudnn_checked_glob_escaped result directory)
  string(REGEX REPLACE "([[*?])" "[\\1]" directory "${directory}")
  set(${result} "${directory}" PARENT_SCOPE)
endfunction()
