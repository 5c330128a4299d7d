# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_recall_answer(<recalled> <file> <request>)
#
# Puts what _cudnn_checked_remember_answer wrote, where it answers the same request and nothing that
# was looked at has changed since: nothing is searched and no process is started.
function(_cudnn_checked_recall_answer recalled file request)
  set(${recalled} FALSE PARENT_SCOPE)
  _cudnn_checked_names(names input place cuda result)
  _cudnn_checked_read_facts(
    whole "${file}" ${names} seen_request seen_pinned seen_files seen_times seen_facts
  )
  if(NOT whole)
    return()
  endif()
  string(MD5 hash "${request}")
  # An answer that was held against the first cuDNN of a build tree needs the same first one.
  get_property(pinned GLOBAL PROPERTY _cudnn_checked_pinned)
  if(
    NOT seen_request STREQUAL hash
    OR (NOT seen_pinned STREQUAL "" AND NOT seen_pinned STREQUAL pinned)
    OR (pinned AND NOT pinned STREQUAL place_prefix)
    OR NOT (result_report STREQUAL "" OR EXISTS "${result_report}")
  )
    return()
  endif()
  _cudnn_checked_seen_facts(facts "${seen_files}" "${seen_times}")
  if(facts STREQUAL seen_facts)
    foreach(name IN LISTS names)
      _cudnn_checked_put(${name} "${${name}}")
    endforeach()
    _cudnn_checked_put(refusal "")
    set(${recalled} TRUE PARENT_SCOPE)
  endif()
endfunction()
