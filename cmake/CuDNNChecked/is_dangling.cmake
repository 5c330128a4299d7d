# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_is_dangling(<result> <file>)
#
# A sentence where <file> is a link that leads nowhere, otherwise nothing.
function(_cudnn_checked_is_dangling result file)
  set(${result} "" PARENT_SCOPE)
  if(IS_SYMLINK "${file}" AND NOT EXISTS "${file}")
    file(READ_SYMLINK "${file}" target)
    set(${result} "${file} is a link to ${target}, which is not there" PARENT_SCOPE)
  endif()
endfunction()
