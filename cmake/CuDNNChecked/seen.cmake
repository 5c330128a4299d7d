# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_seen(FILES|TIMES <path>...)
#
# Remembers what the running find_package looked at, whether it is there or not, for
# _cudnn_checked_seen_facts.  TIMES: of directories, and of files whose content alone counts, the
# time says all; of FILES what a link leads to and the size count too.
function(_cudnn_checked_seen kind)
  set_property(GLOBAL APPEND PROPERTY _cudnn_checked_seen_${kind} ${ARGN})
endfunction()
