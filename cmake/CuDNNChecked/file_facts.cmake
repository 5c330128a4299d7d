# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_file_facts(<result> <file>...)
#
# One line a file: its name, the file that it really is, size, time of change (microseconds from
# CMake 3.23), and a hash of some of its content.
function(_cudnn_checked_file_facts result)
  set(facts "")
  foreach(file IN LISTS ARGN)
    # file(SIZE) of a dangling link is an error.
    if(EXISTS "${file}" AND NOT IS_DIRECTORY "${file}")
      file(REAL_PATH "${file}" real)
      file(SIZE "${file}" size)
      file(TIMESTAMP "${file}" time "%s.%f" UTC)
      _cudnn_checked_sampled_files("${real}")
      _cudnn_checked_seen_content(content)
      string(APPEND facts "${file} ${real} ${size} ${time} ${content}\n")
    else()
      string(APPEND facts "${file} missing\n")
    endif()
  endforeach()
  set(${result} "${facts}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_sampled_files(<file>...)
#
# Sets seen_hashed, seen_sampled and seen_offsets in the caller: what of these files is read to notice
# that a cuDNN or CUDA runtime was replaced by one of the same size and time, as cp -p leaves it, and
# as file systems where all files have one time (Nix, reproducible images).  CMake cannot ask for the
# time of an inode's last change, and hashing 500 MB takes a second.  Small files are read whole; of a large
# library the ELF header, the middle and the end, where the last section headers are.
function(_cudnn_checked_sampled_files)
  set(hashed "")
  set(sampled "")
  set(offsets "")
  foreach(file IN LISTS ARGN)
    file(SIZE "${file}" size)
    if(size EQUAL 0)
      continue()
    endif()
    if(file MATCHES "/(cudnn|cudnn_version[^/]*)\\.h$")
      list(APPEND hashed "${file}")
    elseif(file MATCHES "/lib(cudnn|cudart)[^/]*$")
      if(size LESS 65536)
        list(APPEND hashed "${file}")
      else()
        math(EXPR middle "${size} / 2")
        math(EXPR end "${size} - 128")
        list(APPEND sampled "${file}" "${file}" "${file}")
        list(APPEND offsets 0 ${middle} ${end})
      endif()
    endif()
  endforeach()
  foreach(list IN ITEMS hashed sampled offsets)
    set(seen_${list} "${${list}}" PARENT_SCOPE)
  endforeach()
endfunction()
