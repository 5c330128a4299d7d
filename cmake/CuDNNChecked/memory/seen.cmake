# SPDX-License-Identifier: BSD-3-Clause
#
# What the running find_package looks at.

# _cudnn_checked_seen(<path>...)
#
# Remembers what the running find_package looked at, whether it is there or not, for
# _cudnn_checked_remember_answer.
function(_cudnn_checked_seen)
  set_property(GLOBAL APPEND PROPERTY _cudnn_checked_seen ${ARGN})
endfunction()

# _cudnn_checked_seen_sources(<path>...)
#
# The same for the folders of this package, and the 470 sources of a working tree: an answer must be
# newer than each, and no more is asked of them, because each question takes 10 us.
function(_cudnn_checked_seen_sources)
  set_property(GLOBAL APPEND PROPERTY _cudnn_checked_seen_sources ${ARGN})
endfunction()

# _cudnn_checked_file_facts(<result> <file>...)
#
# One line a file: its name, and its state.
function(_cudnn_checked_file_facts result)
  set(facts "")
  foreach(file IN LISTS ARGN)
    _cudnn_checked_state(state "${file}")
    string(APPEND facts "${file} ${state}\n")
  endforeach()
  set(${result} "${facts}" PARENT_SCOPE)
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
