# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_file_facts(<result> <file>...)
#
# One line a file: its name, the file that it really is, size and time of change (microseconds
# from CMake 3.23).  No content is read: hashing a whole cuDNN takes seconds.
function(_cudnn_checked_file_facts result)
  set(facts "")
  foreach(file IN LISTS ARGN)
    # file(SIZE) of a dangling link is an error.
    if(EXISTS "${file}")
      file(REAL_PATH "${file}" real)
      file(SIZE "${file}" size)
      file(TIMESTAMP "${file}" time "%s.%f" UTC)
      string(APPEND facts "${file} ${real} ${size} ${time}\n")
    else()
      string(APPEND facts "${file} missing\n")
    endif()
  endforeach()
  set(${result} "${facts}" PARENT_SCOPE)
endfunction()
