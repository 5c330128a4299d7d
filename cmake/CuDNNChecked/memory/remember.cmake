# SPDX-License-Identifier: BSD-3-Clause
#
# What is written for the next run of CMake.

# _cudnn_checked_remember_answer(<file> <request> <begin> input place cuda proved)
#
# Writes what find_package was asked for (input_*), what it found and proved (proved_*), the request
# that it answers, and the state of everything that was looked at on the way, for
# _cudnn_checked_recall_answer.  Nothing is written where something is newer than two seconds before
# the <begin> of the search (it may have changed since it was looked at, and its next change may
# have the same time), or where a path cannot be an element of a list: the next run of CMake then
# searches again.
function(
  _cudnn_checked_remember_answer
  file
  request
  begin
  input
  place
  cuda
  proved
)
  file(REMOVE "${file}")
  _cudnn_checked_new(seen)
  get_property(seen_paths GLOBAL PROPERTY _cudnn_checked_seen)
  list(REMOVE_DUPLICATES seen_paths)
  list(REMOVE_ITEM seen_paths "")
  get_property(seen_sources GLOBAL PROPERTY _cudnn_checked_seen_sources)
  if("${seen_paths};${seen_sources}" MATCHES "[][]")
    return()
  endif()
  math(EXPR settled "${begin} - 2")
  foreach(path IN LISTS seen_paths seen_sources)
    file(TIMESTAMP "${path}" time "%s" UTC)
    if(NOT time STREQUAL "" AND NOT time LESS settled)
      return()
    endif()
  endforeach()
  _cudnn_checked_seen_state(seen_state ${seen_paths})
  get_property(seen_pinned GLOBAL PROPERTY _cudnn_checked_pinned)
  set(seen_request "${request}")
  _cudnn_checked_names(names input place cuda proved seen)
  _cudnn_checked_write_facts("${file}" ${names})
endfunction()

# _cudnn_checked_keep_result(proved <file> <signature>)
#
# Keeps proved_*, what was proved, for the next run of CMake, with the signature of what it depends
# on; see _cudnn_checked_kept_result.  Only success is kept.  Sets proved_signature and
# proved_report_content.
function(_cudnn_checked_keep_result proved file signature)
  if(proved_verdict STREQUAL "")
    return()
  endif()
  if(NOT proved_report STREQUAL "")
    _cudnn_checked_content(proved_report_content "${proved_report}")
  endif()
  set(proved_signature "${signature}")
  _cudnn_checked_hand_up(proved)
  _cudnn_checked_names(names proved)
  _cudnn_checked_write_facts("${file}" ${names})
endfunction()

# _cudnn_checked_kept_result(proved <kept> <file> <signature>)
#
# Sets the proved_* that _cudnn_checked_keep_result wrote.  <kept> is whether there is a whole one,
# of this signature.
function(_cudnn_checked_kept_result proved kept file signature)
  set(${kept} FALSE PARENT_SCOPE)
  _cudnn_checked_read_facts(whole "${file}" proved)
  if(NOT whole OR NOT proved_signature STREQUAL signature)
    return()
  endif()
  _cudnn_checked_is_same(same "${proved_report}" "${proved_report_content}")
  if(same)
    _cudnn_checked_hand_up(proved)
    set(${kept} TRUE PARENT_SCOPE)
  endif()
endfunction()

# _cudnn_checked_write_facts(<file> <name>...)
#
# Writes the variables of these names for _cudnn_checked_read_facts: data, a line each, and the hash
# of them all last.
function(_cudnn_checked_write_facts file)
  set(text "")
  foreach(name IN LISTS ARGN)
    _cudnn_checked_marked(value 1 "${${name}}" BACK)
    if(NOT value STREQUAL "${${name}}")
      return()
    endif()
    _cudnn_checked_marked(value 1 "${value}")
    string(APPEND text "${name}=${value}\n")
  endforeach()
  string(MD5 hash "${text}")
  _cudnn_checked_write("${file}" "${text}whole=${hash}\n")
endfunction()
