# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_no_file(<result> <path>)
#
# "a directory", "a FIFO", "a socket" or "a device" where <path> is one: CMake, the compiler and the
# linker would wait for ever to read it, or end with an error of their own.  Otherwise nothing, also where
# there is none.
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
