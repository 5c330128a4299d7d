# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_write_facts(<file> <name>...)
#
# Writes the variables of these names for _cudnn_checked_read_facts: data, a line each, and the hash
# of them all last.  The file is renamed into place, so that it is never half written.
function(_cudnn_checked_write_facts file)
  string(ASCII 1 line)
  string(ASCII 2 backslash)
  string(ASCII 3 opening)
  string(ASCII 4 closing)
  string(ASCII 5 semicolon)
  set(text "")
  foreach(name IN LISTS ARGN)
    set(value "${${name}}")
    if(value MATCHES "[${line}${backslash}${opening}${closing}${semicolon}]")
      return()
    endif()
    # What would change how CMake splits the text into lines.
    string(REPLACE "\n" "${line}" value "${value}")
    string(REPLACE "\\" "${backslash}" value "${value}")
    string(REPLACE "[" "${opening}" value "${value}")
    string(REPLACE "]" "${closing}" value "${value}")
    string(REPLACE ";" "${semicolon}" value "${value}")
    string(APPEND text "${name}=${value}\n")
  endforeach()
  string(MD5 hash "${text}")
  file(WRITE "${file}.new" "${text}whole=${hash}\n")
  file(RENAME "${file}.new" "${file}")
endfunction()
