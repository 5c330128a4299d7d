# SPDX-License-Identifier: BSD-3-Clause
#
# find_path, find_file and find_library in place of CMake's own: they ask first whether the call is
# about cuDNN.  The find modules of projects have variables that no list has
# (find_library(SPECIAL_LIB cudnn)); none may have the name of one here.

# CMake's own commands are called with the policies of the project's cmake_minimum_required.  CMake
# keeps what was there before as _find_path, and as __find_path when that is defined anew: so a
# project whose own find_path calls _find_path gets this one, and this one still has CMake's.
foreach(_cudnn_checked_command find_path find_file find_library)
  function(${_cudnn_checked_command})
    set(_cudnn_checked_has_value FALSE)
    if(DEFINED ${ARGV0} AND NOT "${${ARGV0}}" MATCHES "^$|NOTFOUND$")
      set(_cudnn_checked_has_value TRUE)
    endif()
    _cudnn_checked_answer_lookup(
      _cudnn_checked_answered ${CMAKE_CURRENT_FUNCTION} ${_cudnn_checked_has_value} ${ARGV}
    )
    if(NOT _cudnn_checked_answered)
      # Each argument as it is, also an empty one, or one with a ";".
      set(_cudnn_checked_code "__${CMAKE_CURRENT_FUNCTION}(")
      math(EXPR _cudnn_checked_last "${ARGC} - 1")
      foreach(_cudnn_checked_index RANGE ${_cudnn_checked_last})
        string(APPEND _cudnn_checked_code " [======[${ARGV${_cudnn_checked_index}}]======]")
      endforeach()
      cmake_language(EVAL CODE "${_cudnn_checked_code})")
    endif()
    # What the command has done to the variables of this function, it does to those of the caller.
    _cudnn_checked_kind_of_result(_cudnn_checked_kind "${${ARGV0}}" ${ARGV})
    # By CMP0054 OLD a quoted word is a variable, if there is one.
    if("x${_cudnn_checked_kind}" STREQUAL "xvariable")
      set(${ARGV0} "${${ARGV0}}" PARENT_SCOPE)
    elseif("x${_cudnn_checked_kind}" STREQUAL "xentry")
      unset(${ARGV0} PARENT_SCOPE)
    endif()
  endfunction()
  function(_${_cudnn_checked_command})
  endfunction()
endforeach()
unset(_cudnn_checked_command)
