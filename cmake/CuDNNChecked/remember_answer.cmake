# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_remember_answer(<file> <request> <begin>)
#
# Writes what find_package found and proved, the request that it answers, and the state of
# everything that was looked at on the way, for _cudnn_checked_recall_answer.  Nothing is written
# where something is newer than two seconds before the <begin> of the search (it may have changed
# since it was looked at, and its next change may have the same time), or where a path cannot be an
# element of a list: the next run of CMake then searches again.
function(_cudnn_checked_remember_answer file request begin)
  get_property(seen_files GLOBAL PROPERTY _cudnn_checked_seen_FILES)
  get_property(seen_times GLOBAL PROPERTY _cudnn_checked_seen_TIMES)
  list(REMOVE_DUPLICATES seen_files)
  list(REMOVE_DUPLICATES seen_times)
  file(REMOVE "${file}")
  if("${seen_files};${seen_times}" MATCHES "[][]")
    return()
  endif()
  math(EXPR settled "${begin} - 2")
  foreach(path IN LISTS seen_files seen_times)
    file(TIMESTAMP "${path}" time "%s" UTC)
    if(time GREATER_EQUAL settled)
      return()
    endif()
  endforeach()
  _cudnn_checked_seen_facts(seen_facts "${seen_files}" "${seen_times}")
  get_property(seen_pinned GLOBAL PROPERTY _cudnn_checked_pinned)
  string(MD5 seen_request "${request}")
  _cudnn_checked_names(names input place cuda result)
  _cudnn_checked_get(input place cuda result)
  _cudnn_checked_write_facts(
    "${file}" ${names} seen_request seen_pinned seen_files seen_times seen_facts
  )
endfunction()
