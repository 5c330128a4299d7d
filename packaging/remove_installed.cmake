# SPDX-License-Identifier: BSD-3-Clause
#
# cmake -D NOTES=<build>/installed.txt -P remove_installed.cmake
#
# Removes the files of the notes, and of their directories those that are empty then.  Each line is
# "file <path>" or "directory <path>".
cmake_minimum_required(VERSION 3.22)
if(NOT EXISTS "${NOTES}")
  message(FATAL_ERROR "nothing is installed from this build tree: there is no ${NOTES}")
endif()
file(STRINGS "${NOTES}" lines ENCODING UTF-8)
list(REMOVE_DUPLICATES lines)

set(directories "")
foreach(line IN LISTS lines)
  if(line MATCHES "^directory (.+)$")
    list(APPEND directories "${CMAKE_MATCH_1}")
  elseif(line MATCHES "^file (.+)$")
    set(file "${CMAKE_MATCH_1}")
    # The directories of this package are its own, whoever made them.
    get_filename_component(above "${file}" DIRECTORY)
    while(above MATCHES "/share/CuDNNChecked(/|$)")
      list(APPEND directories "${above}")
      get_filename_component(above "${above}" DIRECTORY)
    endwhile()
    if(EXISTS "${file}" OR IS_SYMLINK "${file}")
      file(REMOVE "${file}")
      if(EXISTS "${file}" OR IS_SYMLINK "${file}")
        message(FATAL_ERROR "cannot remove ${file}")
      endif()
      message(STATUS "Removed: ${file}")
    else()
      message(STATUS "Not there: ${file}")
    endif()
  endif()
endforeach()

# The longest first, so that a directory is empty when its turn comes.  rmdir removes no other.
list(REMOVE_DUPLICATES directories)
list(SORT directories ORDER DESCENDING)
foreach(directory IN LISTS directories)
  if(NOT IS_DIRECTORY "${directory}")
    continue()
  endif()
  execute_process(COMMAND rmdir -- "${directory}" RESULT_VARIABLE status ERROR_QUIET)
  if(status EQUAL 0)
    message(STATUS "Removed: ${directory}")
  endif()
endforeach()
file(REMOVE "${NOTES}")
