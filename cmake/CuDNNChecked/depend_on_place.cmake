# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_depend_on_place()
#
# Lets the next build configure again when the cuDNN that was found changes.  The directories are
# named as well as the files: an older file put in place, a link that leads elsewhere or a new file
# does not make any of the known files newer.
function(_cudnn_checked_depend_on_place)
  get_filename_component(directory "${place_library}" DIRECTORY)
  _cudnn_checked_glob_escaped(escaped "${directory}")
  file(GLOB libraries "${escaped}/libcudnn*.so*")
  string(TIMESTAMP now "%s" UTC)
  get_property(known DIRECTORY PROPERTY CMAKE_CONFIGURE_DEPENDS)
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
    if(NOT EXISTS "${file}" OR "${file}" IN_LIST known)
      continue()
    endif()
    # Ninja would configure for ever for a file from the future.
    file(TIMESTAMP "${file}" time "%s" UTC)
    if(time GREATER now)
      continue()
    endif()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
  endforeach()
endfunction()
