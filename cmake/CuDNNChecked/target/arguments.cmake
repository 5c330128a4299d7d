# SPDX-License-Identifier: BSD-3-Clause
#
# Errors in the arguments of the functions for a project's targets.

# _cudnn_checked_wrong_words(<result> arg <keyword>...)
#
# An error about arguments that the function does not have, or about a keyword without its value;
# empty if there is none.
function(_cudnn_checked_wrong_words result arg)
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
# Completes an error about the arguments of a call with its fix.  If <text> is empty, it becomes an
# error if the <target> or a proved cuDNN does not exist yet; otherwise it stays empty.
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

# Reports the problem of a call as a fatal error, if there is one.
function(_cudnn_checked_stop call problem)
  if(problem)
    _cudnn_checked_indented(text "${call}: ${problem}")
    message(FATAL_ERROR "${text}")
  endif()
endfunction()

# Appends "did you mean ...?" for the words that are similar to a possible one.
function(_cudnn_checked_append_possible variable words)
  if(ARGN)
    _cudnn_checked_load(memory/seen search/files say/message)
    set(facts "")
    _cudnn_checked_add_words(facts word ${words})
    _cudnn_checked_add_words(facts possible ${ARGN})
    _cudnn_checked_ask_judge(status meant meant ${facts})
    set(${variable} "${${variable}}${meant}" PARENT_SCOPE)
  endif()
endfunction()
