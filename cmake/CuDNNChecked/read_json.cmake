# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_read_json(<text> <fault> <file>)
#
# The text of a file that string(JSON) may be given, or in <fault> why it may not: CMake aborts on
# JSON that is nested deeply, stops reading a string at a NUL, and of a member that is there twice
# sees one.  What the values are is _cudnn_checked_value's.
function(_cudnn_checked_read_json text fault file)
  set(${text} "" PARENT_SCOPE)
  set(most_bytes 1048576)
  set(most_levels 16)
  file(SIZE "${file}" size)
  if(size GREATER most_bytes)
    set(${fault} "${size} bytes, and no report has more than ${most_bytes}" PARENT_SCOPE)
    return()
  endif()
  # What has no size is empty, or a FIFO, whose reader waits.
  if(size EQUAL 0)
    set(${fault} "empty" PARENT_SCOPE)
    return()
  endif()
  file(READ "${file}" read)
  string(ASCII 239 187 191 mark)
  string(FIND "${read}" "${mark}" at)
  if(at EQUAL 0)
    string(SUBSTRING "${read}" 3 -1 read)
  endif()
  # All but the printable characters: NUL, at which a regular expression ends, makes it shorter.
  string(ASCII 1 first)
  string(ASCII 8 before_tab)
  string(ASCII 11 after_newline)
  string(ASCII 31 last)
  # It is an error if nothing matches.
  string(PREPEND read " ")
  string(REGEX MATCH "^[^${first}-${before_tab}${after_newline}-${last}]*" printable "${read}")
  string(REPLACE "\r" "" read "${read}")
  string(REPLACE "\r" "" printable "${printable}")
  _cudnn_checked_beyond_utf8(beyond "${read}")
  if(NOT printable STREQUAL read OR NOT beyond STREQUAL "")
    set(${fault} "not text" PARENT_SCOPE)
    return()
  endif()
  _cudnn_checked_outside_strings(structure "${read}")
  if(
    NOT structure MATCHES "^[ \t\n]*{.*}[ \t\n]*$"
    OR structure MATCHES "[^][{}:,0-9.eE+a-z \t\n-]"
  )
    set(${fault} "not JSON with a schema" PARENT_SCOPE)
    return()
  endif()
  string(REGEX REPLACE "[^][{}]+" "" brackets "${structure}")
  foreach(level RANGE 1 ${most_levels})
    string(REPLACE "[]" "" brackets "${brackets}")
    string(REPLACE "{}" "" brackets "${brackets}")
  endforeach()
  if(NOT brackets STREQUAL "")
    set(${fault} "not JSON of at most ${most_levels} levels" PARENT_SCOPE)
    return()
  endif()
  # Printed again, a member that was there twice is there once.
  string(JSON printed ERROR_VARIABLE error SET "{}" report "${read}")
  if(error)
    set(${fault} "not JSON with a schema" PARENT_SCOPE)
    return()
  endif()
  _cudnn_checked_outside_strings(again "${printed}")
  foreach(which IN ITEMS structure again)
    string(REGEX REPLACE "[^:]+" "" colons "${${which}}")
    string(LENGTH "${colons}" ${which}_members)
  endforeach()
  math(EXPR again_members "${again_members} - 1")
  if(NOT structure_members EQUAL again_members)
    set(${fault} "an object with two members of one name" PARENT_SCOPE)
    return()
  endif()
  set(${fault} "" PARENT_SCOPE)
  set(${text} "${read}" PARENT_SCOPE)
endfunction()

# The bytes of a text that are not UTF-8.
function(_cudnn_checked_beyond_utf8 result text)
  foreach(
    byte
    IN
    ITEMS 1 127 128 191 194 223 224 239 240 244
  )
    string(ASCII ${byte} ${byte})
  endforeach()
  string(REGEX REPLACE "[${1}-${127}]+" " " text "${text}")
  set(more "[${128}-${191}]")
  string(REGEX REPLACE "[${240}-${244}]${more}${more}${more}" "" text "${text}")
  string(REGEX REPLACE "[${224}-${239}]${more}${more}" "" text "${text}")
  string(REGEX REPLACE "[${194}-${223}]${more}" "" text "${text}")
  string(REPLACE " " "" text "${text}")
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# JSON without its strings; a backslash or a quotation mark that belongs to no string is a "@".
function(_cudnn_checked_outside_strings result text)
  string(REPLACE "\\\\" "@" text "${text}")
  string(REPLACE "\\\"" "@" text "${text}")
  # An escaped NUL would end a value for all that compares it.
  string(REPLACE "\\u0000" "\"@\"" text "${text}")
  string(REGEX REPLACE "\"[^\"]*\"" "" text "${text}")
  string(REPLACE "\\" "@" text "${text}")
  set(${result} "${text}" PARENT_SCOPE)
endfunction()
