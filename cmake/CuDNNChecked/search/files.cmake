# SPDX-License-Identifier: BSD-3-Clause
#
# The kinds of files, and lists of files.

# _cudnn_checked_no_file(<result> <path>)
#
# "a directory", "a FIFO", "a socket" or "a device" if <path> is one: CMake, the compiler and the
# linker would wait for ever for its content, or report an error of their own.  Empty for a regular
# file and for a path that does not exist.
function(_cudnn_checked_no_file result path)
  set(${result} "" PARENT_SCOPE)
  if(IS_DIRECTORY "${path}")
    set(${result} "a directory" PARENT_SCOPE)
    return()
  elseif(NOT EXISTS "${path}")
    return()
  endif()
  file(SIZE "${path}" size)
  if(size GREATER 0)
    return()
  endif()
  # CMake cannot tell these from an empty file.
  execute_process(
    COMMAND
      sh -c
      "for kind in 'p FIFO' 'S socket' 'b device' 'c device'; do \
test -\${kind% *} \"$1\" && echo \"a \${kind#* }\"; done; true"
      sh "${path}"
    OUTPUT_VARIABLE kind
    ERROR_QUIET
    OUTPUT_STRIP_TRAILING_WHITESPACE
  )
  set(${result} "${kind}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_glob_escaped(<result> <directory>)
#
# The directory as the beginning of a pattern of file(GLOB): "[", "*" and "?" are escaped.
function(_cudnn_checked_glob_escaped result directory)
  string(REGEX REPLACE "([[*?])" "[\\1]" directory "${directory}")
  set(${result} "${directory}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_glob(<result> <directory> <pattern>...)
#
# The files below the directory that match one of the patterns of file(GLOB).  The name of the
# directory is not a pattern.
function(_cudnn_checked_glob result directory)
  _cudnn_checked_glob_escaped(directory "${directory}")
  set(all "")
  foreach(pattern IN LISTS ARGN)
    file(GLOB files "${directory}/${pattern}")
    list(APPEND all ${files})
  endforeach()
  list(SORT all)
  set(${result} "${all}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_on_path(<result> <name>...)
#
# The first file of one of these names in the directories of PATH; empty where there is none.
function(_cudnn_checked_on_path result)
  set(${result} "" PARENT_SCOPE)
  file(TO_CMAKE_PATH "$ENV{PATH}" directories)
  set(names ${ARGN})
  if(CMAKE_HOST_WIN32)
    list(TRANSFORM names APPEND .exe)
  endif()
  foreach(directory IN LISTS directories)
    foreach(name IN LISTS names)
      _cudnn_checked_seen("${directory}/${name}")
      if(EXISTS "${directory}/${name}" AND NOT IS_DIRECTORY "${directory}/${name}")
        set(${result} "${directory}/${name}" PARENT_SCOPE)
        return()
      endif()
    endforeach()
  endforeach()
endfunction()
