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
  list(JOIN missing ", " names)
  # A package whose record has the file that is missing lacks it by accident.
  _cudnn_checked_wheel_record(why "${place_prefix}")
  set(advice install)
  if(why)
    set(advice again-or-new)
  endif()
  _cudnn_checked_facts_of_install(facts CuDNNChecked_ROOT cudnn_wheels input)
  _cudnn_checked_refuse(NAME sublibrary-missing
    SUMMARY "this cuDNN has no library for a component that is asked for: ${names}"
    FACTS "asked for|${names}|COMPONENTS" "cuDNN|${place_version}|${place_library}"
    BECAUSE "A program that needs it would fail when it calls it."
    ADVISE ${advice} "file=${place_library}" "release=${place_version}" ${facts}
    FIX "ask for COMPONENTS without ${names}"
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
