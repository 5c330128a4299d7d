# SPDX-License-Identifier: BSD-3-Clause
#
# The form of a message.

# _cudnn_checked_refuse(NAME <finding> SUMMARY <text> [FACTS <label|value|where>...]
#                       [BECAUSE <line>...] [FIX <line>...] [QUOTED <output>])
#
# Puts refusal, a message in the form that the reports of the tool have: what is wrong, the facts in
# columns, what would happen, what to type, the finding's name.  A line of FIX is a command that a
# shell runs as it stands (commands.cmake makes them), or says in words what to decide.  QUOTED is
# the output of another program, of which the last lines follow (_cudnn_checked_quoted).
function(_cudnn_checked_refuse)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;SUMMARY;QUOTED" "FACTS;BECAUSE;FIX")
  foreach(part arg_SUMMARY arg_FACTS arg_BECAUSE)
    _cudnn_checked_one_line(${part})
  endforeach()
  _cudnn_checked_facts_in_columns(text "${arg_FACTS}")
  string(PREPEND text "cudnn_checked: refused: ${arg_SUMMARY}\n")
  foreach(line IN LISTS arg_BECAUSE)
    string(APPEND text "  ${line}\n")
  endforeach()
  set(lead "  fix: ")
  foreach(fix IN LISTS arg_FIX)
    # What is said of the line above (advise.cmake).
    if(fix MATCHES "^note\t(.*)$")
      string(APPEND text "       ${CMAKE_MATCH_1}\n")
      continue()
    endif()
    # What nobody has tried (advise.cmake).
    if(fix MATCHES "^try\t(.*)$")
      set(fix "${CMAKE_MATCH_1}")
      set(lead "  try: ")
    endif()
    _cudnn_checked_shown(fix "${fix}")
    _cudnn_checked_one_line(fix)
    string(APPEND text "${lead}${fix}\n")
    set(lead "   or: ")
  endforeach()
  _cudnn_checked_quoted(quoted "${arg_QUOTED}")
  _cudnn_checked_put(refusal "${text}  [${arg_NAME}]\n${quoted}")
endfunction()

# Lines of labels, values and where these are from, each of "label|value|where".  A label that is
# that of the line above is not repeated.
function(_cudnn_checked_facts_in_columns result facts)
  set(label_width 0)
  set(value_width 0)
  foreach(fact IN LISTS facts)
    string(REGEX MATCH "^([^|]*)[|]([^|]*)[|]?(.*)$" _ "${fact}")
    set(where "${CMAKE_MATCH_3}")
    set(value "${CMAKE_MATCH_2}")
    _cudnn_checked_columns(label_length "${CMAKE_MATCH_1}")
    _cudnn_checked_columns(value_length "${value}")
    if(label_length GREATER label_width)
      set(label_width ${label_length})
    endif()
    if(value_length GREATER value_width AND NOT where STREQUAL "")
      set(value_width ${value_length})
    endif()
  endforeach()
  set(text "")
  set(label_above "")
  foreach(fact IN LISTS facts)
    string(REGEX MATCH "^([^|]*)[|]([^|]*)[|]?(.*)$" _ "${fact}")
    set(label "${CMAKE_MATCH_1}:")
    set(value "${CMAKE_MATCH_2}")
    set(where "${CMAKE_MATCH_3}")
    if(label STREQUAL label_above)
      set(label "")
    else()
      set(label_above "${label}")
    endif()
    _cudnn_checked_pad(label ${label_width} 1)
    if(NOT where STREQUAL "")
      _cudnn_checked_pad(value ${value_width} 0)
      string(PREPEND where "   ")
    endif()
    string(APPEND text "  ${label}  ${value}${where}\n")
  endforeach()
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_one_line(<variable>)
#
# The text of the variable without what is no character of a line to a terminal or a reader: control
# characters (C0, DEL, C1), separators of lines, characters without width, marks of direction, and
# bytes that are not UTF-8.  Each byte of these is "\x0a", as in the messages of the tool (one_line
# in tool/core/report/text.cpp), so no path begins a line of its own or moves a terminal's cursor.
function(_cudnn_checked_one_line variable)
  set(text "${${variable}}")
  if("${text}" MATCHES "^[ -~]*$")
    return()
  endif()
  string(HEX "${text}" rest)
  set(line "")
  set(position 0)
  while(NOT rest STREQUAL "")
    set(hidden FALSE)
    set(digits "")
    foreach(
      form
      IN
      ITEMS
        "([2-6][0-9a-f]|7[0-9a-e])+"
        "(c[2-9a-f]|d[0-9a-f])[89ab][0-9a-f]"
        "(e0[ab]|e[1-9a-cef][89ab]|ed[89])[0-9a-f][89ab][0-9a-f]"
        "(f0[9ab]|f[1-3][89ab]|f48)[0-9a-f][89ab][0-9a-f][89ab][0-9a-f]"
    )
      if(digits STREQUAL "" AND rest MATCHES "^${form}")
        set(digits "${CMAKE_MATCH_0}")
      endif()
    endforeach()
    if(digits STREQUAL "")
      string(SUBSTRING "${rest}" 0 2 digits)
      set(hidden TRUE)
    elseif(digits MATCHES "^(c2[89].|d89c|e2808[bcdef]|e280a[89abcde]|e281a.|efbbbf)$")
      set(hidden TRUE)
    endif()
    string(LENGTH "${digits}" length)
    string(SUBSTRING "${rest}" ${length} -1 rest)
    math(EXPR length "${length} / 2")
    string(SUBSTRING "${text}" ${position} ${length} piece)
    math(EXPR position "${position} + ${length}")
    if(hidden)
      string(REGEX REPLACE "(..)" "\\\\x\\1" piece "${digits}")
    endif()
    string(APPEND line "${piece}")
  endwhile()
  set(${variable} "${line}" PARENT_SCOPE)
