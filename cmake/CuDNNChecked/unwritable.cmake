# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_unwritable(<result> <directory> [<file>...])
#
# Makes a directory of the build tree.  The message where it cannot be written, or where something
# else has the place of one of its files, otherwise nothing: file(WRITE) would end CMake with words
# of its own.
function(_cudnn_checked_unwritable result directory)
  set(${result} "" PARENT_SCOPE)
  if(NOT EXISTS "${directory}" AND NOT IS_SYMLINK "${directory}")
    get_filename_component(above "${directory}" DIRECTORY)
    _cudnn_checked_unwritable(refusal "${above}")
    if(refusal)
      set(${result} "${refusal}" PARENT_SCOPE)
      return()
    endif()
    file(MAKE_DIRECTORY "${directory}")
  endif()
  if(EXISTS "${directory}" AND NOT IS_DIRECTORY "${directory}")
    _cudnn_checked_in_the_way(text "${directory}" "not a directory")
    set(${result} "${text}" PARENT_SCOPE)
    return()
  endif()
  file(COPY_FILE "${CMAKE_CURRENT_FUNCTION_LIST_FILE}" "${directory}/written" RESULT error)
  if(NOT error STREQUAL "0")
    _cudnn_checked_unwritable_refusal(text "${directory}" "${error}")
    set(${result} "${text}" PARENT_SCOPE)
  endif()
  file(REMOVE "${directory}/written")
  foreach(file IN LISTS ARGN)
    if(IS_DIRECTORY "${directory}/${file}")
      _cudnn_checked_in_the_way(text "${directory}/${file}" "a directory, not a file")
      set(${result} "${text}" PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

# _cudnn_checked_write_refusal(<result> <directory> <output>)
#
# The same message where the output of a compiler or of the probe says that there was no space left.
function(_cudnn_checked_write_refusal result directory output)
  set(${result} "" PARENT_SCOPE)
  if(output MATCHES "No space left on device|Disk quota exceeded|Read-only file system")
    _cudnn_checked_unwritable_refusal(text "${directory}" "${CMAKE_MATCH_0}")
    set(${result} "${text}" PARENT_SCOPE)
  endif()
endfunction()

function(_cudnn_checked_unwritable_refusal result directory error)
  string(REGEX REPLACE " \\(output\\)$" "" error "${error}")
  set(space "")
  if(error MATCHES "space|quota")
    set(space "more space is needed on the file system of this directory")
  endif()
  _cudnn_checked_message(text NAME bad-input
    SUMMARY "a directory of the build tree cannot be written"
    FACTS "directory|${directory}|" "error|${error}|"
    FIX ${space} "name a build directory that can be written: cmake -B DIRECTORY"
  )
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

function(_cudnn_checked_in_the_way result path kind)
  _cudnn_checked_removal(fix "${path}")
  _cudnn_checked_message(text NAME bad-input
    SUMMARY "something else is in the place of a file of the build tree"
    FACTS "path|${path}|" "it is|${kind}|"
    FIX "${fix}"
  )
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# The command that removes a file or directory of the build tree, which is made again.
function(_cudnn_checked_removal result path)
  _cudnn_checked_command(line rm -rf "${path}")
  if(line STREQUAL "")
    set(line "remove ${path}")
  endif()
  set(${result} "${line}" PARENT_SCOPE)
endfunction()
