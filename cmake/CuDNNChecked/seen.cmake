# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_seen(FILES|TIMES|SOURCES <path>...)
#
# Remembers what the running find_package looked at, whether it is there or not, for
# _cudnn_checked_remember_answer.  Of FILES their time, their size and what a link leads to count.
# TIMES are directories, and files whose content alone counts.  SOURCES are of this package: where
# one is newer than the answer, or is not there any more, it is no answer.
function(_cudnn_checked_seen kind)
  set_property(GLOBAL APPEND PROPERTY _cudnn_checked_seen_${kind} ${ARGN})
endfunction()