endfunction()

# Columns of a text: its bytes without those that continue a character of UTF-8.
function(_cudnn_checked_columns result text)
  string(LENGTH "${text}" columns)
  if(NOT "${text}" MATCHES "^[ -~]*$")
    string(HEX "${text}" digits)
    string(REGEX MATCHALL "[0-9a-f][0-9a-f]" bytes "${digits}")
    list(FILTER bytes EXCLUDE REGEX "^[89ab]")
    list(LENGTH bytes columns)
  endif()
  set(${result} ${columns} PARENT_SCOPE)
endfunction()

# Appends spaces to the variable <text> until it is <width> + <more> long.
function(_cudnn_checked_pad text width more)
  _cudnn_checked_columns(length "${${text}}")
  math(EXPR missing "${width} + ${more} - ${length}")
  if(missing GREATER 0)
    string(REPEAT " " ${missing} spaces)
    set(${text} "${${text}}${spaces}" PARENT_SCOPE)
  endif()
endfunction()

# "[", "]" and ";" as control characters, and the reverse.
function(_cudnn_checked_hidden result text)
  _cudnn_checked_marked(text 3 "${text}")
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

function(_cudnn_checked_shown result text)
  _cudnn_checked_marked(text 3 "${text}" BACK)
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_quoted(<result> <text>)
#
# The last lines of another program's output, set off by a bar, each as _cudnn_checked_one_line has
# it.
function(_cudnn_checked_quoted result text)
  string(REGEX REPLACE "\n+$" "" text "${text}")
  string(REPLACE "\t" " " text "${text}")
  string(REPLACE "\r\n" "\n" text "${text}")
  set(lines "")
  while(NOT text STREQUAL "")
    string(FIND "${text}" "\n" position)
    string(SUBSTRING "${text}" 0 ${position} line)
    if(position EQUAL -1)
      set(text "")
    else()
      math(EXPR position "${position} + 1")
      string(SUBSTRING "${text}" ${position} -1 text)
    endif()
    _cudnn_checked_one_line(line)
    string(APPEND lines "  | ${line}\n")
  endwhile()
  set(${result} "${lines}" PARENT_SCOPE)
endfunction()
