# SPDX-License-Identifier: BSD-3-Clause
#
# The form of a message.

# _cudnn_checked_refuse(NAME <finding> SUMMARY <text> [FACTS <label|value|where>...]
#                       [BECAUSE <line>...] [FIX <line>...] [QUOTED <output>] [VERDICT <word>]
#                       [ADVISE install|again-or-new [<key=value>...]] [THEN <line>])
#
# Puts refusal, a message in the form that the reports of the tool have: what is wrong, the facts in
# columns, what would happen, what to type, the finding's name.  A line of FIX is a command that a
# shell runs as it stands (commands.cmake makes them), or says in words what to decide.  QUOTED is
# the output of another program, of which the last lines follow.  ADVISE: the first lines install
# something (docs/configure.md), and THEN is what must be typed besides.  The configure program
# writes it.
function(_cudnn_checked_refuse)
  cmake_parse_arguments(
    PARSE_ARGV
    0
    arg
    ""
    "NAME;SUMMARY;QUOTED;VERDICT;THEN"
    "FACTS;BECAUSE;FIX;ADVISE"
  )
  if(NOT arg_VERDICT)
    set(arg_VERDICT refused)
  endif()
  # An argument of a program has a limit: of 128 KiB on Linux, of 32 KiB with all others on Windows.
  set(limit 120000)
  if(CMAKE_HOST_WIN32)
    set(limit 20000)
  endif()
  string(LENGTH "${arg_QUOTED}" length)
  if(length GREATER limit)
    math(EXPR begin "${length} - ${limit}")
    string(SUBSTRING "${arg_QUOTED}" ${begin} -1 arg_QUOTED)
  endif()
  set(words "name=${arg_NAME}" "verdict=${arg_VERDICT}")
  _cudnn_checked_add_words(words summary "${arg_SUMMARY}")
  _cudnn_checked_add_words(words fact ${arg_FACTS})
  _cudnn_checked_add_words(words because ${arg_BECAUSE})
  _cudnn_checked_add_words(words fix ${arg_FIX})
  _cudnn_checked_add_words(words quoted "${arg_QUOTED}")
  if(arg_ADVISE)
    _cudnn_checked_add_words(words then "${arg_THEN}")
    list(POP_FRONT arg_ADVISE advice)
    _cudnn_checked_ask_configure(text asked message ${words} "advise=${advice}" ${arg_ADVISE})
    if(NOT asked)
      _cudnn_checked_words_of_advice(line "${advice}")
      list(PREPEND arg_FIX ${arg_THEN} "${line}")
    endif()
  else()
    _cudnn_checked_ask_judge(status text message ${words})
    if(NOT status STREQUAL "0")
      set(text "")
    endif()
  endif()
  if(text STREQUAL "")
    _cudnn_checked_plain_message(text)
  endif()
  _cudnn_checked_put(refusal "${text}")
endfunction()

# Adds "<key>=VALUE" for each value, which the configure program reads as it is.
function(_cudnn_checked_add_words in_out_words key)
  set(words "${${in_out_words}}")
  # By their numbers: a value may have a ";".
  math(EXPR last "${ARGC} - 1")
  foreach(index RANGE 2 ${last})
    if(ARGC EQUAL 2)
      break()
    endif()
    set(value "${ARGV${index}}")
    # These bytes stand for "[", "]" and ";", in a line of a fix already.
    foreach(code IN ITEMS 3 4 5)
      string(ASCII ${code} byte)
      if(NOT key MATCHES "^(fix|elsewhere_fix|longer|then|unset|without_kernel)$")
        string(REPLACE "${byte}" "\\x0${code}" value "${value}")
      endif()
    endforeach()
    _cudnn_checked_hidden(value "${key}=${value}")
    list(APPEND words "${value}")
  endforeach()
  set(${in_out_words} "${words}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_ask_judge(<status> <text> <verb> [<key=value>...])
#
# What the configure program answers, with a verb that needs no repairs; <status> is empty where
# there is no program, or nobody reads the message.
function(_cudnn_checked_ask_judge status text verb)
  set(${status} "" PARENT_SCOPE)
  set(${text} "" PARENT_SCOPE)
  if(CuDNNChecked_FIND_QUIETLY AND NOT CuDNNChecked_FIND_REQUIRED)
    return()
  endif()
  _cudnn_checked_load_search()
  _cudnn_checked_build_judge(program starter why)
  if(NOT program)
    return()
  endif()
  execute_process(
    COMMAND ${starter} "${program}" configure ${verb} ${ARGN}
    TIMEOUT 60
    RESULT_VARIABLE ended
    OUTPUT_VARIABLE output
    ERROR_QUIET
  )
  set(${status} "${ended}" PARENT_SCOPE)
  set(${text} "${output}" PARENT_SCOPE)
endfunction()

# The same for plain text, where there is no compiler, or no directory for the program.  Reads arg_*
# of the caller.
function(_cudnn_checked_plain_message result)
  string(ASCII 1 first)
  string(ASCII 31 last)
  foreach(part IN ITEMS arg_SUMMARY arg_FACTS arg_BECAUSE)
    string(REGEX REPLACE "[${first}-${last}]" "?" ${part} "${${part}}")
  endforeach()
  set(text "cudnn_checked: ${arg_VERDICT}: ${arg_SUMMARY}\n")
  set(label_width 0)
  set(value_width 0)
  foreach(fact IN LISTS arg_FACTS)
    string(REGEX MATCH "^([^|]*)[|]([^|]*)[|]?(.*)$" _ "${fact}")
    string(LENGTH "${CMAKE_MATCH_1}:" length)
    string(LENGTH "${CMAKE_MATCH_2}" value_length)
    if(length GREATER label_width)
      set(label_width ${length})
    endif()
    if(value_length GREATER value_width AND NOT CMAKE_MATCH_3 STREQUAL "")
      set(value_width ${value_length})
    endif()
  endforeach()
  string(REPEAT " " ${label_width} label_spaces)
  string(REPEAT " " ${value_width} value_spaces)
  set(above "")
  foreach(fact IN LISTS arg_FACTS)
    string(REGEX MATCH "^([^|]*)[|]([^|]*)[|]?(.*)$" _ "${fact}")
    set(label "${CMAKE_MATCH_1}:")
    set(value "${CMAKE_MATCH_2}")
    set(where "${CMAKE_MATCH_3}")
    if(label STREQUAL above)
      set(label "")
    else()
      set(above "${label}")
    endif()
    string(SUBSTRING "${label}${label_spaces}" 0 ${label_width} label)
    if(NOT where STREQUAL "")
      string(SUBSTRING "${value}${value_spaces}" 0 ${value_width} value)
      string(APPEND value "   ${where}")
    endif()
    string(APPEND text "  ${label}  ${value}\n")
  endforeach()
  foreach(line IN LISTS arg_BECAUSE)
    string(APPEND text "  ${line}\n")
  endforeach()
  set(lead "fix")
  foreach(fix IN LISTS arg_FIX)
    _cudnn_checked_shown(fix "${fix}")
    string(REGEX REPLACE "[${first}-${last}]" "?" fix "${fix}")
    string(APPEND text "  ${lead}: ${fix}\n")
    set(lead " or")
  endforeach()
  string(APPEND text "  [${arg_NAME}]\n")
  if(NOT "${arg_QUOTED}" STREQUAL "")
    string(REPLACE "\n" "\n  | " quoted "${arg_QUOTED}")
    string(APPEND text "  | ${quoted}\n")
  endif()
  set(${result} "${text}" PARENT_SCOPE)
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
