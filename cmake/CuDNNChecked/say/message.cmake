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
# something (docs/configure.md; _cudnn_checked_facts_of_install gives what that needs), and THEN is
# what must be typed besides.  The configure program writes it.
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
  else()
    _cudnn_checked_ask_judge(status text message ${words})
    if(NOT status STREQUAL "0")
      set(text "")
    endif()
  endif()
  if(NOT text STREQUAL "")
    _cudnn_checked_put(refusal "${text}")
    return()
  endif()
  # In one sentence, with the values of its facts.
  set(values ${arg_FACTS})
  list(TRANSFORM values REPLACE "^[^|]*[|]([^|]*)([|].*)?$" "\\1")
  list(JOIN values ", " values)
  if(NOT values STREQUAL "")
    string(PREPEND values ": ")
  endif()
  _cudnn_checked_plain_refusal("${arg_SUMMARY}${values}" "${arg_VERDICT}")
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

# Whether nobody reads a message: with QUIET, where it is no error, and the provider prints none.
function(_cudnn_checked_is_unread result)
  set(${result} FALSE PARENT_SCOPE)
  get_property(provided GLOBAL PROPERTY _cudnn_checked_provider_reads)
  if(CuDNNChecked_FIND_QUIETLY AND NOT CuDNNChecked_FIND_REQUIRED AND NOT provided)
    set(${result} TRUE PARENT_SCOPE)
  endif()
endfunction()

# _cudnn_checked_ask_judge(<status> <text> <verb> [<key=value>...])
#
# What the configure program answers, with a verb that needs no repairs; <status> is empty where
# there is no program, or nobody reads the message.
function(_cudnn_checked_ask_judge status text verb)
  set(${status} "" PARENT_SCOPE)
  set(${text} "" PARENT_SCOPE)
  _cudnn_checked_is_unread(unread)
  if(unread)
    return()
  endif()
  _cudnn_checked_load_search()
  _cudnn_checked_build_judge(program starter why)
  if(NOT program)
    _cudnn_checked_reader(program why reader -DCUDNN_CHECKED_JUDGE_ALONE)
  endif()
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

# _cudnn_checked_plain_refusal(<what> [<verdict> [<log>]])
#
# Puts refusal where no program says more: <what> is wrong, and why nothing else is said.  <log> has
# what a compiler has printed, otherwise the log of the configure program.
function(_cudnn_checked_plain_refusal what)
  _cudnn_checked_get(where configure)
  set(verdict refused)
  if(ARGC GREATER 1)
    set(verdict "${ARGV1}")
  endif()
  set(log "${work_directory}/build_judge.log")
  if(ARGC GREATER 2)
    set(log "${ARGV2}")
  endif()
  set(why "${configure_why}")
  if(NOT EXISTS "${work_directory}/cudnn_checked.txt")
    set(why "none can be compiled in ${work_directory}")
  endif()
  set(text "${what}\n")
  _cudnn_checked_is_unread(unread)
  if(unread)
    string(APPEND text "  call find_package without QUIET to see why\n")
  else()
    if(why)
      string(APPEND text "  no program says more: ${why}\n")
    endif()
    if(EXISTS "${log}")
      file(STRINGS "${log}" error LIMIT_COUNT 1 REGEX "[Ee]rror( [A-Z0-9]+)?:")
      if(error)
        string(APPEND text "  the compiler: ${error}\n")
      endif()
      string(APPEND text "  all of it: ${log}\n")
    endif()
  endif()
  # Nothing in it moves a cursor.
  string(ASCII 1 first)
  string(ASCII 9 tab)
  string(ASCII 11 after_newline)
  string(ASCII 31 last)
  string(REGEX REPLACE "[${first}-${tab}${after_newline}-${last}]" "?" text "${text}")
  _cudnn_checked_put(refusal "cudnn_checked: ${verdict}: ${text}")
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
