# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_watched_files(<result>)
#
# The files whose change lets the next build configure again: those of the cuDNN that was found.
# The directories are named as well as the files: an older file put in place, a link that leads
# elsewhere or a new file does not make any of the known files newer.
function(_cudnn_checked_watched_files result)
  get_filename_component(directory "${place_library}" DIRECTORY)
  _cudnn_checked_glob_escaped(escaped "${directory}")
  file(GLOB libraries "${escaped}/libcudnn*.so*")
  string(TIMESTAMP now "%s" UTC)
  set(watched "")
  foreach(
    file
    IN
    ITEMS
      ${libraries}
      "${directory}"
      "${place_header}"
      "${place_include}"
      "${cuda_library}"
      ${input_report}
  )
    if(NOT EXISTS "${file}")
      continue()
    endif()
    # Ninja would configure for ever for a file from the future.
    file(TIMESTAMP "${file}" time "%s" UTC)
    if(time GREATER now)
      continue()
    endif()
    list(APPEND watched "${file}")
  endforeach()
  set(${result} "${watched}" PARENT_SCOPE)
endfunction()
