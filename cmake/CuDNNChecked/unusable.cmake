# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_unusable(<result> <path>)
#
# A sentence where <path> is a link that leads nowhere, or a file or directory that must not be
# read; otherwise nothing, also where there is none.  Of a chain of links it names the last one,
# which is the one to repair.
function(_cudnn_checked_unusable result path)
  set(${result} "" PARENT_SCOPE)
  # True of what can be read.
  if(EXISTS "${path}")
    return()
  endif()
  set(link "")
  set(end "${path}")
  foreach(step RANGE 40)
    if(NOT IS_SYMLINK "${end}")
      break()
    endif()
    set(link "${end}")
    file(READ_SYMLINK "${link}" target)
    get_filename_component(directory "${link}" DIRECTORY)
    get_filename_component(end "${target}" ABSOLUTE BASE_DIR "${directory}")
  endforeach()
  _cudnn_checked_glob_escaped(escaped "${end}")
  file(GLOB there "${escaped}")
  if(there)
    set(${result} "no permission to read ${end}" PARENT_SCOPE)
  elseif(link STREQUAL path)
    set(${result} "${path} is a link to ${target}, which is not there" PARENT_SCOPE)
  elseif(link)
    set(text "${path} leads to ${link}, which is a link to ${target}, which is not there")
    set(${result} "${text}" PARENT_SCOPE)
  endif()
endfunction()
