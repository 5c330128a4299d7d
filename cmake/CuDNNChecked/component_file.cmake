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

# _cudnn_checked_missing_component(<result>): a message where a component that is required has no
# library, otherwise nothing.
function(_cudnn_checked_missing_component result)
  set(text "")
  set(missing "")
  foreach(component IN LISTS input_components)
    _cudnn_checked_component_file(file ${component})
    if(file STREQUAL "")
      list(APPEND missing ${component})
    endif()
  endforeach()
  if(missing)
    list(JOIN missing ", " missing)
    _cudnn_checked_message(text NAME sublibrary-missing
      SUMMARY "this cuDNN has no library for a component that is asked for: ${missing}"
      FACTS "asked for|${missing}|COMPONENTS" "cuDNN|${place_version}|${place_library}"
      BECAUSE "A program that needs it would fail when it calls it."
      FIX "install cuDNN ${place_version} whole, if its release has that library"
          "leave it out of COMPONENTS"
    )
  endif()
  set(${result} "${text}" PARENT_SCOPE)
endfunction()
