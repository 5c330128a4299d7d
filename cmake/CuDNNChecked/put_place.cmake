# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_put_place(<prefix>)
#
# Puts place_* from found_* of the caller, which are those of this prefix: the prefix, header, version, include
# directory and library, and the sub-libraries that lie beside it.
function(_cudnn_checked_put_place prefix)
  _cudnn_checked_put(place_prefix "${prefix}")
  foreach(value IN ITEMS header version include library)
    _cudnn_checked_put(place_${value} "${found_${value}}")
  endforeach()
  get_filename_component(directory "${found_library}" DIRECTORY)
  get_filename_component(name "${found_library}" NAME)
  string(REGEX REPLACE "^libcudnn" "" ending "${name}")
  _cudnn_checked_glob_escaped(escaped "${directory}")
  file(GLOB files "${escaped}/libcudnn_*${ending}")
  set(sublibraries "")
  foreach(file IN LISTS files)
    if(EXISTS "${file}" AND file MATCHES "/libcudnn_[a-z_]+\\.so[0-9.]*$")
      list(APPEND sublibraries "${file}")
    endif()
  endforeach()
  _cudnn_checked_put(place_sublibraries "${sublibraries}")
endfunction()
