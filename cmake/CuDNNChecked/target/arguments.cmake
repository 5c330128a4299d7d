# SPDX-License-Identifier: BSD-3-Clause
#
# What the functions of a project's targets have to say of a call.

# _cudnn_checked_wrong_words(<result> <keyword>...)
#
# Which words of a call its function does not have, or what lacks a value; or nothing.  Reads arg_*,
# which cmake_parse_arguments has set.
function(_cudnn_checked_wrong_words result)
  set(text "")
  # DEFINED: OFF is an argument as well.
  if(DEFINED arg_UNPARSED_ARGUMENTS)
    list(JOIN arg_UNPARSED_ARGUMENTS " " unknown)
    if("${unknown}" STREQUAL "")
      set(unknown "\"\"")
    endif()
    set(text "unknown argument: ${unknown}")
    _cudnn_checked_append_possible(text "${arg_UNPARSED_ARGUMENTS}" ${ARGN})
  elseif(arg_KEYWORDS_MISSING_VALUES)
    list(JOIN arg_KEYWORDS_MISSING_VALUES " " words)
    set(text "no value after ${words}")
  endif()
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_end_problem(<text> <usage> [<target>])
#
# Ends the text of what is wrong with the words of a call.  Where nothing is, it says what the call
# comes too early for, or stays empty.
function(_cudnn_checked_end_problem in_out_text usage)
  set(text "${${in_out_text}}")
  get_property(stamp GLOBAL PROPERTY _cudnn_checked_stamp)
  if(NOT text STREQUAL "")
    string(APPEND text "\n  fix: ${usage}\n  [bad-input]")
  elseif(ARGC GREATER 2 AND NOT TARGET "${ARGV2}")
    set(text "there is no target of this name")
    get_property(targets DIRECTORY PROPERTY BUILDSYSTEM_TARGETS)
    _cudnn_checked_append_possible(text "${ARGV2}" ${targets})
    string(APPEND text "\n  fix: call it after add_executable(${ARGV2} ...)")
  elseif(NOT stamp)
    set(text "no cuDNN was proved yet")
    string(APPEND text "\n  fix: find_package(CuDNNChecked REQUIRED), before this call")
  endif()
  set(${in_out_text} "${text}" PARENT_SCOPE)
endfunction()

# Ends CMake with the problem of a call, where there is one.
function(_cudnn_checked_stop call problem)
  if(problem)
    _cudnn_checked_indented(text "${call}: ${problem}")
    message(FATAL_ERROR "${text}")
  endif()
endfunction()

# Appends what was probably meant by these words, where one that is possible is near.
function(_cudnn_checked_append_possible variable words)
  if(ARGN)
    _cudnn_checked_load(input/did_you_mean)
    _cudnn_checked_append_meant(${variable} "${words}" ${ARGN})
    set(${variable} "${${variable}}" PARENT_SCOPE)
  endif()
endfunction()
