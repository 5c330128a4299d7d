# SPDX-License-Identifier: BSD-3-Clause
#
# The components that find_package asks for, and the sub-libraries of the cuDNN that was found.

# Refuses if a required component exists only in releases after the one that was found.
function(_cudnn_checked_check_release place input)
  _cudnn_checked_missing_components(missing "${input_components}" "${place_sublibraries}")
  if(missing)
    _cudnn_checked_advised_refusal(components input "found=${place_version}"
                                   "library=${place_library}"
    )
  endif()
endfunction()

# Refuses if a required component has no library.
function(_cudnn_checked_check_components place input)
  _cudnn_checked_missing_components(missing "${input_components}" "${place_sublibraries}")
  if(NOT missing)
    return()
  endif()
  set(words "")
  _cudnn_checked_add_words(words missing ${missing})
  _cudnn_checked_wheel_record(why "${place_prefix}")
  if(why)
    list(APPEND words recorded=yes)
  endif()
  list(JOIN missing ", " names)
  set(what "this cuDNN has no library for a component: ${names}")
  _cudnn_checked_advise("${what}" explain-component input
    "found=${place_version}" "library=${place_library}" "file=${place_library}"
    "release=${place_version}" ${words}
  )
endfunction()

# The components that are required and have no library.
function(_cudnn_checked_missing_components result components sublibraries)
  set(missing "")
  foreach(component IN LISTS components)
    _cudnn_checked_component_file(file ${component} "${sublibraries}")
    if(file STREQUAL "")
      list(APPEND missing ${component})
    endif()
  endforeach()
  set(${result} "${missing}" PARENT_SCOPE)
endfunction()
