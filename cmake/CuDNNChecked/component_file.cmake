# SPDX-License-Identifier: BSD-3-Clause
#
# _cudnn_checked_component_file(<result> <component>)
#
# The library of a component in the place that was found, or nothing.  cuDNN 8 halves its
# sub-libraries into inference and training, and has the graph API in that of the convolutions.
function(_cudnn_checked_component_file result component)
  set(${result} "" PARENT_SCOPE)
  get_filename_component(directory "${place_library}" DIRECTORY)
  get_filename_component(name "${place_library}" NAME)
  string(REGEX REPLACE "^libcudnn" "" ending "${name}")
  set(roles ${component} ${component}_infer)
  if(component STREQUAL "graph" AND place_version MATCHES "^8\\.")
    list(APPEND roles cnn_infer)
  endif()
  foreach(role IN LISTS roles)
    if(EXISTS "${directory}/libcudnn_${role}${ending}")
      set(${result} "${directory}/libcudnn_${role}${ending}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()
