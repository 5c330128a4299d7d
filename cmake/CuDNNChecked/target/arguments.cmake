# SPDX-License-Identifier: BSD-3-Clause
#
# Errors in the arguments of the functions for a project's targets.

# _cudnn_checked_wrong_words(<words> arg <keyword>...)
#
# What the configure program is told of arguments that the function does not have, or of a keyword
# without its value; empty if there is none.
function(_cudnn_checked_wrong_words result arg)
  set(words "")
  # DEFINED: OFF is an argument as well.
  if(DEFINED arg_UNPARSED_ARGUMENTS)
    set(unknown ${arg_UNPARSED_ARGUMENTS})
    if("${unknown}" STREQUAL "")
      set(unknown "\"\"")
    endif()
    _cudnn_checked_tell(words unknown ${unknown})
    _cudnn_checked_tell(words possible ${ARGN})
  elseif(arg_KEYWORDS_MISSING_VALUES)
    _cudnn_checked_tell(words incomplete ${arg_KEYWORDS_MISSING_VALUES})
  endif()
  set(${result} "${words}" PARENT_SCOPE)
endfunction()

# Adds "<key>=VALUE" for each value to what the configure program is told.  What that needs is
# loaded where something is wrong.
function(_cudnn_checked_tell in_out_words key)
  _cudnn_checked_load(memory/seen search/files say/message)
  set(words "${${in_out_words}}")
  _cudnn_checked_add_words(words ${key} ${ARGN})
  set(${in_out_words} "${words}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_check_call(<call> <usage> <words> [<target>])
#
# Ends the configure where <words> tell what is wrong with a call, or where the <target> or a proved
# cuDNN does not exist yet.
function(_cudnn_checked_check_call call usage words)
  if(words STREQUAL "" AND ARGC GREATER 3 AND NOT TARGET "${ARGV3}")
    get_property(targets DIRECTORY PROPERTY BUILDSYSTEM_TARGETS)
    _cudnn_checked_tell(words no_target "${ARGV3}")
    _cudnn_checked_tell(words possible ${targets})
    set(usage "call it after add_executable(${ARGV3} ...)")
  endif()
  get_property(stamp GLOBAL PROPERTY _cudnn_checked_stamp)
  if(NOT words STREQUAL "")
    _cudnn_checked_tell(words usage "${usage}")
    _cudnn_checked_wrong_call("${call}" "an argument is wrong: ${usage}" "${words}")
  elseif(NOT stamp)
    set(problem "no cuDNN was proved yet")
    string(APPEND problem "\n  fix: find_package(CuDNNChecked REQUIRED), before this call")
    _cudnn_checked_stop("${call}" "${problem}")
  endif()
endfunction()

# _cudnn_checked_wrong_call(<call> <what> <words>)
#
# Ends the configure with what the configure program says of a call; where no program answers, with
# <what> is wrong.
function(_cudnn_checked_wrong_call call what words)
  _cudnn_checked_tell(words call "${call}")
  _cudnn_checked_ask(status text judge explain-call ${words})
  if(text STREQUAL "")
    set(text "${call}: ${what}")
  endif()
  _cudnn_checked_indented(text "${text}")
  message(FATAL_ERROR "${text}")
endfunction()

# _cudnn_checked_check_target(<function> <target> <fault> <detail> [<usage>])
#
# Ends the configure where there is a <fault>: why the function has no use for the target, a row of
# tool/configure/refusals.cpp.
function(_cudnn_checked_check_target name target fault detail)
  if(fault STREQUAL "")
    return()
  endif()
  set(words "fault=${fault}")
  _cudnn_checked_tell(words target "${target}")
  _cudnn_checked_tell(words detail "${detail}")
  _cudnn_checked_tell(words usage ${ARGN})
  _cudnn_checked_wrong_call("${name}(${target})" "no use for this target: ${fault}" "${words}")
endfunction()

# Ends the configure with a problem of a call about which no program can be asked.
function(_cudnn_checked_stop call problem)
  _cudnn_checked_indented(text "${call}: ${problem}")
  message(FATAL_ERROR "${text}")
endfunction()

# Ends the configure for a copy of this package in <directory> that was there before, of other
# sources: the functions of both have the same names, and so have their targets.
function(_cudnn_checked_refuse_other_copy directory content own)
  _cudnn_checked_put_where()
  _cudnn_checked_get(where)
  get_filename_component(other "${directory}" DIRECTORY)
  message(
    FATAL_ERROR
    " cudnn_checked: refused: two releases of CuDNNChecked are in one build\n"
    "   first:   ${content}   ${other}\n"
    "   second:  ${own}   ${package_directory}\n"
    "   They have functions and targets of the same names.\n"
    "   fix: keep one of the two, for the whole build\n"
    "   [bad-input]"
  )
endfunction()
