# SPDX-License-Identifier: BSD-3-Clause
#
# What the running find_package looks at.

# _cudnn_checked_seen(FILES|TIMES|SOURCES <path>...)
#
# Remembers what the running find_package looked at, whether it is there or not, for
# _cudnn_checked_remember_answer.  Of FILES their time, their size and what a link leads to count.
# TIMES are directories, and files whose content alone counts.  SOURCES are of this package: where
# one is newer than the answer, or is not there any more, it is no answer.
function(_cudnn_checked_seen kind)
  set_property(GLOBAL APPEND PROPERTY _cudnn_checked_seen_${kind} ${ARGN})
endfunction()

# Another find_package begins.
function(_cudnn_checked_forget_seen)
  foreach(kind IN ITEMS FILES TIMES SOURCES)
    set_property(GLOBAL PROPERTY _cudnn_checked_seen_${kind} "")
  endforeach()
endfunction()

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
      _cudnn_checked_sampled_files(sampled offsets "${real}")
      _cudnn_checked_seen_content(content "${sampled}" "${offsets}")
      string(APPEND facts "${file} ${real} ${size} ${time} ${content}\n")
    else()
      string(APPEND facts "${file} missing\n")
    endif()
  endforeach()
  set(${result} "${facts}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_sampled_files(<sampled> <offsets> <file>...)
#
# What of these files is read to notice that a cuDNN or CUDA runtime was replaced by one of the same
# size and time, as cp -p leaves it, and as file systems where all files have one time (Nix,
# reproducible images).  CMake cannot ask for the time of an inode's last change, and hashing 500 MB
# takes a second.  Small files are read whole (offset "all"); of a large library the ELF header, the
# middle and the end, where the last section headers are.
function(_cudnn_checked_sampled_files sampled offsets)
  set(files "")
  set(places "")
  foreach(file IN LISTS ARGN)
    file(SIZE "${file}" size)
    set(is_library FALSE)
    if(file MATCHES "/(lib(cudnn|cudart)[^/]*|(cudnn|cudart)[^/]*\\.dll)$")
      set(is_library TRUE)
    endif()
    if(is_library AND NOT size LESS 65536)
      math(EXPR middle "${size} / 2")
      math(EXPR end "${size} - 128")
      list(APPEND files "${file}" "${file}" "${file}")
      list(APPEND places 0 ${middle} ${end})
    elseif(size GREATER 0 AND (is_library OR file MATCHES "/(cudnn|cudnn_version[^/]*)\\.h$"))
      list(APPEND files "${file}")
      list(APPEND places all)
    endif()
  endforeach()
  set(${sampled} "${files}" PARENT_SCOPE)
  set(${offsets} "${places}" PARENT_SCOPE)
endfunction()

# _cudnn_checked_watched_files(<result> place <more>...)
#
# The files whose change lets the next build configure again: those of the cuDNN
# that was found, and <more>.  The directories are named as well as the files: an older file put in
# place, a link that leads elsewhere or a new file does not make any of the known files newer.
function(_cudnn_checked_watched_files result place)
  get_filename_component(directory "${place_library}" DIRECTORY)
  _cudnn_checked_spelling("")
  _cudnn_checked_glob(files "${directory}" "${files_of_parts}")
  list(APPEND files "${directory}" "${place_header}" "${place_include}")
  list(APPEND files ${ARGN})
  string(TIMESTAMP now "%s" UTC)
  set(watched "")
  foreach(file IN LISTS files)
    file(TIMESTAMP "${file}" time "%s" UTC)
    # Ninja would configure for ever for a file from the future.
    if(EXISTS "${file}" AND NOT time GREATER now)
      list(APPEND watched "${file}")
    endif()
  endforeach()
  set(${result} "${watched}" PARENT_SCOPE)
endfunction()
