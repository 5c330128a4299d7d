# SPDX-License-Identifier: BSD-3-Clause
#
# CuDNNChecked_ROOT has two meanings: where cuDNN is, and for CMake where this package is
# (cmake-policies, CMP0074).

# _cudnn_checked_root_places(<places>)
#
# What CuDNNChecked_ROOT names, as _cudnn_checked_named_places has it, without the directories that
# have this package and nothing of a cuDNN: scikit-build-core, for example, sets the variable to the
# directory of a Python package whose entry point is "cmake.root".
function(_cudnn_checked_root_places places)
  set(kept "")
  _cudnn_checked_named_places(named CuDNNChecked_ROOT)
  foreach(place IN LISTS named)
    _cudnn_checked_has_this_package(has_package "${place}")
    if(has_package)
      _cudnn_checked_has_cudnn(has_cudnn "${place}")
    endif()
    if(has_cudnn OR NOT has_package)
      list(APPEND kept "${place}")
    endif()
  endforeach()
  set(${places} "${kept}" PARENT_SCOPE)
endfunction()

# Whether find_package would find this package in that place.
function(_cudnn_checked_has_this_package result place)
  _cudnn_checked_read_place(label directory "${place}")
  set(${result} FALSE PARENT_SCOPE)
  foreach(folder IN ITEMS "" /cmake /share/CuDNNChecked/cmake)
    set(file "${directory}${folder}/CuDNNCheckedConfig.cmake")
    _cudnn_checked_seen(FILES "${file}")
    if(EXISTS "${file}")
      set(${result} TRUE PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

# Whether a file of a cuDNN, or a wheel of it, is in that place.
function(_cudnn_checked_has_cudnn result place)
  _cudnn_checked_wheels_below(place)
  list(POP_FRONT place first)
  _cudnn_checked_read_place(label directory "${first}")
  _cudnn_checked_directories_of(libraries headers "${directory}")
  _cudnn_checked_spelling("")
  foreach(one IN LISTS libraries headers)
    _cudnn_checked_glob(files "${one}" "${files_of_parts}" "cudnn*.h")
    list(APPEND place ${files})
  endforeach()
  set(${result} FALSE PARENT_SCOPE)
  if(place)
    set(${result} TRUE PARENT_SCOPE)
  endif()
endfunction()
